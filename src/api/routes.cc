// SPDX-License-Identifier: Apache-2.0
#include "api/routes.h"

#include <algorithm>

#include "api/handlers.h"
#include "base/text.h"

namespace schedlens::api {
namespace {

constexpr auto kInPath = Parameter::In::kPath;
constexpr auto kInQuery = Parameter::In::kQuery;
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kProse = "text/plain";
constexpr auto kAtOnce = http::RunOn::kIoThread;

constexpr Parameter kDetail = {"detail", kInQuery, "boolean",
                               "Ask the scheduler for the job's details, such as device indexes "
                               "and excluded nodes, where they are not known yet (default true)"};
constexpr Parameter kJobId = {"id", kInPath, "string",
                              "As the scheduler's tools print it: 12, 12_3, 12_[1-4], 12+1; 12 is "
                              "all of an array or het job"};

constexpr Parameter kSince = {"since", kInQuery, "string",
                              "From when: seconds since 1970, or like 2026-11-30T03:39:21Z "
                              "(default: a week ago)"};
constexpr Parameter kUntil = {"until", kInQuery, "string", "Until when (default: now)"};
constexpr Parameter kHistoryLimit = {"limit", kInQuery, "integer",
                                     "At most so many, the newest (default 1000)"};
constexpr Parameter kSeries = {"series", kInQuery, "string",
                               "Its metric and labels: schedlens_gpus_used{type=\"h100\"}; "
                               "labels that are not named may be anything"};

// The error to answer, or nothing.
std::optional<http::Response> check_query(const ApiRoute& route, const http::Request& request) {
  std::vector<std::string> known;
  for (const auto& p : route.parameters) {
    if (p.in == kInQuery) known.emplace_back(p.name);
  }
  for (const auto& [name, value] : request.query) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    auto near = nearest(name, known);
    return http::problem(400, fmt::format("unknown parameter '{}'{}", printable(name),
                                          near ? fmt::format(", did you mean '{}'?", *near) : ""));
  }
  return std::nullopt;
}

std::vector<ApiRoute> declare() {
  return {
      {"/api/v1/status",
       "The cluster at one glance: nodes, GPUs, who holds them, what waits and why",
       {},
       kJson,
       "Status",
       get_status},
      {"/api/v1/queue",
       "Jobs: waiting in scheduling order, running, finished",
       {{"user", kInQuery, "string", "Only this user's, or these users': a,b"},
        {"account", kInQuery, "string", "Only of these accounts"},
        {"queue", kInQuery, "string", "Only in these partitions"},
        {"qos", kInQuery, "string", "Only of these QOS"},
        {"namespace", kInQuery, "string", "Only pods of these namespaces"},
        {"node", kInQuery, "string", "Only those that hold resources on these nodes"},
        {"reason", kInQuery, "string", "Only those whose reason by the scheduler begins so"},
        {"state", kInQuery, "string",
         "States such as pending, running or completing; active (default) for what has not ended; "
         "all"},
        {"cause", kInQuery, "string", "Only with these root causes, such as limit,fragmentation"},
        {"gpus_min", kInQuery, "integer", "Only those that ask for so many GPUs or more"},
        {"gpu", kInQuery, "boolean", "Only those that ask for GPUs, or only those that do not"}},
       kJson,
       "Queue",
       get_queue},
      {"/api/v1/nodes",
       "Nodes with their load and their jobs",
       {{"queue", kInQuery, "string", "Only of these partitions: a,b"},
        {"feature", kInQuery, "string", "Only with one of these features"},
        {"state", kInQuery, "string",
         "States such as idle, drained or down, or unhealthy for all out of service"},
        {"gpu_type", kInQuery, "string", "Only with one of these GPU types"},
        {"free_gpus", kInQuery, "integer", "Only those in service with so many GPUs free or more"},
        {"gpu", kInQuery, "boolean", "Only those with GPUs, or only those without"}},
       kJson,
       "Nodes",
       get_nodes},
      {"/api/v1/jobs/{id}",
       "A job in full, with the load of its nodes",
       {kJobId, kDetail},
       kJson,
       "Job",
       get_job},
      {"/api/v1/nodes/{name}",
       "A node in full, with its jobs and reservations",
       {{"name", kInPath, "string", "The node's name"}},
       kJson,
       "NodeDetail",
       get_node},
      {"/api/v1/why", "Everything that waits, by root cause", {}, kJson, "WhyAll", get_why_all},
      {"/api/v1/why/{id}", "Why a job waits", {kJobId, kDetail}, kJson, "Why", get_why},
      {"/api/v1/forecast",
       "When what waits will start",
       {{"user", kInQuery, "string", "Only of these users: a,b"}},
       kJson,
       "Forecast",
       get_forecast},
      {"/api/v1/starvation",
       "What waits beyond what its class waits, and the policy behind it",
       {},
       kJson,
       "Starvation",
       get_starvation},
      {"/api/v1/observed",
       "What was seen over time: run times and waits, which forecasts and comparisons rest on",
       {},
       kJson,
       "Observed",
       get_observed},
      {"/api/v1/frag", "How usable the free GPUs are", {}, kJson, "Frag", get_frag},
      {"/api/v1/efficiency",
       "What every GPU is doing, and what is held or free and of no use",
       {},
       kJson,
       "Efficiency",
       get_efficiency},
      {"/api/v1/usage",
       "What pods request against what they really use, of Kubernetes",
       {{"by", kInQuery, "string", "Rows of each pod, owner (default), namespace or node"},
        {"namespace", kInQuery, "string", "Only of these namespaces: a,b"}},
       kJson,
       "Usage",
       get_usage},
      {"/api/v1/history/runs",
       "Runs of jobs and pods that have ended",
       {kSince,
        kUntil,
        {"id", kInQuery, "string", "Only of this job, with the tasks or parts it has, or pod"},
        {"user", kInQuery, "string", "Only this user's"},
        {"account", kInQuery, "string", "Only of this account"},
        {"queue", kInQuery, "string", "Only of this partition or namespace"},
        {"state", kInQuery, "string", "Only those that ended so: COMPLETED, FAILED, TIMEOUT, ..."},
        kHistoryLimit},
       kJson,
       "RunHistory",
       get_run_history},
      {"/api/v1/history/nodes",
       "Nodes that left service or came back, with reason and author",
       {kSince, kUntil, {"node", kInQuery, "string", "Only this node"}, kHistoryLimit},
       kJson,
       "NodeHistory",
       get_node_history},
      {"/api/v1/alerts",
       "Alerts that are pending, fire or have just ended, silences, and who is told",
       {},
       kJson,
       "Alerts",
       get_alerts},
      {"/api/v1/history/alerts",
       "Alerts that fired",
       {kSince, kUntil, {"rule", kInQuery, "string", "Only of this rule"}, kHistoryLimit},
       kJson,
       "AlertHistory",
       get_alert_history},
      {"/api/v1/report",
       "How a week was: waits, use, failures, nodes, what changed",
       {{"week", kInQuery, "string",
         "A moment in it: seconds since 1970, or like 2026-11-30T03:39:21Z (default: the last "
         "whole "
         "week)"},
        {"format", kInQuery, "string", "json (default), html or markdown"}},
       kJson,
       "WeekReport",
       get_report},
      {"/api/v1/history/config",
       "Changes of the scheduler's configuration, partitions and QOS",
       {kSince, kUntil},
       kJson,
       "ConfigHistory",
       get_config_history},
      {"/api/v1/history/series",
       "The cluster's metrics over time, in equal steps",
       {kSince,
        kUntil,
        kSeries,
        {"step", kInQuery, "integer", "Seconds (default: about 240 steps)"}},
       kJson,
       "SeriesHistory",
       get_series_history},
      {"/api/v1/history/names",
       "Series there is a history of",
       {kSince, kUntil, kSeries},
       kJson,
       "SeriesNames",
       get_series_names},
      {"/api/v1/sources",
       "What is read, how old it is and what went wrong",
       {},
       kJson,
       "Sources",
       get_sources},
      {"/api/v1/snapshot",
       "Everything that was read, as the file that --from takes",
       {},
       kJson,
       "SnapshotFile",
       get_snapshot},
      {"/api/v1/openapi.json",
       "This API as an OpenAPI description",
       {},
       kJson,
       "OpenApi",
       get_openapi},
      {"/metrics",
       "Metrics in the Prometheus text format",
       {{"collect[]", kInQuery, "string",
         "Only metrics whose name starts so; may be given several times"}},
       kProse,
       "",
       get_metrics},
      {"/metrics/kube-state",
       "Kubernetes' objects under the names of kube-state-metrics, where metrics.kube_state asks "
       "for "
       "them",
       {},
       kProse,
       "",
       get_kube_state},
      {"/healthz", "The process is alive", {}, kJson, "Health", get_health, kAtOnce},
      {"/readyz",
       "200 while the data are fresh, 503 with the reasons while they are not",
       {},
       kJson,
       "Readiness",
       get_readiness,
       kAtOnce},
      {"/", "A page of links", {}, "text/html", "", get_index},
  };
}

}  // namespace

const std::vector<ApiRoute>& api_routes() {
  static const auto routes = declare();
  return routes;
}

http::Router make_router(const Context& context) {
  http::Router router;
  for (const auto& route : api_routes()) {
    auto handle = [&context, &route](const http::Request& request) {
      if (auto refusal = check_query(route, request)) return std::move(*refusal);
      auto response = route.handler(context, request);
      response.headers.emplace_back("Cache-Control", "no-store");
      return response;
    };
    router.add("GET", std::string(route.path), handle, route.run_on);
  }
  return router;
}

}  // namespace schedlens::api
