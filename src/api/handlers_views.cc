// SPDX-License-Identifier: Apache-2.0
// The views of the newest snapshot.

#include "api/filter.h"
#include "api/handlers.h"
#include "api/json_views.h"
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

std::string text_of(const Request& request, std::string_view name) {
  return std::string(request.query_value(name).value_or(""));
}

// Absent is absent; anything but true and false is refused.
Result<std::optional<bool>> switch_of(const Request& request, std::string_view name) {
  auto value = request.query_value(name);
  if (!value) return std::optional<bool>();
  if (*value == "true") return std::optional<bool>(true);
  if (*value == "false") return std::optional<bool>(false);
  return fail("parameter '{}' is neither true nor false: '{}'", name, printable(*value));
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
  WorkloadFilter filter{.user = text_of(request, "user"),
                        .account = text_of(request, "account"),
                        .queue = text_of(request, "queue"),
                        .qos = text_of(request, "qos"),
                        .node = text_of(request, "node"),
                        .reason = text_of(request, "reason"),
                        .gpu = *gpu};
  if (auto state = text_of(request, "state"); !state.empty()) filter.state = lower(state);
  auto chosen = select_workloads(analysed->snapshot, filter);
  if (!chosen) return problem(400, chosen.error().message());
  JsonWriter json;
  write_queue(json, View(analysed->snapshot, context.now()), *chosen,
              causes_by_id(analysed->snapshot, analysed->causes));
  return Response::json(json.take() + "\n");
}

Response get_nodes(const Context& context, const Request& request) {
  auto analysed = context.live.current();
  if (!analysed) return problem(503, kNothingRead);
  auto gpu = switch_of(request, "gpu");
  if (!gpu) return problem(400, gpu.error().message());
  NodeFilter filter{.queue = text_of(request, "queue"),
                    .feature = text_of(request, "feature"),
                    .state = lower(text_of(request, "state")),
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
                     [](JsonWriter& json, const View& view, const Live::Job& job) {
                       write_why(json, view, job.explained->explain(job.records));
                     });
}

Response get_why_all(const Context& context, const Request&) {
  return view_of_current(context, [](JsonWriter& json, const View& view, const Analysed& a) {
    write_why_all(json, view, a.causes);
  });
}

Response get_frag(const Context& context, const Request&) {
  return view_of_current(context, [](JsonWriter& json, const View& view, const Analysed& a) {
    write_frag(json, view, a.analysis.fragmentation);
  });
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
