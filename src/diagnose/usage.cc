// SPDX-License-Identifier: Apache-2.0
#include "diagnose/usage.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "diagnose/usage_findings.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

using model::GpuUse;
using model::NodeId;
using model::Snapshot;
using model::WorkloadId;

double in_cores(std::int64_t thousandths) {
  return static_cast<double>(thousandths) / 1000;
}

void add(Compared& c, double requested, std::optional<double> used) {
  c.requested += requested;
  if (!used) {
    ++c.unknown;
    return;
  }
  ++c.known;
  c.used += *used;
  c.requested_known += requested;
}

void add(GpusCompared& g, const GpuUse& gpu, double share) {
  if (!gpu.busy) return;
  const bool part = !gpu.mig_instance.empty();
  (part ? g.parts_measured : g.measured) += share;
  (part ? g.parts_busy : g.busy) += *gpu.busy * share;
  if (!part && is_idle(gpu)) g.idle += share;
  if (!gpu.memory || !gpu.memory_total) return;
  g.memory += static_cast<double>(gpu.memory->value) * share;
  g.memory_total += static_cast<double>(gpu.memory_total->value) * share;
}

// Adds pods, one after the other, to any row.
class Adder {
 public:
  explicit Adder(const Snapshot& s)
      : s_(s), usage_(s.kubernetes ? s.kubernetes->usage.get() : nullptr) {
    if (!usage_ || !usage_->gpus) return;
    for (const auto& gpu : *usage_->gpus) {
      if (!is_current(gpu.sampled, s)) continue;
      for (const auto pod : gpu.pods) gpus_of_[pod].push_back(&gpu);
    }
  }

  void add_pod(UsageRow& row, WorkloadId id) const {
    const auto& w = s_.workload(id);
    const auto* use = usage_ ? usage_->of_pod(id) : nullptr;
    if (use && !is_current(use->sampled, s_)) use = nullptr;
    ++row.pods;
    const auto& request = w.pod->request;
    add(row.cpu, in_cores(request.get(model::names::kKubeCpu)), use ? use->cpu : std::nullopt);
    std::optional<double> memory;
    if (use && use->memory) memory = static_cast<double>(use->memory->value);
    add(row.memory, static_cast<double>(request.get(model::names::kKubeMemory)), memory);
    row.gpus.held += model::gpus_held(w);
    const auto gpus = gpus_of_.find(id);
    if (gpus == gpus_of_.end()) return;
    for (const auto* gpu : gpus->second) {
      add(row.gpus, *gpu, 1.0 / static_cast<double>(gpu->pods.size()));
    }
  }

 private:
  const Snapshot& s_;
  const model::Usage* usage_;
  std::map<WorkloadId, std::vector<const GpuUse*>> gpus_of_;
};

double unused_cpu(const UsageRow& row) {
  return row.cpu.requested_known - row.cpu.used;
}

bool more_unused(const UsageRow& a, const UsageRow& b) {
  if (a.gpus.idle != b.gpus.idle) return a.gpus.idle > b.gpus.idle;
  return unused_cpu(a) > unused_cpu(b);
}

template <class Key>
std::vector<UsageRow> values_of(std::map<Key, UsageRow>& rows) {
  std::vector<UsageRow> list;
  list.reserve(rows.size());
  for (auto& [key, row] : rows) list.push_back(std::move(row));
  return list;
}

void complete_node(UsageRow& row, NodeId id, const Snapshot& s) {
  const auto& node = s.node(id);
  row.node = id;
  if (node.object) {
    const auto& allocatable = node.object->allocatable;
    row.cpu_allocatable = in_cores(allocatable.get(model::names::kKubeCpu));
    row.memory_allocatable = static_cast<double>(allocatable.get(model::names::kKubeMemory));
  }
  const auto* usage = s.kubernetes->usage.get();
  const auto* whole = usage ? usage->of_node(id) : nullptr;
  if (whole && is_current(whole->sampled, s)) row.whole = whole;
}

void note_ages(const Snapshot& s, UsageReport& report) {
  const auto note = [&](const std::optional<Timestamp>& sampled) {
    if (!is_current(sampled, s)) return;
    report.measured = true;
    report.oldest = report.oldest ? std::min(*report.oldest, *sampled) : *sampled;
    report.newest = report.newest ? std::max(*report.newest, *sampled) : *sampled;
  };
  const auto& usage = *s.kubernetes->usage;
  if (usage.pods) {
    for (const auto& pod : *usage.pods) note(pod.use.sampled);
  }
  if (usage.nodes) {
    for (const auto& node : *usage.nodes) note(node.use.sampled);
  }
  if (usage.gpus) {
    for (const auto& gpu : *usage.gpus) note(gpu.sampled);
  }
}

}  // namespace

std::optional<double> Compared::use() const {
  return known > 0 ? std::optional(used) : std::nullopt;
}

std::optional<double> Compared::share() const {
  if (requested_known <= 0) return std::nullopt;
  return used / requested_known;
}

UsageReport compare_usage(const Snapshot& s) {
  UsageReport report;
  if (!s.kubernetes) return report;
  const Adder adder(s);
  const TopOwners owners(s);
  std::map<Owner, UsageRow> by_owner;
  std::map<Symbol, UsageRow> by_namespace;
  std::map<NodeId, UsageRow> by_node;
  for (std::uint32_t i = 0; i < s.nodes.size(); ++i) complete_node(by_node[{i}], {i}, s);
  for (std::uint32_t i = 0; i < s.workloads.size(); ++i) {
    const auto& w = s.workloads[i];
    if (!w.pod || !model::holds_resources(w)) continue;
    auto owner = owners.of(w);
    auto& of_owner = by_owner[owner];
    of_owner.ns = w.pod->ns;
    of_owner.owner = std::move(owner);
    adder.add_pod(of_owner, {i});
    auto& of_namespace = by_namespace[w.pod->ns];
    of_namespace.ns = w.pod->ns;
    adder.add_pod(of_namespace, {i});
    for (const auto node : w.allocation.nodes) adder.add_pod(by_node[node], {i});
  }
  report.owners = values_of(by_owner);
  std::stable_sort(report.owners.begin(), report.owners.end(), more_unused);
  report.namespaces = values_of(by_namespace);
  report.nodes = values_of(by_node);
  if (!s.kubernetes->usage) return report;
  note_ages(s, report);
  report.findings = find_misuse(s, owners);
  return report;
}

std::vector<UsageRow> usage_by_pod(const Snapshot& s) {
  std::vector<UsageRow> rows;
  if (!s.kubernetes) return rows;
  const Adder adder(s);
  for (std::uint32_t i = 0; i < s.workloads.size(); ++i) {
    const auto& w = s.workloads[i];
    if (!w.pod || !model::holds_resources(w)) continue;
    auto& row = rows.emplace_back();
    row.pod = WorkloadId{i};
    row.ns = w.pod->ns;
    if (!w.allocation.nodes.empty()) row.node = w.allocation.nodes.front();
    adder.add_pod(row, {i});
  }
  std::stable_sort(rows.begin(), rows.end(), more_unused);
  return rows;
}

}  // namespace schedlens::diagnose
