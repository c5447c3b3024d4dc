// SPDX-License-Identifier: Apache-2.0
// What is remembered.

#include "api/handlers.h"
#include "api/history_query.h"
#include "api/parameters.h"
#include "base/text.h"
#include "report/week.h"

namespace schedlens::api {
namespace {

using http::problem;
using http::Request;
using http::Response;

constexpr Seconds kWeek{7 * 86'400};
constexpr std::string_view kNoHistory =
    "this server keeps no history: it runs without a data directory (data.directory, --data-dir)";

Result<memory::TimeRange> range_of(const Context& context, const Request& request) {
  const auto since = time_of(request, "since");
  if (!since) return fail(since.error());
  const auto until = time_of(request, "until");
  if (!until) return fail(until.error());
  const auto now = context.now();
  // What ended in this second is over.
  const auto to = until->value_or(now + Seconds{1});
  const auto from = since->value_or(std::min(now, to) + Seconds{-kWeek.value});
  if (from >= to) return fail("'since' is not before 'until'");
  return memory::TimeRange{memory::moment_of(from), memory::moment_of(to)};
}

Result<std::size_t> limit_of(const Request& request) {
  const auto limit = number_of(request, "limit");
  if (!limit) return fail(limit.error());
  const auto count = limit->value_or(kHistoryRecords);
  if (count < 1 || count > kMostHistoryRecords) {
    return fail("parameter 'limit' is not between 1 and {}", kMostHistoryRecords);
  }
  return static_cast<std::size_t>(count);
}

std::string text_of(const Request& request, std::string_view name) {
  return std::string(request.query_value(name).value_or(""));
}

// Answers what ask(reader, time) finds.
template <class Ask>
Response answer(const Context& context, const Request& request, Ask ask) {
  if (!context.remembered) {
    return problem(404,
                   "this server keeps no history: it runs without a data directory "
                   "(data.directory, --data-dir)");
  }
  const auto time = range_of(context, request);
  if (!time) return problem(400, time.error().message());
  auto found = context.remembered->read([&](memory::Reader& reader) { return ask(reader, *time); });
  if (!found) return problem(400, found.error().message());
  JsonWriter json;
  write_history(json, *found);
  return Response::json(json.take() + "\n");
}

}  // namespace

Response get_run_history(const Context& context, const Request& request) {
  const auto limit = limit_of(request);
  if (!limit) return problem(400, limit.error().message());
  return answer(context, request, [&](memory::Reader& reader, memory::TimeRange time) {
    return ask(reader, RunQuestion{time, text_of(request, "id"), text_of(request, "user"),
                                   text_of(request, "account"), text_of(request, "queue"),
                                   text_of(request, "state"), *limit});
  });
}

Response get_node_history(const Context& context, const Request& request) {
  const auto limit = limit_of(request);
  if (!limit) return problem(400, limit.error().message());
  return answer(context, request, [&](memory::Reader& reader, memory::TimeRange time) {
    return ask(reader, NodeQuestion{time, text_of(request, "node"), *limit});
  });
}

Response get_alert_history(const Context& context, const Request& request) {
  const auto limit = limit_of(request);
  if (!limit) return problem(400, limit.error().message());
  return answer(context, request, [&](memory::Reader& reader, memory::TimeRange time) {
    return ask(reader, AlertQuestion{time, text_of(request, "rule"), *limit});
  });
}

Response get_config_history(const Context& context, const Request& request) {
  return answer(context, request, config_history);
}

Response get_series_history(const Context& context, const Request& request) {
  auto match = parse_series(text_of(request, "series"));
  if (!match) return problem(400, match.error().message());
  if (match->name.empty()) {
    return problem(400, "parameter 'series' names no metric; /api/v1/history/names lists them");
  }
  const auto step = number_of(request, "step");
  if (!step) return problem(400, step.error().message());
  if (*step && (**step < 1 || **step > 366 * 86'400)) {
    return problem(400, "parameter 'step' is not between a second and a year");
  }
  return answer(context, request, [&](memory::Reader& reader, memory::TimeRange time) {
    SeriesQuestion question{time, std::move(*match), {}};
    if (*step) question.step = std::chrono::seconds(**step);
    return ask(reader, question);
  });
}

Response get_series_names(const Context& context, const Request& request) {
  const auto match = parse_series(text_of(request, "series"));
  if (!match) return problem(400, match.error().message());
  return answer(context, request, [&](memory::Reader& reader, memory::TimeRange time) {
    return series_names(reader, *match, time);
  });
}

Response get_report(const Context& context, const Request& request) {
  if (!context.remembered) return problem(404, kNoHistory);
  const auto day = time_of(request, "week");
  if (!day) return problem(400, day.error().message());
  const auto now = context.now();
  const auto week = *day ? report::week_of(**day) : report::last_whole_week(now);
  const auto format = request.query_value("format").value_or("json");
  if (format != "json" && format != "html" && format != "markdown") {
    return problem(400, "parameter 'format' is none of json, html, markdown");
  }
  const auto document = context.remembered->read(
      [&](memory::Reader& reader) { return report::weekly(reader, week, now); });
  if (!document) return problem(500, document.error().message());
  if (format == "json") return Response::json(report::json(*document));
  auto response =
      Response::text(format == "html" ? report::html(*document) : report::markdown(*document));
  response.content_type =
      format == "html" ? "text/html; charset=utf-8" : "text/markdown; charset=utf-8";
  return response;
}

}  // namespace schedlens::api
