// SPDX-License-Identifier: Apache-2.0
#include "diagnose/room_to_come.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/time_text.h"
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

std::string names(const PodCluster& cluster, const std::vector<model::WorkloadId>& ids) {
  std::vector<std::string> list;
  for (auto id : ids) list.push_back(display_id(cluster.snapshot().workload(id)));
  return some_of(list);
}

std::string preemption_text(const PodCluster& cluster, const PodPreemption& p) {
  const bool one = p.victims.size() == 1;
  auto text = fmt::format("{} on {}", names(cluster, p.victims), cluster.name(p.node));
  if (p.grace) {
    text += fmt::format(", which {} {} to end", one ? "has" : "have", short_duration(*p.grace));
  }
  text = p.may ? fmt::format("Preemption makes room: the scheduler would end {}.", text)
               : fmt::format(
                     "It does not preempt (preemptionPolicy Never); otherwise the scheduler "
                     "could end {}.",
                     text);
  if (p.nodes > 1) {
    text += fmt::format(
        " It could do so on {}, of which {}.", plural(p.nodes, "node"),
        p.alike > 1 ? fmt::format("{} cost as little", p.alike) : std::string("this costs least"));
  }
  if (p.budgets_broken > 0) {
    text += fmt::format(
        " The disruption budget of {} of them has nothing to spare; the scheduler prefers others, "
        "and where there are none it ends {} all the same.",
        p.budgets_broken, p.budgets_broken == 1 ? "it" : "them");
  }
  return text;
}

std::string hole_text(const PodCluster& cluster, const PodHole& hole) {
  const bool one = hole.ends.size() == 1;
  const auto& end = hole.by_itself;
  std::string when;
  if (!end.latest && !end.expected) {
    when = fmt::format("when {} by {} is not known", one ? "it ends" : "they end",
                       one ? "itself" : "themselves");
  } else {
    when = one ? "it ends" : "they end";
  }
  if (end.expected) {
    when += fmt::format(" at about {}, going by {} of the same owner", local_time(*end.expected),
                        plural(end.observed, "pod"));
  }
  if (end.latest) {
    when +=
        fmt::format("{} by {} at the latest", end.expected ? ", and" : "", local_time(*end.latest));
  }
  return fmt::format("The end of {} on {} would make room; {}.", names(cluster, hole.ends),
                     cluster.name(hole.node), when);
}

// Why preemption does not make room; empty where there is nothing to say.
std::string no_preemption(const PodCluster& cluster, const model::Pod& pod,
                          const PodAnswer& answer) {
  const auto priority = pod.priority.value_or(0);
  const auto list = of_all(cluster, answer, [&](const model::Pod& other) {
    return other.priority.value_or(0) < priority;
  });
  if (list.empty()) {
    if (pod.spec->never_preempts || priority <= 0) return {};
    return "Preemption cannot help: no pod on the nodes it may use is of lower priority.";
  }
  const auto& best = *closest(list, answer);
  if (best.has_room()) return {};  // and something else is in the way
  return fmt::format(
      "Preemption cannot help: even without its {} of lower priority {} would lack {}.",
      plural(best.pods.size(), "pod"), cluster.name(best.node), lacks_text(best, answer));
}

}  // namespace

std::string when_preempted_ones_end(const PodCluster& cluster, model::WorkloadId id,
                                    NodeId nominated) {
  const auto& snapshot = cluster.snapshot();
  const auto priority = snapshot.workload(id).pod->priority.value_or(0);
  std::vector<model::WorkloadId> ending;
  std::optional<Timestamp> last;
  for (const auto& p : cluster.assigned_on(nominated)) {
    const auto& other = cluster.pod(p);
    if (!other.deleting || other.priority.value_or(0) >= priority) continue;
    ending.push_back(p.id);
    last = std::max(last.value_or(*other.deleting), *other.deleting);
  }
  if (ending.empty()) return {};
  if (*last >= snapshot.time) {
    return fmt::format("{} {} until {} to end.", names(cluster, ending),
                       ending.size() == 1 ? "has" : "have", local_time(*last));
  }
  return fmt::format(
      "{} should have ended by {}: a finalizer or a node that does not answer keeps "
      "{}.",
      names(cluster, ending), local_time(*last), ending.size() == 1 ? "it" : "them");
}

std::vector<std::string> room_to_come(const PodEvaluation& evaluation, const PodAnswer& answer,
                                      const Verdict& verdict) {
  const auto& cluster = evaluation.cluster();
  const auto& pod = *cluster.snapshot().workload(verdict.workload).pod;
  std::vector<std::string> sentences{ending(cluster, answer)};
  sentences.push_back(verdict.preemption ? preemption_text(cluster, *verdict.preemption)
                                         : no_preemption(cluster, pod, answer));
  const bool preempts = verdict.preemption && verdict.preemption->may;
  if (verdict.hole && !preempts) {
    sentences.push_back(hole_text(cluster, *verdict.hole));
  }
  std::erase(sentences, std::string());
  return sentences;
}

}  // namespace schedlens::diagnose
