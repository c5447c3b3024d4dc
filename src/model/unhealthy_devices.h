// SPDX-License-Identifier: Apache-2.0
#pragma once
// Devices that the kubelet found unhealthy: in a node's capacity, but not allocatable.

#include "model/node_object.h"

namespace schedlens::model {

// By resource: extended resources alone, since of CPU and memory a node keeps some for itself.
Quantities unhealthy_devices(const NodeObject& node);

}  // namespace schedlens::model
