// SPDX-License-Identifier: Apache-2.0
#pragma once
// Walks the queue in the scheduler's order and gives room to each workload in turn, so that for one
// that fits now it is known whether the room is still there when its turn comes, and whether the
// scheduler comes to it at all.
//
// The room given away is kept per node, only for nodes that were touched; all others still answer
// by class. Room only shrinks: a node that has none left for a shape is never looked at again for
// it, and a shape that found none is not tried again.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnose/evaluation.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// How the scheduler stands towards one workload that fits now.
struct Standing {
  // The room goes to those ahead of it.
  bool room_taken = false;
  // One ahead waits for the same nodes without a plan, and the main scheduler stops there.
  std::optional<model::WorkloadId> behind;
  // Nothing that is known is in its way, but the scheduler has planned it for later: a job of
  // several partitions is planned in each of them, and Slurm shows one of these plans only.
  bool planned_later = false;
  // The setting that keeps every scheduler from coming to it ("bf_max_job_test"); empty if none.
  std::string depth_limit;
};

// Whether the scheduler has made its plans for what the Snapshot holds, or something was changed
// since: those that wait may then start before they are planned, but their nodes are still kept for
// them.
enum class Plans : std::uint8_t { kOfNow, kOutdated };

class QueueWalk {
 public:
  QueueWalk(Evaluation& evaluation, Plans plans);

  // The next workload in queue order that the scheduler would take up: w, under its id or in its
  // place. answer: its shape in the queue where it stands best.
  Standing step(model::WorkloadId id, const model::Workload& w, ShapeAnswer& answer, bool fits);
  // What the scheduler has planned for it is kept free from then on.
  void plan(const model::Workload& w);

 private:
  struct Touched {
    NodeView view;
    model::NodeId node;
    std::optional<Timestamp> planned;  // must be free again by then
  };
  std::string depth_limit(const model::Workload& w, model::QueueId queue);
  bool take_room(const model::Workload& w, ShapeAnswer& answer);
  // How far a shape has got in looking for single nodes.
  struct Progress {
    bool exhausted = false;
    std::vector<std::uint32_t> alive;  // touched nodes that may still have room, last tried first
    std::uint32_t seen = 0;            // touched nodes known
    std::uint32_t next_class = 0;
  };
  std::optional<model::NodeId> single_node(const model::Workload& w, const ShapeAnswer& answer,
                                           Progress& progress);
  std::optional<std::vector<model::NodeId>> several_nodes(const model::Workload& w,
                                                          const ShapeAnswer& answer);
  std::vector<Candidate> room(const model::Workload& w, const ShapeAnswer& answer);
  Touched& touch(model::NodeId node);
  bool has_room(const ShapeAnswer& answer, const Touched& t) const;
  // In the workload's node lists, and free again before a plan needs the node.
  bool may_use(const model::Workload& w, const ShapeAnswer& answer, const Touched& t) const;

  Evaluation& evaluation_;
  const model::Snapshot& snapshot_;
  std::vector<Touched> touched_;
  std::unordered_map<model::NodeId, std::uint32_t> place_;  // in touched_
  Plans plans_;
  bool any_plans_ = false;
  std::vector<std::uint32_t> untouched_;  // by class
  std::unordered_map<const ShapeAnswer*, Progress> progress_;
  struct Blocked {
    model::WorkloadId id;
    std::optional<Timestamp> start;  // forecast without a plan of nodes
    bool planned = false;
  };
  std::unordered_map<std::uint32_t, Blocked> blocked_;  // first by queue

  // Settings of the scheduler and what of them is used up.
  std::uint64_t main_depth_, backfill_depth_;
  std::optional<std::int64_t> per_user_, per_partition_, per_account_, per_user_partition_;
  std::optional<std::int64_t> main_per_partition_;
  bool backfills_ = true;
  std::uint64_t seen_ = 0, backfilled_ = 0;
  std::unordered_map<Symbol, std::int64_t> of_user_, of_account_;
  std::unordered_map<std::uint32_t, std::int64_t> of_partition_, main_of_partition_;
  std::map<std::pair<Symbol, std::uint32_t>, std::int64_t> of_user_partition_;
};

}  // namespace schedlens::diagnose
