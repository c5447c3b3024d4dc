// SPDX-License-Identifier: Apache-2.0
// Explains every waiting job of a large cluster, made up without any parsing.
//
//   why_bench [NODES [JOBS]]      (10000 and 100000 unless given; on one thread)
//
// Seconds are CPU seconds. The work should follow the number of different request shapes, not the
// number of jobs: the table has lines with more of either.

#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <map>
#include <random>
#include <string>

#include "base/text.h"
#include "diagnose/explain.h"
#include "diagnose/remedies.h"
#include "diagnose/start_forecast.h"
#include "model/snapshot.h"

namespace {

using namespace schedlens;
using model::NodeId;
using model::Snapshot;
using model::Workload;
using model::WorkloadState;

constexpr std::int64_t kNow = 1'800'000'000;
constexpr std::uint32_t kUsers = 300, kAccounts = 40, kQos = 6, kPartitions = 8;

Symbol numbered(const char* name, std::uint32_t i) {
  return Symbol(fmt::format("{}{}", name, i));
}

void add_nodes(Snapshot& s, std::uint32_t count) {
  for (std::uint32_t p = 0; p < kPartitions; ++p) {
    model::Queue q;
    q.name = numbered("part", p);
    q.state = model::QueueState::kUp;
    q.max_nodes = Bound<std::uint32_t>::unlimited();
    q.max_time = Bound<Seconds>::of({7 * 86400});
    q.priority_tier = 1 + p % 3;
    s.queues.push_back(q);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    model::Node n;
    n.name = Symbol(fmt::format("node{:05}", i));
    n.state = model::NodeState::kIdle;
    n.cpus = 128;
    n.sockets = 2;
    n.cores_per_socket = 64;
    n.threads_per_core = 1;
    n.memory = mebibytes(2'000'000);
    bool h100 = i % 4 == 0;
    n.gres.push_back({Symbol("gpu"), Symbol(h100 ? "h100" : "a100"), 8, 0, {}, ""});
    n.features = {Symbol(h100 ? "h100" : "a100"), numbered("rack", i / 400)};
    if (i % 50 == 7) {
      n.flags.set(model::NodeFlag::kDrain);
      n.reason = model::NodeReason{"transient ECC error", "root", Timestamp{kNow - 3600}};
    }
    s.nodes.push_back(std::move(n));
    s.queues[i % (kPartitions - 1)].nodes.push_back({i});
    s.queues[kPartitions - 1].nodes.push_back({i});
  }
}

void add_limits(Snapshot& s) {
  using enum model::LimitKind;
  for (std::uint32_t i = 0; i < kQos; ++i) {
    model::Qos q;
    q.name = numbered("qos", i);
    q.flags.emplace();
    if (i % 2 == 0) q.limits.push_back({kGrpTres, Symbol("gres/gpu"), 40000.0, 20000.0});
    q.each_user.push_back({kMaxTresPerUser, Symbol("gres/gpu"), 4000.0, {}});
    for (std::uint32_t u = 0; u < kUsers; ++u) {
      bool full = i == 1 && u % 10 == 0;
      q.users.push_back({numbered("user", u),
                         {{kMaxTresPerUser, Symbol("gres/gpu"), 4000.0, full ? 4000.0 : 100.0}}});
    }
    s.qos.push_back(std::move(q));
  }
  for (std::uint32_t a = 0; a < kAccounts; ++a) {
    model::Association account;
    account.id = a + 1;
    account.account = numbered("account", a);
    account.limits.push_back({kGrpTres, Symbol("cpu"), 1e6, a == 3 ? 1e6 : 1000.0});
    s.associations.push_back(account);
  }
  for (std::uint32_t u = 0; u < kUsers; ++u) {
    model::Association user;
    user.id = kAccounts + u + 1;
    user.parent_id = u % kAccounts + 1;
    user.account = numbered("account", u % kAccounts);
    user.user = numbered("user", u);
    user.limits.push_back({kMaxJobs, Symbol(), 5000.0, 10.0});
    s.associations.push_back(user);
  }
}

Workload job(std::mt19937& random, std::uint32_t id) {
  Workload w;
  w.job_id = id;
  auto user = static_cast<std::uint32_t>(random() % kUsers);
  w.user = numbered("user", user);
  w.account = numbered("account", user % kAccounts);
  w.qos = numbered("qos", static_cast<std::uint32_t>(random() % kQos));
  w.queues = {numbered("part", static_cast<std::uint32_t>(random() % kPartitions))};
  w.priority = 1 + random() % 100000;
  w.submitted = w.eligible = Timestamp{kNow - static_cast<std::int64_t>(random() % 86400)};
  return w;
}

// A running job on one node, if it has the CPUs.
void add_running(Snapshot& s, std::mt19937& random, std::uint32_t at, std::uint64_t gpus) {
  auto& n = s.nodes[at];
  auto w = job(random, static_cast<std::uint32_t>(s.workloads.size() + 1));
  w.state = WorkloadState::kRunning;
  w.start = Timestamp{kNow - 600};
  w.time_limit = Bound<Seconds>::of({86400});
  auto cpus = std::min<std::uint32_t>(1 + static_cast<std::uint32_t>(random() % 32),
                                      n.cpus - n.cpus_allocated);
  *n.gres[0].used += gpus;
  n.cpus_allocated += cpus;
  n.memory_allocated += mebibytes(static_cast<std::int64_t>(4000 * cpus));
  n.state = n.cpus_allocated == n.cpus ? model::NodeState::kAllocated : model::NodeState::kMixed;
  w.allocation.nodes = {NodeId{at}};
  w.allocation.totals.set(model::names::kCpu, cpus);
  w.allocation.totals.set(model::names::kGresGpu, static_cast<double>(gpus));
  s.workloads.push_back(std::move(w));
}

// Fills most nodes to the last GPU, each in its own way, so that node classes are many.
void fill(Snapshot& s, std::mt19937& random) {
  for (std::uint32_t at = 0; at < s.nodes.size(); ++at) {
    auto kind = random() % 20;
    std::uint64_t leave = kind < 14 ? 0 : kind < 19 ? 1 + random() % 3 : 4 + random() % 3;
    while (*s.nodes[at].gres[0].used + leave < 8) {
      auto left = 8 - leave - *s.nodes[at].gres[0].used;
      add_running(s, random, at, std::min<std::uint64_t>(left, 1 + random() % 4));
    }
  }
}

// The request with a number: equal numbers ask alike.
model::Request request(std::uint32_t number) {
  model::Request r;
  constexpr std::uint64_t kGpus[] = {0, 1, 2, 4, 8};
  auto gpus = kGpus[number % 5];
  r.min_nodes = number % 7 == 0 ? 2 + number % 14 : 1;
  r.max_nodes = r.min_nodes;
  r.cpus_per_task = 1 + number / 5 % 64;
  r.tasks = r.min_nodes;
  r.cpus = *r.cpus_per_task * r.min_nodes;
  r.memory_per = model::MemoryPer::kCpu;
  r.memory = mebibytes(2000 + 1000 * (number / 320 % 16));
  r.excluded_nodes.emplace();
  if (gpus > 0) {
    r.gres_per_node.push_back({Symbol("gpu"), Symbol(number % 3 == 0 ? "a100" : ""), gpus});
  }
  if (number % 11 == 0) r.features = "h100";
  if (number % 13 == 0) r.sharing = model::Sharing::kWholeNode;
  r.totals.set(model::names::kCpu, r.cpus);
  if (gpus > 0) r.totals.set(model::names::kGresGpu, static_cast<double>(gpus * r.min_nodes));
  return r;
}

Snapshot made_up(std::uint32_t nodes, std::uint32_t jobs, std::uint32_t shapes) {
  std::mt19937 random(7);
  Snapshot s;
  s.time = {kNow};
  s.config.emplace();
  s.config->entries = {{"AccountingStorageEnforce", "associations,limits,qos"},
                       {"SelectTypeParameters", "CR_CORE_MEMORY"},
                       {"SchedulerParameters", "bf_max_job_test=5000,default_queue_depth=1000"}};
  add_nodes(s, nodes);
  add_limits(s);
  fill(s, random);
  auto running = static_cast<std::uint32_t>(s.workloads.size());
  for (auto i = running; i < jobs; ++i) {
    auto w = job(random, i + 1);
    w.state = WorkloadState::kPending;
    w.reason = Symbol(i % 3 == 0 ? "Resources" : "Priority");
    w.time_limit = Bound<Seconds>::of({3600 * (1 + i % 4)});
    auto number = static_cast<std::uint32_t>(random() % shapes);
    w.request = request(number);
    // So that a shape is one shape: its partition goes with it.
    w.queues = {numbered("part", number % kPartitions)};
    if (i % 200 == 0) {
      w.request.excluded_nodes->push_back({static_cast<std::uint32_t>(random() % nodes)});
    }
    if (i % 50 == 1) w.priority = 0;
    s.workloads.push_back(std::move(w));
  }
  s.build_index();
  return s;
}

// Jobs that ran between a tenth and all of their limits.
diagnose::RunTimes run_times() {
  Snapshot s;
  s.time = {kNow};
  for (std::uint32_t i = 0; i < 100; ++i) {
    Workload w;
    w.job_id = i + 1;
    w.state = WorkloadState::kCompleted;
    w.start = Timestamp{kNow - 86400};
    w.end = *w.start + Seconds{360 + 36 * static_cast<std::int64_t>(i)};
    w.time_limit = Bound<Seconds>::of({3960});
    w.allocation.totals.set(model::names::kCpu, 1);
    s.workloads.push_back(std::move(w));
  }
  s.build_index();
  diagnose::RunTimes times;
  times.observe(s);
  return times;
}

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(std::uint32_t nodes, std::uint32_t jobs, std::uint32_t shapes) {
  auto s = made_up(nodes, jobs, shapes);
  if (s.pending().empty()) {
    fmt::print("{:>6} {:>7}  as many run on these nodes: give more jobs, so that some wait\n",
               nodes, jobs);
    return;
  }
  auto before = peak_mebibytes();
  auto start = std::clock();
  auto seconds = [&] { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; };
  diagnose::Explainer explainer(s);
  auto grouped = seconds();
  std::map<std::string_view, std::uint32_t> causes;
  for (auto id : s.pending()) ++causes[diagnose::cause_name(explainer.classify(id))];
  auto classified = seconds();
  auto last = s.pending().back();
  auto verdict = explainer.explain(last);
  auto explained = seconds();
  auto remedies = diagnose::find_remedies(s, explainer, verdict).size();
  auto remedied = seconds();
  auto forecast = diagnose::StartForecasts(s, run_times()).all().size();
  auto forecasted = seconds();
  fmt::print("{:>6} {:>7} {:>7} {:>8.3f} {:>8.3f} {:>9.3f} {:>10.3f} {:>10.3f} {:>8.0f} {:>9.0f} ",
             nodes, jobs, shapes, grouped, classified - grouped, explained - classified,
             remedied - explained, forecasted - remedied, before, peak_mebibytes());
  for (const auto& [name, count] : causes) fmt::print(" {}={}", name, count);
  fmt::print("  {} remedies of the last one, {} forecasts\n", remedies, forecast);
}

}  // namespace

int main(int argc, char** argv) {
  auto number = [&](int i, std::uint32_t otherwise) {
    auto given = argc > i ? schedlens::parse_number<std::uint32_t>(argv[i]) : std::nullopt;
    return given.value_or(otherwise);
  };
  auto nodes = number(1, 10000), jobs = number(2, 100000);
  fmt::print("{:>6} {:>7} {:>7} {:>8} {:>8} {:>9} {:>10} {:>10} {:>8} {:>9}\n", "nodes", "jobs",
             "shapes", "group s", "all s", "last one s", "remedies s", "forecast s", "MiB data",
             "MiB peak");
  measure(nodes, jobs, 200);
  measure(nodes, jobs, 2000);
  measure(nodes, jobs * 2, 2000);
  return 0;
}
