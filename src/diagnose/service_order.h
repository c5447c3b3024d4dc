// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order in which Slurm serves what waits: own reservations first, then by tier of the partition
// and priority in it. A job of several partitions is served in each of them; it stands here where
// it is closest to starting, and what the scheduler has planned for it in a partition before that
// one takes its room earlier.

#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "model/snapshot.h"

namespace schedlens::diagnose {

class ServiceOrder {
 public:
  // The queue in which one of several queues is closest to starting, if any.
  using StandsIn = std::function<std::optional<model::QueueId>(model::WorkloadId)>;
  ServiceOrder(const model::Snapshot& snapshot, const StandsIn& stands_in);

  struct Turn {
    model::WorkloadId id;
    bool plan_only = false;  // it cannot start here, but is planned here
  };
  const std::vector<Turn>& turns() const { return turns_; }
  // Where a waiting workload itself has its turn.
  std::size_t place(model::WorkloadId id) const { return place_[id.index]; }
  // The first turn that comes after that of a workload, changed into this, in the queue.
  std::size_t end_of_turns_before(const model::Workload& changed,
                                  std::optional<model::QueueId> queue) const;

 private:
  using Key =
      std::tuple<bool, std::uint32_t, std::uint64_t, std::uint32_t>;  // the smaller is first
  Key key(const model::Workload& w, std::optional<model::QueueId> queue) const;
  // The partition of a higher tier than it stands in whose nodes the scheduler has planned for it.
  std::optional<model::QueueId> planned_before(const model::Workload& w,
                                               model::QueueId stands_in) const;

  const model::Snapshot& snapshot_;
  std::vector<Turn> turns_;
  std::vector<Key> keys_;             // of each turn
  std::vector<std::uint32_t> place_;  // by WorkloadId
};

}  // namespace schedlens::diagnose
