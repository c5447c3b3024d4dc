// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_evaluation.h"
#include "model/pod.h"

#include <fmt/format.h>

#include <algorithm>

namespace schedlens::diagnose {

using model::NodeId;
using model::PodSpec;
using model::WorkloadId;

std::string PodAnswer::text(PodReasons one) const {
  const auto i = static_cast<std::size_t>(std::countr_zero(one.bits));
  const auto first = static_cast<std::size_t>(PodReason::kFirstResource);
  if (i < first) return std::string(reason_text(static_cast<PodReason>(i)));
  return fmt::format("Insufficient {}", asks[i - first].name.view());
}

PodEvaluation::PodEvaluation(const model::Snapshot& snapshot)
    : snapshot_(snapshot),
      cluster_(snapshot),
      match_(cluster_),
      existing_(cluster_, match_),
      volumes_(cluster_),
      devices_(cluster_) {}

// Those of at least the pod's priority. Sorted by node.
std::vector<AssignedPod> PodEvaluation::nominees_against(WorkloadId id) const {
  const auto priority = snapshot_.workload(id).pod->priority.value_or(0);
  std::vector<AssignedPod> list;
  for (const auto& n : cluster_.nominees()) {
    if (cluster_.pod(n).priority.value_or(0) < priority) break;
    if (n.id != id) list.push_back(n);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const AssignedPod& a, const AssignedPod& b) { return a.node < b.node; });
  return list;
}

// Cordon, taints and labels: once for all nodes that are alike in them.
std::vector<NodeInclusion> PodEvaluation::test_classes(const PodSpec& spec,
                                                       PodAnswer& answer) const {
  std::vector<NodeInclusion> inclusions(cluster_.class_count());
  std::vector<PodReasons> failed(cluster_.class_count());
  const bool cordon_tolerated = tolerates_cordon(spec);
  for (std::size_t c = 0; c < failed.size(); ++c) {
    const auto node = cluster_.representative(c);
    const auto& object = cluster_.object(node);
    inclusions[c].affinity = matches_node(spec, object, cluster_.name(node));
    inclusions[c].taints = untolerated(spec, object).empty();
    if (object.unschedulable && !cordon_tolerated) {
      failed[c] |= PodReasons::of(PodReason::kUnschedulable);
    }
    if (!untolerated_but_cordon(spec, object).empty()) {
      failed[c] |= PodReasons::of(PodReason::kTaint);
    }
    if (!inclusions[c].affinity) failed[c] |= PodReasons::of(PodReason::kNodeAffinity);
  }
  std::vector<NodeInclusion> by_node(cluster_.node_count());
  for (std::uint32_t i = 0; i < by_node.size(); ++i) {
    by_node[i] = inclusions[cluster_.class_of({i})];
    answer.failed[i] |= failed[cluster_.class_of({i})];
  }
  const auto& terms = spec.node_affinity;
  const bool by_name = terms && std::any_of(terms->begin(), terms->end(),
                                            [](const auto& t) { return !t.fields.empty(); });
  if (!by_name) return by_node;
  // Names are not part of a class.
  for (std::uint32_t i = 0; i < by_node.size(); ++i) {
    by_node[i].affinity = matches_node(spec, cluster_.object({i}), cluster_.name({i}));
    answer.failed[i] = answer.failed[i].without(PodReasons::of(PodReason::kNodeAffinity));
    if (!by_node[i].affinity) answer.failed[i] |= PodReasons::of(PodReason::kNodeAffinity);
  }
  return by_node;
}

void PodEvaluation::test_node_set(const PodSpec& spec, PodAnswer& answer) const {
  auto names = named_nodes(spec);
  if (!names) return;
  if (names->empty()) {
    answer.whole_pod = "pod affinity terms conflict";
    answer.whole_pod_by = PodFilter::kNodeAffinity;
    return;
  }
  std::sort(names->begin(), names->end());
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    if (!std::binary_search(names->begin(), names->end(), cluster_.name({i}))) {
      answer.failed[i] |= PodReasons::of(PodReason::kOutsideSet);
    }
  }
}

PodReasons PodEvaluation::test_room(const PodSpec& spec, const PodAnswer& answer, NodeId node,
                                    std::span<const AssignedPod> nominated) const {
  PodReasons failed;
  const auto most = cluster_.object(node).allocatable.get(model::names::kKubePods);
  const auto pods = static_cast<std::int64_t>(cluster_.pods_on(node) + nominated.size());
  if (pods + 1 > most) failed |= PodReasons::of(PodReason::kTooManyPods);
  for (std::size_t r = 0; r < answer.asks.size(); ++r) {
    const auto& ask = answer.asks[r];
    auto free = ask.free(node);
    for (const auto& n : nominated) free -= cluster_.pod(n).request.get(ask.name);
    if (ask.amount > free) failed |= PodReasons::resource(r);
  }
  if (spec.host_ports.empty()) return failed;
  auto taken = [&](const model::HostPort& mine, auto&& ports) {
    return std::any_of(ports.begin(), ports.end(),
                       [&](const model::HostPort& p) { return clashes(mine, p); });
  };
  for (const auto& mine : spec.host_ports) {
    bool clash = taken(mine, cluster_.ports_on(node));
    for (const auto& n : nominated) clash |= taken(mine, cluster_.pod(n).spec->host_ports);
    if (clash) failed |= PodReasons::of(PodReason::kPorts);
  }
  return failed;
}

// The scheduler tests a node first with the pods nominated to it, then without.
void PodEvaluation::test_nominees(const model::Pod& pod, PodAnswer& answer) const {
  const auto& nominees = answer.nominees;
  const PodReasons depends =
      reasons_of(PodFilter::kNodeResourcesFit) | reasons_of(PodFilter::kNodePorts) |
      reasons_of(PodFilter::kPodTopologySpread) | reasons_of(PodFilter::kInterPodAffinity);
  for (std::size_t i = 0; i < nominees.size();) {
    const auto node = nominees[i].node;
    auto end = i;
    while (end < nominees.size() && nominees[end].node == node) ++end;
    const auto here = std::span(nominees).subspan(i, end - i);
    i = end;
    auto& without = answer.failed[node.index];
    auto with = without.without(depends) | test_room(*pod.spec, answer, node, here);
    if (answer.spread) with |= answer.spread->failed(node, here);
    // Terms of the nominated pods may concern a pod that no other term concerns.
    if (answer.affinity) with |= answer.affinity->test(node, here).failed;
    if (with.empty()) continue;
    if (without.empty()) answer.taken_by_nominees.push_back(node);
    without = with;
  }
}

void PodEvaluation::test_devices(const model::Pod& pod, PodAnswer& answer) {
  // A DeviceClass may stand for a resource that no device plugin offers: then the node's devices
  // decide, by a claim that the scheduler makes itself.
  for (std::size_t r = 0; r < answer.asks.size(); ++r) {
    const auto* stands_for = devices_.class_for(answer.asks[r].name);
    if (!stands_for) continue;
    answer.asks[r].has_class = true;
    for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
      if (answer.asks[r].allocatable({i}) > 0) continue;
      answer.failed[i] = answer.failed[i].without(PodReasons::resource(r));
      answer.unknown[i].add(PodFilter::kDynamicResources);
    }
    answer.unknown_why.push_back(
        fmt::format("DeviceClass {} stands for {}; whether its devices are free is not evaluated",
                    stands_for->name.view(), answer.asks[r].name.view()));
  }
  if (pod.resource_claims.empty()) return;
  answer.devices = std::make_unique<PodDevices>(devices_, pod);
  auto& devices = *answer.devices;
  if (answer.whole_pod.empty() && !devices.whole_pod().empty()) {
    answer.whole_pod = devices.whole_pod();
    answer.whole_pod_by = PodFilter::kDynamicResources;
  }
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    answer.failed[i] |= devices.failed({i});
    if (devices.unknown({i})) answer.unknown[i].add(PodFilter::kDynamicResources);
  }
  const auto& why = devices.unknown_why();
  answer.unknown_why.insert(answer.unknown_why.end(), why.begin(), why.end());
}

PodAnswer PodEvaluation::evaluate(WorkloadId id) {
  const auto& pod = *snapshot_.workload(id).pod;
  const auto& spec = *pod.spec;
  PodAnswer answer;
  answer.failed.resize(cluster_.node_count());
  answer.unknown.resize(cluster_.node_count());
  for (const auto& item : spec.request.items()) {
    if (item.amount <= 0 || !is_scheduled_resource(item.name)) continue;
    if (answer.asks.size() == kMostPodResources) {
      answer.unknown_why.push_back("it asks for more kinds of resources than are looked at");
      break;
    }
    answer.asks.push_back({item.name, item.amount, cluster_.column(item.name)});
  }

  const auto inclusions = test_classes(spec, answer);
  test_node_set(spec, answer);
  const PodVolumes volumes(volumes_, pod);
  if (answer.whole_pod.empty() && !volumes.whole_pod().empty()) {
    answer.whole_pod = volumes.whole_pod();
    answer.whole_pod_by = volumes.whole_pod_by();
  }
  answer.exclusive_user = volumes.exclusive_user();

  answer.nominees = nominees_against(id);
  if (!spec.spread.empty()) {
    answer.spread = std::make_unique<PodSpread>(
        cluster_, match_, pod, [&](NodeId node) { return inclusions[node.index]; });
  }
  if (!spec.affinity.empty() || !spec.anti_affinity.empty() || !existing_.terms().empty() ||
      !answer.nominees.empty()) {
    answer.affinity = std::make_unique<PodAffinity>(cluster_, match_, existing_, pod);
  }

  bool namespaces_unknown = false;
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    auto& failed = answer.failed[i];
    failed |= test_room(spec, answer, {i}, {});
    failed |= volumes.failed({i});
    if (answer.spread) failed |= answer.spread->failed({i});
    if (answer.affinity) {
      const auto result = answer.affinity->test({i});
      failed |= result.failed;
      if (result.unknown) answer.unknown[i].add(PodFilter::kInterPodAffinity);
      namespaces_unknown |= result.unknown;
    }
    if (volumes.unknown()) answer.unknown[i].add(PodFilter::kVolumeBinding);
  }
  test_devices(pod, answer);
  test_nominees(pod, answer);

  if (namespaces_unknown) {
    answer.unknown_why.push_back(
        "an affinity term picks namespaces by their labels, and the namespaces were not read");
  }
  if (volumes.unknown()) answer.unknown_why.push_back(volumes.unknown_why());
  return answer;
}

std::uint32_t PodEvaluation::spec_number(const model::PodSpecPtr& spec) {
  auto [at, is_new] = spec_numbers_.try_emplace(spec.get());
  if (!is_new) return at->second;
  std::string request;
  for (const auto& item : spec->request.items()) {
    request += fmt::format("{}={} ", item.name.id(), item.amount);
  }
  auto& alike = specs_[request];
  for (const auto& [known, number] : alike) {
    if (*known == *spec) return at->second = number;
  }
  const auto number = static_cast<std::uint32_t>(spec_numbers_.size());
  alike.emplace_back(spec.get(), number);
  return at->second = number;
}

std::string PodEvaluation::likeness(WorkloadId id) {
  const auto& pod = *snapshot_.workload(id).pod;
  const auto& spec = *pod.spec;
  auto key = std::to_string(spec_number(pod.spec));
  const bool own_terms =
      !spec.affinity.empty() || !spec.anti_affinity.empty() || !spec.spread.empty();
  const auto nominees = nominees_against(id);
  if (own_terms || !nominees.empty()) key += fmt::format("/n{}", pod.ns.id());
  if (!spec.affinity.empty()) {
    const bool self = std::all_of(spec.affinity.begin(), spec.affinity.end(), [&](const auto& t) {
      return match_.selection(t, pod.ns).selects(pod.ns, pod.labels) == Answer::kYes;
    });
    key += self ? "/1" : "/0";
  }
  for (const auto& c : spec.spread) {
    const auto selector = spread_selector(c, pod);
    key += "/" + to_text(selector) + (c.pods && selector.selects(pod.labels) ? "1" : "0");
  }
  std::string existing;
  for (const auto& t : existing_.terms()) {
    existing += static_cast<char>('0' + static_cast<int>(t.selection.selects(pod.ns, pod.labels)));
  }
  // Most pods concern no term.
  if (existing.find_first_not_of('0') != std::string::npos) key += "/e" + existing;
  for (const auto& n : nominees) {
    key += fmt::format("/p{}", n.id.index);
    for (const auto& t : cluster_.pod(n).spec->anti_affinity) {
      const auto meant =
          match_.selection(t, cluster_.pod(n).ns).selects(pod.ns, pod.labels) == Answer::kYes;
      key += meant ? '1' : '0';
    }
  }
  if (!pod.volumes.empty()) key += "/v" + pod.ns.str();
  for (const auto& v : pod.volumes) key += fmt::format(",{}{}", v.claim, v.ephemeral ? "*" : "");
  key += diagnose::likeness(devices_, pod);
  if (!pod.nominated_node.empty()) key += fmt::format("/m{}", pod.nominated_node.id());
  return key;
}

}  // namespace schedlens::diagnose
