// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_cluster.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/pod.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace schedlens::diagnose {

using model::NodeId;
using model::WorkloadId;

bool is_assigned(const model::Workload& w) {
  return w.pod && !w.pod->node_name.empty() && !model::is_terminal(*w.pod);
}

bool is_scheduled_resource(Symbol name) {
  const auto text = name.view();
  return name == model::names::kKubeCpu || name == model::names::kKubeMemory ||
         name == model::names::kKubeEphemeralStorage || text.starts_with("hugepages-") ||
         text.starts_with("attachable-volumes-") || text.find('/') != std::string_view::npos;
}

PodCluster::PodCluster(const model::Snapshot& snapshot)
    : snapshot_(snapshot), kubernetes_(snapshot.kubernetes) {
  if (!kubernetes_) kubernetes_ = std::make_shared<model::Kubernetes>();
  index_pods();
  index_resources();
  index_classes();
}

const model::NodeObject& PodCluster::object(NodeId node) const {
  static const model::NodeObject kNone;
  const auto& object = snapshot_.node(node).object;
  return object ? *object : kNone;
}

void PodCluster::index_pods() {
  for (std::uint32_t i = 0; i < snapshot_.workloads.size(); ++i) {
    const auto& w = snapshot_.workloads[i];
    if (!w.pod) continue;
    const auto& pod = *w.pod;
    if (is_assigned(w)) {
      // Bound to a name that no Node object has: it counts nowhere.
      if (auto node = snapshot_.find_node(pod.node_name)) {
        assigned_.push_back({*node, {i}});
      }
    } else if (!pod.nominated_node.empty() && pod.node_name.empty() && !model::is_terminal(pod)) {
      if (auto node = snapshot_.find_node(pod.nominated_node)) nominees_.push_back({*node, {i}});
    }
  }
  std::stable_sort(assigned_.begin(), assigned_.end(),
                   [](const AssignedPod& a, const AssignedPod& b) { return a.node < b.node; });
  std::stable_sort(nominees_.begin(), nominees_.end(),
                   [&](const AssignedPod& a, const AssignedPod& b) {
                     return pod(a).priority.value_or(0) > pod(b).priority.value_or(0);
                   });
  first_.assign(node_count() + 1, 0);
  first_port_.assign(node_count() + 1, 0);
  for (const auto& p : assigned_) {
    ++first_[p.node.index + 1];
    const auto& ports = pod(p).spec->host_ports;
    ports_.insert(ports_.end(), ports.begin(), ports.end());
    first_port_[p.node.index + 1] += static_cast<std::uint32_t>(ports.size());
  }
  for (std::size_t i = 1; i < first_.size(); ++i) {
    first_[i] += first_[i - 1];
    first_port_[i] += first_port_[i - 1];
  }
}

void PodCluster::index_resources() {
  auto column = [&](Symbol name) -> Column& {
    auto& c = columns_[name];
    if (c.allocatable.empty()) {
      c.allocatable.resize(node_count());
      c.used.resize(node_count());
    }
    return c;
  };
  for (std::uint32_t i = 0; i < node_count(); ++i) {
    for (const auto& item : object({i}).allocatable.items()) {
      column(item.name).allocatable[i] = item.amount;
    }
    model::Quantities used;
    for (const auto& p : assigned_on({i})) used.add(pod(p).request);
    for (const auto& item : used.items()) column(item.name).used[i] = item.amount;
  }
}

void PodCluster::index_classes() {
  std::set<Symbol> keys;
  std::unordered_set<const model::PodSpec*> seen;
  for (const auto& w : snapshot_.workloads) {
    if (!w.pod || is_assigned(w) || model::is_terminal(*w.pod)) continue;
    const auto& spec = *w.pod->spec;
    if (!seen.insert(&spec).second) continue;
    for (const auto& label : spec.node_selector) keys.insert(label.key);
    if (!spec.node_affinity) continue;
    for (const auto& term : *spec.node_affinity) {
      for (const auto& expression : term.labels) keys.insert(expression.key);
    }
  }
  std::unordered_map<std::string, std::uint32_t> classes;
  std::string signature;
  for (std::uint32_t i = 0; i < node_count(); ++i) {
    const auto& object = this->object({i});
    signature.assign(1, object.unschedulable ? 'u' : 's');
    auto part = [&](std::string_view text) {
      signature += std::to_string(text.size());
      signature += ':';
      signature += text;
    };
    for (const auto& taint : object.taints) {
      part(taint.key.view());
      part(taint.value);
      signature += static_cast<char>('0' + static_cast<int>(taint.effect));
    }
    for (Symbol key : keys) {
      signature += '|';
      if (const auto* value = object.labels.find(key)) part(*value);
    }
    auto [at, is_new] =
        classes.emplace(signature, static_cast<std::uint32_t>(representatives_.size()));
    if (is_new) representatives_.push_back({i});
    class_of_.push_back(at->second);
  }
}

const PodCluster::Column* PodCluster::column(Symbol resource) const {
  auto it = columns_.find(resource);
  return it == columns_.end() ? nullptr : &it->second;
}

std::span<const AssignedPod> PodCluster::assigned_on(NodeId node) const {
  return assigned().subspan(first_[node.index], pods_on(node));
}

std::span<const model::HostPort> PodCluster::ports_on(NodeId node) const {
  const auto from = first_port_[node.index];
  return std::span(ports_).subspan(from, first_port_[node.index + 1] - from);
}

const Topology& PodCluster::topology(Symbol key) {
  auto [at, is_new] = topologies_.try_emplace(key);
  auto& topology = at->second;
  if (!is_new) return topology;
  topology.key = key;
  std::unordered_map<std::string_view, std::int32_t> numbers;
  for (std::uint32_t i = 0; i < node_count(); ++i) {
    const auto* value = object({i}).labels.find(key);
    if (!value) {
      topology.of_node.push_back(-1);
      continue;
    }
    auto [number, first] =
        numbers.emplace(*value, static_cast<std::int32_t>(topology.values.size()));
    if (first) topology.values.push_back(*value);
    topology.of_node.push_back(number->second);
  }
  return topology;
}

}  // namespace schedlens::diagnose
