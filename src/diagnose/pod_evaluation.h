// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every filter on every node for one waiting pod: not only the first that fails, as the scheduler
// does, but all, so that it is known what would help.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "diagnose/pod_affinity.h"
#include "diagnose/pod_cluster.h"
#include "diagnose/pod_devices.h"
#include "diagnose/pod_filter.h"
#include "diagnose/pod_match.h"
#include "diagnose/pod_spread.h"
#include "diagnose/pod_volumes.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::diagnose {

struct ResourceAsk {
  Symbol name;
  std::int64_t amount = 0;
  const PodCluster::Column* column = nullptr;  // null: no node has it
  bool has_class = false;  // devices of a DeviceClass stand for it where no node lists it
  std::int64_t allocatable(model::NodeId node) const {
    return column ? column->allocatable[node.index] : 0;
  }
  std::int64_t used(model::NodeId node) const { return column ? column->used[node.index] : 0; }
  std::int64_t free(model::NodeId node) const { return allocatable(node) - used(node); }
};

struct PodAnswer {
  std::vector<ResourceAsk> asks;  // in the order of the bits
  // What a PreFilter plugin says of the whole pod; then the scheduler looks at no node.
  std::string whole_pod;
  std::optional<PodFilter> whole_pod_by;
  std::vector<PodReasons> failed;  // by node
  // By node: filters that may fail there although nothing in failed says so. A sentence for each
  // thing that was not read.
  std::vector<PodFilterSet> unknown;
  std::vector<std::string> unknown_why;
  // Pods nominated to nodes that count against the pod, by node.
  std::vector<AssignedPod> nominees;
  // Nodes that would pass if pods nominated to them did not count.
  std::vector<model::NodeId> taken_by_nominees;
  std::unique_ptr<PodSpread> spread;      // null without constraints
  std::unique_ptr<PodAffinity> affinity;  // null where no term concerns the pod
  std::unique_ptr<PodDevices> devices;    // null without ResourceClaims
  std::optional<model::WorkloadId> exclusive_user;

  bool passes(model::NodeId node) const {
    return failed[node.index].empty() && unknown[node.index].empty();
  }
  bool may_pass(model::NodeId node) const { return failed[node.index].empty(); }
  std::string text(PodReasons one) const;  // of one reason, resources included
};

class PodEvaluation {
 public:
  // The Snapshot must outlive it.
  explicit PodEvaluation(const model::Snapshot& snapshot);

  PodCluster& cluster() { return cluster_; }
  const PodCluster& cluster() const { return cluster_; }
  const PodMatch& match() const { return match_; }
  const VolumeIndex& volumes() const { return volumes_; }
  const DeviceIndex& devices() const { return devices_; }

  PodAnswer evaluate(model::WorkloadId id);
  // Equal for pods that every filter treats alike.
  std::string likeness(model::WorkloadId id);

 private:
  // Pods nominated to a node that count against the pod.
  std::vector<AssignedPod> nominees_against(model::WorkloadId id) const;
  std::vector<NodeInclusion> test_classes(const model::PodSpec& spec, PodAnswer& answer) const;
  void test_node_set(const model::PodSpec& spec, PodAnswer& answer) const;
  PodReasons test_room(const model::PodSpec& spec, const PodAnswer& answer, model::NodeId node,
                       std::span<const AssignedPod> nominated) const;
  void test_devices(const model::Pod& pod, PodAnswer& answer);
  void test_nominees(const model::Pod& pod, PodAnswer& answer) const;
  std::uint32_t spec_number(const model::PodSpecPtr& spec);

  const model::Snapshot& snapshot_;
  PodCluster cluster_;
  PodMatch match_;
  ExistingAntiAffinity existing_;
  VolumeIndex volumes_;
  DeviceIndex devices_;
  std::unordered_map<const model::PodSpec*, std::uint32_t> spec_numbers_;
  std::unordered_map<std::string, std::vector<std::pair<const model::PodSpec*, std::uint32_t>>>
      specs_;  // by request, to find equal ones
};

// The node matches the pod's nodeSelector and required node affinity.
bool matches_node(const model::PodSpec& spec, const model::NodeObject& object,
                  std::string_view name);
// The taints that keep the pod away, in the node's order.
std::vector<const model::Taint*> untolerated(const model::PodSpec& spec,
                                             const model::NodeObject& object);
// Of these, those that something else than the cordon has set: the cordon's own goes with it.
std::vector<const model::Taint*> untolerated_but_cordon(const model::PodSpec& spec,
                                                        const model::NodeObject& object);
bool tolerates_cordon(const model::PodSpec& spec);
bool clashes(const model::HostPort& a, const model::HostPort& b);
// The only nodes that the pod's node affinity names, as the scheduler takes them before it looks at
// any; nothing when it names none. An empty list: the names contradict each other.
std::optional<std::vector<std::string>> named_nodes(const model::PodSpec& spec);

}  // namespace schedlens::diagnose
