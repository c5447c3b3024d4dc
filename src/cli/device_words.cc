// SPDX-License-Identifier: Apache-2.0
#include "cli/device_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace schedlens::cli {
namespace {

using model::DeviceHealth;
using model::DeviceState;

std::string one_text(const DeviceHealth& device) {
  auto text =
      fmt::format("{} {}", device.device,
                  device.state == DeviceState::kUnhealthy ? "unhealthy" : "of unknown health");
  if (!device.message.empty()) text += fmt::format(" ({})", device.message);
  return text;
}

bool is_in_doubt(const DeviceHealth& device) {
  return device.state != DeviceState::kHealthy;
}

}  // namespace

std::string device_health_text(const model::Pod& pod) {
  if (!pod.devices) return "";
  std::map<std::string, std::vector<const DeviceHealth*>> by_resource;
  for (const auto& device : *pod.devices) by_resource[device.resource.str()].push_back(&device);
  std::vector<std::string> texts;
  for (const auto& [resource, devices] : by_resource) {
    const auto healthy = std::count_if(devices.begin(), devices.end(),
                                       [](const auto* device) { return !is_in_doubt(*device); });
    std::vector<std::string> parts;
    if (healthy > 0) parts.push_back(fmt::format("{} healthy", healthy));
    for (const auto* device : devices) {
      if (is_in_doubt(*device)) parts.push_back(one_text(*device));
    }
    texts.push_back(fmt::format("{}: {}", resource, fmt::join(parts, ", ")));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::vector<std::pair<std::string, std::string>> node_device_facts(const model::Snapshot& snapshot,
                                                                   model::NodeId node) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto id : snapshot.workloads_on(node)) {
    const auto& w = snapshot.workload(id);
    if (!w.pod || !w.pod->devices) continue;
    const auto& devices = *w.pod->devices;
    if (std::any_of(devices.begin(), devices.end(), is_in_doubt)) {
      facts.emplace_back("pod's devices",
                         fmt::format("{}: {}", model::display_id(w), device_health_text(*w.pod)));
    }
  }
  return facts;
}

}  // namespace schedlens::cli
