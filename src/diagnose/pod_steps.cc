// SPDX-License-Identifier: Apache-2.0
// What might help a pod, by the cause of its wait.

#include <iterator>

#include "diagnose/pod_changes.h"
#include "diagnose/remedy_step.h"

namespace schedlens::diagnose {

std::vector<Step> pod_steps(const model::Snapshot& snapshot, const Verdict& v) {
  using Steps = std::vector<Step> (*)(const model::Snapshot&, const Verdict&);
  std::vector<Steps> sources;
  switch (v.cause) {
    case RootCause::kHold:
      sources = {opened_gates};
      break;
    case RootCause::kNotConsidered:
      sources = {woken};
      break;
    case RootCause::kDependency:
      sources = {served_device_claims};
      break;
    case RootCause::kVolume:
      sources = {served_claims, uncordoned_nodes, ended_pods};
      break;
    case RootCause::kUnhealthyNodes:
      sources = {uncordoned_nodes, served_device_claims, smaller_pod,       more_tolerations,
                 fewer_pod_wishes, ended_pods,           ended_device_users};
      break;
    case RootCause::kConstraint:
    case RootCause::kImpossible:
      sources = {served_device_claims, more_tolerations, fewer_pod_wishes,
                 labelled_nodes,       untainted_nodes,  uncordoned_nodes,
                 smaller_pod,          ended_pods,       ended_device_users};
      break;
    case RootCause::kFragmentation:
    case RootCause::kCapacity:
    case RootCause::kPriority:
      sources = {smaller_pod,     served_device_claims, more_tolerations,  uncordoned_nodes,
                 untainted_nodes, ended_pods,           ended_device_users};
      break;
    default:
      break;
  }
  std::vector<Step> steps;
  for (auto source : sources) {
    auto found = source(snapshot, v);
    std::move(found.begin(), found.end(), std::back_inserter(steps));
  }
  return steps;
}

}  // namespace schedlens::diagnose
