// SPDX-License-Identifier: Apache-2.0
#include "kube/stats_summary.h"

#include <simdjson.h>

#include "kube/credentials.h"

namespace schedlens::kube {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;

std::string text_at(element parent, const char* key) {
  std::string_view text;
  return parent[key].get(text) == SUCCESS ? std::string(text) : std::string();
}

std::optional<std::uint64_t> number_at(element parent, const char* key) {
  std::uint64_t number = 0;
  return parent[key].get(number) == SUCCESS ? std::optional(number) : std::nullopt;
}

// The kubelet writes the zero of its clock, the year 1, where it does not know.
std::optional<Timestamp> time_at(element parent) {
  const auto time = parse_rfc3339(text_at(parent, "time"));
  return time && time->unix_seconds > 0 ? time : std::nullopt;
}

// Adds what one container, or the node, uses.
void add(element stats, model::Use& use) {
  element cpu, memory;
  if (stats["cpu"].get(cpu) == SUCCESS) {
    if (const auto nano = number_at(cpu, "usageNanoCores")) {
      use.cpu = use.cpu.value_or(0) + static_cast<double>(*nano) / 1e9;
      use.sampled = std::max(use.sampled, time_at(cpu));
    }
  }
  if (stats["memory"].get(memory) == SUCCESS) {
    const auto bytes = number_at(memory, "workingSetBytes");
    if (bytes && static_cast<double>(*bytes) <= kMostMeasured) {
      use.memory = use.memory.value_or(Bytes{}) + Bytes{static_cast<std::int64_t>(*bytes)};
      use.sampled = std::max(use.sampled, time_at(memory));
    }
  }
}

MeasuredPod read_pod(element stats) {
  MeasuredPod pod;
  element reference;
  if (stats["podRef"].get(reference) == SUCCESS) {
    pod.ns = text_at(reference, "namespace");
    pod.name = text_at(reference, "name");
    pod.uid = text_at(reference, "uid");
  }
  array containers;
  if (stats["containers"].get(containers) == SUCCESS) {
    for (auto container : containers) add(container, pod.use);
  }
  // Its own group, where no container was measured.
  if (!pod.use.cpu && !pod.use.memory) add(stats, pod.use);
  pod.use.view = model::UsageView::kKubeletSummary;
  return pod;
}

}  // namespace

Result<Measured> read_stats_summary(std::string_view json) {
  simdjson::dom::parser parser;
  element root, node;
  if (auto bad = parser.parse(json.data(), json.size()).get(root); bad != SUCCESS) {
    return fail("not a JSON document: {}", simdjson::error_message(bad));
  }
  if (root["node"].get(node) != SUCCESS) return fail("no summary of a node");
  Measured measured;
  MeasuredNode whole;
  whole.name = text_at(node, "nodeName");
  add(node, whole.use);
  whole.use.view = model::UsageView::kKubeletSummary;
  if (whole.use.cpu || whole.use.memory) measured.nodes.push_back(std::move(whole));
  array pods;
  if (root["pods"].get(pods) != SUCCESS) return measured;
  for (auto stats : pods) {
    auto pod = read_pod(stats);
    if (!pod.name.empty() && (pod.use.cpu || pod.use.memory)) {
      measured.pods.push_back(std::move(pod));
    }
  }
  return measured;
}

}  // namespace schedlens::kube
