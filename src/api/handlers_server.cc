// SPDX-License-Identifier: Apache-2.0
// What the server says of itself, and the metrics.

#include <algorithm>
#include <memory>
#include <utility>

#include "api/handlers.h"
#include "api/openapi.h"
#include "base/gzip_stream.h"
#include "base/json_writer.h"
#include "base/time_text.h"
#include "metrics/kube_state.h"
#include "metrics/own_process.h"
#include "metrics/render.h"

namespace schedlens::api {
namespace {

using http::Request;
using http::Response;

// Why the data cannot be relied on; empty when they can.
std::vector<std::string> reasons_against(const Context& context) {
  auto analysed = context.live.current();
  auto facts = context.facts();
  if (!analysed) {
    constexpr std::string_view kNothing = "nothing has been read from the scheduler yet";
    const auto& trouble = facts.first_read_trouble;
    return {trouble.empty() ? std::string(kNothing) : fmt::format("{}: {}", kNothing, trouble)};
  }
  std::vector<std::string> reasons;
  for (const auto& name : facts.essential_sources) {
    const auto* source = analysed->snapshot.find_source(name);
    if (!source || !source->last_success) {
      reasons.push_back(
          fmt::format("{}: never read{}{}", name, source ? ": " : "", source ? source->error : ""));
      continue;
    }
    const bool works = source->state == model::SourceState::kFresh ||
                       source->state == model::SourceState::kPartial;
    auto longest = facts.interval * 3;
    if (works) longest = std::max(longest, facts.longest_quiet);
    auto age = context.now() - *source->last_success;
    if (age <= longest) continue;
    reasons.push_back(fmt::format("{}: last read {} ago, more than {}{}{}", name,
                                  short_duration(age), short_duration(longest),
                                  source->error.empty() ? "" : ": ", source->error));
  }
  return reasons;
}

constexpr std::string_view kIndexHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>schedlens</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}
td{padding:.15rem 1rem .15rem 0;vertical-align:top}code{font-size:.95em}
@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8bf}}</style></head>
<body><h1>schedlens</h1><table>
)";

class PackedPage {
 public:
  explicit PackedPage(std::shared_ptr<metrics::KubeStatePage> page) : page_(std::move(page)) {}

  bool next(std::string& piece) {
    piece.clear();
    while (!ended_ && piece.size() < kPiece) {
      if (page_->next(plain_)) {
        gzip_.add(plain_, piece);
      } else {
        gzip_.finish(piece);
        ended_ = true;
      }
    }
    return !piece.empty();
  }

 private:
  static constexpr std::size_t kPiece = 64 * 1024;
  std::shared_ptr<metrics::KubeStatePage> page_;
  GzipStream gzip_{1};
  std::string plain_;
  bool ended_ = false;
};

}  // namespace

metrics::RenderInput metrics_input(const Context& context, const Analysed* analysed) {
  auto facts = context.facts();
  return {.now = context.now(),
          .version = context.version,
          .analysis = analysed ? &analysed->analysis : nullptr,
          .waits = &context.live.waits(),
          .efficiency = &context.live.efficiency(),
          .forecasts = &context.live.forecasts(),
          .watch = facts.watch,
          .process = metrics::own_process(),
          .store = facts.store,
          .remote_write = facts.remote_write,
          .series_limit = facts.max_series,
          .config_reload_failed = facts.config_reload_failed,
          .node_info = facts.node_info,
          .pod_use = facts.pod_use};
}

Response get_metrics(const Context& context, const Request& request) {
  auto analysed = context.live.current();
  auto input = metrics_input(context, analysed.get());
  for (const auto& [name, value] : request.query) {
    if (name == "collect[]") input.prefixes.push_back(value);
  }
  auto response = Response::text(metrics::render(analysed ? &analysed->snapshot : nullptr, input));
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  return response;
}

// A large cluster's page has hundreds of megabytes: it is written, and compressed, while it is
// sent.
Response get_kube_state(const Context& context, const Request& request) {
  const auto facts = context.facts();
  if (!facts.kube_state.any()) {
    return http::problem(404,
                         "no kind of object is chosen: metrics.kube_state of the configuration");
  }
  auto analysed = context.live.current();
  if (!analysed) return http::problem(503, "nothing has been read from the scheduler yet");
  Response response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.headers.emplace_back("Vary", "Accept-Encoding");
  auto page = std::make_shared<metrics::KubeStatePage>(analysed->snapshot, facts.kube_state,
                                                       facts.kube_state_left_out);
  if (!http::accepts_gzip(request.header("Accept-Encoding").value_or(""))) {
    response.next_piece = [analysed, page](std::string& piece) { return page->next(piece); };
    return response;
  }
  response.headers.emplace_back("Content-Encoding", "gzip");
  response.next_piece = [analysed, packed = std::make_shared<PackedPage>(page)](
                            std::string& piece) { return packed->next(piece); };
  return response;
}

Response get_health(const Context& context, const Request&) {
  JsonWriter json;
  json.object([&] {
    json.field("alive", true);
    json.field("version", context.version);
  });
  return Response::json(json.take() + "\n");
}

Response get_readiness(const Context& context, const Request&) {
  auto reasons = reasons_against(context);
  JsonWriter json;
  json.object([&] {
    json.field("ready", reasons.empty());
    json.key("reasons");
    json.array([&] {
      for (const auto& reason : reasons) json.value(reason);
    });
  });
  auto response = Response::json(json.take() + "\n");
  if (!reasons.empty()) response.status = 503;
  return response;
}

Response get_openapi(const Context& context, const Request&) {
  return Response::json(openapi_json(context.version));
}

Response get_index(const Context&, const Request&) {
  std::string page(kIndexHead);
  for (const auto& route : api_routes()) {
    if (route.path == "/") continue;
    bool link = route.path.find('{') == std::string_view::npos;
    page += fmt::format("<tr><td><code>{}{}{}</code></td><td>{}</td></tr>\n",
                        link ? fmt::format("<a href=\"{}\">", route.path) : "", route.path,
                        link ? "</a>" : "", route.summary);
  }
  return Response::html(page + "</table></body></html>\n");
}

}  // namespace schedlens::api
