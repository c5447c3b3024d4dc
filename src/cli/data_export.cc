// SPDX-License-Identifier: Apache-2.0
// What a data directory holds, a line each: JSON, or CSV of one kind. Points go out two hours after
// the other, so that a directory of any size takes little memory.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>

#include "api/history_query.h"
#include "base/json_writer.h"
#include "cli/data_directory.h"
#include "cli/history_source.h"
#include "memory/reader.h"
#include "memory/record_fields.h"

namespace schedlens::cli {
namespace {

using memory::Moment;
using memory::SeriesKey;
using memory::SeriesMatch;
using memory::TimeRange;

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

// Writes a record's members as one line, in either form.
class Line {
 public:
  explicit Line(bool csv) : csv_(csv) {}

  void operator()(std::string_view name, const std::vector<std::string>& values) {
    if (csv_) return add(csv_cell(fmt::format("{}", fmt::join(values, " "))));
    json_.key(name);
    json_.array([&] {
      for (const auto& value : values) json_.value(value);
    });
  }
  void operator()(std::string_view name, const std::string& text) {
    if (csv_) return add(csv_cell(text));
    json_.field(name, text);
  }
  void operator()(std::string_view name, Timestamp time) {
    (*this)(name, std::optional<std::int64_t>(time.unix_seconds));
  }
  template <class T>
  void operator()(std::string_view name, const std::optional<T>& value) {
    if (!csv_) return json_.field(name, value);
    if (!value) return add("");
    if constexpr (std::is_same_v<T, Timestamp>) {
      add(std::to_string(value->unix_seconds));
    } else if constexpr (std::is_same_v<T, Seconds>) {
      add(std::to_string(value->value));
    } else {
      add(fmt::format("{}", *value));
    }
  }

  template <class R>
  static std::string of(const R& record, bool csv) {
    Line line(csv);
    const auto members = [&] { memory::RecordTable<R>::each_field(record, line); };
    if (csv) {
      members();
      return line.text_;
    }
    line.json_.object([&] {
      line.json_.field("record", memory::RecordTable<R>::kName);
      members();
    });
    return line.json_.take();
  }

 private:
  void add(std::string_view cell) {
    if (!first_) text_ += ',';
    first_ = false;
    text_ += cell;
  }

  bool csv_, first_ = true;
  std::string text_;
  JsonWriter json_;
};

template <class R>
std::string csv_head() {
  std::string head;
  R record;
  memory::RecordTable<R>::each_field(record, [&](std::string_view name, const auto&) {
    if (!head.empty()) head += ',';
    head += name;
  });
  return head;
}

void write_metric(JsonWriter& json, const SeriesKey& key) {
  json.key("metric");
  json.object([&] {
    json.field("__name__", key.name);
    for (const auto& [name, value] : key.labels) json.field(name, value);
  });
}

// JSON has no infinity; the words are those that VictoriaMetrics takes.
void write_number(JsonWriter& json, double value) {
  if (std::isinf(value)) {
    json.value(value > 0 ? "Infinity" : "-Infinity");
  } else {
    json.value(value);
  }
}

class Export {
 public:
  Export(Context& context, memory::Reader& reader, const std::string& directory, SeriesMatch match,
         TimeRange time, bool csv)
      : out_(context.out),
        reader_(reader),
        directory_(directory),
        match_(std::move(match)),
        time_(time),
        csv_(csv) {}

  Status points() {
    if (csv_) out_ << "time_ms,series,value\n";
    return each_day([&](Moment begin) -> Status {
      for (int slot = 0; slot < memory::kSlotsPerDay; ++slot) {
        const Moment from{begin.unix_ms + slot * memory::kMsPerSlot};
        const auto part = within(from, {from.unix_ms + memory::kMsPerSlot});
        if (part.from >= part.to) continue;
        auto all = reader_.points(match_, part);
        if (!all) return fail(all.error());
        for (const auto& series : *all) write_points(series);
      }
      return {};
    });
  }

  Status hours() {
    if (csv_) out_ << "start_ms,series,n,sum,min,max,last\n";
    return each_day([&](Moment begin) -> Status {
      const auto part = within(begin, {begin.unix_ms + memory::kMsPerDay});
      auto all = reader_.buckets(match_, part, std::chrono::hours(1));
      if (!all) return fail(all.error());
      for (const auto& series : *all) write_hours(series);
      return {};
    });
  }

  Status workloads() {
    if (csv_) out_ << csv_head<memory::EndedWorkload>() << '\n';
    return reader_.each_workload({.time = time_}, [&](const memory::EndedWorkload& workload) {
      out_ << Line::of(workload, csv_) << '\n';
      return static_cast<bool>(out_);
    });
  }
  Status node_changes() { return records(reader_.node_changes({.time = time_})); }
  Status findings() { return records(reader_.findings({.time = time_})); }
  Status alerts() { return records(reader_.alerts({.time = time_})); }
  Status configs() { return records(reader_.configs({.time = time_})); }

  Status states() {
    auto all = reader_.states("");
    if (!all) return fail(all.error());
    if (csv_) out_ << "key,value,written\n";
    for (const auto& entry : *all) {
      if (csv_) {
        out_ << csv_cell(entry.key) << ',' << csv_cell(entry.value) << ','
             << entry.written.unix_seconds << '\n';
        continue;
      }
      JsonWriter json;
      json.object([&] {
        json.field("record", "state");
        json.field("key", entry.key);
        json.field("value", entry.value);
        json.field("written", entry.written);
      });
      out_ << json.str() << '\n';
    }
    return {};
  }

 private:
  TimeRange within(Moment from, Moment to) const {
    return {std::max(from, time_.from), std::min(to, time_.to)};
  }

  // The days that have a file of points, or are in a month that has one of hours.
  Status each_day(const std::function<Status(Moment)>& take) {
    auto files = memory::list_files(directory_);
    if (!files) return fail(files.error());
    std::map<memory::Day, bool> days;
    for (const auto& file : *files) {
      if (file.kind != memory::FileKind::kSeries && file.kind != memory::FileKind::kRollup)
        continue;
      for (auto day = file.day; day < file.end(); ++day.number) days[day] = true;
    }
    for (const auto& [day, _] : days) {
      const auto begin = memory::begin_of(day);
      if (!time_.overlaps(begin, {begin.unix_ms + memory::kMsPerDay})) continue;
      if (auto taken = take(begin); !taken || !out_) return taken;
    }
    return {};
  }

  void write_points(const memory::SeriesPoints& series) {
    if (csv_) {
      const auto name = csv_cell(series_text(series.key));
      for (const auto& point : series.points) {
        out_ << fmt::format("{},{},{}\n", point.time.unix_ms, name, point.value);
      }
      return;
    }
    JsonWriter json;
    json.object([&] {
      write_metric(json, series.key);
      json.key("values");
      json.array([&] {
        for (const auto& point : series.points) write_number(json, point.value);
      });
      json.key("timestamps");
      json.array([&] {
        for (const auto& point : series.points) json.value(point.time.unix_ms);
      });
    });
    out_ << json.str() << '\n';
  }

  void write_hours(const memory::SeriesBuckets& series) {
    for (const auto& bucket : series.buckets) {
      const auto& sum = bucket.summary;
      const auto start = bucket.start.unix_ms;
      if (csv_) {
        out_ << fmt::format("{},{},{},{},{},{},{}\n", start, csv_cell(series_text(series.key)),
                            sum.n, sum.sum, sum.min, sum.max, sum.last);
        continue;
      }
      JsonWriter json;
      json.object([&] {
        json.field("record", "hour");
        write_metric(json, series.key);
        json.field("start_ms", start);
        json.field("n", sum.n);
        for (const auto& [name, value] :
             {std::pair("sum", sum.sum), {"min", sum.min}, {"max", sum.max}, {"last", sum.last}}) {
          json.key(name);
          write_number(json, value);
        }
      });
      out_ << json.str() << '\n';
    }
  }

  template <class R>
  Status records(const Result<std::vector<R>>& all) {
    if (!all) return fail(all.error());
    if (csv_) out_ << csv_head<R>() << '\n';
    for (const auto& record : *all) out_ << Line::of(record, csv_) << '\n';
    return {};
  }

  std::ostream& out_;
  memory::Reader& reader_;
  std::string directory_;
  SeriesMatch match_;
  TimeRange time_;
  bool csv_;
};

struct ExportKind {
  std::string_view name;
  Status (Export::*write)();
};
constexpr std::array<ExportKind, 8> kKinds = {{{"points", &Export::points},
                                               {"hours", &Export::hours},
                                               {"workloads", &Export::workloads},
                                               {"node_changes", &Export::node_changes},
                                               {"findings", &Export::findings},
                                               {"alerts", &Export::alerts},
                                               {"configs", &Export::configs},
                                               {"states", &Export::states}}};

Result<TimeRange> parse_range(const StoreCommandOptions& options) {
  TimeRange time;
  const auto now = os::SystemClock().now();
  if (!options.since.empty()) {
    auto since = parse_when(options.since, now);
    if (!since) return fail(since.error().within("--since"));
    time.from = memory::moment_of(*since);
  }
  if (!options.until.empty()) {
    auto until = parse_when(options.until, now);
    if (!until) return fail(until.error().within("--until"));
    time.to = memory::moment_of(*until);
  }
  if (time.from >= time.to) return fail("--until is not after --since");
  return time;
}

bool is_wanted(const StoreCommandOptions& options, std::string_view kind) {
  if (options.what.empty()) return kind != "hours";
  return std::find(options.what.begin(), options.what.end(), kind) != options.what.end();
}

int wrong(Context& context, std::string_view what) {
  context.err << "schedlens: " << what << '\n';
  return kUsage;
}

}  // namespace

std::vector<std::string> export_kinds() {
  std::vector<std::string> names;
  for (const auto& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

int run_store_export(Context& context, const StoreCommandOptions& options) {
  auto match = options.series.empty() ? Result<SeriesMatch>({}) : api::parse_series(options.series);
  if (!match) return wrong(context, match.error().within("--series").message());
  auto time = parse_range(options);
  if (!time) return wrong(context, time.error().message());
  if (options.csv && options.what.size() != 1) {
    return wrong(context, "--csv wants one kind: --what points");
  }
  auto reader = memory::Reader::open(options.directory);
  Status done = reader ? Status() : fail(reader.error());
  if (reader) {
    Export lines(context, *reader, options.directory, *match, *time, options.csv);
    for (const auto& kind : kKinds) {
      if (done && is_wanted(options, kind.name)) done = (lines.*kind.write)();
    }
  }
  context.out.flush();
  if (done && !context.out) done = fail("cannot write all of it: is the disk full?");
  int code = kOk;
  const auto say = [&](const std::string& text) {
    context.err << "schedlens: " << text << '\n';
    code = kFailure;
  };
  if (!done) say(done.error().message());
  if (reader) {
    for (const auto& text : reader->take_problems()) say("left out: " + text);
  }
  return code;
}

}  // namespace schedlens::cli
