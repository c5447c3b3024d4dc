// SPDX-License-Identifier: Apache-2.0
#pragma once
// The room on the nodes from now on, given when each running workload ends, and the booking of
// waiting ones into it, as the backfill scheduler plans: each takes the earliest time at which its
// nodes are free for as long as it runs, beside all that was booked before.
//
// A node has a row of stretches, each with what is used in it; it is made when somebody first looks
// at the node. Bookings only take room away, so the first moment at which a node has room for a
// shape never comes closer: it is kept in a heap by shape, and corrected when it comes up.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "diagnose/evaluation.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// Seconds after the Snapshot.
using Offset = std::int64_t;
inline constexpr Offset kNever = std::int64_t{1} << 40;

// What running workloads hold, node by node; the same for every course that things may take.
class HeldNow {
 public:
  explicit HeldNow(const Evaluation& evaluation);

  struct Use {
    std::uint32_t cpus = 0;
    Bytes memory;
    std::array<std::uint32_t, kMostDeviceKinds> devices{};  // in the order of the node's
  };
  struct Hold {
    model::WorkloadId by;
    Use use;
    bool whole = false;  // nobody else may use the node meanwhile
  };
  const std::vector<Hold>& on(model::NodeId node) const { return holds_[node.index]; }

 private:
  std::vector<std::vector<Hold>> holds_;
};

class RoomAhead {
 public:
  // ends: of what runs, by WorkloadId. All must outlive it.
  RoomAhead(Evaluation& evaluation, const HeldNow& held, const std::vector<Offset>& ends);

  // The earliest start from then on, whose room is then taken; absent where there never is any.
  std::optional<Offset> book(const model::Workload& w, ShapeAnswer& answer, Offset not_before,
                             Offset runs);

 private:
  struct Stretch {
    Offset from = 0;
    HeldNow::Use used;
    bool whole = false;  // given to one alone
    bool empty = false;  // nothing of what runs now is left
  };
  using Row = std::vector<Stretch>;
  // One workload that looks for room.
  struct Asker {
    const model::Workload& w;
    ShapeAnswer& answer;
    std::uint32_t alternative = ~0u;       // of its features
    std::vector<std::uint32_t> closed_by;  // reservations, whenever they are
    Offset runs = 0;
  };
  struct First {
    Offset at = 0;
    std::uint32_t node = 0;
    friend bool operator>(const First& a, const First& b) {
      return a.at != b.at ? a.at > b.at : a.node > b.node;
    }
  };
  using Heap = std::vector<First>;  // the earliest on top
  struct Plan {
    Offset at = kNever;
    std::vector<model::NodeId> nodes;
  };

  Row& row(model::NodeId node);
  // The node as it is in the stretch. Valid until the next call.
  const NodeView& seen(model::NodeId node, const Stretch& stretch);
  bool has_room(const Asker& asker, model::NodeId node, const Stretch& stretch);
  // The first moment from then on at which the node has room for the run.
  Offset first_room(const Asker& asker, model::NodeId node, Offset from);
  // The most that the node gives in all of the run.
  Share share(const Asker& asker, model::NodeId node, Offset at);
  // When reservations leave the node to it for the run.
  Offset after_reservations(const Asker& asker, model::NodeId node, Offset from) const;
  // By the workload's own lists of nodes.
  bool may_use(const Asker& asker, model::NodeId node) const;
  Heap& heap(const Asker& asker);
  static Asker at_any_moment(const Asker& asker);  // without reservations

  Plan on_one_node(const Asker& asker, Offset not_before);
  Plan on_several(const Asker& asker, Offset not_before);
  std::optional<std::vector<model::NodeId>> choose(const Asker& asker, const Heap& firsts,
                                                   Offset at);
  void take(const Asker& asker, const Plan& plan);
  void split(Row& row, Offset at);

  Evaluation& evaluation_;
  const model::Snapshot& snapshot_;
  const HeldNow& held_;
  const std::vector<Offset>& ends_;
  std::vector<Row> rows_;        // by node; empty until looked at
  std::vector<NodeView> views_;  // by class, changed at each look
  std::map<std::pair<const ShapeAnswer*, std::uint32_t>, Heap> heaps_;  // by alternative, too
};

}  // namespace schedlens::diagnose
