// SPDX-License-Identifier: Apache-2.0
// Series in a data directory, beside what one would do otherwise: a table of SQLite with a row for
// each point. Both in files of the same settings (a commit is on the disk when it returns), written
// in the order in which points come, an hour of them a commit.
//
//   store_bench [SERIES [MINUTES]]      (500 and 10080 unless given: a week)
//
// Then a cluster of 1,000 nodes: one day of 5 series of each, a point a minute, and of 10,000 jobs
// that end; a month is counted as thirty of them.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "memory/reader.h"
#include "memory/sqlite.h"
#include "memory/store.h"
#include "process_use.h"

namespace {

using namespace schedlens;
using namespace schedlens::memory;
namespace fs = std::filesystem;

constexpr std::int64_t kStart = 1'796'083'200;  // 2026-12-01T00:00:00Z

class SimulatedClock final : public os::Clock {
 public:
  Timestamp now() const override { return {kStart + passed_}; }
  std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::time_point(std::chrono::seconds(passed_ + 1));
  }
  void set(std::int64_t passed) { passed_ = passed; }

 private:
  std::atomic<std::int64_t> passed_ = 0;
};

[[noreturn]] void give_up(const Error& error) {
  fmt::print(stderr, "store_bench: {}\n", error.message());
  std::exit(1);
}
template <class T>
T must(Result<T> result) {
  if (!result) give_up(result.error());
  return std::move(*result);
}
void must(const Status& status) {
  if (!status) give_up(status.error());
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Five kinds of gauges, the last of which has all digits that a double can have.
class Values {
 public:
  explicit Values(std::size_t series) : state_(series, 50) {}
  double next(std::size_t series) {
    auto& v = state_[series];
    switch (series % 5) {
      case 0:  // GPUs in use on a node
        if (random_() % 60 == 0) v = static_cast<double>(random_() % 9);
        return v;
      case 1:  // per cent, one decimal
        return std::round(700 + 60 * noise_(random_)) / 10;
      case 2:  // a counter
        return v += static_cast<double>(400 + random_() % 200);
      case 3:  // MiB
        return v = std::round(v + 30 * noise_(random_));
      default:
        return v = v * 0.9 + 0.1 * noise_(random_);
    }
  }

 private:
  std::mt19937_64 random_{1};
  std::normal_distribution<double> noise_;
  std::vector<double> state_;
};

// Hands an hour after the other to `write`: by minute, then by series.
struct HourPoint {
  std::uint32_t series;
  std::int64_t unix_seconds;
  double value;
};
double each_hour(std::size_t series, std::int64_t minutes,
                 const std::function<void(const std::vector<HourPoint>&)>& write) {
  Values values(series);
  std::vector<HourPoint> hour;
  double took = 0;
  for (std::int64_t minute = 0; minute < minutes; ++minute) {
    for (std::size_t s = 0; s < series; ++s) {
      hour.push_back({static_cast<std::uint32_t>(s), kStart + minute * 60, values.next(s)});
    }
    if (minute % 60 != 59 && minute + 1 != minutes) continue;
    took += seconds_of([&] { write(hour); });
    hour.clear();
  }
  return took;
}

struct Measured {
  double acknowledged = 0, finished = 0;  // seconds
  std::uint64_t bytes = 0;
  double by_hour = 0, by_ten_minutes = 0, one_series = 0;  // seconds
};

TimeRange week(std::int64_t minutes) {
  return {{kStart * 1000}, {(kStart + minutes * 60) * 1000}};
}

std::uint64_t bytes_of(const fs::path& directory) {
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(directory)) bytes += entry.file_size();
  return bytes;
}

std::int64_t days_rolled_up(const fs::path& directory) {
  std::int64_t days = 0;
  for (const auto& file : must(list_files(directory))) {
    if (file.kind != FileKind::kRollup) continue;
    auto database = must(Database::open(file.path, Database::Access::kRead));
    days += must(database->integer("count", "SELECT count(*) FROM days"));
  }
  return days;
}

SeriesKey key_of(std::uint32_t series) {
  return make_key(fmt::format("schedlens_bench_{}", series % 5),
                  {{"node", fmt::format("node{:05}", series / 5)}});
}

// Chunks are made as the time passes, as they would be; `finished` includes the last of them, and
// the hours.
Measured write_store(const fs::path& directory, std::size_t series, std::int64_t minutes,
                     const std::function<void(Store&, Timestamp)>& beside) {
  Measured m;
  SimulatedClock clock;
  StoreOptions options;
  options.batch_interval = std::chrono::milliseconds(50);
  auto store = must(Store::open(directory, options, clock));
  std::vector<SeriesId> ids;
  for (std::uint32_t s = 0; s < series; ++s) ids.push_back(store->series(key_of(s)));
  m.acknowledged = each_hour(series, minutes, [&](const std::vector<HourPoint>& hour) {
    clock.set(hour.back().unix_seconds - kStart);
    std::vector<Sample> samples;
    samples.reserve(hour.size());
    for (const auto& point : hour) {
      samples.push_back({ids[point.series], moment_of(Timestamp{point.unix_seconds}), point.value});
    }
    store->append(std::move(samples));
    beside(*store, clock.now());
    must(store->flush(std::chrono::minutes(5)));
  });
  m.finished = m.acknowledged + seconds_of([&] {
                 const auto days = (minutes + 1439) / 1440;
                 for (clock.set(days * 86'400 + 7200); days_rolled_up(directory) < days;) {
                   std::this_thread::sleep_for(std::chrono::milliseconds(20));
                 }
                 store.reset();
               });
  m.bytes = bytes_of(directory);
  return m;
}

std::size_t buckets_in(const std::vector<SeriesBuckets>& all) {
  std::size_t n = 0;
  for (const auto& series : all) n += series.buckets.size();
  return n;
}

void expect(std::size_t found, std::size_t wanted) {
  if (found != wanted) give_up(Error(fmt::format("{} instead of {} buckets", found, wanted)));
}

void read_store(const fs::path& directory, std::size_t series, std::int64_t minutes, Measured& m) {
  auto reader = must(Reader::open(directory));
  const auto hours = static_cast<std::size_t>((minutes + 59) / 60);
  m.by_hour = seconds_of([&] {
    const auto all = must(reader.buckets({}, week(minutes), std::chrono::hours(1)));
    expect(buckets_in(all), series * hours);
  });
  m.by_ten_minutes = seconds_of([&] {
    const auto all = must(reader.buckets({}, week(minutes), std::chrono::minutes(10)));
    expect(buckets_in(all), series * static_cast<std::size_t>((minutes + 9) / 10));
  });
  const auto one = key_of(static_cast<std::uint32_t>(series / 2));
  m.one_series = seconds_of([&] {
    const auto points = must(reader.points({one.name, one.labels}, week(minutes)));
    expect(points.at(0).points.size(), static_cast<std::size_t>(minutes));
  });
}

Measured plain_table(const fs::path& file, std::size_t series, std::int64_t minutes) {
  Measured m;
  auto database = must(Database::open(file, Database::Access::kWrite));
  must(database->execute("create",
                         "CREATE TABLE point(series INTEGER, time INTEGER, value REAL,"
                         " PRIMARY KEY(series, time)) WITHOUT ROWID"));
  auto insert = must(database->prepare("write", "INSERT INTO point VALUES(?1, ?2, ?3)"));
  m.acknowledged = each_hour(series, minutes, [&](const std::vector<HourPoint>& hour) {
    must(database->transaction("write", [&]() -> Status {
      for (const auto& point : hour) {
        auto done = insert.bind(std::int64_t{point.series}, point.unix_seconds, point.value).run();
        if (!done) return done;
      }
      return {};
    }));
  });
  m.finished = m.acknowledged;
  must(database->execute("check point", "PRAGMA wal_checkpoint(TRUNCATE)"));
  m.bytes = fs::file_size(file);
  const auto group_by = [&](int seconds) {
    return seconds_of([&] {
      auto rows = must(database->prepare(
          "read", fmt::format("SELECT series, time / {}, count(*), sum(value), min(value),"
                              " max(value) FROM point GROUP BY 1, 2",
                              seconds)));
      std::size_t n = 0;
      while (must(rows.step())) ++n;
      expect(n, series * static_cast<std::size_t>((minutes * 60 + seconds - 1) / seconds));
    });
  };
  m.by_hour = group_by(3600);
  m.by_ten_minutes = group_by(600);
  m.one_series = seconds_of([&] {
    auto rows = must(database->prepare("read", "SELECT time, value FROM point WHERE series = ?1"));
    rows.bind(static_cast<std::int64_t>(series / 2));
    std::int64_t n = 0;
    while (must(rows.step())) ++n;
    expect(static_cast<std::size_t>(n), static_cast<std::size_t>(minutes));
  });
  return m;
}

void print(const char* name, std::uint64_t points, const Measured& m) {
  const auto n = static_cast<double>(points);
  fmt::print("{:<22}{:>12.0f}{:>14.0f}{:>11.1f}{:>9.2f}{:>11.3f}{:>11.3f}{:>13.2f}\n", name,
             n / m.acknowledged, n / m.finished, static_cast<double>(m.bytes) / 1e6,
             static_cast<double>(m.bytes) / n, m.by_hour, m.by_ten_minutes, m.one_series * 1000);
}

void compare(const fs::path& directory, std::size_t series, std::int64_t minutes) {
  const auto points = series * static_cast<std::uint64_t>(minutes);
  fmt::print("{} series, {} minutes: {} points\n", series, minutes, points);
  fmt::print("{:<22}{:>12}{:>14}{:>11}{:>9}{:>11}{:>11}{:>13}\n", "", "on disk/s", "and packed/s",
             "MB", "B/point", "by hour, s", "10 min, s", "1 series, ms");
  auto ours = write_store(directory / "store", series, minutes, [](Store&, Timestamp) {});
  read_store(directory / "store", series, minutes, ours);
  print("schedlens", points, ours);
  std::fflush(stdout);
  print("a row for each point", points, plain_table(directory / "plain.db", series, minutes));
}

void a_cluster(const fs::path& directory) {
  constexpr std::size_t kSeries = 5000;
  constexpr std::int64_t kMinutes = 1440, kJobsAnHour = 10'000 / 24;
  const auto cpu = bench::cpu_seconds();
  std::int64_t job = 0;
  auto m = write_store(directory, kSeries, kMinutes, [&](Store& store, Timestamp now) {
    std::vector<Record> records;
    for (std::int64_t i = 0; i < kJobsAnHour; ++i, ++job) {
      EndedWorkload w;
      w.scheduler = "slurm";
      w.id = std::to_string(1'000'000 + job);
      w.ended = now;
      w.submitted = w.eligible = w.started = Timestamp{now.unix_seconds - 3600 - job % 7000};
      w.name = fmt::format("train-{}", job % 97);
      w.user = fmt::format("user{:03}", job % 300);
      w.account = fmt::format("project{}", job % 40);
      w.queue = "gpu";
      w.state = "COMPLETED";
      w.exit_code = 0;
      w.nodes_count = w.gpus = 1;
      w.cpus = 16;
      w.nodes = {fmt::format("node{:05}", job % 1000)};
      w.gpu_seconds = 3600;
      records.emplace_back(std::move(w));
    }
    store.put(std::move(records));
  });
  const double used = bench::cpu_seconds() - cpu;
  read_store(directory, kSeries, kMinutes, m);
  std::uint64_t raw = 0, hours = 0, records = 0;
  for (const auto& file : must(list_files(directory))) {
    auto& sum = file.kind == FileKind::kSeries   ? raw
                : file.kind == FileKind::kRollup ? hours
                                                 : records;
    sum += file.bytes;
  }
  const auto mb = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  const double points = kSeries * static_cast<double>(kMinutes);
  fmt::print(
      "\n1,000 nodes, {} series, {} jobs a day: one day\n"
      "  {:.1f} s for all of it, {:.0f} points/s on the disk, {:.1f} s of CPU (made-up values "
      "included)\n"
      "  {:.1f} MB of points ({:.2f} B each), {:.2f} MB of hours, {:.2f} MB of records\n"
      "  a month, thirty times that: {:.0f} MB; as kept by default (15 days of points, 13 months "
      "of the rest): {:.0f} MB\n"
      "  every series by hour {:.2f} s, by ten minutes {:.2f} s; one series, every point {:.1f} "
      "ms\n"
      "  {:.0f} MB of memory at most\n",
      kSeries, job, m.finished, points / m.acknowledged, used, mb(raw),
      static_cast<double>(raw) / points, mb(hours), mb(records), 30 * mb(raw + hours + records),
      15 * mb(raw) + 13 * 30.4 * mb(hours + records), m.by_hour, m.by_ten_minutes,
      m.one_series * 1000, bench::peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  const auto series = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 500;
  const auto minutes = argc > 2 ? std::atoll(argv[2]) : 10'080;
  if (series == 0 || minutes <= 0) {
    fmt::print(stderr, "store_bench [SERIES [MINUTES]]\n");
    return 2;
  }
  const auto directory = fs::temp_directory_path() / fmt::format("store_bench_{}", getpid());
  fs::create_directories(directory);
  compare(directory, series, minutes);
  a_cluster(directory / "cluster");
  fs::remove_all(directory);
  return 0;
}
