// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time_text.h"

namespace schedlens::diagnose {

std::string amount_text(Symbol resource, std::int64_t amount) {
  const auto name = resource.view();
  if (resource == model::names::kKubeCpu) {
    return fmt::format("{} cpu", static_cast<double>(amount) / 1000);
  }
  if (resource == model::names::kKubeMemory || resource == model::names::kKubeEphemeralStorage ||
      name.starts_with("hugepages-")) {
    return fmt::format("{} of {}", short_bytes({amount}), name);
  }
  return fmt::format("{} {}", amount, name);
}

std::string asks_text(const PodAnswer& answer) {
  if (answer.asks.empty()) return "a place and no resources";
  std::string text;
  for (std::size_t i = 0; i < answer.asks.size(); ++i) {
    if (i > 0) text += i + 1 == answer.asks.size() ? " and " : ", ";
    text += amount_text(answer.asks[i].name, answer.asks[i].amount);
  }
  return text;
}

std::string term_text(const model::RequestTerm& term) {
  std::string text;
  if (term.part == model::RequestPart::kInitContainer) {
    text =
        fmt::format("init container {} asks for more than the containers together", term.container);
  } else if (term.part == model::RequestPart::kPodLevel) {
    text = "the pod's own value, whatever its containers ask";
  }
  if (term.overhead > 0) {
    text += fmt::format("{}{} of it overhead of its runtime class", text.empty() ? "" : "; ",
                        amount_text(term.resource, term.overhead));
  }
  return text.empty() ? text : fmt::format("{}: {}", term.resource.view(), text);
}

std::string beyond_spec_text(const model::Pod& pod) {
  std::string more;
  for (const auto& item : pod.request.items()) {
    const auto beyond = item.amount - pod.spec->request.get(item.name);
    if (beyond <= 0) continue;
    more += (more.empty() ? "" : ", ") + amount_text(item.name, beyond);
  }
  if (more.empty()) return more;
  return fmt::format("{} of it beyond the spec: {}", more,
                     pod.resource_claims.empty()
                         ? "a resize is under way"
                         : "for the devices of its claims, or a resize is under way");
}

std::string some_of(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::string some_nodes(const PodCluster& cluster, const std::vector<model::NodeId>& nodes,
                       std::size_t most) {
  std::vector<std::string> names;
  for (auto node : nodes) names.emplace_back(cluster.name(node));
  return some_of(names, most);
}

bool is_gpu_resource(const model::Workload& pod, Symbol resource) {
  const auto name = resource.view();
  // What was taken for a GPU has another name in the request; what is none keeps its own.
  const auto& devices = pod.request.gres_per_node;
  const bool renamed = !devices.empty() && name.find('/') != std::string_view::npos &&
                       std::none_of(devices.begin(), devices.end(),
                                    [&](const model::GresCount& g) { return g.name == resource; });
  return renamed || name.find("/gpu") != std::string_view::npos ||
         name.starts_with("nvidia.com/mig-") || name.starts_with("gpu.intel.com/");
}

}  // namespace schedlens::diagnose
