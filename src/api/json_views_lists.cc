// SPDX-License-Identifier: Apache-2.0
// Lists of workloads and of nodes, and one of each in full with what it is joined to.

#include <algorithm>

#include "api/device_view.h"
#include "api/json_parts.h"
#include "api/json_views.h"
#include "api/usage_view.h"

namespace schedlens::api {
namespace {

// How busy the nodes of a job are, with what the job holds on each where that is known.
void write_places(JsonWriter& json, const View& view, const model::Workload& w) {
  json.key("nodes");
  json.array([&] {
    for (auto id : w.allocation.nodes) {
      const auto& node = view.snapshot.node(id);
      const auto& parts = w.allocation.per_node;
      auto part = std::find_if(parts.begin(), parts.end(), [&](auto& p) { return p.node == id; });
      json.object([&] {
        json.field("name", node.name);
        json.field("state", model::display_state(node));
        json.field("cpu_load", node.cpu_load);
        json.field("cpus", node.cpus);
        json.field("memory_free", node.memory_free);
        json.field("memory", node.memory);
        json.key("gpu_indexes");
        if (part == parts.end()) return json.null();
        json.array([&] {
          for (const auto& pool : part->gres) {
            if (pool.name != model::names::kGpu) continue;
            for (auto index : pool.used_indexes) json.value(index);
          }
        });
      });
    }
  });
}

}  // namespace

void write_queue(JsonWriter& json, const View& view, std::span<const model::WorkloadId> workloads,
                 const Causes& causes) {
  json.object([&] {
    write_head(json, view);
    json.field("total", workloads.size());
    json.key("workloads");
    json.array([&] {
      for (auto id : workloads) {
        json.object([&] {
          write_workload_members(json, view, view.snapshot.workload(id));
          auto cause = causes[id.index];
          bool waits = cause != diagnose::RootCause::kNone;
          write_text(json, "root_cause", waits ? diagnose::cause_name(cause) : "");
        });
      }
    });
  });
}

void write_nodes(JsonWriter& json, const View& view, std::span<const model::NodeId> nodes) {
  json.object([&] {
    write_head(json, view);
    json.field("total", nodes.size());
    json.key("nodes");
    json.array([&] {
      for (auto id : nodes) write_node_row(json, view, id);
    });
  });
}

void write_job(JsonWriter& json, const View& view, std::span<const model::WorkloadId> records) {
  json.object([&] {
    write_head(json, view);
    json.key("records");
    json.array([&] {
      for (auto id : records) {
        const auto& w = view.snapshot.workload(id);
        json.object([&] {
          json.field("id", model::display_id(w));
          json.field("state", model::full_state(w));
          json.field("tasks", model::task_count(w));
          json.field("gpus_requested", model::gpus_requested(w));
          json.field("gpus_held", model::gpus_held(w));
          json.field("waited", model::waited(w, view.now));
          write_places(json, view, w);
          write_pod_use(json, view, id);
          write_pod_devices(json, w);
          json.key("workload");
          write_everything(json, view, w);
        });
      }
    });
  });
}

void write_node(JsonWriter& json, const View& view, model::NodeId id) {
  const auto& s = view.snapshot;
  json.object([&] {
    write_head(json, view);
    const auto& n = s.node(id);
    json.field("name", n.name);
    json.field("state", model::display_state(n));
    json.field("in_service", model::in_service(n));
    json.field("gpus", model::gpus_total(n));
    json.field("gpus_used", model::gpus_used(n));
    write_node_use(json, view, id);
    write_node_devices(json, view, id);
    json.key("workloads");
    json.array([&] {
      for (auto w : s.workloads_on(id)) write_workload_row(json, view, s.workload(w));
    });
    json.key("reservations");
    json.array([&] {
      for (const auto& r : s.reservations) {
        if (std::find(r.nodes.begin(), r.nodes.end(), id) == r.nodes.end()) continue;
        json.object([&] {
          json.field("name", r.name);
          json.field("start", r.start);
          json.field("end", r.end);
          json.field("active", r.active);
          write_list(json, "flags", r.flags);
        });
      }
    });
    json.key("node");
    write_everything(json, view, n);
  });
}

}  // namespace schedlens::api
