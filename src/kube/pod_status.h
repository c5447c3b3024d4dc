// SPDX-License-Identifier: Apache-2.0
#pragma once
// The status of a pod as it stands in the object.

#include <optional>
#include <string>
#include <vector>

#include "kube/request.h"
#include "model/pod.h"
#include "model/workload.h"

namespace schedlens::kube {

class Fields;

struct ContainerStatus {
  std::string name;
  std::optional<ActualResources> actual;
  std::optional<Timestamp> started;
  std::optional<Timestamp> finished;  // of the present run, where it is over
  std::optional<model::Exit> exit;
  std::uint32_t restarts = 0;
  std::vector<model::DeviceHealth> devices;
};

struct PodStatusParts {
  model::PodPhase phase = model::PodPhase::kUnknown;
  Symbol reason;
  Symbol nominated_node;
  std::vector<model::PodCondition> conditions;
  std::vector<ContainerStatus> containers;
  std::vector<ContainerStatus> init_containers;
  std::vector<model::PodResourceClaim> claims;  // name and claim
  std::optional<ActualResources> pod_actual;
  ResourceList claimed;
};
PodStatusParts read_pod_status(Fields fields);

}  // namespace schedlens::kube
