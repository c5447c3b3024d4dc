// SPDX-License-Identifier: Apache-2.0
// Writing a page of 500,000 series: our writer, and prometheus-cpp where it is installed. And the
// whole page of a cluster of 10,000 nodes and 100,000 jobs, with what is computed for it once per
// snapshot.
//
// The 500,000: ten families of 50,000 series with two to five labels, the values new every time, as
// at each scrape. prometheus-cpp is measured as a program uses it that rebuilds its series from a
// snapshot (Fresh) and, in its favour, with all series made before and only their values set
// (Kept).
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "metrics/render.h"

#ifdef SCHEDLENS_PROMETHEUS_CPP
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#endif

namespace {

using schedlens::Symbol;
using schedlens::metrics::family;
using schedlens::metrics::FamilyRef;

constexpr int kPerFamily = 50'000;
constexpr std::array kTen = {family("schedlens_cluster_info"),
                             family("schedlens_node_out_of_service_info"),
                             family("schedlens_node_info"),
                             family("schedlens_partition_gpus"),
                             family("schedlens_pending_age_tasks"),
                             family("schedlens_qos_limit"),
                             family("schedlens_qos_limit_used"),
                             family("schedlens_association_limit"),
                             family("schedlens_association_limit_used"),
                             family("schedlens_source_state")};

std::vector<Symbol> names(std::string prefix, int count) {
  std::vector<Symbol> out;
  for (int i = 0; i < count; ++i) out.emplace_back(prefix + std::to_string(i));
  return out;
}

// Label values as the model holds them.
struct Labels {
  std::vector<Symbol> nodes = names("compute-node-", kPerFamily);
  std::vector<Symbol> users = names("user-name-", 1000);
  std::vector<Symbol> few = names("value-", 20);
};

const Labels& labels() {
  static const Labels all;
  return all;
}

void OurWriter(benchmark::State& state) {
  const auto& l = labels();
  std::uint64_t bytes = 0;
  double value = 0.5;
  for (auto _ : state) {
    std::string page;
    schedlens::metrics::Exposition out([&](std::string_view piece) { page += piece; }, {},
                                       kPerFamily);
    for (auto f : kTen) {
      for (int i = 0; i < kPerFamily; ++i) {
        Symbol node = l.nodes[i], user = l.users[i % 1000], word = l.few[i % 20];
        value += 1;
        switch (f->label_count()) {
          case 2:
            out.sample(f, value, node, word);
            break;
          case 3:
            out.sample(f, value, node, word, user);
            break;
          default:
            out.sample(f, value, node, word, user, word, word);
        }
      }
    }
    out.finish();
    if (out.series() != kTen.size() * kPerFamily) state.SkipWithError("series were dropped");
    bytes = page.size();
    benchmark::DoNotOptimize(page);
  }
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}
BENCHMARK(OurWriter)->Unit(benchmark::kMillisecond);

schedlens::model::Snapshot large_cluster() {
  namespace model = schedlens::model;
  model::Snapshot s;
  s.time = {1'800'000'000};
  s.nodes.resize(10'000);
  s.queues.resize(10);
  for (std::uint32_t i = 0; i < s.queues.size(); ++i) {
    s.queues[i].name = Symbol("partition-" + std::to_string(i));
    s.queues[i].state = model::QueueState::kUp;
  }
  for (std::uint32_t i = 0; i < s.nodes.size(); ++i) {
    auto& n = s.nodes[i];
    n.name = labels().nodes[i];
    n.state = model::NodeState::kMixed;
    n.cpus = 128;
    n.cpus_allocated = i % 100;
    n.memory = schedlens::mebibytes(2'000'000);
    n.gres = {{model::names::kGpu, Symbol("h100"), 8, i % 9, {}, ""}};
    if (i % 50 == 0) n.flags.set(model::NodeFlag::kDrain);
    s.queues[i % 10].nodes.push_back({i});
  }
  s.workloads.resize(100'000);
  for (std::uint32_t i = 0; i < s.workloads.size(); ++i) {
    auto& w = s.workloads[i];
    w.job_id = i + 1;
    w.user = labels().users[i % 1000];
    w.account = labels().few[i % 20];
    w.queues = {s.queues[i % 10].name};
    w.submitted = w.eligible = schedlens::Timestamp{1'799'990'000};
    w.reason = Symbol("Resources");
    w.priority = 1;
    w.state = i % 5 == 0 ? model::WorkloadState::kRunning : model::WorkloadState::kPending;
    w.request.cpus = 8 + i % 200;
    w.request.gres_per_node = {{model::names::kGpu, Symbol(), 1 + i % 8}};
    w.request.totals.set(model::names::kGresGpu, 1 + i % 8);
    if (i % 5 > 0) continue;
    w.allocation.nodes = {{i % 10'000}};
    w.allocation.totals.set(model::names::kGresGpu, 1 + i % 8);
    w.start = s.time;
  }
  s.build_index();
  return s;
}

void LargeClusterAnalysis(benchmark::State& state) {
  auto s = large_cluster();
  for (auto _ : state) {
    benchmark::DoNotOptimize(schedlens::diagnose::holdings(s));
    benchmark::DoNotOptimize(schedlens::diagnose::fragmentation(s));
  }
}
BENCHMARK(LargeClusterAnalysis)->Unit(benchmark::kMillisecond);

void LargeClusterPage(benchmark::State& state) {
  auto s = large_cluster();
  schedlens::metrics::Analysis analysis{
      schedlens::diagnose::holdings(s), schedlens::diagnose::fragmentation(s), {}, {}, {}};
  schedlens::metrics::WaitTracker waits;
  waits.feed(s);
  std::size_t bytes = 0;
  for (auto _ : state) {
    auto page = schedlens::metrics::render(
        &s, {.now = s.time, .version = "0", .analysis = &analysis, .waits = &waits});
    bytes = page.size();
  }
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}
BENCHMARK(LargeClusterPage)->Unit(benchmark::kMillisecond);

#ifdef SCHEDLENS_PROMETHEUS_CPP
using Gauges = std::vector<prometheus::Gauge*>;

Gauges make_series(prometheus::Registry& registry) {
  const auto& l = labels();
  Gauges gauges;
  for (auto f : kTen) {
    auto& built = prometheus::BuildGauge()
                      .Name(std::string(f->name))
                      .Help(std::string(f->help))
                      .Register(registry);
    for (int i = 0; i < kPerFamily; ++i) {
      std::array<Symbol, 5> v = {l.nodes[i], l.few[i % 20], l.users[i % 1000], l.few[i % 20],
                                 l.few[i % 20]};
      std::map<std::string, std::string> set;
      for (std::size_t k = 0; k < f->label_count(); ++k) {
        set.emplace(f->labels[k], v[k].str());
      }
      gauges.push_back(&built.Add(set));
    }
  }
  return gauges;
}

void write_page(prometheus::Registry& registry, const Gauges& gauges, benchmark::State& state) {
  double value = 0.5;
  for (auto* g : gauges) g->Set(value += 1);
  auto page = prometheus::TextSerializer().Serialize(registry.Collect());
  state.counters["MB"] = static_cast<double>(page.size()) / 1e6;
  benchmark::DoNotOptimize(page);
}

void PrometheusCppFresh(benchmark::State& state) {
  for (auto _ : state) {
    prometheus::Registry registry;
    write_page(registry, make_series(registry), state);
  }
}
BENCHMARK(PrometheusCppFresh)->Unit(benchmark::kMillisecond);

void PrometheusCppKept(benchmark::State& state) {
  prometheus::Registry registry;
  auto gauges = make_series(registry);
  for (auto _ : state) write_page(registry, gauges, state);
}
BENCHMARK(PrometheusCppKept)->Unit(benchmark::kMillisecond);
#endif

}  // namespace

BENCHMARK_MAIN();
