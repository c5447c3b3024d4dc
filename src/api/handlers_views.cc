// SPDX-License-Identifier: Apache-2.0
// The views of the newest snapshot.

#include "api/alerts_view.h"
#include "api/efficiency_view.h"
#include "api/filter.h"
#include "api/forecast_view.h"
#include "api/handlers.h"
#include "api/json_views.h"
#include "api/observed_file.h"
#include "api/parameters.h"
#include "api/starvation_view.h"
#include "api/usage_view.h"
#include "base/text.h"
#include "model/snapshot_file.h"

namespace schedlens::api {
namespace {

using http::problem;
using http::Request;
using http::Response;

constexpr std::string_view kNothingRead = "nothing has been read from the scheduler yet";

// The document that write(json, view, analysed) writes, or 503 before the first snapshot.
template <class Write>
Response view_of_current(const Context& context, Write write) {
  auto analysed = context.live.current();
  if (!analysed) return problem(503, kNothingRead);
  JsonWriter json;
  View view(analysed->snapshot, context.now());
  write(json, view, *analysed);
  return Response::json(json.take() + "\n");
}

template <class Write>
Response view_of_job(const Context& context, const Request& request, Write write) {
  if (!context.live.current()) return problem(503, kNothingRead);
  auto detail = switch_of(request, "detail");
  if (!detail) return problem(400, detail.error().message());
  auto job = context.live.find_job(request.parameter("id"), detail->value_or(true));
  if (!job) return problem(404, job.error().message());
  JsonWriter json;
  write(json, View(*job->explained->snapshot(), context.now()), *job);
  return Response::json(json.take() + "\n");
}

}  // namespace

Response get_status(const Context& context, const Request&) {
  return view_of_current(context, [&](JsonWriter& json, const View& view, const Analysed& a) {
    auto facts = context.facts();
    ServerState server{context.version, facts.config_reload_failed, facts.config_error};
    write_status(json, view, a.analysis.holdings, a.analysis.fragmentation, a.causes, &server);
  });
}

Response get_queue(const Context& context, const Request& request) {
  auto analysed = context.live.current();
  if (!analysed) return problem(503, kNothingRead);
  auto gpu = switch_of(request, "gpu");
  if (!gpu) return problem(400, gpu.error().message());
  auto gpus_min = number_of(request, "gpus_min");
  if (!gpus_min) return problem(400, gpus_min.error().message());
  WorkloadFilter filter{.users = list_of(request, "user"),
                        .accounts = list_of(request, "account"),
                        .queues = list_of(request, "queue"),
                        .qos = list_of(request, "qos"),
                        .namespaces = list_of(request, "namespace"),
                        .nodes = list_of(request, "node"),
                        .states = list_of(request, "state"),
                        .causes = list_of(request, "cause"),
                        .gpus_min = *gpus_min,
                        .gpu = *gpu};
  // Reasons have commas.
  if (auto reason = request.query_value("reason")) filter.reasons.emplace_back(*reason);
  auto causes = causes_by_id(analysed->snapshot, analysed->causes);
  auto chosen = select_workloads(analysed->snapshot, causes, filter);
  if (!chosen) return problem(400, chosen.error().message());
  JsonWriter json;
  write_queue(json, View(analysed->snapshot, context.now()), *chosen, causes);
  return Response::json(json.take() + "\n");
}

Response get_nodes(const Context& context, const Request& request) {
  auto analysed = context.live.current();
  if (!analysed) return problem(503, kNothingRead);
  auto gpu = switch_of(request, "gpu");
  if (!gpu) return problem(400, gpu.error().message());
  auto free_gpus = number_of(request, "free_gpus");
  if (!free_gpus) return problem(400, free_gpus.error().message());
  NodeFilter filter{.states = list_of(request, "state"),
                    .queues = list_of(request, "queue"),
                    .features = list_of(request, "feature"),
                    .gpu_types = list_of(request, "gpu_type"),
                    .free_gpus = *free_gpus,
                    .gpu = *gpu};
  auto chosen = select_nodes(analysed->snapshot, filter);
  if (!chosen) return problem(400, chosen.error().message());
  JsonWriter json;
  write_nodes(json, View(analysed->snapshot, context.now()), *chosen);
  return Response::json(json.take() + "\n");
}

Response get_node(const Context& context, const Request& request) {
  auto analysed = context.live.current();
  if (!analysed) return problem(503, kNothingRead);
  auto name = request.parameter("name");
  auto node = find_node_named(analysed->snapshot, name);
  if (!node) return problem(404, fmt::format("there is no node named '{}'", printable(name)));
  JsonWriter json;
  write_node(json, View(analysed->snapshot, context.now()), *node);
  return Response::json(json.take() + "\n");
}

Response get_job(const Context& context, const Request& request) {
  return view_of_job(context, request,
                     [](JsonWriter& json, const View& view, const Live::Job& job) {
                       write_job(json, view, job.records);
                     });
}

Response get_why(const Context& context, const Request& request) {
  return view_of_job(context, request,
                     [&](JsonWriter& json, const View& view, const Live::Job& job) {
                       const auto observed = context.live.observed();
                       auto verdicts = job.explained->explain(job.records, observed.run_times);
                       for (auto& v : verdicts) {
                         if (!model::is_pending(view.snapshot.workload(v.workload))) continue;
                         v.forecast = context.live.forecast(view.snapshot, v.workload);
                       }
                       write_why(json, view, verdicts);
                     });
}

Response get_why_all(const Context& context, const Request&) {
  return view_of_current(context, [](JsonWriter& json, const View& view, const Analysed& a) {
    write_why_all(json, view, a.causes);
  });
}

Response get_forecast(const Context& context, const Request& request) {
  return view_of_current(context, [&](JsonWriter& json, const View& view, const Analysed& a) {
    const auto& book = context.live.forecasts();
    const auto rows = forecast_rows(a.snapshot, book.current(), list_of(request, "user"));
    write_forecasts(json, view, rows, book.observed(),
                    ForecastScores{book.ours(), book.schedulers()});
  });
}

Response get_starvation(const Context& context, const Request&) {
  return view_of_current(context, [](JsonWriter& json, const View& view, const Analysed& a) {
    write_starvation(json, view, a.analysis.starvation);
  });
}

Response get_observed(const Context& context, const Request&) {
  if (!context.live.current()) return problem(503, kNothingRead);
  JsonWriter json;
  write_observed(json, context.live.observed());
  return Response::json(json.take() + "\n");
}

Response get_frag(const Context& context, const Request&) {
  return view_of_current(context, [](JsonWriter& json, const View& view, const Analysed& a) {
    write_frag(json, view, a.analysis.fragmentation);
  });
}

Response get_efficiency(const Context& context, const Request&) {
  return view_of_current(context, [&](JsonWriter& json, const View& view, const Analysed& a) {
    const auto& analysis = a.analysis;
    const auto counts = context.live.efficiency().counts();
    write_efficiency(json, view, analysis.ledger,
                     diagnose::efficiency_findings(a.snapshot, analysis.ledger, analysis.usage),
                     &counts);
  });
}

Response get_usage(const Context& context, const Request& request) {
  auto analysed = context.live.current();
  if (!analysed) return problem(503, kNothingRead);
  UsageChoice choice;
  choice.namespaces = list_of(request, "namespace");
  if (auto word = request.query_value("by")) {
    auto by = parse_usage_by(*word);
    if (!by) return problem(400, fmt::format("parameter 'by': {}", by.error().message()));
    choice.by = *by;
  }
  const auto& report = analysed->analysis.usage;
  auto chosen = choose_usage(analysed->snapshot, report, choice);
  if (!chosen) return problem(400, chosen.error().message());
  JsonWriter json;
  write_usage(json, View(analysed->snapshot, context.now()), report, *chosen);
  return Response::json(json.take() + "\n");
}

Response get_alerts(const Context& context, const Request&) {
  const auto board = context.alerts ? context.alerts() : nullptr;
  if (!board) return problem(503, kNothingRead);
  JsonWriter json;
  write_alerts(json, *board);
  return Response::json(json.take() + "\n");
}

Response get_sources(const Context& context, const Request&) {
  return view_of_current(context, [](JsonWriter& json, const View& view, const Analysed&) {
    write_sources(json, view);
  });
}

Response get_snapshot(const Context& context, const Request&) {
  auto analysed = context.live.current();
  if (!analysed) return problem(503, kNothingRead);
  return Response::json(model::snapshot_to_json(analysed->snapshot));
}

}  // namespace schedlens::api
