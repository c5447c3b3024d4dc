// SPDX-License-Identifier: Apache-2.0
#pragma once
// The cluster on the screens of this folder's tests: eight nodes of 8 a100 and two of 4 h100, two
// partitions, running, waiting, array and het jobs, drained nodes, a reservation, one failed
// source.

#include <array>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "api/pending_causes.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::cli::test {

inline constexpr Timestamp kNow{1'796'000'000};  // 2026-11-30 00:53:20 UTC

inline Timestamp before(std::int64_t seconds) {
  return {kNow.unix_seconds - seconds};
}

inline std::vector<std::uint16_t> first_indexes(std::uint64_t n) {
  std::vector<std::uint16_t> out;
  for (std::uint16_t i = 0; i < n; ++i) out.push_back(i);
  return out;
}

inline model::Node node(const char* name, const char* type, std::uint64_t gpus,
                        std::uint64_t used) {
  model::Node n;
  n.name = Symbol(name);
  n.state = used == 0      ? model::NodeState::kIdle
            : used == gpus ? model::NodeState::kAllocated
                           : model::NodeState::kMixed;
  n.cpus = 64;
  n.cpus_allocated = static_cast<std::uint32_t>(used * 8);
  n.sockets = 2;
  n.cores_per_socket = 32;
  n.threads_per_core = 1;
  n.memory = mebibytes(1024 * 1024);
  n.memory_allocated = mebibytes(static_cast<std::int64_t>(used) * 100 * 1024);
  n.memory_free = mebibytes(900 * 1024);
  n.cpu_load = static_cast<double>(used) * 4.25;
  n.gres.push_back({model::names::kGpu, Symbol(type), gpus, used, first_indexes(used), ""});
  n.features = {Symbol("ib"), Symbol(type)};
  n.queues = {Symbol("train")};
  n.boot_time = before(864'000);
  n.version = "24.11.5";
  return n;
}

inline model::Workload job(std::uint32_t id, const char* user, const char* account, double gpus) {
  model::Workload w;
  w.job_id = id;
  w.name = "train-llm";
  w.user = Symbol(user);
  w.account = Symbol(account);
  w.qos = Symbol("normal");
  w.queues = {Symbol("train")};
  w.state = model::WorkloadState::kPending;
  w.priority = 10'000 - id;
  w.submitted = before(20'000 - id);
  w.eligible = w.submitted;
  w.time_limit = Bound<Seconds>::of({86'400});
  w.request.cpus = static_cast<std::uint32_t>(gpus * 8);
  w.request.totals.set(model::names::kCpu, gpus * 8);
  w.request.totals.set(model::names::kGresGpu, gpus);
  w.request.memory_per = model::MemoryPer::kNode;
  w.request.memory = mebibytes(static_cast<std::int64_t>(gpus) * 100 * 1024);
  w.request.gres_per_node = {{model::names::kGpu, Symbol(), static_cast<std::uint64_t>(gpus)}};
  return w;
}

inline void start(model::Workload& w, std::vector<model::NodeId> nodes, std::int64_t ago) {
  w.state = model::WorkloadState::kRunning;
  w.allocation.nodes = std::move(nodes);
  w.allocation.totals = w.request.totals;
  auto gpus = static_cast<std::int64_t>(model::gpu_count(w.request.totals));
  w.allocation.totals.set(model::names::kMemory,
                          static_cast<double>(mebibytes(gpus * 100 * 1024).value));
  w.start = before(ago);
  w.end = *w.start + Seconds{86'400};
}

inline void drain(model::Node& n, const char* why) {
  n.flags.set(model::NodeFlag::kDrain);
  n.reason = model::NodeReason{why, "root", before(7'200)};
}

inline model::SourceStatus source(const char* name, std::int64_t age) {
  model::SourceStatus s;
  s.name = name;
  s.state = model::SourceState::kFresh;
  s.last_success = s.last_attempt = before(age);
  return s;
}

inline model::SchedulerVitals vitals() {
  model::SchedulerVitals v;
  v.since = before(3'000);
  v.server_threads = 3;
  v.agent_queue = 0;
  v.dbd_queue = 12;
  v.main.last_microseconds = 850;
  v.main.mean_microseconds = 2'240;
  v.main.max_microseconds = 1'340'000;
  v.main.queue_length = 5;
  v.main.exits = {{"end_of_queue", 120}, {"timeout", 0}};
  v.backfill.last_when = before(14);
  v.backfill.last_microseconds = 35'200;
  v.backfill.mean_microseconds = 13'600;
  v.backfill.max_microseconds = 102'000;
  v.backfill.last_depth_try = 4;
  v.backfill.queue_length = 5;
  v.backfill.exits = {{"end_of_queue", 88}};
  v.rpc_by_type = {{"REQUEST_NODE_INFO", 400, 500, 200'000},
                   {"REQUEST_JOB_INFO", 100, 6'000, 600'000}};
  v.rpc_by_user = {{"root", 450, 1'000, 450'000}, {"alice", 50, 7'000, 350'000}};
  return v;
}

inline model::Queue queue(const char* name, std::uint32_t first, std::uint32_t last) {
  model::Queue q;
  q.name = Symbol(name);
  q.state = model::QueueState::kUp;
  for (auto i = first; i <= last; ++i) q.nodes.push_back({i});
  q.total_nodes = last - first + 1;
  q.default_cpus_per_gpu = 8;
  return q;
}

inline model::Snapshot sample_cluster() {
  setenv("TZ", "UTC", 1);
  tzset();
  model::Snapshot s;
  s.cluster = "sample";
  s.scheduler_version = "24.11.5";
  s.time = kNow;
  s.sources = {source("squeue", 3), source("scontrol show node", 3), source("sdiag", 605)};
  s.sources[2].state = model::SourceState::kFailed;
  s.sources[2].error = "sdiag: exit 1: Unable to contact slurm controller";
  constexpr std::array<std::uint64_t, 8> kUsed = {8, 6, 6, 4, 6, 6, 0, 2};
  for (std::size_t i = 0; i < kUsed.size(); ++i) {
    s.nodes.push_back(node(("node000" + std::to_string(i)).c_str(), "a100", 8, kUsed[i]));
  }
  s.nodes.push_back(node("hopper1", "h100", 4, 0));
  s.nodes.push_back(node("hopper2", "h100", 4, 2));
  drain(s.nodes[6], "ECC error on GPU 3");
  drain(s.nodes[7], "ECC error on GPU 3");
  s.nodes[3].cpus_allocated = 64;  // its four free GPUs have no CPUs left
  s.nodes[8].state = model::NodeState::kDown;
  s.nodes[8].flags.set(model::NodeFlag::kNotResponding);
  s.nodes[8].cpu_load.reset();
  s.nodes[8].memory_free.reset();
  s.nodes[9].gres[0].used_indexes = {1, 3};
  s.queues = {queue("train", 0, 9), queue("dev", 9, 9)};
  s.nodes[9].queues.push_back(Symbol("dev"));

  s.workloads = {
      job(101, "alice", "llm", 14),  job(102, "bob", "vision", 6),  job(103, "bob", "vision", 4),
      job(104, "carol", "llm", 12),  job(105, "carol", "llm", 2),   job(106, "dave", "speech", 2),
      job(201, "alice", "llm", 8),   job(202, "erin", "speech", 2), job(203, "bob", "vision", 4),
      job(204, "zoë", "vision", 32), job(90, "dave", "speech", 1)};
  auto& w = s.workloads;
  w[0].request.min_nodes = 2;
  std::swap(w[0].request.gres_per_node, w[0].request.gres_per_job);
  start(w[0], {{0}, {1}}, 11'000);
  start(w[1], {{2}}, 3'600);
  start(w[2], {{3}}, 3'500);
  start(w[3], {{4}, {5}}, 3'400);
  start(w[4], {{7}}, 3'300);
  start(w[5], {{9}}, 60);
  w[5].queues = {Symbol("dev")};
  w[0].allocation.per_node = {{{0},
                               64,
                               mebibytes(800 * 1024),
                               {{model::names::kGpu, Symbol("a100"), 8, 8, first_indexes(8), ""}},
                               {}},
                              {{1},
                               48,
                               mebibytes(600 * 1024),
                               {{model::names::kGpu, Symbol("a100"), 6, 6, first_indexes(6), ""}},
                               {}}};
  w[0].detailed = true;
  w[6].reason = Symbol("Resources");
  w[6].start = Timestamp{kNow.unix_seconds + 7'500};
  w[7].reason = Symbol("QOSMaxGRESPerUser");
  w[7].array = model::ArrayPlace{202, std::nullopt, "3-12", 10, 2};
  w[8].reason = Symbol("Priority");
  w[8].queues.push_back(Symbol("dev"));
  w[9].reason = Symbol("ReqNodeNotAvail");
  w[9].reason_text = "ReqNodeNotAvail, UnavailableNodes:node0006";
  w[9].name = "训练\x1b[31m";  // a name that would colour the terminal
  w[9].request.min_nodes = 4;
  w[9].request.gres_per_node[0].count = 8;
  w[9].eligible = before(100'000);
  w[9].submitted = before(100'000);
  w[10].state = model::WorkloadState::kCompleted;
  w[10].end = before(30);

  model::Reservation maintenance;
  maintenance.name = Symbol("firmware");
  maintenance.start = Timestamp{kNow.unix_seconds + 36'000};
  maintenance.end = Timestamp{kNow.unix_seconds + 43'200};
  maintenance.nodes = {{0}, {1}};
  maintenance.node_count = 2;
  maintenance.flags = {"MAINT"};
  maintenance.users = {Symbol("root")};
  s.reservations = {maintenance};
  s.vitals = vitals();
  s.build_index();
  return s;
}

inline std::vector<api::CauseGroup> sample_causes(const model::Snapshot& s) {
  using diagnose::RootCause;
  return api::group_by_cause(s, {{{6}, RootCause::kFragmentation},
                                 {{7}, RootCause::kLimit},
                                 {{8}, RootCause::kPriority},
                                 {{9}, RootCause::kUnhealthyNodes}});
}

}  // namespace schedlens::cli::test
