// SPDX-License-Identifier: Apache-2.0
#include "cli/history_source.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/config.h"
#include "net/http_client.h"
#include "remote/prom_reader.h"

namespace schedlens::cli {

using memory::Reader;
using memory::TimeRange;

namespace {

// A query as a URL has it.
class Query {
 public:
  explicit Query(TimeRange time) {
    add("since", std::to_string(time.from.unix_ms / 1000));
    add("until", std::to_string(time.to.unix_ms / 1000));
  }
  Query& add(std::string_view name, std::string_view value) {
    if (value.empty()) return *this;
    text_ += fmt::format("{}{}={}", text_.empty() ? '?' : '&', name,
                         net::percent_encode(std::string(value)));
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// What read(document) or local(reader) finds.
template <class Read, class Local>
auto ask_either(const HistoryWhere& where, std::string_view route, const Query& query, Read read,
                Local local) -> decltype(read(std::string_view())) {
  if (where.data_dir.empty()) {
    const auto path = fmt::format("/api/v1/history/{}{}", route, query.text());
    auto body = net::get_body(net::join_url(where.server, path));
    if (!body) return fail(body.error());
    return read(*body);
  }
  auto reader = Reader::open(where.data_dir);
  if (!reader) return fail(reader.error());
  return local(*reader);
}

remote::PromReader prom_reader(const HistoryWhere& where) {
  remote::PromOptions options;
  options.url = where.prometheus;
  options.login.bearer_token_file = where.token_file;
  return remote::PromReader(std::move(options));
}

Result<api::SeriesHistory> ask_prometheus(const HistoryWhere& where, const api::SeriesQuestion& q) {
  auto reader = prom_reader(where);
  api::SeriesHistory history;
  history.step = q.step.value_or(api::step_for(q.time));
  auto series = reader.buckets(q.match, q.time, history.step);
  if (!series) return fail(series.error());
  if (series->size() > api::kHistorySeries) {
    return fail("{} series match, more than {}: name labels, such as {}", series->size(),
                api::kHistorySeries, memory::series_text(series->front().key));
  }
  history.series = std::move(*series);
  history.problems = reader.take_problems();
  return history;
}

}  // namespace

Result<Timestamp> parse_when(std::string_view text, Timestamp now) {
  text = trim(text);
  if (auto ago = parse_duration(text)) return now + Seconds{-ago->value};
  std::string whole(text);
  const bool utc = whole.ends_with('Z');
  if (utc) whole.pop_back();
  if (whole.size() == 10) whole += "T00:00";
  if (whole.size() == 16) whole += ":00";
  const auto time = utc ? parse_iso8601(whole + "Z") : parse_local_time(whole);
  if (time) return *time;
  return fail("'{}' is no time: write 7d for so long ago, or 2026-11-30T14:05", printable(text));
}

Result<api::HistoryOf<memory::EndedWorkload>> ask(const HistoryWhere& where,
                                                  const api::RunQuestion& q) {
  Query query(q.time);
  query.add("id", q.id).add("user", q.user).add("account", q.account).add("queue", q.queue);
  query.add("state", q.state).add("limit", std::to_string(q.limit));
  return ask_either(where, "runs", query, api::read_run_history,
                    [&](Reader& reader) { return api::ask(reader, q); });
}

Result<api::HistoryOf<memory::NodeChange>> ask(const HistoryWhere& where,
                                               const api::NodeQuestion& q) {
  Query query(q.time);
  query.add("node", q.node).add("limit", std::to_string(q.limit));
  return ask_either(where, "nodes", query, api::read_node_history,
                    [&](Reader& reader) { return api::ask(reader, q); });
}

Result<api::HistoryOf<memory::AlertRecord>> ask(const HistoryWhere& where,
                                                const api::AlertQuestion& q) {
  Query query(q.time);
  query.add("rule", q.rule).add("limit", std::to_string(q.limit));
  return ask_either(where, "alerts", query, api::read_alert_history,
                    [&](Reader& reader) { return api::ask(reader, q); });
}

Result<api::HistoryOf<api::ConfigChange>> ask_config(const HistoryWhere& where, TimeRange time) {
  return ask_either(where, "config", Query(time), api::read_config_history,
                    [&](Reader& reader) { return api::config_history(reader, time); });
}

Result<api::SeriesHistory> ask(const HistoryWhere& where, const api::SeriesQuestion& q) {
  if (!where.prometheus.empty()) return ask_prometheus(where, q);
  Query query(q.time);
  query.add("series", memory::series_text({q.match.name, q.match.labels}));
  if (q.step) query.add("step", std::to_string(q.step->count() / 1000));
  return ask_either(where, "series", query, api::read_series_history,
                    [&](Reader& reader) { return api::ask(reader, q); });
}

Result<api::SeriesNames> ask_names(const HistoryWhere& where, const memory::SeriesMatch& match,
                                   TimeRange time) {
  if (!where.prometheus.empty()) {
    auto reader = prom_reader(where);
    auto names = reader.series(match, time);
    if (!names) return fail(names.error());
    return api::SeriesNames{std::move(*names), reader.take_problems()};
  }
  Query query(time);
  query.add("series", memory::series_text({match.name, match.labels}));
  return ask_either(where, "names", query, api::read_series_names,
                    [&](Reader& reader) { return api::series_names(reader, match, time); });
}

}  // namespace schedlens::cli
