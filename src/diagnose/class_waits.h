// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long workloads of a class wait, learnt from those that were seen to start. A class is one
// queue (of pods: one namespace) and one size: GPUs asked for, to the next power of two, or where
// there are none, CPUs.

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct WaitClass {
  Symbol queue;
  bool gpus = false;
  std::uint32_t size = 0;  // the most that one of the class asks for

  friend auto operator<=>(const WaitClass& a, const WaitClass& b) {
    return std::tuple(a.queue.id(), a.gpus, a.size) <=> std::tuple(b.queue.id(), b.gpus, b.size);
  }
  friend bool operator==(const WaitClass&, const WaitClass&) = default;
};
WaitClass wait_class(const model::Workload& w);
std::string class_name(const WaitClass& c);  // "5 to 8 GPUs in train"

struct ClassStart {
  Timestamp eligible, start;
  std::int64_t priority = 0;  // of a pod
};

// One thread at a time.
class ClassWaits {
 public:
  // Adds what holds resources or has ended and was not added before. Of one Snapshot alone these
  // are the starts of what it still shows.
  void observe(const model::Snapshot& snapshot);
  void add(const WaitClass& c, ClassStart start);
  // The newest starts of the class, oldest first.
  const std::deque<ClassStart>& starts(const WaitClass& c) const;

  const std::map<WaitClass, std::deque<ClassStart>>& all() const { return starts_; }

 private:
  void note(const model::Workload& w, Timestamp now);

  using Run = std::pair<std::string, std::int64_t>;  // which workload, and when it started
  std::map<WaitClass, std::deque<ClassStart>> starts_;
  std::set<Run> last_seen_, seen_;
};

}  // namespace schedlens::diagnose
