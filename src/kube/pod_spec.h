// SPDX-License-Identifier: Apache-2.0
#pragma once
// The spec of a pod as it stands in the object, before the status is known.

#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "kube/request.h"
#include "model/pod.h"

namespace schedlens::kube {

class Fields;

struct PodSpecParts {
  model::PodSpec spec;  // without request and limit
  PodResources resources;
  // claim is the volume's name where ephemeral: the pod's name comes before it.
  std::vector<model::PodVolume> volumes;
  std::vector<model::PodResourceClaim> claims;
  std::vector<Symbol> gates;
  Symbol node_name;
  std::optional<std::int32_t> priority;
  std::string group;  // spec.schedulingGroup, or spec.workloadRef of 1.35
};
PodSpecParts read_pod_spec(Fields fields);

// One entry after another of a map of quantities.
void read_amount(Fields& fields, const char* name, ResourceList& into);
// ResourceRequirements
void read_requirements(Fields fields, ResourceList& requests, ResourceList& limits);

}  // namespace schedlens::kube
