// SPDX-License-Identifier: Apache-2.0
// What is used of what was requested: by namespace and node, and by pod where that is wanted.
#include "diagnose/usage.h"
#include "metrics/parts.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::metrics {
namespace {

using diagnose::Compared;
using diagnose::GpusCompared;
using diagnose::UsageRow;
using Rows = std::vector<UsageRow>;

std::optional<double> known(double value, double measured) {
  return measured > 0 ? std::optional(value) : std::nullopt;
}

std::optional<double> busy(const GpusCompared& g) {
  return known(g.busy, g.measured);
}
std::optional<double> idle(const GpusCompared& g) {
  return known(g.idle, g.measured);
}

void write_namespaces(const Rows& rows, Exposition& out) {
  const auto write = [&](FamilyRef f, auto value) {
    for (const auto& row : rows) out.sample(f, value(row), row.ns);
  };
  write(family("schedlens_namespace_cpu_requested_cores"),
        [](const UsageRow& r) { return r.cpu.requested; });
  write(family("schedlens_namespace_cpu_measured_request_cores"),
        [](const UsageRow& r) { return known(r.cpu.requested_known, r.cpu.known); });
  write(family("schedlens_namespace_cpu_use_cores"), [](const UsageRow& r) { return r.cpu.use(); });
  write(family("schedlens_namespace_memory_requested_bytes"),
        [](const UsageRow& r) { return r.memory.requested; });
  write(family("schedlens_namespace_memory_measured_request_bytes"),
        [](const UsageRow& r) { return known(r.memory.requested_known, r.memory.known); });
  write(family("schedlens_namespace_memory_use_bytes"),
        [](const UsageRow& r) { return r.memory.use(); });
  write(family("schedlens_namespace_pods_use_unknown"),
        [](const UsageRow& r) { return r.cpu.unknown; });
  write(family("schedlens_namespace_gpus_measured"),
        [](const UsageRow& r) { return known(r.gpus.measured, r.gpus.measured); });
  write(family("schedlens_namespace_gpus_busy"), [](const UsageRow& r) { return busy(r.gpus); });
  write(family("schedlens_namespace_gpus_idle"), [](const UsageRow& r) { return idle(r.gpus); });
}

void write_node_use(const model::Snapshot& s, const Rows& rows, Exposition& out) {
  for (const auto& row : rows) {
    if (row.whole) {
      out.sample(family("schedlens_node_cpu_use_cores"), row.whole->cpu, s.node(*row.node).name);
    }
  }
  for (const auto& row : rows) {
    if (row.whole) {
      out.sample(family("schedlens_node_memory_use_bytes"), row.whole->memory,
                 s.node(*row.node).name);
    }
  }
  for (const auto& row : rows) {
    out.sample(family("schedlens_node_gpus_busy"), busy(row.gpus), s.node(*row.node).name);
  }
  for (const auto& row : rows) {
    out.sample(family("schedlens_node_gpus_idle"), idle(row.gpus), s.node(*row.node).name);
  }
}

void write_findings(const model::Snapshot& s, const diagnose::UsageReport& report,
                    Exposition& out) {
  for (const auto& f : report.findings) {
    if (f.kind != diagnose::UsageFindingKind::kUsedUnallocated) continue;
    out.sample(family("schedlens_node_devices_used_unallocated"), f.devices.size(),
               s.node(*f.node).name);
  }
}

void write_pods(const model::Snapshot& s, Exposition& out) {
  const auto rows = diagnose::usage_by_pod(s);
  const auto write = [&](FamilyRef f, auto value) {
    for (const auto& row : rows) out.sample(f, value(row), row.ns, s.workload(*row.pod).name);
  };
  write(family("schedlens_pod_cpu_use_cores"), [](const UsageRow& r) { return r.cpu.use(); });
  write(family("schedlens_pod_memory_use_bytes"), [](const UsageRow& r) { return r.memory.use(); });
  write(family("schedlens_pod_gpus_busy"), [](const UsageRow& r) { return busy(r.gpus); });
}

}  // namespace

void write_usage(const model::Snapshot& s, const RenderInput& input, Exposition& out) {
  if (!input.analysis || !s.kubernetes->usage) return;
  const auto& report = input.analysis->usage;
  write_namespaces(report.namespaces, out);
  write_node_use(s, report.nodes, out);
  write_findings(s, report, out);
  if (input.pod_use) write_pods(s, out);
}

}  // namespace schedlens::metrics
