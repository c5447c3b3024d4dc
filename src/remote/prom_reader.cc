// SPDX-License-Identifier: Apache-2.0
#include "remote/prom_reader.h"

#include <algorithm>
#include <map>

#include "net/http_client.h"
#include "remote/prom_answer.h"

namespace schedlens::remote {
namespace {

using memory::Moment;
using memory::SeriesBuckets;
using memory::SeriesKey;
using memory::SeriesMatch;
using memory::SeriesPoints;
using memory::TimeRange;
using std::chrono::milliseconds;

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string seconds(std::int64_t ms) {
  return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

void add_field(std::string& form, std::string_view name, std::string_view value) {
  if (!form.empty()) form += '&';
  form += fmt::format("{}={}", name, net::percent_encode(std::string(value)));
}

bool is_finite(TimeRange time) {
  return memory::can_be_filed(time.from) && time.to < memory::kEndOfTime;
}

using Put = void (*)(memory::Summary&, double);

struct Function {
  std::string_view name;
  Put put;
};
// The count comes first: without it there is nothing in a step.
constexpr Function kFunctions[] = {
    {"count_over_time", [](memory::Summary& s, double v) { s.n = static_cast<std::uint64_t>(v); }},
    {"sum_over_time", [](memory::Summary& s, double v) { s.sum = v; }},
    {"min_over_time", [](memory::Summary& s, double v) { s.min = v; }},
    {"max_over_time", [](memory::Summary& s, double v) { s.max = v; }},
    {"last_over_time", [](memory::Summary& s, double v) { s.last = v; }}};

}  // namespace

std::string selector(const SeriesMatch& match) {
  std::string labels;
  for (const auto& [name, value] : match.labels) {
    labels += fmt::format("{}{}={}", labels.empty() ? "" : ",", name, in_quotes(value));
  }
  return labels.empty() && !match.name.empty() ? match.name
                                               : fmt::format("{}{{{}}}", match.name, labels);
}

Result<std::string> PromReader::ask(std::string_view path, const std::string& form) const {
  auto headers = login_headers(options_.login);
  if (!headers) return fail(headers.error());
  net::PostOptions post;
  post.timeout = options_.timeout;
  post.ca_file = options_.login.ca_file;
  post.content_type = "application/x-www-form-urlencoded";
  post.headers = std::move(*headers);
  const auto url = net::join_url(options_.url, std::string(path));
  auto response = net::post(url, form, post);
  if (!response) return fail(response.error());
  if (response->status == 200) return std::move(response->body);
  const auto said = read_error(response->body);
  return fail("{}: status {}{}", url, response->status,
              said.empty() ? net::said_by(*response) : ": " + said);
}

void PromReader::note(std::vector<std::string> warnings) {
  for (auto& warning : warnings) {
    if (std::find(problems_.begin(), problems_.end(), warning) == problems_.end()) {
      problems_.push_back(std::move(warning));
    }
  }
}

std::vector<std::string> PromReader::take_problems() {
  return std::exchange(problems_, {});
}

Result<std::vector<SeriesKey>> PromReader::series(const SeriesMatch& match, TimeRange time) {
  if (!is_finite(time)) return fail("a time has a beginning and an end");
  std::string form;
  // Prometheus wants one matcher that no empty text fits.
  add_field(form, "match[]",
            match.name.empty() && match.labels.empty() ? R"({__name__=~"schedlens_.+"})"
                                                       : selector(match));
  add_field(form, "start", seconds(time.from.unix_ms));
  add_field(form, "end", seconds(std::max(time.from.unix_ms, time.to.unix_ms - 1)));
  auto body = ask("/api/v1/series", form);
  if (!body) return fail(body.error());
  auto answer = read_series(*body);
  if (!answer) return fail(answer.error().within(options_.url));
  if (answer->data.size() > options_.most_series) {
    return fail("{} series match, more than {}", answer->data.size(), options_.most_series);
  }
  note(std::move(answer->warnings));
  std::sort(answer->data.begin(), answer->data.end());
  return std::move(answer->data);
}

Result<std::vector<SeriesPoints>> PromReader::over_time(std::string_view function,
                                                        const SeriesMatch& match, Steps steps,
                                                        std::int64_t before) {
  const auto span = steps.step * static_cast<std::int64_t>(options_.request_points);
  if (steps.last >= steps.first &&
      (steps.last - steps.first) / span >= static_cast<std::int64_t>(options_.most_requests)) {
    return fail("{} steps are too many: ask for a shorter time or longer steps",
                (steps.last - steps.first) / steps.step + 1);
  }
  std::map<SeriesKey, std::vector<memory::Point>> all;
  std::size_t points = 0;
  for (auto from = steps.first; from <= steps.last; from += span) {
    std::string form;
    add_field(form, "query", fmt::format("{}({}[{}ms])", function, selector(match), before));
    add_field(form, "start", seconds(from));
    add_field(form, "end", seconds(std::min(steps.last, from + span - steps.step)));
    add_field(form, "step", seconds(steps.step));
    add_field(form, "nocache", "1");  // VictoriaMetrics moves start and end without it
    auto body = ask("/api/v1/query_range", form);
    if (!body) return fail(body.error());
    auto answer = read_matrix(*body);
    if (!answer) return fail(answer.error().within(options_.url));
    note(std::move(answer->warnings));
    for (auto& series : answer->data) {
      points += series.points.size();
      if (points > options_.most_points) {
        return fail("the answer has more than {} points: ask for a shorter time or longer steps",
                    options_.most_points);
      }
      series.key.name = match.name;  // most functions take it away
      auto& known = all[std::move(series.key)];
      known.insert(known.end(), series.points.begin(), series.points.end());
    }
  }
  std::vector<SeriesPoints> sorted;
  for (auto& [key, values] : all) sorted.push_back({key, std::move(values)});
  return sorted;
}

Result<std::vector<SeriesPoints>> PromReader::points(const SeriesMatch& match, TimeRange time,
                                                     milliseconds step) {
  if (!is_finite(time)) return fail("a time has a beginning and an end");
  if (match.name.empty()) return fail("a series has a name");
  if (step.count() < 1) return fail("a step is longer than nothing");
  const auto width = std::int64_t{step.count()};
  const Steps steps{round_up(time.from.unix_ms, width), (time.to.unix_ms - 1) / width * width,
                    width};
  // A millisecond less, as Prometheus 2 counts both ends in.
  return over_time("last_over_time", match, steps, std::max<std::int64_t>(width - 1, 1));
}

Result<std::vector<SeriesBuckets>> PromReader::buckets(const SeriesMatch& match, TimeRange time,
                                                       milliseconds width) {
  if (!is_finite(time)) return fail("a time has a beginning and an end");
  if (match.name.empty()) return fail("a series has a name");
  if (width.count() < 2) return fail("a step is longer than a millisecond");
  if (time.to <= time.from) return std::vector<SeriesBuckets>();
  const auto step = std::int64_t{width.count()};
  // Each is asked for at its last millisecond. So much time before it begins a millisecond early:
  // Prometheus 3 leaves out the first moment, and 2 does not.
  const auto last_moment = step - 1;
  const Steps steps{time.from.unix_ms / step * step + last_moment,
                    (time.to.unix_ms - 1) / step * step + last_moment, step};
  std::map<SeriesKey, std::map<std::int64_t, memory::Summary>> all;
  for (const auto& function : kFunctions) {
    auto answer = over_time(function.name, match, steps, step);
    if (!answer) return fail(answer.error());
    const bool counts = &function == kFunctions;
    for (const auto& series : *answer) {
      auto& summaries = all[series.key];
      for (const auto& point : series.points) {
        const auto start = point.time.unix_ms - last_moment;
        if (!counts && !summaries.contains(start)) continue;  // it came after the count
        function.put(summaries[start], point.value);
      }
    }
  }
  std::vector<SeriesBuckets> sorted;
  for (const auto& [key, summaries] : all) {
    SeriesBuckets series{key, {}};
    for (const auto& [start, summary] : summaries) series.buckets.push_back({{start}, summary});
    if (!series.buckets.empty()) sorted.push_back(std::move(series));
  }
  return sorted;
}

}  // namespace schedlens::remote
