// SPDX-License-Identifier: Apache-2.0
#include "api/device_view.h"

#include "api/json_parts.h"
#include "model/node_object.h"
#include "model/pod.h"
#include "model/unhealthy_devices.h"

namespace schedlens::api {
namespace {

void write_devices(JsonWriter& json, const model::Workload& w) {
  if (!w.pod || !w.pod->devices) return;
  for (const auto& device : *w.pod->devices) {
    json.object([&] {
      json.field("pod", model::display_id(w));
      json.field("resource", device.resource);
      json.field("device", device.device);
      json.field("state", model::state_name(device.state));
      write_text(json, "message", device.message);
    });
  }
}

}  // namespace

void write_node_devices(JsonWriter& json, const View& view, model::NodeId id) {
  const auto& s = view.snapshot;
  json.key("unhealthy_devices");
  json.array([&] {
    const auto* object = s.node(id).object.get();
    if (!object) return;
    const auto unhealthy = model::unhealthy_devices(*object);
    for (const auto& item : unhealthy.items()) {
      json.object([&] {
        json.field("resource", item.name);
        json.field("unhealthy", item.amount);
        json.field("total", model::devices_there(*object, item.name));
      });
    }
  });
  json.key("device_health");
  json.array([&] {
    for (const auto pod : s.workloads_on(id)) write_devices(json, s.workload(pod));
  });
}

void write_pod_devices(JsonWriter& json, const model::Workload& pod) {
  json.key("device_health");
  json.array([&] { write_devices(json, pod); });
}

}  // namespace schedlens::api
