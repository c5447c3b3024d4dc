// SPDX-License-Identifier: Apache-2.0
#pragma once
// Places in one Snapshot's vectors. An id means nothing in another Snapshot.

#include <compare>
#include <cstdint>
#include <functional>

namespace schedlens::model {

template <class Tag>
struct Id {
  std::uint32_t index = 0;
  friend auto operator<=>(const Id&, const Id&) = default;
};

using NodeId = Id<struct NodeTag>;          // Snapshot::nodes
using WorkloadId = Id<struct WorkloadTag>;  // Snapshot::workloads
using QueueId = Id<struct QueueTag>;        // Snapshot::queues

}  // namespace schedlens::model

template <class Tag>
struct std::hash<schedlens::model::Id<Tag>> {
  std::size_t operator()(schedlens::model::Id<Tag> id) const noexcept { return id.index; }
};
