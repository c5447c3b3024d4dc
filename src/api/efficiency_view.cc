// SPDX-License-Identifier: Apache-2.0
#include "api/efficiency_view.h"

#include "api/json_parts.h"

namespace schedlens::api {
namespace {

using diagnose::GpuCounts;
using diagnose::GpuLedger;
using diagnose::GpuState;
using metrics::EfficiencyCounts;

void write_counts(JsonWriter& json, std::string_view name, const GpuCounts& gpus) {
  json.key(name);
  json.object([&] {
    for (std::size_t i = 0; i < diagnose::kGpuStates; ++i) {
      json.field(diagnose::gpu_state_name(static_cast<GpuState>(i)), gpus[i]);
    }
  });
}

void write_parts(JsonWriter& json, const GpuLedger& ledger) {
  json.key("parts");
  json.array([&] {
    for (const auto& part : ledger.parts) {
      json.object([&] {
        json.field("state", diagnose::gpu_state_name(part.state));
        write_text(json, "cause", part.cause);
        json.field("gpus", part.gpus);
      });
    }
  });
}

void write_idle(JsonWriter& json, const View& view, const diagnose::IdleGpus& idle) {
  json.object([&] {
    json.field("state", diagnose::gpu_state_name(idle.state));
    write_text(json, "cause", idle.cause);
    json.field("gpus", idle.gpus);
    write_node_names(json, "nodes", view.snapshot, idle.nodes);
    json.key("shapes");
    json.array([&] {
      for (const auto& shape : idle.shapes) {
        json.object([&] {
          json.field("shape", shape.shape);
          write_text(json, "queue", shape.queue);
          json.field("gpus", shape.gpus);
          json.field("unplaced", shape.unplaced);
        });
      }
    });
    write_workload_ids(json, "workloads", view.snapshot, idle.workloads);
  });
}

void write_finding(JsonWriter& json, const View& view, const diagnose::EfficiencyFinding& f) {
  json.object([&] {
    json.field("kind", diagnose::kind_name(f.kind));
    write_workload_ids(json, "workloads", view.snapshot, f.workloads);
    write_node_names(json, "nodes", view.snapshot, f.nodes);
    json.field("gpus", f.gpus);
    json.field("cpus", f.cpus);
    json.field("memory", f.memory);
    json.field("exact", f.exact);
    json.field("text", f.text);
  });
}

void write_preemption(JsonWriter& json, const metrics::Preemption& p) {
  json.object([&] {
    json.field("when", p.when);
    json.field("victim", p.victim);
    write_text(json, "victim_queue", p.kind.victim_queue.view());
    write_text(json, "victim_class", p.kind.victim_class.view());
    write_text(json, "preemptor", p.preemptor);
    write_text(json, "preemptor_queue", p.kind.preemptor_queue.view());
    write_text(json, "preemptor_class", p.kind.preemptor_class.view());
    json.field("inferred", p.inferred);
    json.field("gpus", p.gpus);
    json.field("gpu_seconds", p.gpu_seconds);
  });
}

void write_times(JsonWriter& json, const EfficiencyCounts& counts) {
  json.key("time");
  json.array([&] {
    for (const auto& entry : counts.gpu_seconds) {
      json.object([&] {
        json.field("state", diagnose::gpu_state_name(entry.first.first));
        write_text(json, "cause", entry.first.second);
        json.field("gpu_seconds", entry.second);
      });
    }
  });
  json.key("lost");
  json.array([&] {
    for (std::size_t i = 0; i < counts.lost.size(); ++i) {
      json.object([&] {
        json.field("cause", loss_name(static_cast<metrics::LossCause>(i)));
        json.field("runs", counts.lost[i].runs);
        json.field("gpu_seconds", counts.lost[i].gpu_seconds);
      });
    }
  });
}

void write_counts(JsonWriter& json, const EfficiencyCounts* counts) {
  json.key("counted");
  if (!counts || !counts->since) return json.null();
  json.object([&] {
    json.field("since", counts->since);
    json.field("until", counts->until);
    write_times(json, *counts);
    json.field("unseen_runs", counts->unseen.runs);
    json.field("unseen_gpu_seconds", counts->unseen.gpu_seconds);
    json.key("preemptions");
    json.array([&] {
      for (const auto& [kind, count] : counts->preemptions) {
        json.object([&, &k = kind, n = count] {
          write_text(json, "victim_queue", k.victim_queue.view());
          write_text(json, "victim_class", k.victim_class.view());
          write_text(json, "preemptor_queue", k.preemptor_queue.view());
          write_text(json, "preemptor_class", k.preemptor_class.view());
          json.field("count", n);
        });
      }
    });
    json.key("latest");
    json.array([&] {
      for (const auto& p : counts->latest) write_preemption(json, p);
    });
  });
}

}  // namespace

void write_efficiency(JsonWriter& json, const View& view, const GpuLedger& ledger,
                      const std::vector<diagnose::EfficiencyFinding>& findings,
                      const EfficiencyCounts* counts) {
  json.object([&] {
    write_head(json, view);
    json.field("gpus_total", ledger.total);
    write_counts(json, "gpus", ledger.gpus);
    write_parts(json, ledger);
    json.key("queues");
    json.array([&] {
      for (const auto& queue : ledger.queues) {
        json.object([&] {
          json.field("name", queue.queue);
          write_counts(json, "gpus", queue.gpus);
        });
      }
    });
    json.key("idle");
    json.array([&] {
      for (const auto& idle : ledger.idle) write_idle(json, view, idle);
    });
    json.key("findings");
    json.array([&] {
      for (const auto& f : findings) write_finding(json, view, f);
    });
    write_counts(json, counts);
    write_list(json, "unsure", ledger.unsure);
  });
}

}  // namespace schedlens::api
