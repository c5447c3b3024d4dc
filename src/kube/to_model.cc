// SPDX-License-Identifier: Apache-2.0
#include "kube/to_model.h"
#include "model/node_object.h"
#include "model/pod.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace schedlens::kube {
namespace {

using model::NodeFlag;
using model::NodeState;
using model::PodPhase;
using model::WorkloadFlag;
using model::WorkloadState;

const Symbol kPodScheduled{"PodScheduled"};
const Symbol kReady{"Ready"};
const Symbol kUnschedulableTaint{"node.kubernetes.io/unschedulable"};
const Symbol kDaemonSet{"DaemonSet"};
const Symbol kNodeKind{"Node"};

std::uint32_t whole_cpus_up(std::int64_t milli) {
  milli = std::max<std::int64_t>(0, milli);
  const auto cpus = milli / 1000 + (milli % 1000 > 0);
  return static_cast<std::uint32_t>(
      std::min<std::int64_t>(cpus, std::numeric_limits<std::uint32_t>::max()));
}

std::uint32_t whole_cpus_down(std::int64_t milli) {
  return whole_cpus_up(std::max<std::int64_t>(0, milli - 999));
}

// Names without a slash are Kubernetes' own (cpu, memory, pods, hugepages-2Mi).
bool is_extended(Symbol resource) {
  return resource.view().find('/') != std::string_view::npos;
}

// Name and type of the device pool behind an extended resource; others keep their full name.
std::pair<Symbol, Symbol> pool_of(Symbol resource, const GpuNames& gpus,
                                  const model::Labels* labels) {
  const auto gpu = gpus.find(resource);
  if (!gpu) return {resource, Symbol()};
  if (gpu->kind != GpuKind::kWhole) return {gpu->pool, gpu->type};
  const auto* type = labels && !gpu->type_label.empty() ? labels->find(gpu->type_label) : nullptr;
  return {gpu->pool, type ? Symbol(*type) : Symbol()};
}

std::vector<model::GresCount> devices(const model::Quantities& amounts, const GpuNames& gpus) {
  std::vector<model::GresCount> result;
  for (const auto& item : amounts.items()) {
    if (!is_extended(item.name) || item.amount <= 0) continue;
    const auto [name, type] = pool_of(item.name, gpus, nullptr);
    const auto count = static_cast<std::uint64_t>(item.amount);
    const auto same = std::find_if(result.begin(), result.end(), [n = name, t = type](auto& g) {
      return g.name == n && g.type == t;
    });
    if (same == result.end()) {
      result.push_back({name, type, count});
    } else {
      same->count += count;
    }
  }
  return result;
}

model::ResourceCounts totals(const model::Quantities& amounts,
                             const std::vector<model::GresCount>& gres) {
  model::ResourceCounts counts;
  counts.set(model::names::kNode, 1);
  counts.set(model::names::kCpu, static_cast<double>(amounts.get(model::names::kKubeCpu)) / 1000);
  counts.set(model::names::kMemory, static_cast<double>(amounts.get(model::names::kKubeMemory)));
  for (const auto& g : gres) {
    const auto name = g.type.empty() ? fmt::format("gres/{}", g.name.view())
                                     : fmt::format("gres/{}:{}", g.name.view(), g.type.view());
    counts.add(Symbol(name), static_cast<double>(g.count));
  }
  return counts;
}

model::Request request_of(const model::Pod& pod, const GpuNames& gpus) {
  model::Request request;
  request.max_nodes = 1;
  request.cpus = whole_cpus_up(pod.request.get(model::names::kKubeCpu));
  const auto memory = pod.request.get(model::names::kKubeMemory);
  // 0 for a node would mean all of its memory.
  if (memory > 0) {
    request.memory_per = model::MemoryPer::kNode;
    request.memory = {memory};
  }
  request.sharing = model::Sharing::kShareable;
  request.gres_per_node = devices(pod.request, gpus);
  request.totals = totals(pod.request, request.gres_per_node);
  request.excluded_nodes.emplace();
  return request;
}

model::Allocation allocation_of(const model::Pod& pod, model::NodeId node,
                                const model::Request& request) {
  model::Allocation allocation;
  allocation.nodes = {node};
  allocation.totals = request.totals;
  model::NodeAllocation here;
  here.node = node;
  here.cpus = request.cpus;
  here.memory = Bytes{pod.request.get(model::names::kKubeMemory)};
  for (const auto& g : request.gres_per_node) {
    model::GresPool held;
    held.name = g.name;
    held.type = g.type;
    held.total = g.count;
    here.gres.push_back(std::move(held));
  }
  allocation.per_node.push_back(std::move(here));
  return allocation;
}

void take_state(const model::Pod& pod, model::Workload& w) {
  const bool bound = !pod.node_name.empty();
  switch (pod.phase) {
    case PodPhase::kSucceeded:
      w.state = WorkloadState::kCompleted;
      return;
    case PodPhase::kFailed:
      w.state = WorkloadState::kFailed;
      return;
    case PodPhase::kPending:
      w.state = bound ? WorkloadState::kRunning : WorkloadState::kPending;
      if (bound) w.flags.set(WorkloadFlag::kConfiguring);
      break;
    case PodPhase::kRunning:
      w.state = WorkloadState::kRunning;
      break;
    case PodPhase::kUnknown:
      w.state = bound ? WorkloadState::kRunning : WorkloadState::kUnknown;
      w.unknown_state = "Unknown";
      break;
  }
  if (bound && pod.deleting) w.flags.set(WorkloadFlag::kCompleting);
}

void take_reason(const model::Pod& pod, model::Workload& w) {
  if (model::is_terminal(pod)) {
    w.reason = pod.status_reason;
    return;
  }
  const auto* scheduled = pod.condition(kPodScheduled);
  if (!scheduled || scheduled->status) return;
  w.reason = scheduled->reason;
  w.reason_text = *scheduled->message;
}

void take_times(const DecodedPod& decoded, model::Workload& w) {
  const auto& pod = *decoded.pod;
  w.submitted = decoded.created;
  // Nobody has looked at a pod that is gated.
  if (pod.gates.empty()) w.eligible = decoded.created;
  if (pod.node_name.empty()) return;
  // From then on it holds its room; how long containers took to start is not waiting.
  w.start = decoded.scheduled ? decoded.scheduled : decoded.started;
  if (model::is_terminal(pod)) w.end = decoded.finished;
}

bool comes_with_the_node(const model::Pod& pod) {
  return pod.owner && (pod.owner->kind == kDaemonSet || pod.owner->kind == kNodeKind);
}

std::vector<model::GresPool> device_pools(const model::NodeObject& node, const NodeUse& use,
                                          const GpuNames& gpus) {
  model::Quantities known = node.capacity;
  known.raise(node.allocatable);
  std::vector<model::GresPool> pools;
  for (const auto& item : known.items()) {
    if (!is_extended(item.name)) continue;
    const auto [name, type] = pool_of(item.name, gpus, &node.labels);
    auto pool = std::find_if(pools.begin(), pools.end(), [n = name, t = type](const auto& p) {
      return p.name == n && p.type == t;
    });
    if (pool == pools.end()) {
      pools.emplace_back();
      pool = std::prev(pools.end());
      pool->name = name;
      pool->type = type;
      pool->used = 0;
    }
    const auto count = [](std::int64_t amount) {
      return static_cast<std::uint64_t>(std::max<std::int64_t>(0, amount));
    };
    pool->total += count(node.allocatable.get(item.name));
    pool->used = *pool->used + count(use.requested().get(item.name));
  }
  return pools;
}

// How full the node is of what it is there for: its GPUs where it has any, otherwise its CPUs.
NodeState fullness(const model::NodeObject& node, const NodeUse& use, const GpuNames& gpus) {
  bool has_gpus = false, any_held = false, all_held = true;
  for (const auto& item : node.allocatable.items()) {
    if (!gpus.find(item.name)) continue;
    const auto held = use.requested().get(item.name);
    any_held = any_held || held > 0;
    if (item.amount <= 0) continue;
    has_gpus = true;
    all_held = all_held && held >= item.amount;
  }
  if (!has_gpus && !any_held) {
    const auto cpu = model::names::kKubeCpu;
    any_held = use.work_cpu() > 0;
    all_held = use.requested().get(cpu) >= node.allocatable.get(cpu);
  }
  if (!any_held) return NodeState::kIdle;
  return all_held ? NodeState::kAllocated : NodeState::kMixed;
}

void add_reason(model::Node& node, std::string_view text, std::optional<Timestamp> since) {
  if (!node.reason) {
    node.reason = model::NodeReason{std::string(text), "", since};
  } else {
    node.reason->text += fmt::format("; {}", text);
  }
}

// Base state and what the kubelet or an operator has against the node.
void take_health(const model::NodeObject& object, model::Node& node) {
  const auto* ready = object.condition(kReady);
  if (!ready) {
    node.state = NodeState::kUnknown;
    add_reason(node, "the kubelet has not reported yet", object.created);
  } else if (!ready->status) {
    node.state = NodeState::kDown;
    if (ready->unknown) node.flags.set(NodeFlag::kNotResponding);
    const auto reason = ready->reason.view();
    add_reason(node,
               ready->message.empty() ? std::string(reason)
                                      : fmt::format("{}: {}", reason, ready->message),
               ready->since);
  }
  if (!object.unschedulable) return;
  node.flags.set(NodeFlag::kDrain);
  std::optional<Timestamp> since;
  for (const auto& taint : object.taints) {
    if (taint.key == kUnschedulableTaint) since = taint.added;
  }
  add_reason(node, "cordoned", since);
}

}  // namespace

model::Workload to_workload(const DecodedPod& decoded, std::optional<model::NodeId> node,
                            const GpuNames& gpus) {
  const auto& pod = *decoded.pod;
  model::Workload w;
  w.name = decoded.meta.name;
  w.account = decoded.meta.ns;
  w.pod = decoded.pod;
  take_state(pod, w);
  take_reason(pod, w);
  take_times(decoded, w);
  if (pod.priority.value_or(0) > 0) w.priority = static_cast<std::uint64_t>(*pod.priority);
  w.restarts = pod.restarts;
  w.exit = decoded.exit;
  if (!pod.spec->scheduler.empty()) w.queues = {pod.spec->scheduler};
  w.request = request_of(pod, gpus);
  if (node && !model::is_terminal(pod)) w.allocation = allocation_of(pod, *node, w.request);
  w.detailed = true;
  return w;
}

void set_node(model::Shared<model::Workload>& workload, std::optional<model::NodeId> node) {
  if (node && model::is_terminal(*workload->pod)) node.reset();
  const auto& nodes = workload->allocation.nodes;
  const auto now = nodes.empty() ? std::nullopt : std::optional(nodes.front());
  if (now == node) return;
  auto& w = workload.edit();
  w.allocation = node ? allocation_of(*w.pod, *node, w.request) : model::Allocation{};
}

void NodeUse::add(const model::Pod& pod) {
  if (model::is_terminal(pod)) return;
  const auto cpu = model::names::kKubeCpu;
  ++pods_;
  requested_.add(pod.request);
  if (!comes_with_the_node(pod)) work_.add(cpu, pod.request.get(cpu));
}

model::Node to_node(const DecodedNode& decoded, const NodeUse& use, const GpuNames& gpus) {
  const auto& object = *decoded.object;
  const auto cpu = model::names::kKubeCpu;
  const auto memory = model::names::kKubeMemory;
  model::Node node;
  node.name = Symbol(decoded.meta.name);
  node.object = decoded.object;
  node.state = fullness(object, use, gpus);
  take_health(object, node);
  node.cpus = whole_cpus_down(object.capacity.get(cpu));
  node.cpus_effective = whole_cpus_down(object.allocatable.get(cpu));
  node.cpus_allocated = whole_cpus_up(use.requested().get(cpu));
  node.memory = {object.capacity.get(memory)};
  node.memory_reserved = {
      std::max<std::int64_t>(0, object.capacity.get(memory) - object.allocatable.get(memory))};
  node.memory_allocated = {use.requested().get(memory)};
  node.gres = device_pools(object, use, gpus);
  node.version = object.kubelet_version;
  node.address = decoded.address;
  return node;
}

}  // namespace schedlens::kube
