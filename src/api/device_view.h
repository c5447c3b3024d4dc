// SPDX-License-Identifier: Apache-2.0
#pragma once
// The health of devices in the views of a pod and of a node.

#include "api/view.h"
#include "base/json_writer.h"
#include "model/snapshot.h"

namespace schedlens::api {

// What a node has but cannot give now (model/unhealthy_devices.h); and the devices of the pods
// there, each with its health, where the kubelet reports it.
void write_node_devices(JsonWriter& json, const View& view, model::NodeId node);
void write_pod_devices(JsonWriter& json, const model::Workload& pod);

}  // namespace schedlens::api
