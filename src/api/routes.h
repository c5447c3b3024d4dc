// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything the server answers, declared once: the router, the OpenAPI description, the page at /
// and the list in docs/api.md come from these routes.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/board.h"
#include "api/live.h"
#include "api/remembered.h"
#include "base/units.h"
#include "http/router.h"
#include "metrics/render.h"
#include "model/state_choice.h"

namespace schedlens::api {

// What may change while the server runs.
struct ServerFacts {
  Seconds interval{30};                        // between reads, for /readyz
  Seconds longest_quiet{0};                    // of a source that works and has nothing new
  std::vector<std::string> essential_sources;  // without which nothing can be answered
  std::optional<std::uint32_t> max_series;     // of one metric
  bool node_info = false;
  model::StateChoice kube_state;  // kinds shown as kube-state-metrics does
  std::vector<std::string> kube_state_left_out;
  bool pod_use = false;
  std::optional<metrics::StoreUse> store;
  std::optional<metrics::RemoteWriteUse> remote_write;
  std::shared_ptr<const metrics::WatchRows> watch;  // null before the first look
  bool config_reload_failed = false;
  std::string config_error;
  std::string first_read_trouble;  // while nothing was read: what is in the way
};

// Must outlive the routes made from it. Its functions are called by any thread, and must be quick.
struct Context {
  Live& live;
  std::string version;
  std::function<Timestamp()> now;
  std::function<ServerFacts()> facts;
  Remembered* remembered = nullptr;  // null without a data directory
  std::function<std::shared_ptr<const alert::Board>()> alerts = nullptr;
};

// What the page of /metrics is written from. Both must outlive it.
metrics::RenderInput metrics_input(const Context& context, const Analysed* analysed);

struct Parameter {
  enum class In { kPath, kQuery };
  std::string_view name;
  In in;
  std::string_view type;  // of JSON Schema: "string", "boolean"
  std::string_view description;
};

struct ApiRoute {
  std::string_view path;
  std::string_view summary;
  std::vector<Parameter> parameters;
  std::string_view content_type;
  std::string_view schema;  // a name of schemas.h, empty for what is not JSON
  http::Response (*handler)(const Context&, const http::Request&);
  http::RunOn run_on = http::RunOn::kWorker;
};

const std::vector<ApiRoute>& api_routes();

// With a check of the query: parameters that a route does not declare are refused by name.
http::Router make_router(const Context& context);

}  // namespace schedlens::api
