// SPDX-License-Identifier: Apache-2.0
#pragma once
// The health of the devices that pods got, as kubelets report it, as lines of the screens of a pod
// and of a node.

#include <string>
#include <utility>
#include <vector>

#include "model/pod.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// "nvidia.com/gpu: 7 healthy, GPU-b unhealthy (ECC errors)"; empty where nobody reports it.
std::string device_health_text(const model::Pod& pod);
// Label and text of each pod of the node with a device that is not healthy.
std::vector<std::pair<std::string, std::string>> node_device_facts(const model::Snapshot& snapshot,
                                                                   model::NodeId node);

}  // namespace schedlens::cli
