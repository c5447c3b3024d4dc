// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long jobs had waited when they started, counted as they are seen to start.
//
// Every Snapshot is fed once, in order. A job counts when it started after the first Snapshot: what
// ran before says nothing about the waits of today. Counts live in memory only, so they start again
// with the program, as Prometheus counters may. Any thread may call.

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/symbol.h"
#include "base/units.h"
#include "metrics/exposition.h"
#include "model/snapshot.h"

namespace schedlens::metrics {

class WaitTracker {
 public:
  // Remembers at most so many starts; those beyond are not counted.
  explicit WaitTracker(std::size_t capacity = 1'000'000);

  void feed(const model::Snapshot& snapshot);
  void write(Exposition& out) const;
  std::size_t remembered() const;

 private:
  struct Waits {
    Waits();
    Histogram since_eligible, since_submit;
  };

  // What started, and when: requeued jobs start again under their old id.
  struct Start {
    std::uint64_t who = 0;
    std::int64_t when = 0;
    friend bool operator==(const Start&, const Start&) = default;
  };
  struct StartHash {
    std::size_t operator()(const Start& start) const;
  };
  static Start start_of(const model::Workload& w);

  void note(const model::Workload& w, Timestamp now);
  void count(const model::Workload& w);
  void forget(Timestamp now);

  mutable std::mutex mutex_;
  std::size_t capacity_;
  std::optional<Timestamp> first_;
  std::uint64_t round_ = 0;
  // Starts already counted, with the round that saw them last.
  std::unordered_map<Start, std::uint64_t, StartHash> seen_;
  std::map<Symbol, Waits> waits_;  // by partition
};

}  // namespace schedlens::metrics
