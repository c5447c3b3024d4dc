// SPDX-License-Identifier: Apache-2.0
#include "kube/metrics_api.h"

#include <simdjson.h>

#include <cmath>

#include "base/text.h"
#include "kube/credentials.h"
#include "kube/quantity.h"

namespace schedlens::kube {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;

std::string_view text_at(element parent, const char* key) {
  std::string_view text;
  return parent[key].get(text) == SUCCESS ? text : std::string_view();
}

std::optional<Amount> amount_at(element usage, const char* key) {
  const auto text = text_at(usage, key);
  if (text.empty()) return std::nullopt;
  const auto amount = parse_quantity(text);
  // Less than nothing was seen of servers that missed a restart: it is not known then.
  return amount && *amount >= Amount() ? std::optional(*amount) : std::nullopt;
}

// "15.02s", "1m0s"
std::optional<Seconds> go_duration(std::string_view text) {
  double seconds = 0;
  while (!text.empty()) {
    const auto digits = text.find_first_not_of("0123456789.");
    if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
    const auto amount = parse_number<double>(text.substr(0, digits));
    text.remove_prefix(digits);
    const auto length = std::min(text.find_first_of("0123456789."), text.size());
    const auto unit = text.substr(0, length);
    text.remove_prefix(length);
    const double factor = unit == "h"    ? 3600
                          : unit == "m"  ? 60
                          : unit == "s"  ? 1
                          : unit == "ms" ? 1e-3
                          : unit == "us" ? 1e-6
                          : unit == "ns" ? 1e-9
                                         : 0;
    if (!amount || factor == 0) return std::nullopt;
    seconds += *amount * factor;
  }
  return Seconds{std::llround(seconds)};
}

void add_usage(element usage, model::Use& use) {
  if (const auto cpu = amount_at(usage, "cpu")) {
    // Billionths: a pod that does nothing still uses some.
    use.cpu = use.cpu.value_or(0) + static_cast<double>(cpu->nano_value()) / 1e9;
  }
  const auto memory = amount_at(usage, "memory");
  if (memory && static_cast<double>(memory->value()) <= kMostMeasured) {
    use.memory = use.memory.value_or(Bytes{}) + Bytes{memory->value()};
  }
}

void take_moment(element item, model::Use& use) {
  use.view = model::UsageView::kMetricsApi;
  use.sampled = parse_rfc3339(text_at(item, "timestamp"));
  use.window = go_duration(text_at(item, "window"));
}

template <class Take>
Status each_item(std::string_view json, std::string_view kind, Take&& take) {
  simdjson::dom::parser parser;
  element root;
  if (auto bad = parser.parse(json.data(), json.size()).get(root); bad != SUCCESS) {
    return fail("not a JSON document: {}", simdjson::error_message(bad));
  }
  if (text_at(root, "kind") != kind) {
    return fail("a {} instead of a {}", printable(text_at(root, "kind")), kind);
  }
  array items;
  if (root["items"].get(items) != SUCCESS) return {};  // null: there is none
  for (auto item : items) take(item);
  return {};
}

}  // namespace

Result<std::string> find_metrics_api(std::string_view groups) {
  simdjson::dom::parser parser;
  element root;
  array list;
  if (parser.parse(groups.data(), groups.size()).get(root) != SUCCESS ||
      root["groups"].get(list) != SUCCESS) {
    return fail("not a list of API groups");
  }
  for (auto group : list) {
    if (text_at(group, "name") != "metrics.k8s.io") continue;
    element preferred;
    if (group["preferredVersion"].get(preferred) != SUCCESS) continue;
    const auto version = text_at(preferred, "groupVersion");
    if (!version.empty()) return fmt::format("/apis/{}", version);
  }
  return std::string();
}

Status read_pod_metrics(std::string_view json, Measured& into) {
  return each_item(json, "PodMetricsList", [&](element item) {
    MeasuredPod pod;
    element metadata;
    array containers;
    if (item["metadata"].get(metadata) != SUCCESS) return;
    pod.ns = text_at(metadata, "namespace");
    pod.name = text_at(metadata, "name");
    take_moment(item, pod.use);
    if (item["containers"].get(containers) != SUCCESS) return;
    for (auto container : containers) {
      element usage;
      if (container["usage"].get(usage) == SUCCESS) add_usage(usage, pod.use);
    }
    if (pod.use.cpu || pod.use.memory) into.pods.push_back(std::move(pod));
  });
}

Status read_node_metrics(std::string_view json, Measured& into) {
  return each_item(json, "NodeMetricsList", [&](element item) {
    MeasuredNode node;
    element metadata, usage;
    if (item["metadata"].get(metadata) != SUCCESS) return;
    node.name = text_at(metadata, "name");
    take_moment(item, node.use);
    if (item["usage"].get(usage) == SUCCESS) add_usage(usage, node.use);
    if (node.use.cpu || node.use.memory) into.nodes.push_back(std::move(node));
  });
}

}  // namespace schedlens::kube
