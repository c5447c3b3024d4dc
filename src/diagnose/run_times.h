// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long work of a kind really ran, as a part of the time limit it had, learnt from what was seen
// to end. A kind is, from the finest to the coarsest: jobs of one user and name, of one user in a
// partition, of a partition, all.

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/units.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// One thread at a time.
class RunTimes {
 public:
  // Adds whatever has ended in the Snapshot and was not added before. The scheduler shows what has
  // ended for some minutes (MinJobAge); what ends and is gone between two Snapshots is not counted.
  void observe(const model::Snapshot& snapshot);

  // How long it runs in all if it has run for so long already, drawn from what is known of its
  // kind: where among those it stands is given by draw, of [0, 1). Never more than the limit.
  // Absent when nothing was ever seen to end.
  std::optional<Seconds> draw(const model::Workload& w, Seconds limit, Seconds elapsed,
                              double draw) const;

  // What was seen to end.
  std::uint64_t size() const { return count_; }

  // A hash of the kind's names, the same in every program, with the parts in order of age.
  using Kind = std::uint64_t;
  using Known = std::vector<std::pair<Kind, std::vector<float>>>;
  Known known() const;  // ascending
  // What another one knows, of so many that ended.
  static RunTimes of(const Known& known, std::uint64_t size);

 private:
  static std::vector<Kind> kinds_of(const model::Workload& w);
  void add(Kind kind, float part);

  // Parts of the limit, of (0, 1]; the newest take the place of the oldest.
  struct Parts {
    std::vector<float> sorted;
    std::deque<float> by_age;
  };
  std::unordered_map<Kind, Parts> parts_;
  std::set<std::pair<std::uint32_t, std::int64_t>> last_seen_, seen_;  // ended: job, start
  std::uint64_t count_ = 0;
};

}  // namespace schedlens::diagnose
