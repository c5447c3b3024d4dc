// SPDX-License-Identifier: Apache-2.0
#include "api/forecast_view.h"
#include "api/json_parts.h"
#include "api/json_views.h"
#include "diagnose/remedies.h"
#include "diagnose/withheld_pods.h"

namespace schedlens::api {
namespace {

using diagnose::Verdict;

void write_constraints(JsonWriter& json, const model::Snapshot& s, const Verdict& verdict) {
  json.key("constraints");
  json.array([&] {
    for (const auto& c : verdict.constraints) {
      json.object([&] {
        json.field("name", c.name);
        write_text(json, "detail", c.detail);
        json.field("ruled_out", c.ruled_out.size());
        json.field("only", c.only.size());
        write_node_names(json, "nodes", s, c.ruled_out);
        write_node_names(json, "only_nodes", s, c.only);
      });
    }
  });
}

void write_limit(JsonWriter& json, const diagnose::ReachedLimit& limit) {
  json.object([&] {
    json.field("holder", limit.holder);
    json.field("name", limit.name);
    write_text(json, "resource", limit.resource.view());
    write_text(json, "unit", limit.unit);
    json.field("limit", limit.limit);
    json.field("used", limit.used);
    json.field("requested", limit.requested);
    json.field("request_alone_exceeds", limit.request_alone_exceeds);
    json.key("filled_by");
    json.array([&] {
      for (const auto& use : limit.filled_by) {
        json.object([&] {
          json.field("holder", use.holder);
          json.field("amount", use.amount);
        });
      }
    });
  });
}

void write_ahead(JsonWriter& json, const model::Snapshot& s, const Verdict& verdict) {
  json.key("ahead");
  json.array([&] {
    for (auto id : verdict.ahead) {
      const auto& w = s.workload(id);
      json.object([&] {
        json.field("id", model::display_id(w));
        write_text(json, "user", w.user.view());
        json.field("priority", w.priority);
        json.field("gpus_requested", model::gpus_requested(w));
        json.field("tasks", model::task_count(w));
      });
    }
  });
}

void write_blocking(JsonWriter& json, const model::Snapshot& s, const Verdict& verdict) {
  json.key("blocking");
  json.object([&] {
    json.key("limits");
    json.array([&] {
      for (const auto& limit : verdict.limits) write_limit(json, limit);
    });
    json.key("reservations");
    json.array([&] {
      for (const auto& r : verdict.reservations) {
        json.object([&] {
          json.field("name", r.name);
          json.field("start", r.start);
          json.field("end", r.end);
          write_node_names(json, "nodes", s, r.nodes);
          json.field("effect", r.effect);
        });
      }
    });
    json.key("unhealthy_nodes");
    json.array([&] {
      for (const auto& n : verdict.unhealthy_nodes) {
        json.object([&] {
          json.field("name", s.node(n.node).name);
          json.field("state", n.state);
          write_text(json, "reason", n.reason);
          json.field("would_fit", n.would_fit);
        });
      }
    });
    write_ahead(json, s, verdict);
  });
}

void write_gpu_view(JsonWriter& json, const diagnose::GpuView& gpus) {
  json.key("gpus");
  json.object([&] {
    json.field("requested", gpus.requested);
    json.field("requested_per_node", gpus.requested_per_node);
    json.field("free", gpus.free);
    json.field("free_allocatable", gpus.free_allocatable);
    json.field("stranded", gpus.stranded);
    json.field("largest_hole", gpus.largest_hole);
    json.field("out_of_service", gpus.out_of_service);
  });
}

void write_devices(JsonWriter& json, const model::Snapshot& s, const Verdict& verdict) {
  json.key("devices");
  json.array([&] {
    for (const auto& row : verdict.devices) {
      json.object([&] {
        json.field("claim", row.claim);
        json.field("request", row.request);
        json.field("device_class", row.device_class.view());
        json.field("all", row.all);
        json.field("count", row.count);
        write_list(json, "selectors", row.selectors);
        json.key("nodes");
        json.array([&] {
          for (const auto& n : row.nodes) {
            json.object([&] {
              json.field("name", s.node(n.node).name);
              json.field("matching", n.matching);
              json.field("free", n.free);
              json.field("tainted", n.tainted);
            });
          }
        });
        write_list(json, "held_by", row.held_by);
      });
    }
  });
}

void write_ids(JsonWriter& json, std::string_view key, const model::Snapshot& s,
               const std::vector<model::WorkloadId>& ids) {
  json.key(key);
  json.array([&] {
    for (auto id : ids) json.value(model::display_id(s.workload(id)));
  });
}

void write_remedies(JsonWriter& json, const model::Snapshot& s, const Verdict& verdict) {
  json.key("remedies");
  json.array([&] {
    for (const auto& remedy : verdict.remedies) {
      json.object([&] {
        json.field("who", diagnose::actor_name(remedy.who));
        json.field("kind", diagnose::remedy_name(remedy.kind));
        json.field("command", remedy.command);
        json.field("effect", remedy.effect);
        json.field("starts", diagnose::starts_name(remedy.starts));
        write_ids(json, "ends", s, remedy.ends);
        write_start_forecast(json, s, verdict.workload, remedy.forecast);
        if (diagnose::delays_known(s, remedy)) {
          write_ids(json, "delays", s, remedy.delays);
        } else {
          json.key("delays");
          json.null();
        }
      });
    }
  });
}

void write_preemption(JsonWriter& json, const model::Snapshot& s, const Verdict& verdict) {
  json.key("preemption");
  if (!verdict.preemption) {
    json.null();
    return;
  }
  const auto& p = *verdict.preemption;
  json.object([&] {
    json.field("may", p.may);
    json.field("node", s.node(p.node).name.view());
    write_ids(json, "victims", s, p.victims);
    json.field("budgets_broken", p.budgets_broken);
    json.field("grace", p.grace);
    json.field("nodes", p.nodes);
    json.field("alike", p.alike);
  });
}

void write_hole(JsonWriter& json, const model::Snapshot& s, const Verdict& verdict) {
  json.key("hole");
  if (!verdict.hole) {
    json.null();
    return;
  }
  const auto& hole = *verdict.hole;
  json.object([&] {
    json.field("node", s.node(hole.node).name.view());
    write_ids(json, "ends", s, hole.ends);
    json.field("expected", hole.by_itself.expected);
    json.field("latest", hole.by_itself.latest);
    json.field("observed", hole.by_itself.observed);
  });
}

void write_verdict(JsonWriter& json, const View& view, const Verdict& verdict) {
  const auto& s = view.snapshot;
  json.key("workload");
  write_workload_row(json, view, s.workload(verdict.workload));
  json.key("root_cause");
  json.object([&] {
    json.field("class", diagnose::cause_name(verdict.cause));
    json.field("summary", verdict.summary);
  });
  json.key("owners");
  json.array([&] {
    for (const auto& owner : verdict.owners) {
      json.object([&] {
        json.field("kind", owner.first.view());
        json.field("name", owner.second);
      });
    }
  });
  write_text(json, "scheduler_reason", verdict.scheduler_reason);
  write_text(json, "reason_difference", verdict.reason_difference);
  json.key("as_scheduler");
  json.array([&] {
    for (const auto& count : verdict.as_scheduler) {
      json.object([&] {
        json.field("reason", count.reason);
        json.field("count", count.count);
      });
    }
  });
  write_text(json, "scheduler_message", verdict.scheduler_message);
  write_text(json, "message_difference", verdict.message_difference);
  write_list(json, "details", verdict.details);
  write_list(json, "unsure", verdict.unsure);
  write_constraints(json, s, verdict);
  write_blocking(json, s, verdict);
  json.field("fits_now", verdict.fit.fits_now);
  json.key("fit");
  json.object([&] {
    json.field("nodes_needed", verdict.fit.nodes_needed);
    json.field("nodes_passing", verdict.fit.nodes_passing);
    write_node_names(json, "nodes", s, verdict.fit.nodes);
  });
  write_gpu_view(json, verdict.gpus);
  write_devices(json, s, verdict);
  write_preemption(json, s, verdict);
  write_hole(json, s, verdict);
  write_remedies(json, s, verdict);
  write_start_forecast(json, s, verdict.workload, verdict.forecast);
}

}  // namespace

void write_why(JsonWriter& json, const View& view, std::span<const Verdict> verdicts) {
  json.object([&] {
    write_head(json, view);
    if (verdicts.empty()) return;
    write_verdict(json, view, verdicts.front());
    json.key("others");
    json.array([&] {
      for (const auto& verdict : verdicts.subspan(1)) {
        json.object([&] { write_verdict(json, view, verdict); });
      }
    });
  });
}

namespace {

// Pods that wait without existing.
void write_withheld(JsonWriter& json, const model::Snapshot& s) {
  json.key("withheld");
  json.array([&] {
    if (!s.kubernetes) return;
    for (const auto& w : diagnose::withheld_pods(s)) {
      json.object([&] {
        json.field("kind", w.kind.view());
        json.field("namespace", w.ns.view());
        json.field("owner", w.owner);
        json.field("missing", w.missing);
        json.field("class", diagnose::cause_name(w.cause));
        json.field("summary", w.summary);
        json.field("message", w.message);
        json.key("limits");
        json.array([&] {
          for (const auto& limit : w.limits) write_limit(json, limit);
        });
        json.field("room_now", w.room_now);
        json.field("last_try", w.last_try);
        json.field("tries", w.tries);
        json.key("remedies");
        json.array([&] {
          for (const auto& remedy : w.remedies) {
            json.object([&] {
              json.field("who", diagnose::actor_name(remedy.who));
              json.field("kind", diagnose::remedy_name(remedy.kind));
              json.field("command", remedy.command);
              json.field("effect", remedy.effect);
            });
          }
        });
      });
    }
  });
}

}  // namespace

void write_why_all(JsonWriter& json, const View& view, const std::vector<CauseGroup>& causes) {
  json.object([&] {
    write_head(json, view);
    json.key("classes");
    json.array([&] {
      for (const auto& group : causes) {
        json.object([&] {
          json.field("class", diagnose::cause_name(group.cause));
          json.field("tasks", group.tasks);
          json.field("gpus", group.gpus);
          json.field("longest_wait", group.longest_wait);
          write_workload_ids(json, "workloads", view.snapshot, group.workloads);
        });
      }
    });
    write_withheld(json, view.snapshot);
  });
}

std::vector<model::WorkloadId> records_to_explain(const model::Snapshot& snapshot,
                                                  std::span<const model::WorkloadId> records) {
  std::vector<model::WorkloadId> waiting;
  for (auto id : records) {
    if (model::is_pending(snapshot.workload(id))) waiting.push_back(id);
  }
  if (waiting.empty() && !records.empty()) waiting.push_back(records.front());
  return waiting;
}

}  // namespace schedlens::api
