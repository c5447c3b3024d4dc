// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sees runs end: jobs and pods that held GPUs and failed, were requeued, preempted or evicted, and
// who preempted whom. Part of EfficiencyTracker, which guards it.
//
// A run is one start of one workload. Slurm shows ended jobs for a while (MinJobAge); what ends and
// is gone between two Snapshots nobody saw, and is said to be unseen. Slurm forgets at once that a
// requeued job was preempted: whoever started on its nodes at that moment and may preempt it is
// taken for the preemptor.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "metrics/efficiency_counts.h"
#include "model/snapshot.h"

namespace schedlens::metrics {

class RunTracker {
 public:
  void feed(const model::Snapshot& snapshot, EfficiencyCounts& counts);

 private:
  struct Run {
    Timestamp start, seen;
    std::uint64_t gpus = 0;
    std::vector<model::NodeId> nodes;
    Symbol queue, qos;
    bool ended = false;  // counted; kept while it is shown
    std::uint64_t round = 0;
  };
  // A run of a Slurm job that ended and whose preemptor, if any, may not have started yet.
  struct Open {
    Run run;
    std::uint64_t who = 0;
    std::string id;
    Timestamp end, give_up;
    bool preempted = false;  // the scheduler says so
  };

  static std::uint64_t key_of(const model::Workload& w);
  void look_at(const model::Workload& w, bool gone);
  void remember(const model::Workload& w, std::uint64_t who);
  void end_by_requeue(const model::Workload& w, std::uint64_t who, Run& run);
  void end(const model::Workload& w, std::uint64_t who, Run& run, bool gone);
  void drop_unseen();
  void close_open();
  const model::Workload* preemptor_of(const Open& open) const;
  bool may_preempt(const model::Workload& w, const Run& victim) const;
  void lose(LossCause cause, const Run& run, Timestamp end);
  void note(Preemption preemption);
  void read_events();

  // Of the feed in progress.
  const model::Snapshot* s_ = nullptr;
  EfficiencyCounts* counts_ = nullptr;

  std::optional<Timestamp> first_;
  std::uint64_t round_ = 0;
  std::unordered_map<std::uint64_t, Run> runs_;
  std::vector<Open> open_;
  std::unordered_set<std::string> events_;  // uid of victims already counted
};

}  // namespace schedlens::metrics
