// SPDX-License-Identifier: Apache-2.0
// How good baselines are, and what they cost.
//
//   baseline_bench [SERIES [SEED]]     (12 of each kind and 1, unless given)
//
// Made-up series of eight weeks, a value a minute, half of it to learn from (baseline_series.h):
// how often a week a series alarms with nothing wrong, and how many faults are found how soon.
// Beside the baseline two fixed thresholds, which have to last as long as its alarms do: the usual
// one, as found in published rules, and the best one, the farthest value of the four weeks before.
// Then the same of a real trace by the hour, and the time to judge 5,000 series.

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "base/text.h"
#include "baseline/baseline.h"
#include "baseline/median.h"
#include "baseline_series.h"
#include "process_use.h"

namespace {

using namespace schedlens;
using namespace schedlens::baseline;
using bench::Fault;
using bench::Kind;
using bench::Shape;

constexpr std::int64_t kMonday = 1793577600;  // 2026-11-02T00:00:00Z
constexpr std::int64_t kWeek = 7 * bench::kMinutesOfDay;
constexpr std::int64_t kLearnt = 4 * kWeek, kAll = 8 * kWeek;
constexpr Seconds kMinute{60};

// A threshold that does not change, with the patience of a baseline.
class Fixed {
 public:
  Fixed(double limit, bool above, const Persistence& persistence)
      : limit_(limit), above_(above), persistence_(persistence) {}

  bool alarm(double value) {
    seen_.push_back(above_ ? value > limit_ : value < limit_);
    if (static_cast<int>(seen_.size()) > persistence_.of) seen_.erase(seen_.begin());
    auto outside = static_cast<int>(std::count(seen_.begin(), seen_.end(), true));
    auto inside = static_cast<int>(seen_.size()) - outside;
    if (outside >= persistence_.outside) alarm_ = true;
    if (inside >= persistence_.outside) alarm_ = false;
    return alarm_;
  }

 private:
  double limit_;
  bool above_, alarm_ = false;
  const Persistence& persistence_;
  std::vector<bool> seen_;
};

struct Score {
  int injected = 0, found = 0;
  std::vector<double> minutes;
};

// What came of one way of alarming, over all series of a kind.
struct Tally {
  int false_alarms = 0;
  double weeks = 0;
  std::map<Shape, Score> faults;
  bool standing = false;

  void begin(const std::vector<Fault>& injected) {
    standing = false;
    for (const auto& fault : injected) ++faults[fault.shape].injected;
  }

  void see(bool alarm, std::int64_t m, const std::vector<Fault>& injected,
           std::vector<bool>& seen) {
    bool begins = alarm && !standing;
    standing = alarm;
    if (!begins) return;
    for (std::size_t i = 0; i < injected.size(); ++i) {
      const auto& fault = injected[i];
      // An hour later a rate of the last hour still shows it.
      if (m < fault.begin || m > fault.end + 60) continue;
      if (seen[i]) return;
      seen[i] = true;
      auto& score = faults[fault.shape];
      ++score.found;
      score.minutes.push_back(static_cast<double>(m - fault.begin));
      return;
    }
    ++false_alarms;
  }
};

BucketOptions options_of_buckets(const Watched& watched) {
  BucketOptions options;
  options.kind = watched.kind;
  options.width = watched.width;
  return options;
}

std::span<const Point> part(const std::vector<Point>& points, Timestamp begin, Timestamp end) {
  auto less = [](const Point& point, Timestamp moment) { return point.at < moment; };
  auto first = std::lower_bound(points.begin(), points.end(), begin, less);
  auto last = std::lower_bound(first, points.end(), end, less);
  return {first, last};
}

struct Tallies {
  Tally baseline, usual, best;
};

void play(const Kind& kind, std::uint64_t seed, const std::vector<Fault>& faults,
          Tallies& tallies) {
  const auto& watched = *find_watched(kind.watched);
  auto points = bench::Maker(kind, seed).make(kMonday, kAll, faults);
  Calendar calendar;
  Baseline series(watched, calendar);
  auto options = options_of_buckets(watched);
  bool above = watched.direction != Direction::kLow;
  double best = above ? 0 : 1e18;
  std::unique_ptr<Fixed> usual_limit, best_limit;
  std::vector<bool> seen[3];
  for (auto& list : seen) list.resize(faults.size());
  for (auto* tally : {&tallies.baseline, &tallies.usual, &tallies.best}) tally->begin(faults);
  for (std::int64_t m = 1; m <= kAll; ++m) {
    Timestamp now{kMonday + m * 60};
    auto width = watched.width.value;
    if (now.unix_seconds % width == 0) {
      Timestamp begin{now.unix_seconds - width};
      series.put(
          into_buckets(part(points, begin + Seconds{-600}, now + kMinute), {}, begin, now, options)
              .value());
    }
    Span span{now + Seconds{-watched.recent.value}, now};
    auto value = bucket_over(part(points, span.begin + Seconds{-300}, now + kMinute), {}, span,
                             kMinute, options);
    if (m <= kLearnt) {
      if (value.usable() && m > 60) {
        best = above ? std::max(best, *value.value) : std::min(best, *value.value);
      }
      continue;
    }
    if (!usual_limit) {
      usual_limit = std::make_unique<Fixed>(kind.usual_limit, above, watched.persistence);
      best_limit = std::make_unique<Fixed>(best, above, watched.persistence);
    }
    tallies.baseline.see(series.judge(value).alarm, m, faults, seen[0]);
    if (!value.usable()) continue;
    tallies.usual.see(usual_limit->alarm(*value.value), m, faults, seen[1]);
    tallies.best.see(best_limit->alarm(*value.value), m, faults, seen[2]);
  }
  for (auto* tally : {&tallies.baseline, &tallies.usual, &tallies.best}) tally->weeks += 4;
}

// One every four days, at any hour, each shape in turn.
std::vector<Fault> some_faults(const Watched& watched, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Shape> shapes = {Shape::kStep, Shape::kDouble, Shape::kSpike, Shape::kRamp};
  if (watched.direction == Direction::kLow) shapes = {Shape::kZero, Shape::kHalf, Shape::kSink};
  if (watched.kind == SeriesKind::kCounter && watched.direction == Direction::kHigh) {
    shapes = {Shape::kStep, Shape::kTenfold};
  }
  shapes.push_back(Shape::kGap);
  std::vector<Fault> faults;
  std::size_t next = seed % shapes.size();
  for (auto m = kLearnt; m + 4 * bench::kMinutesOfDay <= kAll; m += 4 * bench::kMinutesOfDay) {
    auto begin = m + static_cast<std::int64_t>(random() % bench::kMinutesOfDay);
    auto shape = shapes[next++ % shapes.size()];
    faults.push_back({shape, begin, begin + bench::minutes_of(shape)});
  }
  return faults;
}

std::string found(const Score& score) {
  auto minutes = score.minutes;
  auto median = minutes.empty() ? std::string("-") : fmt::format("{:.0f}", median_of(minutes));
  return fmt::format("{:>4.0f} % {:>5}", 100.0 * score.found / std::max(1, score.injected), median);
}

void print_made_up(int series, std::uint64_t seed) {
  fmt::print(
      "made up: {} series of each kind, four weeks each; of faults the share found, and\n"
      "minutes to the alarm in the median\n\n"
      "{:<50}{:>14}{:>14}{:>14}\n",
      series, "", "baseline", "usual fixed", "best fixed");
  for (const auto& kind : bench::kKinds) {
    const auto& watched = *find_watched(kind.watched);
    Tallies quiet, faulty;
    for (int i = 0; i < series; ++i) {
      auto of_series = seed * 1000 + static_cast<std::uint64_t>(i);
      play(kind, of_series, {}, quiet);
      play(kind, of_series, some_faults(watched, of_series), faulty);
    }
    auto rate = [](const Tally& tally) {
      return fmt::format("{:.3f}", tally.false_alarms / tally.weeks);
    };
    fmt::print("{:<20}{:<30}{:>14}{:>14}{:>14}\n", kind.watched, "false alarms a series-week",
               rate(quiet.baseline), rate(quiet.usual), rate(quiet.best));
    fmt::print("{:<20}{:<30}{:>14}{:>14}{:>14}\n", "", "  beside a fault every 4 days",
               rate(faulty.baseline), rate(faulty.usual), rate(faulty.best));
    for (const auto& [shape, score] : faulty.baseline.faults) {
      auto wanted = shape == Shape::kGap ? " (to be quiet)" : "";
      fmt::print("{:<20}  {:<28}{:>14}{:>14}{:>14}\n", "",
                 fmt::format("{}{}", bench::words(shape), wanted), found(score),
                 found(faulty.usual.faults[shape]), found(faulty.best.faults[shape]));
    }
  }
}

// One column of the fixture, by the hour.
std::vector<double> column(std::string_view name) {
  std::ifstream file(SCHEDLENS_FIXTURES "/baseline/alibaba-gpu-2023-hourly.csv");
  std::vector<double> values;
  std::size_t index = 0;
  bool header = true;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    auto cells = split(line, ',');
    if (std::exchange(header, false)) {
      index = static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin());
    } else {
      values.push_back(parse_number<double>(cells.at(index)).value());
    }
  }
  return values;
}

struct OfTrace {
  std::string_view column, watched;
  std::vector<double> factors;
};

// Alarms of one way, over the hours as they were and as a fault would have made them.
struct Hours {
  int alarms = 0;
  std::vector<int> found;

  template <class Outside>
  void see(double value, const std::vector<double>& factors, const Outside& outside) {
    found.resize(factors.size());
    alarms += outside(value) ? 1 : 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      found[i] += outside(value * factors[i]) ? 1 : 0;
    }
  }

  void print(std::string_view name, const std::vector<double>& factors, int judged) const {
    fmt::print("  {:<12}{:>8.2f} alarms a week", name, alarms * 168.0 / judged);
    for (std::size_t i = 0; i < found.size(); ++i) {
      fmt::print("   x{}: {:.0f} % found", factors[i], 100.0 * found[i] / judged);
    }
    fmt::print("\n");
  }
};

void print_trace(const OfTrace& trace) {
  constexpr std::size_t kLearntHours = 7 * 24;
  Calendar alike{Weekend(), {}};
  auto watched = *find_watched(trace.watched);
  watched.width = {3600};
  auto values = column(trace.column);
  bool above = watched.direction != Direction::kLow;
  auto least_and_most = std::minmax_element(values.begin(), values.begin() + kLearntHours);
  auto limit = above ? *least_and_most.second : *least_and_most.first;
  Baseline series(watched, alike);
  Hours by_baseline, by_fixed;
  for (std::size_t hour = 0; hour < values.size(); ++hour) {
    Bucket bucket;
    bucket.begin = {kMonday + static_cast<std::int64_t>(hour) * 3600};
    bucket.end = bucket.begin + Seconds{3600};
    bucket.day = local_day(bucket.begin);
    bucket.window = static_cast<int>(hour % 24);
    bucket.value = values[hour];
    if (hour >= kLearntHours) {
      const auto& expected = series.expected(bucket);
      by_baseline.see(values[hour], trace.factors, [&](double value) {
        auto changed = bucket;
        changed.value = value;
        return judge(changed, expected).state == (above ? State::kHigh : State::kLow);
      });
      by_fixed.see(values[hour], trace.factors,
                   [&](double value) { return above ? value > limit : value < limit; });
    }
    series.put(bucket);
  }
  auto judged = static_cast<int>(values.size() - kLearntHours);
  fmt::print("{}, judged as {}\n", trace.column, trace.watched);
  by_baseline.print("baseline", trace.factors, judged);
  by_fixed.print("best fixed", trace.factors, judged);
}

// Every hour from the second week on is judged as it is, and as a fault would have made it.
void print_traces() {
  fmt::print(
      "\nreal: pods of a cluster of Alibaba by the hour, 34 days, the first 7 to learn from;\n"
      "each hour as it was, and as if it alone were at fault\n\n");
  print_trace({"arrived", "jobs_submitted", {3, 5, 10}});
  print_trace({"started", "job_starts", {0.5, 0}});
  print_trace({"failed", "jobs_failed", {3, 10, 20}});
  print_trace({"gpus", "running_jobs", {0.5, 0}});
}

struct Clock {
  double begin = bench::cpu_seconds();
  double milliseconds() const { return 1000 * (bench::cpu_seconds() - begin); }
};

void print_costs() {
  constexpr int kSeries = 5000;
  Calendar calendar;
  auto before = bench::resident_megabytes();
  std::vector<std::unique_ptr<Baseline>> all;
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise;
  auto today = local_day({kMonday});
  for (int i = 0; i < kSeries; ++i) {
    const auto& watched = watched_series()[static_cast<std::size_t>(i) % watched_series().size()];
    auto& series = *all.emplace_back(std::make_unique<Baseline>(watched, calendar));
    for (int back = 28; back >= 1; --back) {
      for (int window = 0; window < series.history().windows(); ++window) {
        Bucket bucket;
        bucket.day = today - back;
        bucket.window = window;
        bucket.value =
            watched.most * 0 == 0 ? 0.8 + 0.02 * noise(random) : 100 + 10 * noise(random);
        series.put(bucket);
      }
    }
  }
  auto memory = bench::resident_megabytes() - before;
  std::vector<Point> points;
  for (int m = -70; m <= 130; ++m) points.push_back({{kMonday + 36000 + m * 60}, 100.0 + m});
  auto minute = [&](std::int64_t m, bool roll_up) {
    Timestamp now{kMonday + 36000 + m * 60};
    Clock clock;
    for (auto& series : all) {
      const auto& watched = series->watched();
      auto options = options_of_buckets(watched);
      if (roll_up) {
        Timestamp begin = now + Seconds{-watched.width.value};
        series->put(into_buckets(part(points, begin + Seconds{-120}, now + kMinute), {}, begin, now,
                                 options)
                        .value());
      }
      Span span{now + Seconds{-watched.recent.value}, now};
      series->judge(bucket_over(part(points, span.begin + Seconds{-120}, now + kMinute), {}, span,
                                kMinute, options));
    }
    return clock.milliseconds();
  };
  minute(5, false);
  fmt::print(
      "\n{} series with four weeks behind them: {:.0f} MB, CPU milliseconds on one thread\n\n",
      kSeries, memory);
  fmt::print("{:<46}{:>8.1f}\n", "a minute: value and verdict of each", minute(6, false));
  auto edge = minute(60, true);
  fmt::print("{:<46}{:>8.1f}\n", "on the hour: rolled up and expected anew, too",
             edge + minute(61, false));
  Clock clock;
  std::size_t letters = 0;
  Timestamp now{kMonday + 36000 + 62 * 60};
  for (auto& series : all) {
    Span span{now + Seconds{-series->watched().recent.value}, now};
    Bucket bucket;
    bucket.begin = span.begin;
    bucket.end = span.end;
    bucket.value = 1;
    letters += series->explain(series->judge(bucket)).size();
  }
  fmt::print("{:<46}{:>8.1f}   ({} letters each)\n", "a sentence of each", clock.milliseconds(),
             letters / kSeries);
}

}  // namespace

int main(int argc, char** argv) {
  auto number = [&](int i, int otherwise) {
    return i < argc ? parse_number<int>(argv[i]).value_or(otherwise) : otherwise;
  };
  if (auto zone = use_zone("UTC"); !zone) return EXIT_FAILURE;
  print_made_up(number(1, 12), static_cast<std::uint64_t>(number(2, 1)));
  print_traces();
  print_costs();
}
