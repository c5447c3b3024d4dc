// SPDX-License-Identifier: Apache-2.0
#include "api/history_query.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "base/changed_lines.h"
#include "base/text.h"

namespace schedlens::api {

using memory::ConfigVersion;
using memory::EndedWorkload;
using memory::NodeChange;
using memory::Reader;

namespace {

using std::chrono::milliseconds;

// Keeps the newest.
template <class Record>
class Newest {
 public:
  explicit Newest(std::size_t limit) : limit_(limit) {}
  void add(const Record& record) {
    kept_.push_back(record);
    if (kept_.size() <= limit_) return;
    kept_.pop_front();
    more_ = true;
  }
  HistoryOf<Record> take(Reader& reader) {
    return {{std::make_move_iterator(kept_.begin()), std::make_move_iterator(kept_.end())},
            more_,
            reader.take_problems()};
  }

 private:
  std::size_t limit_;
  std::deque<Record> kept_;
  bool more_ = false;
};

// "77" is also 77_3 and 77+1.
bool is_of_job(const EndedWorkload& run, std::string_view id) {
  if (run.id == id) return true;
  return run.id.size() > id.size() && run.id.starts_with(id) &&
         (run.id[id.size()] == '_' || run.id[id.size()] == '+');
}

// A pod is found without its namespace, too.
bool is_pod_named(const EndedWorkload& run, std::string_view name) {
  const auto slash = run.id.find('/');
  return slash != std::string::npos && std::string_view(run.id).substr(slash + 1) == name;
}

}  // namespace

Result<HistoryOf<EndedWorkload>> ask(Reader& reader, const RunQuestion& q) {
  memory::WorkloadQuery query;
  query.time = q.time;
  query.user = q.user;
  query.account = q.account;
  query.queue = q.queue;
  Newest<EndedWorkload> newest(q.limit);
  auto read = reader.each_workload(query, [&](const EndedWorkload& run) {
    const bool wanted = (q.id.empty() || is_of_job(run, q.id) || is_pod_named(run, q.id)) &&
                        (q.state.empty() || equal_ignoring_case(run.state, q.state));
    if (wanted) newest.add(run);
    return true;
  });
  if (!read) return fail(read.error());
  return newest.take(reader);
}

Result<HistoryOf<NodeChange>> ask(Reader& reader, const NodeQuestion& q) {
  auto changes = reader.node_changes({q.time, q.node});
  if (!changes) return fail(changes.error());
  Newest<NodeChange> newest(q.limit);
  for (const auto& change : *changes) newest.add(change);
  return newest.take(reader);
}

Result<HistoryOf<memory::AlertRecord>> ask(Reader& reader, const AlertQuestion& q) {
  auto alerts = reader.alerts({q.time, q.rule, {}});
  if (!alerts) return fail(alerts.error());
  Newest<memory::AlertRecord> newest(q.limit);
  for (const auto& alert : *alerts) newest.add(alert);
  return newest.take(reader);
}

Result<HistoryOf<ConfigChange>> config_history(Reader& reader, memory::TimeRange time) {
  // What a version changed is told by the one before, however long ago that was.
  auto versions = reader.configs({{memory::kFirstMoment, time.to}, {}});
  if (!versions) return fail(versions.error());
  std::map<std::string, const ConfigVersion*> last;
  HistoryOf<ConfigChange> history;
  for (const auto& version : *versions) {
    const auto* before = std::exchange(last[version.source], &version);
    if (!time.contains(memory::moment_of(version.time))) continue;
    ConfigChange change{version.time, version.source, version.hash, before == nullptr, {}};
    if (before) change.changes = changed_lines(before->text, version.text);
    history.records.push_back(std::move(change));
  }
  history.problems = reader.take_problems();
  return history;
}

Result<SeriesHistory> ask(Reader& reader, const SeriesQuestion& q) {
  auto names = reader.series(q.match, q.time);
  if (!names) return fail(names.error());
  if (names->size() > kHistorySeries) {
    return fail("{} series match, more than {}: name labels, such as {}", names->size(),
                kHistorySeries, memory::series_text(names->front()));
  }
  SeriesHistory history;
  history.step = q.step.value_or(step_for(q.time));
  auto series = reader.buckets(q.match, q.time, history.step);
  if (!series) return fail(series.error());
  history.series = std::move(*series);
  history.problems = reader.take_problems();
  return history;
}

Result<SeriesNames> series_names(Reader& reader, const memory::SeriesMatch& match,
                                 memory::TimeRange time) {
  auto names = reader.series(match, time);
  if (!names) return fail(names.error());
  return SeriesNames{std::move(*names), reader.take_problems()};
}

Result<memory::SeriesMatch> parse_series(std::string_view text) {
  text = trim(text);
  memory::SeriesMatch match;
  const auto brace = text.find('{');
  match.name = trim(text.substr(0, brace));
  if (brace == std::string_view::npos) return match;
  if (!text.ends_with('}')) return fail("'{}' ends without a }}", printable(text));
  auto labels = memory::parse_labels(text.substr(brace + 1, text.size() - brace - 2));
  if (!labels) {
    return fail("'{}' is no series: write {}{{label=\"value\"}}", printable(text),
                match.name.empty() ? "name" : match.name);
  }
  match.labels = std::move(*labels);
  return match;
}

milliseconds step_for(memory::TimeRange time) {
  using namespace std::chrono_literals;
  constexpr std::array<milliseconds, 8> kSteps = {1min, 5min, 15min, 1h, 3h, 6h, 24h, 168h};
  const auto wanted = (time.to.unix_ms - time.from.unix_ms) / std::int64_t{kHistoryBuckets};
  const auto found = std::find_if(kSteps.begin(), kSteps.end(),
                                  [&](milliseconds step) { return step.count() >= wanted; });
  return found == kSteps.end() ? kSteps.back() : *found;
}

}  // namespace schedlens::api
