// SPDX-License-Identifier: Apache-2.0
// The report of a week from the memory of a month: a cluster of 1,000 nodes with 8 GPUs each, of
// which 200,000 runs ended, nodes left service 2,500 times, and 60 series have a value a minute.
//
//   report_bench [RUNS [DIRECTORY]]     (200000; a directory is kept, and may be looked at)

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "memory/store.h"
#include "report/week.h"

namespace {

using namespace schedlens;
using namespace schedlens::memory;
namespace fs = std::filesystem;

constexpr std::int64_t kStart = 1'793'577'600;  // 2026-11-02T00:00:00Z, a Monday
constexpr std::int64_t kDays = 30, kDay = 86'400;

class Late final : public os::Clock {
 public:
  Timestamp now() const override { return {kStart + kDays * kDay}; }
};

[[noreturn]] void give_up(const Error& error) {
  fmt::print(stderr, "report_bench: {}\n", error.message());
  std::exit(1);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void flush(Store& store) {
  if (auto done = store.flush(std::chrono::minutes(5)); !done) give_up(done.error());
}

// Day and night, and less at weekends.
double load_at(std::int64_t seconds) {
  const auto hour = static_cast<double>(seconds % kDay) / 3600;
  const auto weekend = seconds / kDay % 7 >= 5 ? 0.7 : 1.0;
  return weekend * (0.72 + 0.22 * std::sin((hour - 8) / 24 * 2 * M_PI));
}

void put_series(Store& store, std::mt19937& random) {
  std::vector<SeriesId> used, all;
  for (int type = 0; type < 4; ++type) {
    const auto name = fmt::format("type{}", type);
    used.push_back(store.series(make_key("schedlens_gpus_used", {{"type", name}})));
    all.push_back(store.series(make_key("schedlens_gpus", {{"type", name}})));
  }
  const auto nodes = store.series(make_key("schedlens_cluster_nodes"));
  const auto stranded =
      store.series(make_key("schedlens_gpus_stranded", {{"type", "type0"}, {"cause", "gpus"}}));
  const auto frag =
      store.series(make_key("schedlens_gpu_fragmentation_ratio", {{"gpus_per_job", "8"}}));
  std::vector<std::pair<SeriesId, double>> spent;
  for (const auto& [state, share] : {std::pair{"in_use", 0.75},
                                     {"stranded", 0.05},
                                     {"drained", 0.04},
                                     {"down", 0.02},
                                     {"idle_no_demand", 0.14}}) {
    spent.emplace_back(store.series(make_key("schedlens_gpu_seconds_total", {{"state", state}})),
                       share);
  }
  std::vector<SeriesId> tasks, gpus;
  for (auto cause : {"capacity", "fragmentation", "limit", "priority", "dependency", "hold"}) {
    tasks.push_back(store.series(make_key("schedlens_pending_tasks", {{"class", cause}})));
    gpus.push_back(store.series(make_key("schedlens_pending_gpus", {{"class", cause}})));
  }
  std::vector<SeriesId> others;
  for (int i = 0; i < 34; ++i) {
    others.push_back(store.series(make_key("other", {{"n", std::to_string(i)}})));
  }
  std::normal_distribution<double> noise(0, 0.03);
  for (std::int64_t minute = 0; minute < kDays * 1440; ++minute) {
    const Moment at{(kStart + minute * 60) * 1000};
    const auto load = std::clamp(load_at(minute * 60) + noise(random), 0.0, 1.0);
    std::vector<memory::Sample> points;
    for (std::size_t i = 0; i < used.size(); ++i) {
      points.push_back({used[i], at, std::round(2000 * load)});
      points.push_back({all[i], at, 2000});
    }
    points.push_back({nodes, at, 1000});
    points.push_back({stranded, at, std::round(300 * (1 - load))});
    points.push_back({frag, at, 0.3 * (1 - load)});
    for (const auto& [id, share] : spent) {
      points.push_back({id, at, 8000.0 * 60 * share * static_cast<double>(minute)});
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto waiting = std::round(load * 400 / static_cast<double>(i + 1));
      points.push_back({tasks[i], at, waiting});
      points.push_back({gpus[i], at, waiting * 4});
    }
    for (auto id : others) points.push_back({id, at, std::round(100 * load)});
    store.append(std::move(points));
    if (minute % 1440 == 1439) flush(store);
  }
}

void put_runs(Store& store, std::mt19937& random, std::int64_t count) {
  std::exponential_distribution<double> wait(1 / 900.0), run(1 / 7200.0);
  std::uniform_int_distribution<int> of_100(0, 99), node(0, 999);
  constexpr std::array<const char*, 4> kCauses = {"capacity", "fragmentation", "limit", "priority"};
  constexpr std::array<std::int64_t, 6> kGpus = {0, 1, 2, 4, 8, 64};
  for (std::int64_t i = 0; i < count; ++i) {
    EndedWorkload r;
    r.scheduler = "slurm";
    r.id = std::to_string(i);
    r.user = fmt::format("user{}", of_100(random));
    r.account = "lab";
    r.queue = fmt::format("queue{}", of_100(random) % 5);
    r.eligible = Timestamp{kStart + i * kDays * kDay / count};
    r.submitted = r.eligible;
    const auto luck = of_100(random);
    const auto waited = static_cast<std::int64_t>(wait(random));
    r.gpus = kGpus[static_cast<std::size_t>(luck) % kGpus.size()];
    r.last_cause = kCauses[static_cast<std::size_t>(of_100(random)) % kCauses.size()];
    if (luck < 3) {
      r.state = "CANCELLED";
      r.ended = *r.eligible + Seconds{waited};
    } else {
      r.started = *r.eligible + Seconds{waited};
      r.ended = *r.started + Seconds{static_cast<std::int64_t>(run(random))};
      r.state = luck < 10 ? "FAILED" : "COMPLETED";
      r.exit_code = luck < 10 ? luck % 3 + 1 : 0;
      r.nodes = {fmt::format("node{:04}", node(random))};
    }
    store.put(std::move(r));
    if (i % 20'000 == 19'999) flush(store);
  }
}

void put_nodes(Store& store, std::mt19937& random) {
  std::uniform_int_distribution<int> node(0, 999);
  std::uniform_int_distribution<std::int64_t> at(0, kDays * kDay), hours(1, 48);
  for (int i = 0; i < 2'500; ++i) {
    NodeChange c;
    c.time = {kStart + at(random)};
    c.node = fmt::format("node{:04}", node(random));
    c.to = i % 3 == 0 ? "down" : "drained";
    c.reason = i % 3 == 0 ? "Not responding" : "ECC errors";
    c.author = "root";
    c.gpus = 8;
    store.put(c);
    c.time = c.time + Seconds{hours(random) * 3600};
    c.from = c.to;
    c.to = "in service";
    c.reason.clear();
    store.put(c);
  }
  flush(store);
}

std::uintmax_t size_of(const fs::path& directory) {
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator(directory)) bytes += file.file_size();
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const auto runs = argc > 1 ? std::atoll(argv[1]) : 200'000;
  const auto directory = argc > 2
                             ? fs::path(argv[2])
                             : fs::temp_directory_path() / fmt::format("report_bench_{}", getpid());
  const Late clock;
  std::mt19937 random(7);
  {
    StoreOptions options;
    options.raw_days = 60;
    auto store = Store::open(directory, options, clock);
    if (!store) give_up(store.error());
    const auto begin = std::chrono::steady_clock::now();
    put_series(**store, random);
    const auto series = seconds_since(begin);
    put_runs(**store, random, runs);
    put_nodes(**store, random);
    const auto all = seconds_since(begin);
    fmt::print("stored: {} points in {:.1f} s, {} runs and 5000 node changes in {:.1f} s\n",
               kDays * 1440 * 60, series, runs, all - series);
  }
  fmt::print("on the disk: {:.1f} MB\n", static_cast<double>(size_of(directory)) / 1e6);
  auto reader = Reader::open(directory);
  if (!reader) give_up(reader.error());
  const auto week = report::week_of({kStart + 15 * kDay});
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto document = report::weekly(*reader, week, clock.now());
    if (!document) give_up(document.error());
    const auto made = seconds_since(begin);
    const auto page = report::html(*document);
    fmt::print("report of a week, with the week before: {:.2f} s, its page of {} kB {:.1f} ms\n",
               made, page.size() / 1000, (seconds_since(begin) - made) * 1000);
  }
  if (argc <= 2) fs::remove_all(directory);
}
