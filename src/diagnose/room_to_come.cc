// SPDX-License-Identifier: Apache-2.0
#include "diagnose/room_to_come.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "diagnose/constraint_list.h"
#include "diagnose/pod_assessment.h"
#include "diagnose/pod_text.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;

namespace {

// A node as it would be without some of its pods.
struct Without {
  NodeId node{};
  std::vector<std::string> pods;    // those that would be gone
  std::vector<std::int64_t> lacks;  // by ask; all 0: it would have room
  bool lacks_place = false;         // among its pods

  bool has_room() const {
    return !lacks_place && std::all_of(lacks.begin(), lacks.end(), [](auto n) { return n == 0; });
  }
};

template <class Leaves>
Without without(const PodCluster& cluster, const PodAnswer& answer, NodeId node, Leaves leaves) {
  Without result;
  result.node = node;
  std::vector<std::int64_t> freed(answer.asks.size());
  for (const auto& p : cluster.assigned_on(node)) {
    const auto& pod = cluster.pod(p);
    if (!leaves(pod)) continue;
    result.pods.push_back(display_id(cluster.snapshot().workload(p.id)));
    for (std::size_t r = 0; r < freed.size(); ++r) freed[r] += pod.request.get(answer.asks[r].name);
  }
  for (std::size_t r = 0; r < freed.size(); ++r) {
    const auto& ask = answer.asks[r];
    result.lacks.push_back(std::max<std::int64_t>(0, ask.amount - ask.free(node) - freed[r]));
  }
  const auto places = cluster.object(node).allocatable.get(model::names::kKubePods);
  result.lacks_place =
      static_cast<std::int64_t>(cluster.pods_on(node) - result.pods.size()) >= places;
  return result;
}

// Of nodes where somebody would leave.
template <class Leaves>
std::vector<Without> of_all(const PodCluster& cluster, const PodAnswer& answer, Leaves leaves) {
  std::vector<Without> list;
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    // Devices of claims come free in their own way.
    if (answer.failed[i].empty() || !only_short(answer, {i})) continue;
    if (answer.failed[i].has(PodReason::kNoDevices)) continue;
    auto node = without(cluster, answer, {i}, leaves);
    if (!node.pods.empty()) list.push_back(std::move(node));
  }
  return list;
}

// The node that lacks least of what it lacks most, in shares of what is asked.
const Without* closest(const std::vector<Without>& list, const PodAnswer& answer) {
  const Without* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& node : list) {
    double most = 0;
    for (std::size_t r = 0; r < node.lacks.size(); ++r) {
      const auto asked = static_cast<double>(std::max<std::int64_t>(1, answer.asks[r].amount));
      most = std::max(most, static_cast<double>(node.lacks[r]) / asked);
    }
    if (most < least) {
      least = most;
      best = &node;
    }
  }
  return best;
}

std::string lacks_text(const Without& node, const PodAnswer& answer) {
  std::vector<std::string> parts;
  for (std::size_t r = 0; r < node.lacks.size(); ++r) {
    if (node.lacks[r] > 0) parts.push_back(amount_text(answer.asks[r].name, node.lacks[r]));
  }
  if (node.lacks_place) parts.emplace_back("a place among its pods");
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::vector<NodeId> with_room(const std::vector<Without>& list) {
  std::vector<NodeId> nodes;
  for (const auto& node : list) {
    if (node.has_room()) nodes.push_back(node.node);
  }
  return nodes;
}

std::string ending(const PodCluster& cluster, const PodAnswer& answer) {
  const auto list =
      of_all(cluster, answer, [](const model::Pod& pod) { return pod.deleting.has_value(); });
  const auto nodes = with_room(list);
  if (nodes.empty()) return {};
  const auto first = std::find_if(list.begin(), list.end(), [](auto& n) { return n.has_room(); });
  return fmt::format(
      "{} {} room for it as soon as pods that are being deleted there are gone ({}).",
      some_nodes(cluster, nodes), nodes.size() == 1 ? "has" : "have", some_of(first->pods));
}

std::string of_lower_priority(const PodCluster& cluster, const model::Pod& pod,
                              const PodAnswer& answer) {
  const auto priority = pod.priority.value_or(0);
  const auto list = of_all(cluster, answer, [&](const model::Pod& other) {
    return other.priority.value_or(0) < priority;
  });
  const bool never = pod.spec->never_preempts;
  if (list.empty()) {
    if (never || priority <= 0) return {};
    return "Preemption cannot help: no pod on the nodes it may use is of lower priority.";
  }
  if (const auto nodes = with_room(list); !nodes.empty()) {
    return fmt::format("Without pods of lower priority it would fit on {}{}.",
                       some_nodes(cluster, nodes),
                       never ? ", but it does not preempt (preemptionPolicy Never)" : "");
  }
  const auto& best = *closest(list, answer);
  return fmt::format(
      "Preemption cannot help: even without its {} of lower priority {} would lack {}.",
      plural(best.pods.size(), "pod"), cluster.name(best.node), lacks_text(best, answer));
}

}  // namespace

std::vector<std::string> room_to_come(const PodEvaluation& evaluation, model::WorkloadId id,
                                      const PodAnswer& answer) {
  const auto& cluster = evaluation.cluster();
  const auto& pod = *cluster.snapshot().workload(id).pod;
  std::vector<std::string> sentences;
  for (auto& text : {ending(cluster, answer), of_lower_priority(cluster, pod, answer)}) {
    if (!text.empty()) sentences.push_back(text);
  }
  return sentences;
}

}  // namespace schedlens::diagnose
