// SPDX-License-Identifier: Apache-2.0
#pragma once
// Devices that cannot be handed out now: the kubelet found them unhealthy, and they are in a node's
// capacity and not allocatable; or the device plugin is gone, and the kubelet has taken them out of
// both.

#include <cstdint>

#include "base/symbol.h"
#include "model/node_object.h"

namespace schedlens::model {

// Of an extended resource, healthy or not. Where a node lists none of its GPUs but its label says
// that the driver counted some, these.
std::int64_t devices_there(const NodeObject& node, Symbol resource);

// By resource: extended resources alone, since of CPU and memory a node keeps some for itself.
Quantities unhealthy_devices(const NodeObject& node);

}  // namespace schedlens::model
