// SPDX-License-Identifier: Apache-2.0
#pragma once
// Builds small Kubernetes clusters for tests: equal nodes with 8 GPUs, 64 CPUs, 512 GiB and room
// for 110 pods, in four racks and two zones, and whatever a test adds.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnose/explain.h"
#include "diagnose/pod_counts.h"
#include "diagnose/pod_evaluation.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/pod.h"
#include "model/snapshot.h"

namespace schedlens::diagnose::testing {

inline const Symbol kGpuName{"nvidia.com/gpu"};
inline const Symbol kZone{"topology.kubernetes.io/zone"};
inline const Symbol kHostname{"kubernetes.io/hostname"};
inline const Symbol kRack{"rack"};
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

inline model::Labels labels(
    std::initializer_list<std::pair<std::string_view, std::string_view>> list) {
  std::vector<model::Label> items;
  for (const auto& [key, value] : list) items.push_back({Symbol(key), std::string(value)});
  return model::Labels(items);
}
inline model::LabelSelector selector(
    std::initializer_list<std::pair<std::string_view, std::string_view>> list) {
  model::LabelSelector s;
  for (const auto& [key, value] : list) {
    s.all.push_back({Symbol(key), model::LabelOperator::kIn, {std::string(value)}});
  }
  return s;
}

struct Pods {
  static constexpr std::int64_t kNow = 1'800'000'000;
  model::Snapshot s;
  model::Kubernetes k;

  explicit Pods(int nodes = 8) {
    s.scheduler = "kubernetes";
    s.scheduler_version = "1.36.2";
    s.time = {kNow};
    k.namespaces.emplace();
    for (const char* ns : {"default", "train", "infer"}) add_namespace(ns);
    k.volume_claims.emplace();
    k.volumes.emplace();
    k.storage_classes.emplace();
    k.events.emplace();
    k.controllers.emplace();
    k.quotas.emplace();
    k.resource_claims.emplace();
    k.claim_templates.emplace();
    k.resource_slices.emplace();
    k.device_classes.emplace();
    for (int i = 0; i < nodes; ++i) add_node();
  }

  void add_namespace(std::string_view name, model::Labels l = {}) {
    k.namespaces->push_back({Symbol(name), std::move(l), false});
  }

  model::Node& add_node() {
    const auto i = static_cast<int>(s.nodes.size());
    model::Node node;
    node.name = Symbol("gpu-" + std::to_string(i));
    node.state = model::NodeState::kIdle;
    node.cpus = 64;
    model::NodeObject object;
    object.labels = labels({{"kubernetes.io/hostname", node.name.view()},
                            {"topology.kubernetes.io/zone", i % 2 ? "b" : "a"},
                            {"rack", std::to_string(i % 4)}});
    for (auto* q : {&object.capacity, &object.allocatable}) {
      q->set(model::names::kKubeCpu, 64'000);
      q->set(model::names::kKubeMemory, 512 * kGiB);
      q->set(model::names::kKubePods, 110);
      q->set(kGpuName, 8);
    }
    model::NodeCondition ready;
    ready.type = Symbol("Ready");
    ready.status = true;
    object.conditions.push_back(ready);
    node.object = std::make_shared<model::NodeObject>(object);
    s.nodes.push_back(node);
    return s.nodes.back();
  }

  // Changes the object of a node.
  void change(int i, const std::function<void(model::NodeObject&)>& how) {
    auto& node = s.nodes[static_cast<std::size_t>(i)];
    auto object = std::make_shared<model::NodeObject>(*node.object);
    how(*object);
    node.object = object;
  }
  void cordon(int i) {
    change(i, [](auto& o) {
      o.unschedulable = true;
      o.taints.push_back(
          {Symbol("node.kubernetes.io/unschedulable"), "", model::TaintEffect::kNoSchedule, {}});
    });
  }
  void taint(int i, std::string_view key, std::string value = "",
             model::TaintEffect effect = model::TaintEffect::kNoSchedule) {
    change(i, [&](auto& o) { o.taints.push_back({Symbol(key), value, effect, {}}); });
  }
  void label(int i, std::string_view key, std::string value) {
    change(i, [&](auto& o) {
      auto items = o.labels.items();
      items.push_back({Symbol(key), value});
      o.labels = model::Labels(items);
    });
  }
  void unlabel(int i, Symbol key) {
    change(i, [&](auto& o) {
      auto items = o.labels.items();
      std::erase_if(items, [&](const model::Label& l) { return l.key == key; });
      o.labels = model::Labels(items);
    });
  }
  void allocatable(int i, Symbol name, std::int64_t amount) {
    change(i, [&](auto& o) { o.allocatable.set(name, amount); });
  }

  struct Draft {
    model::PodSpec spec;
    model::Pod pod;
    Draft& ask(Symbol name, std::int64_t amount) {
      spec.request.set(name, amount);
      return *this;
    }
    Draft& cpu(std::int64_t cores) { return ask(model::names::kKubeCpu, cores * 1000); }
    Draft& gpu(std::int64_t n) { return ask(kGpuName, n); }
    Draft& labelled(std::initializer_list<std::pair<std::string_view, std::string_view>> l) {
      pod.labels = labels(l);
      return *this;
    }
    Draft& in(std::string_view ns) {
      pod.ns = Symbol(ns);
      return *this;
    }
    Draft& claim(std::string name) {
      pod.volumes.push_back({std::move(name), false});
      return *this;
    }
  };
  static Draft draft() {
    Draft d;
    d.spec.scheduler = Symbol("default-scheduler");
    d.pod.ns = Symbol("default");
    d.pod.priority = 0;
    d.pod.phase = model::PodPhase::kPending;
    return d;
  }

  model::WorkloadId add(Draft d, std::string node = "") {
    const auto i = static_cast<std::uint32_t>(s.workloads.size());
    d.pod.spec = std::make_shared<model::PodSpec>(d.spec);
    d.pod.request = d.spec.request;
    d.pod.uid = "uid-" + std::to_string(i);
    d.pod.node_name = Symbol(node);
    model::Workload w;
    w.name = "pod-" + std::to_string(i);
    w.account = d.pod.ns;
    w.submitted = w.eligible = Timestamp{kNow - 600};
    w.state = model::WorkloadState::kPending;
    if (!node.empty()) {
      d.pod.phase = model::PodPhase::kRunning;
      w.state = model::WorkloadState::kRunning;
      for (std::uint32_t n = 0; n < s.nodes.size(); ++n) {
        if (s.nodes[n].name.view() == node) w.allocation.nodes.push_back({n});
      }
    }
    w.pod = std::make_shared<model::Pod>(d.pod);
    s.workloads.push_back(w);
    return {i};
  }
  model::WorkloadId run(int node, Draft d) {
    return add(std::move(d), "gpu-" + std::to_string(node));
  }
  model::WorkloadId wait(Draft d) { return add(std::move(d)); }

  void change_pod(model::WorkloadId id, const std::function<void(model::Pod&)>& how) {
    auto pod = std::make_shared<model::Pod>(*s.workloads[id.index].pod);
    how(*pod);
    s.workloads[id.index].pod = pod;
  }
  // The scheduler's condition on a waiting pod.
  void scheduler_says(model::WorkloadId id, std::string message, std::int64_t seconds_ago = 60,
                      std::string_view reason = "Unschedulable") {
    change_pod(id, [&](model::Pod& pod) {
      model::PodCondition c;
      c.type = Symbol("PodScheduled");
      c.reason = Symbol(reason);
      c.message = std::move(message);
      c.since = Timestamp{kNow - 600};
      pod.conditions.push_back(c);
      pod.condition_written = Timestamp{kNow - seconds_ago};
    });
  }

  model::VolumeClaim& volume_claim(std::string name, std::string volume = "") {
    model::VolumeClaim c;
    c.ns = Symbol("default");
    c.name = std::move(name);
    c.storage_class = Symbol("fast");
    c.request_bytes = 10 * kGiB;
    c.access_modes = {"ReadWriteOnce"};
    c.phase = volume.empty() ? model::ClaimPhase::kPending : model::ClaimPhase::kBound;
    c.volume = std::move(volume);
    k.volume_claims->push_back(c);
    return k.volume_claims->back();
  }
  model::Volume& volume(std::string name) {
    model::Volume v;
    v.name = std::move(name);
    v.storage_class = Symbol("fast");
    v.capacity_bytes = 10 * kGiB;
    v.access_modes = {"ReadWriteOnce"};
    v.phase = "Available";
    k.volumes->push_back(v);
    return k.volumes->back();
  }
  model::StorageClass& storage_class(bool wait, std::string provisioner) {
    k.storage_classes->push_back({Symbol("fast"), std::move(provisioner), wait, false, {}});
    return k.storage_classes->back();
  }

  void ready() {
    s.kubernetes = std::make_shared<model::Kubernetes>(k);
    s.build_index();
  }
  PodAnswer answer(model::WorkloadId id) {
    ready();
    evaluation = std::make_unique<PodEvaluation>(s);
    return evaluation->evaluate(id);
  }
  // The head of the message as the scheduler would write it.
  std::string head(model::WorkloadId id) {
    const auto a = answer(id);
    return message_head(a, counts_as_scheduler(a, default_filter_order()));
  }
  Verdict why(model::WorkloadId id) {
    ready();
    return Explainer(s).explain(id);
  }
  std::unique_ptr<PodEvaluation> evaluation;  // behind the last answer
};

inline model::PodAffinityTerm term(model::LabelSelector pods, Symbol key) {
  model::PodAffinityTerm t;
  t.pods = std::move(pods);
  t.topology_key = key;
  return t;
}

}  // namespace schedlens::diagnose::testing
