// SPDX-License-Identifier: Apache-2.0
#include "api/usage_view.h"

#include <algorithm>

#include "api/json_parts.h"
#include "base/text.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::api {
namespace {

using diagnose::Compared;
using diagnose::UsageRow;
using model::GpuUse;

void write_owner(JsonWriter& json, const std::optional<diagnose::Owner>& owner) {
  write_text(json, "owner_kind", owner ? owner->kind.view() : "");
  write_text(json, "owner", owner ? owner->name : "");
}

void write_amount(JsonWriter& json, std::string_view name, const Compared& c) {
  json.key(name);
  json.object([&] {
    json.field("requested", c.requested);
    json.field("used", c.use());
    json.field("requested_measured", c.requested_known);
    json.field("used_of_requested", c.share());
    json.field("pods_unknown", c.unknown);
  });
}

void write_gpus(JsonWriter& json, const diagnose::GpusCompared& g) {
  const auto known = [](double value, double measured) {
    return measured > 0 ? std::optional(value) : std::nullopt;
  };
  json.key("gpus");
  json.object([&] {
    json.field("held", g.held);
    json.field("measured", g.measured);
    json.field("busy", known(g.busy, g.measured));
    json.field("idle", known(g.idle, g.measured));
    json.field("memory", known(g.memory, g.memory_total));
    json.field("memory_total", known(g.memory_total, g.memory_total));
    json.field("parts_measured", g.parts_measured);
    json.field("parts_busy", known(g.parts_busy, g.parts_measured));
  });
}

void write_use(JsonWriter& json, std::string_view name, const View& view, const model::Use* use) {
  json.key(name);
  if (!use) return json.null();
  json.object([&] {
    json.field("cpu", use->cpu);
    json.field("memory", use->memory);
    json.field("sampled", use->sampled);
    json.field("age_seconds",
               use->sampled ? std::optional(view.now - *use->sampled) : std::nullopt);
    json.field("window", use->window);
    json.field("view", model::view_name(use->view));
  });
}

void write_device(JsonWriter& json, const View& view, const GpuUse& gpu) {
  json.object([&] {
    write_text(json, "node", gpu.node ? view.snapshot.node(*gpu.node).name.view() : "");
    write_text(json, "index", gpu.index);
    write_text(json, "uuid", gpu.uuid);
    write_text(json, "type", gpu.type);
    write_text(json, "mig_profile", gpu.mig_profile.view());
    write_text(json, "mig_instance", gpu.mig_instance);
    json.field("busy", gpu.busy);
    json.field("busiest", gpu.busiest);
    json.field("watched_since", gpu.watched_since);
    json.field("memory", gpu.memory);
    json.field("memory_total", gpu.memory_total);
    json.field("last_xid", gpu.last_xid);
    json.field("sampled", gpu.sampled);
    json.field("pods_known", gpu.pods_known);
    write_workload_ids(json, "pods", view.snapshot, gpu.pods);
  });
}

template <class Wanted>
void write_devices(JsonWriter& json, const View& view, Wanted&& wanted) {
  json.key("devices");
  json.array([&] {
    const auto* k = view.snapshot.kubernetes.get();
    if (!k || !k->usage || !k->usage->gpus) return;
    for (const auto& gpu : *k->usage->gpus) {
      if (wanted(gpu)) write_device(json, view, gpu);
    }
  });
}

void write_row(JsonWriter& json, const View& view, const UsageRow& row) {
  const auto& s = view.snapshot;
  json.object([&] {
    write_text(json, "pod", row.pod ? model::display_id(s.workload(*row.pod)) : "");
    write_owner(json, row.owner);
    write_text(json, "namespace", row.ns.view());
    write_text(json, "node", row.node ? s.node(*row.node).name.view() : "");
    json.field("pods", row.pods);
    write_amount(json, "cpu", row.cpu);
    write_amount(json, "memory", row.memory);
    write_gpus(json, row.gpus);
    json.field("cpu_allocatable", row.cpu_allocatable);
    json.field("memory_allocatable", row.memory_allocatable);
    write_use(json, "whole_node", view, row.whole);
  });
}

void write_finding(JsonWriter& json, const View& view, const diagnose::UsageFinding& f) {
  const auto& s = view.snapshot;
  json.object([&] {
    json.field("kind", diagnose::finding_name(f.kind));
    write_text(json, "pod", f.pod ? model::display_id(s.workload(*f.pod)) : "");
    write_owner(json, f.owner);
    write_text(json, "node", f.node ? s.node(*f.node).name.view() : "");
    write_list(json, "devices", f.devices);
    json.field("gpus", f.gpus);
    json.field("busiest", f.busiest);
    json.field("watched", f.watched);
    json.field("text", f.text);
  });
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Result<UsageBy> parse_usage_by(std::string_view word) {
  if (word == "pod") return UsageBy::kPod;
  if (word == "owner") return UsageBy::kOwner;
  if (word == "namespace") return UsageBy::kNamespace;
  if (word == "node") return UsageBy::kNode;
  return fail("'{}' is none of pod, owner, namespace, node", printable(word));
}

Result<ChosenUsage> choose_usage(const model::Snapshot& snapshot,
                                 const diagnose::UsageReport& report, const UsageChoice& choice) {
  if (!snapshot.kubernetes) {
    return fail("use is known of Kubernetes only, and this is a cluster of {}", snapshot.scheduler);
  }
  if (choice.by == UsageBy::kNode && !choice.namespaces.empty()) {
    return fail("nodes are of no namespace: choose a namespace or nodes, not both");
  }
  ChosenUsage chosen;
  chosen.by = choice.by;
  switch (choice.by) {
    case UsageBy::kPod:
      chosen.rows = diagnose::usage_by_pod(snapshot);
      break;
    case UsageBy::kOwner:
      chosen.rows = report.owners;
      break;
    case UsageBy::kNamespace:
      chosen.rows = report.namespaces;
      break;
    case UsageBy::kNode:
      chosen.rows = report.nodes;
      break;
  }
  std::erase_if(chosen.rows,
                [&](const UsageRow& row) { return !is_among(choice.namespaces, row.ns.view()); });
  for (const auto& f : report.findings) {
    const auto ns = f.owner ? f.owner->ns.view() : std::string_view();
    if (is_among(choice.namespaces, ns)) chosen.findings.push_back(f);
  }
  return chosen;
}

void write_usage(JsonWriter& json, const View& view, const diagnose::UsageReport& report,
                 const ChosenUsage& chosen) {
  const auto* usage = view.snapshot.kubernetes->usage.get();
  json.object([&] {
    write_head(json, view);
    json.field("measured", report.measured);
    json.field("no_metrics_api", usage && usage->no_metrics_api);
    json.field("oldest", report.oldest);
    json.field("newest", report.newest);
    json.key("rows");
    json.array([&] {
      for (const auto& row : chosen.rows) write_row(json, view, row);
    });
    json.key("findings");
    json.array([&] {
      for (const auto& f : chosen.findings) write_finding(json, view, f);
    });
    // With the nodes, whose they are.
    write_devices(json, view, [&](const GpuUse&) { return chosen.by == UsageBy::kNode; });
  });
}

void write_pod_use(JsonWriter& json, const View& view, model::WorkloadId pod) {
  const auto* k = view.snapshot.kubernetes.get();
  write_use(json, "use", view, k && k->usage ? k->usage->of_pod(pod) : nullptr);
  write_devices(json, view, [&](const GpuUse& gpu) {
    return std::find(gpu.pods.begin(), gpu.pods.end(), pod) != gpu.pods.end();
  });
}

void write_node_use(JsonWriter& json, const View& view, model::NodeId node) {
  const auto* k = view.snapshot.kubernetes.get();
  write_use(json, "use", view, k && k->usage ? k->usage->of_node(node) : nullptr);
  write_devices(json, view, [&](const GpuUse& gpu) { return gpu.node == node; });
}

}  // namespace schedlens::api
