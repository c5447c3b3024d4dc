// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small cluster that the tests of this folder share: three nodes, four jobs, two sources.

#include "model/snapshot.h"

namespace schedlens::api::test {

inline model::Node gpu_node(const char* name, std::uint64_t used, std::uint32_t cpus_allocated) {
  model::Node n;
  n.name = Symbol(name);
  n.state = used ? model::NodeState::kMixed : model::NodeState::kIdle;
  n.cpus = 64;
  n.cpus_allocated = cpus_allocated;
  n.sockets = 2;
  n.cores_per_socket = 32;
  n.threads_per_core = 1;
  n.memory = mebibytes(512 * 1024);
  n.memory_allocated = mebibytes(static_cast<std::int64_t>(used) * 32 * 1024);
  n.gres.push_back({model::names::kGpu, Symbol("a100"), 8, used, {}, ""});
  n.features = {Symbol("ib")};
  n.queues = {Symbol("train")};
  return n;
}

inline model::Workload job(std::uint32_t id, const char* user, model::WorkloadState state,
                           double gpus) {
  model::Workload w;
  w.job_id = id;
  w.name = "train \"llm\"";
  w.user = Symbol(user);
  w.account = Symbol("llm");
  w.qos = Symbol("normal");
  w.queues = {Symbol("train")};
  w.state = state;
  w.priority = 1000 - id;
  w.submitted = Timestamp{1'795'999'000};
  w.eligible = Timestamp{1'795'999'000};
  w.time_limit = Bound<Seconds>::of({86'400});
  w.request.cpus = 8;
  w.request.totals.set(model::names::kCpu, 8);
  w.request.totals.set(model::names::kGresGpu, gpus);
  w.request.gres_per_node = {{model::names::kGpu, Symbol(), static_cast<std::uint64_t>(gpus)}};
  if (state == model::WorkloadState::kRunning) {
    w.allocation.totals = w.request.totals;
    w.start = Timestamp{1'795'999'500};
  }
  return w;
}

// n1 and n2 have two free GPUs each, n3 is drained; job 101 holds n1 and n2, 102 n3, 103 and the
// array 104 wait.
inline model::Snapshot sample_snapshot() {
  using model::WorkloadState;
  model::Snapshot s;
  s.cluster = "sample";
  s.scheduler_version = "22.05.8";
  s.time = {1'796'000'000};
  s.sources.resize(2);
  s.sources[0].name = "jobs";
  s.sources[0].state = model::SourceState::kFresh;
  s.sources[0].last_success = s.sources[0].last_attempt = Timestamp{1'796'000'000};
  s.sources[0].records = 4;
  s.sources[1].name = "nodes";
  s.sources[1].state = model::SourceState::kFailed;
  s.sources[1].last_success = Timestamp{1'795'999'970};
  s.sources[1].last_attempt = Timestamp{1'796'000'000};
  s.sources[1].error =
      "scontrol: exit 1: slurm_load_node error: Unable to contact slurm controller";
  s.nodes = {gpu_node("n1", 6, 24), gpu_node("n2", 6, 24), gpu_node("n3", 4, 32)};
  s.nodes[2].flags.set(model::NodeFlag::kDrain);
  s.nodes[2].reason = model::NodeReason{"ECC error on GPU 3", "root", Timestamp{1'795'990'000}};
  model::Queue train;
  train.name = Symbol("train");
  train.state = model::QueueState::kUp;
  train.is_default = true;
  train.nodes = {{0}, {1}, {2}};
  train.total_nodes = 3;
  s.queues = {train};
  s.workloads = {
      job(101, "alice", WorkloadState::kRunning, 12), job(102, "bob", WorkloadState::kRunning, 4),
      job(103, "carol", WorkloadState::kPending, 8), job(104, "carol", WorkloadState::kPending, 2)};
  s.workloads[0].allocation.nodes = {{0}, {1}};
  s.workloads[1].allocation.nodes = {{2}};
  s.workloads[2].reason = Symbol("Resources");
  s.workloads[3].reason = Symbol("Priority");
  s.workloads[3].array = model::ArrayPlace{104, std::nullopt, "1-5", 5, 2};
  s.build_index();
  return s;
}

}  // namespace schedlens::api::test
