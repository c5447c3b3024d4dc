// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the root cause of a pod's wait from the answers of all filters on all nodes.
//
// In the order in which a cause makes the later ones pointless:
//
//   1. There are no nodes (capacity).
//   2. Its claims stop it before any node is looked at (volume).
//   3. No node could hold it even if the cluster were empty and healthy: its labels or names select
//      none, it asks for more than any of those has, or a topology key is on no node (impossible).
//   4. It fits (not_considered: the next attempt places it, if something wakes it).
//   5. Preempted pods are making room for it, or the room is promised to pods of at least its
//      priority (priority).
//   6. Nodes would take it but for its volumes (volume).
//      What a claim asks of devices counts as what a pod asks of resources: a device with a taint
//      is not healthy, a claim that has its devices excludes the nodes that cannot use them.
//   7. Something that was not read decides (unknown).
//   8. Nodes that are cordoned or unhealthy would hold it, and those in service do not have enough
//      even in sum (unhealthy_nodes).
//   9. Nodes in service have the room, and affinity, taints, spread or ports exclude them
//      (constraint). Control plane nodes do not count: nobody means their room.
//  10. Enough in sum on the nodes that pass all but resources, on none of them alone
//      (fragmentation).
//  11. Not enough (capacity).

#include <optional>
#include <vector>

#include "diagnose/pod_evaluation.h"
#include "diagnose/verdict.h"
#include "model/pod.h"

namespace schedlens::diagnose {

struct PodAssessment {
  RootCause cause = RootCause::kUnknown;
  // What the cause was read from, where one class has several.
  enum class Step : std::uint8_t {
    kNoNodes,
    kWholePod,
    kAffinitySelectsNone,
    kTooLarge,
    kDevicesNever,
    kTopologyKeyAbsent,
    kFits,
    kOwnNomination,
    kOthersNomination,
    kVolumes,
    kNotRead,
    kUnhealthy,
    kConstraint,
    kResources
  } step = Step::kResources;
  // Nodes that the cause is about: that fit, that would hold it, that have room.
  std::vector<model::NodeId> nodes;
};

PodAssessment assess_pod(const PodEvaluation& evaluation, model::WorkloadId id,
                         const PodAnswer& answer);

// What a node that is healthy and in service would no longer fail.
struct NodeHealth {
  bool in_service = true;
  PodReasons forgiven;  // of those it fails now
  std::string state;    // "cordoned", "not-ready", "2 of 8 nvidia.com/gpu unhealthy"
};
NodeHealth node_health(const PodCluster& cluster, const model::PodSpec& spec,
                       const PodAnswer& answer, model::NodeId node);

// What the node has, with devices that are unhealthy now.
std::int64_t healthy_total(const PodCluster& cluster, const ResourceAsk& ask, model::NodeId node);
// The pod may use the node, and only what others take there is in the way.
bool only_short(const PodAnswer& answer, model::NodeId node);

// Reasons that are the pod's wishes or its neighbours', not room or health.
PodReasons wish_reasons();
PodReasons volume_reasons();

}  // namespace schedlens::diagnose
