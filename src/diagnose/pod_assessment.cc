// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_assessment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/pod.h"
#include "model/unhealthy_devices.h"

namespace schedlens::diagnose {

using model::NodeId;
using Step = PodAssessment::Step;

namespace {

constexpr std::string_view kNodeTaint = "node.kubernetes.io/";

// Taints that the node controller and the kubelet set for the state of a node.
bool is_health_taint(const model::Taint& taint) {
  const auto key = taint.key.view();
  if (!key.starts_with(kNodeTaint)) return false;
  constexpr auto kNames = std::to_array<std::string_view>(
      {"not-ready", "unreachable", "memory-pressure", "disk-pressure", "pid-pressure",
       "network-unavailable", "unschedulable", "out-of-service"});
  return std::find(kNames.begin(), kNames.end(), key.substr(kNodeTaint.size())) != kNames.end();
}

bool is_control_plane(const model::Taint& taint) {
  const auto key = taint.key.view();
  return key == "node-role.kubernetes.io/control-plane" || key == "node-role.kubernetes.io/master";
}

bool is_extended(Symbol name) {
  return name.view().find('/') != std::string_view::npos;
}

PodReasons resource_reasons() {
  return reasons_of(PodFilter::kNodeResourcesFit) | PodReasons::of(PodReason::kNoDevices);
}

template <class Predicate>
std::vector<NodeId> nodes_where(const PodAnswer& answer, Predicate predicate) {
  std::vector<NodeId> list;
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    if (predicate(NodeId{i})) list.push_back({i});
  }
  return list;
}

}  // namespace

PodReasons wish_reasons() {
  return reasons_of(PodFilter::kTaintToleration) | reasons_of(PodFilter::kNodeAffinity) |
         reasons_of(PodFilter::kNodePorts) | reasons_of(PodFilter::kPodTopologySpread) |
         reasons_of(PodFilter::kInterPodAffinity) | PodReasons::of(PodReason::kDevicesElsewhere);
}

PodReasons volume_reasons() {
  return reasons_of(PodFilter::kVolumeRestrictions) | reasons_of(PodFilter::kVolumeBinding) |
         reasons_of(PodFilter::kVolumeZone);
}

std::int64_t healthy_total(const PodCluster& cluster, const ResourceAsk& ask, NodeId node) {
  const auto now = ask.allocatable(node);
  // Of the native resources a part is set aside for the system: no illness.
  if (!is_extended(ask.name)) return now;
  return std::max(now, model::devices_there(cluster.object(node), ask.name));
}

bool only_short(const PodAnswer& answer, NodeId node) {
  const auto failed = answer.failed[node.index];
  return failed.without(resource_reasons()).empty();
}

NodeHealth node_health(const PodCluster& cluster, const model::PodSpec& spec,
                       const PodAnswer& answer, NodeId node) {
  NodeHealth health;
  const auto& object = cluster.object(node);
  const auto failed = answer.failed[node.index];
  if (failed.has(PodReason::kUnschedulable)) {
    health.in_service = false;
    health.state = "cordoned";
    health.forgiven |= PodReasons::of(PodReason::kUnschedulable);
  }
  if (failed.has(PodReason::kTaint)) {
    const auto taints = untolerated(spec, object);
    bool only_health = true;
    for (const auto* t : taints) {
      if (!is_health_taint(*t)) {
        only_health = false;
        continue;
      }
      health.in_service = false;
      const auto word = t->key.view().substr(kNodeTaint.size());
      if (word == "unschedulable" && health.state == "cordoned") continue;
      health.state += fmt::format("{}{}", health.state.empty() ? "" : ", ", word);
    }
    if (only_health) health.forgiven |= PodReasons::of(PodReason::kTaint);
  }
  for (std::size_t r = 0; r < answer.asks.size(); ++r) {
    const auto& ask = answer.asks[r];
    const auto lost = healthy_total(cluster, ask, node) - ask.allocatable(node);
    if (lost <= 0 || !failed.has_resource(r)) continue;
    health.state += fmt::format("{}{} of {} {} unhealthy", health.state.empty() ? "" : ", ", lost,
                                healthy_total(cluster, ask, node), ask.name.view());
    if (ask.free(node) + lost >= ask.amount) health.forgiven |= PodReasons::resource(r);
  }
  if (failed.has(PodReason::kNoDevices) && answer.devices->would_without_taints(node)) {
    health.state += fmt::format("{}tainted devices", health.state.empty() ? "" : ", ");
    health.forgiven |= PodReasons::of(PodReason::kNoDevices);
  }
  return health;
}

namespace {

enum class DeviceCount : std::uint8_t { kAllocatable, kHealed };

// Would hold the pod if nothing ran there, with the devices it has now or with all of them well.
bool large_enough(const PodCluster& cluster, const PodAnswer& answer, NodeId node,
                  DeviceCount with) {
  if (cluster.object(node).allocatable.get(model::names::kKubePods) < 1) return false;
  if (answer.devices && !answer.devices->could_ever(node)) return false;
  return std::all_of(answer.asks.begin(), answer.asks.end(), [&](const ResourceAsk& ask) {
    if (ask.has_class && ask.allocatable(node) == 0) return true;  // nobody knows
    return ask.amount <= (with == DeviceCount::kHealed ? healthy_total(cluster, ask, node)
                                                       : ask.allocatable(node));
  });
}

bool selected(const PodAnswer& answer, NodeId node) {
  return answer.failed[node.index].only(reasons_of(PodFilter::kNodeAffinity)).empty();
}

std::optional<Step> impossible(const PodEvaluation& evaluation, const PodAnswer& answer) {
  const auto& cluster = evaluation.cluster();
  if (answer.whole_pod_by == PodFilter::kDynamicResources) return Step::kWholePod;
  if (!answer.whole_pod.empty()) return Step::kAffinitySelectsNone;
  const auto wanted = nodes_where(answer, [&](NodeId n) { return selected(answer, n); });
  if (wanted.empty()) return Step::kAffinitySelectsNone;
  if (answer.devices && std::none_of(wanted.begin(), wanted.end(),
                                     [&](NodeId n) { return answer.devices->could_ever(n); })) {
    return Step::kDevicesNever;
  }
  const bool some = std::any_of(wanted.begin(), wanted.end(), [&](NodeId n) {
    return large_enough(cluster, answer, n, DeviceCount::kHealed);
  });
  if (!some) return Step::kTooLarge;
  auto absent = [](const Topology& t) { return t.values.empty(); };
  if (answer.spread) {
    for (const auto& c : answer.spread->constraints()) {
      if (absent(*c.topology)) return Step::kTopologyKeyAbsent;
    }
  }
  if (answer.affinity) {
    for (const auto& t : answer.affinity->affinity()) {
      if (absent(*t.topology)) return Step::kTopologyKeyAbsent;
    }
  }
  return std::nullopt;
}

// Over the nodes that pass all but resources and could ever hold the pod.
bool enough_in_sum(const PodCluster& cluster, const PodAnswer& answer) {
  std::vector<std::int64_t> sums(answer.asks.size());
  std::int64_t slots = 0;
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    const NodeId node{i};
    if (!only_short(answer, node)) continue;
    if (!large_enough(cluster, answer, node, DeviceCount::kAllocatable)) continue;
    const auto pods = cluster.object(node).allocatable.get(model::names::kKubePods);
    slots += std::max<std::int64_t>(0, pods - cluster.pods_on(node));
    for (std::size_t r = 0; r < sums.size(); ++r) {
      sums[r] += std::max<std::int64_t>(0, answer.asks[r].free(node));
    }
  }
  if (slots < 1) return false;
  for (std::size_t r = 0; r < sums.size(); ++r) {
    if (sums[r] < answer.asks[r].amount && !answer.asks[r].has_class) return false;
  }
  if (!answer.devices) return true;
  return answer.devices->enough_in_sum(nodes_where(answer, [&](NodeId node) {
    return only_short(answer, node) &&
           large_enough(cluster, answer, node, DeviceCount::kAllocatable);
  }));
}

bool nobodys_room(const PodCluster& cluster, const model::PodSpec& spec, NodeId node) {
  const auto taints = untolerated(spec, cluster.object(node));
  return std::any_of(taints.begin(), taints.end(),
                     [](const model::Taint* t) { return is_control_plane(*t); });
}

PodAssessment without_room(const PodEvaluation& evaluation, const model::Pod& pod,
                           const PodAnswer& answer) {
  const auto& cluster = evaluation.cluster();
  const auto& spec = *pod.spec;
  const bool enough = enough_in_sum(cluster, answer);
  if (!enough) {
    auto well = nodes_where(answer, [&](NodeId n) {
      const auto health = node_health(cluster, spec, answer, n);
      return answer.failed[n.index].without(health.forgiven).empty();
    });
    if (!well.empty()) return {RootCause::kUnhealthyNodes, Step::kUnhealthy, std::move(well)};
  }
  auto roomy = nodes_where(answer, [&](NodeId n) {
    return answer.failed[n.index].without(wish_reasons()).empty() &&
           node_health(cluster, spec, answer, n).in_service && !nobodys_room(cluster, spec, n);
  });
  if (!roomy.empty()) return {RootCause::kConstraint, Step::kConstraint, std::move(roomy)};
  auto usable = nodes_where(answer, [&](NodeId n) {
    return only_short(answer, n) && (!answer.devices || answer.devices->could_ever(n));
  });
  return {enough ? RootCause::kFragmentation : RootCause::kCapacity, Step::kResources,
          std::move(usable)};
}

}  // namespace

PodAssessment assess_pod(const PodEvaluation& evaluation, model::WorkloadId id,
                         const PodAnswer& answer) {
  const auto& cluster = evaluation.cluster();
  const auto& pod = *cluster.snapshot().workload(id).pod;
  if (answer.failed.empty()) return {RootCause::kCapacity, Step::kNoNodes, {}};
  if (answer.whole_pod_by && *answer.whole_pod_by != PodFilter::kNodeAffinity) {
    if (answer.whole_pod_by != PodFilter::kDynamicResources) {
      return {RootCause::kVolume, Step::kWholePod, {}};
    }
    // So many pods use the claim that no more may.
    if (answer.whole_pod == "resourceclaim in use") {
      return {RootCause::kLimit, Step::kWholePod, {}};
    }
  }
  if (auto step = impossible(evaluation, answer)) return {RootCause::kImpossible, *step, {}};

  auto fitting = nodes_where(answer, [&](NodeId n) { return answer.passes(n); });
  if (!fitting.empty()) return {RootCause::kNotConsidered, Step::kFits, std::move(fitting)};
  if (!pod.nominated_node.empty()) {
    if (auto node = cluster.snapshot().find_node(pod.nominated_node)) {
      return {RootCause::kPriority, Step::kOwnNomination, {*node}};
    }
  }
  if (!answer.taken_by_nominees.empty()) {
    return {RootCause::kPriority, Step::kOthersNomination, answer.taken_by_nominees};
  }
  auto but_volumes = nodes_where(answer, [&](NodeId n) {
    return answer.failed[n.index].without(volume_reasons()).empty() &&
           !answer.failed[n.index].empty();
  });
  if (!but_volumes.empty()) return {RootCause::kVolume, Step::kVolumes, std::move(but_volumes)};
  auto maybe = nodes_where(answer, [&](NodeId n) { return answer.may_pass(n); });
  if (!maybe.empty()) return {RootCause::kUnknown, Step::kNotRead, std::move(maybe)};
  return without_room(evaluation, pod, answer);
}

}  // namespace schedlens::diagnose
