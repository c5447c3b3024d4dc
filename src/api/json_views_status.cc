// SPDX-License-Identifier: Apache-2.0
#include "api/json_parts.h"
#include "api/json_views.h"

namespace schedlens::api {
namespace {

using diagnose::Demand;
using diagnose::GpuSplit;
using diagnose::Holdings;

void write_split(JsonWriter& json, const GpuSplit& gpus) {
  json.field("total", gpus.total);
  json.field("used", gpus.used);
  json.field("free", gpus.free);
  json.field("out_of_service", gpus.out_of_service);
  json.field("unknown", gpus.unknown);
}

void write_demand(JsonWriter& json, const Demand& demand) {
  json.field("running", demand.running);
  json.field("gpus_held", demand.gpus_held);
  json.field("waiting", demand.waiting);
  json.field("gpus_waiting", demand.gpus_waiting);
}

void write_holders(JsonWriter& json, std::string_view name,
                   const std::vector<diagnose::Holder>& holders) {
  json.key(name);
  json.array([&] {
    for (const auto& holder : holders) {
      json.object([&] {
        write_text(json, "name", holder.name.view());
        write_demand(json, holder.demand);
      });
    }
  });
}

void write_node_counts(JsonWriter& json, const View& view, const Holdings& holdings) {
  json.key("nodes");
  json.object([&] {
    json.field("total", view.snapshot.nodes.size());
    std::size_t serving = 0;
    for (const auto& node : view.snapshot.nodes) serving += model::in_service(node) ? 1 : 0;
    json.field("in_service", serving);
    json.key("by_state");
    json.object([&] {
      for (std::size_t i = 0; i < holdings.nodes.size(); ++i) {
        json.field(model::bucket_name(static_cast<model::NodeBucket>(i)), holdings.nodes[i]);
      }
    });
  });
}

void write_gpus(JsonWriter& json, const Holdings& holdings,
                const diagnose::Fragmentation& fragmentation) {
  json.key("gpus");
  json.object([&] {
    write_split(json, holdings.gpus);
    json.field("stranded", fragmentation.gpus_stranded);
    json.field("largest_hole", fragmentation.largest_hole);
    json.key("by_type");
    json.array([&] {
      for (const auto& type : holdings.types) {
        json.object([&] {
          write_text(json, "type", type.type.view());
          write_split(json, type.gpus);
        });
      }
    });
  });
}

void write_queues(JsonWriter& json, const View& view, const Holdings& holdings) {
  json.key("queues");
  json.array([&] {
    for (const auto& line : holdings.queues) {
      const auto& queue = view.snapshot.queue(line.queue);
      json.object([&] {
        json.field("name", queue.name);
        json.field("state", model::state_name(queue.state));
        json.field("nodes", line.nodes);
        json.field("nodes_in_service", line.nodes_in_service);
        json.key("gpus");
        json.object([&] { write_split(json, line.gpus); });
        write_demand(json, line.demand);
      });
    }
  });
}

void write_unhealthy(JsonWriter& json, const View& view) {
  json.key("unhealthy_nodes");
  json.array([&] {
    for (const auto& node : view.snapshot.nodes) {
      if (model::in_service(node)) continue;
      json.object([&] {
        json.field("name", node.name);
        json.field("state", model::display_state(node));
        json.field("gpus", model::gpus_total(node));
        write_text(json, "reason", node.reason ? node.reason->text : "");
        write_text(json, "reason_author", node.reason ? node.reason->author : "");
        json.field("reason_since", node.reason ? node.reason->since : std::nullopt);
      });
    }
  });
}

void write_totals(JsonWriter& json, const Holdings& holdings) {
  json.key("cpus");
  json.object([&] {
    json.field("total", holdings.cpus);
    json.field("allocated", holdings.cpus_allocated);
  });
  json.key("memory");
  json.object([&] {
    json.field("total", holdings.memory);
    json.field("allocated", holdings.memory_allocated);
  });
  json.key("workloads");
  json.object([&] { write_demand(json, holdings.demand); });
}

}  // namespace

void write_status(JsonWriter& json, const View& view, const Holdings& holdings,
                  const diagnose::Fragmentation& fragmentation,
                  const std::vector<CauseGroup>& causes, const ServerState* server) {
  json.object([&] {
    write_head(json, view);
    write_node_counts(json, view, holdings);
    write_gpus(json, holdings, fragmentation);
    write_totals(json, holdings);
    json.key("waiting_by_cause");
    json.array([&] {
      for (const auto& group : causes) {
        json.object([&] {
          json.field("class", diagnose::cause_name(group.cause));
          json.field("workloads", group.workloads.size());
          json.field("tasks", group.tasks);
          json.field("gpus", group.gpus);
          json.field("longest_wait", group.longest_wait);
        });
      }
    });
    write_queues(json, view, holdings);
    write_holders(json, "users", holdings.users);
    write_holders(json, "accounts", holdings.accounts);
    write_unhealthy(json, view);
    json.key("server");
    if (!server) return json.null();
    json.object([&] {
      json.field("version", server->version);
      json.field("config_reload_failed", server->config_reload_failed);
      write_text(json, "config_error", server->config_error);
    });
  });
}

}  // namespace schedlens::api
