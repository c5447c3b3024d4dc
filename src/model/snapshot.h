// SPDX-License-Identifier: Apache-2.0
#pragma once
// The whole cluster at one moment: an immutable value that every reader shares.
//
// Who builds one fills the vectors and calls build_index() once; after that nobody changes it, and
// any thread may read it without a lock. Ids are places in the vectors.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/ids.h"
#include "model/limit.h"
#include "model/node.h"
#include "model/queue.h"
#include "model/reservation.h"
#include "model/scheduler.h"
#include "model/shared_list.h"
#include "model/source.h"
#include "model/workload.h"

namespace schedlens::model {

struct Kubernetes;  // model/kubernetes.h

class Snapshot {
 public:
  std::string cluster;
  std::string scheduler = "slurm";
  std::string scheduler_version;
  // When the newest part was read; ages of the parts are in sources.
  Timestamp time;

  std::vector<SourceStatus> sources;
  std::vector<Node> nodes;
  SharedList<Workload> workloads;  // two Snapshots may hold the same
  std::vector<Queue> queues;
  std::vector<Qos> qos;
  std::vector<Association> associations;
  std::vector<User> users;
  std::vector<Reservation> reservations;
  std::vector<Licence> licences;
  std::optional<SchedulerConfig> config;
  std::optional<SchedulerVitals> vitals;
  std::shared_ptr<const Kubernetes> kubernetes;  // only of a Kubernetes cluster

  void build_index();

  const Node& node(NodeId id) const { return nodes[id.index]; }
  const Workload& workload(WorkloadId id) const { return workloads[id.index]; }
  const Queue& queue(QueueId id) const { return queues[id.index]; }

  std::optional<NodeId> find_node(Symbol name) const;
  std::optional<QueueId> find_queue(Symbol name) const;
  const Qos* find_qos(Symbol name) const;
  // The association of a user in an account; the one for the queue where there is one.
  const Association* find_association(Symbol account, Symbol user, Symbol queue) const;
  const Association* find_association(std::uint32_t id) const;
  const Reservation* find_reservation(Symbol name) const;
  const SourceStatus* find_source(std::string_view name) const;

  // By any name a scheduler's tool prints: "12", "12_3", "12_[1-4]", "12+1", "namespace/pod". "12"
  // names the whole of an array or het job: all its records; "pod" alone, pods of that name in
  // every namespace. Empty when there is none.
  std::vector<WorkloadId> find_workloads(std::string_view id) const;

  // Workloads that hold resources on the node.
  std::span<const WorkloadId> workloads_on(NodeId id) const;
  // Waiting, by the order in which the scheduler would take them where that is known: reservation
  // first, then partition tier, priority, submit order.
  std::span<const WorkloadId> pending() const { return pending_; }

 private:
  std::unordered_map<Symbol, NodeId> node_by_name_;
  std::unordered_map<Symbol, QueueId> queue_by_name_;
  std::unordered_map<Symbol, std::uint32_t> qos_by_name_;
  std::unordered_map<std::uint32_t, std::uint32_t> association_by_id_;
  std::unordered_map<std::uint64_t, std::uint32_t> association_by_name_;
  bool queue_associations_ = false;  // some association is for one partition only
  // From a job id, an array's or a het job's id to its records.
  std::unordered_multimap<std::uint32_t, WorkloadId> workload_by_id_;
  std::vector<std::uint32_t> node_first_;  // offsets into node_workloads_, one more than nodes
  std::vector<WorkloadId> node_workloads_;
  std::vector<WorkloadId> pending_;
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

// The highest priority tier among a workload's queues (0 when none is known).
std::uint32_t priority_tier(const Snapshot& snapshot, const Workload& w);

}  // namespace schedlens::model
