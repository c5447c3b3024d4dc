// SPDX-License-Identifier: Apache-2.0
#include "metrics/analysis.h"

#include <gmock/gmock.h>

namespace schedlens::metrics {
namespace {

using diagnose::RootCause;
using model::Snapshot;
using model::Workload;

Workload waiting(std::uint32_t id, std::uint64_t gpus) {
  Workload w;
  w.job_id = id;
  w.state = model::WorkloadState::kPending;
  w.reason = Symbol("Resources");
  w.priority = 1000 - id;
  w.queues = {Symbol("train")};
  w.submitted = w.eligible = Timestamp{900};
  w.request.max_nodes = 1;
  w.request.gres_per_node = {{model::names::kGpu, Symbol(), gpus}};
  w.request.totals.set(model::names::kGresGpu, static_cast<double>(gpus));
  return w;
}

// Two nodes of eight GPUs, half of each taken.
Snapshot half_full() {
  Snapshot s;
  s.time = {1000};
  model::Queue q;
  q.name = Symbol("train");
  q.state = model::QueueState::kUp;
  for (std::uint32_t i = 0; i < 2; ++i) {
    model::Node n;
    n.name = Symbol("n" + std::to_string(i));
    n.state = model::NodeState::kMixed;
    n.cpus = 64;
    n.cpus_allocated = 4;
    n.sockets = 2;
    n.cores_per_socket = 32;
    n.threads_per_core = 1;
    n.memory = mebibytes(1000);
    n.gres = {{model::names::kGpu, Symbol("a100"), 8, 4, {}, ""}};
    n.queues = {q.name};
    s.nodes.push_back(n);
    q.nodes.push_back({i});
  }
  s.queues = {q};
  return s;
}

std::uint64_t tasks(const CauseCounts& counts, RootCause cause) {
  return counts[static_cast<std::size_t>(cause)].tasks;
}

TEST(Analysis, CountsTasksAndGpusByRootCause) {
  auto s = half_full();
  s.workloads = {waiting(1, 8), waiting(2, 8), waiting(3, 2)};
  s.workloads[1].array = model::ArrayPlace{2, std::nullopt, "1-40", 40, std::nullopt};
  s.workloads[2].priority = 0;  // held
  s.workloads[2].reason = Symbol("JobHeldUser");
  Workload running;
  running.job_id = 4;
  running.state = model::WorkloadState::kRunning;
  s.workloads.push_back(running);
  s.build_index();
  auto counts = analyse(s).causes;
  EXPECT_EQ(tasks(counts, RootCause::kHold), 1u);
  EXPECT_EQ(counts[static_cast<std::size_t>(RootCause::kHold)].gpus, 2u);
  EXPECT_EQ(tasks(counts, RootCause::kFragmentation), 41u) << "eight GPUs are free, four by four";
  EXPECT_EQ(tasks(counts, RootCause::kNone), 0u);
  std::uint64_t all = 0, gpus = 0;
  for (const auto& c : counts) {
    all += c.tasks;
    gpus += c.gpus;
  }
  EXPECT_EQ(all, 42u);
  EXPECT_EQ(gpus, 41u * 8 + 2);
}

TEST(Analysis, HasEveryPart) {
  auto s = half_full();
  s.workloads = {waiting(1, 8)};
  s.build_index();
  auto analysis = analyse(s);
  EXPECT_EQ(analysis.holdings.gpus.free, 8u);
  EXPECT_EQ(analysis.fragmentation.largest_hole, 4u);
  EXPECT_EQ(tasks(analysis.causes, RootCause::kFragmentation), 1u);
}

}  // namespace
}  // namespace schedlens::metrics
