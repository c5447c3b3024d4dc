// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small Slurm cluster with something for most families.

#include <cstdint>
#include <string_view>

#include "model/snapshot.h"

namespace schedlens::metrics::test {

using model::LimitKind;
using model::NodeFlag;
using model::NodeState;
using model::Snapshot;
using model::Workload;
using model::WorkloadState;

inline constexpr std::int64_t kNow = 1'800'000'000;

inline model::Node node(std::string_view name, Symbol type, std::uint64_t used) {
  model::Node n;
  n.name = Symbol(name);
  n.state = used == 0 ? NodeState::kIdle : NodeState::kMixed;
  n.cpus = 64;
  n.cpus_allocated = static_cast<std::uint32_t>(used);
  n.memory = mebibytes(1000);
  n.memory_allocated = mebibytes(static_cast<std::int64_t>(used) * 10);
  n.gres = {{model::names::kGpu, type, 8, used, {}, ""}};
  n.version = "22.05.8";
  return n;
}

inline Workload job(std::uint32_t id, std::string_view user, std::string_view partition,
                    double gpus) {
  Workload w;
  w.job_id = id;
  w.user = Symbol(user);
  w.account = Symbol("llm");
  w.queues = {Symbol(partition)};
  w.state = WorkloadState::kPending;
  w.reason = Symbol("Resources");
  w.submitted = Timestamp{kNow - 4000};
  w.eligible = Timestamp{kNow - 3700};
  w.priority = 100;
  w.request.gres_per_node = {{model::names::kGpu, Symbol(), static_cast<std::uint64_t>(gpus)}};
  w.request.max_nodes = 1;
  w.request.totals.set(model::names::kGresGpu, gpus);
  return w;
}

inline void add_nodes(Snapshot& s) {
  Symbol a100("a100"), h100("h100");
  s.nodes = {node("n1", a100, 6), node("n2", a100, 0), node("n3", h100, 2), node("n4", h100, 0)};
  s.nodes[1].flags.set(NodeFlag::kDrain);
  s.nodes[1].reason = {"ECC error on GPU 3 \"xid 63\"", "root", Timestamp{kNow - 600}};
  s.nodes[3].state = NodeState::kDown;
  s.nodes[3].flags.set(NodeFlag::kNotResponding);
  for (auto [name, members] :
       std::initializer_list<std::pair<const char*, std::vector<model::NodeId>>>{
           {"train", {{0}, {1}}}, {"all", {{0}, {1}, {2}, {3}}}}) {
    model::Queue q;
    q.name = Symbol(name);
    q.state = model::QueueState::kUp;
    q.nodes = members;
    s.queues.push_back(q);
  }
}

inline void add_jobs(Snapshot& s) {
  auto running = job(1, "alice", "train", 6);
  running.state = WorkloadState::kRunning;
  running.start = Timestamp{kNow - 100};
  running.allocation.nodes = {{0}};
  running.allocation.totals.set(model::names::kGresGpu, 6);
  auto array = job(2, "bob", "train", 1);
  array.array = model::ArrayPlace{2, std::nullopt, "1-40", 40, 5};
  array.reason = Symbol("JobArrayTaskLimit");
  auto both = job(3, "alice", "train", 8);
  both.queues.emplace_back("all");
  both.reason = Symbol("ReqNodeNotAvail, UnavailableNodes:n[2,4]");
  auto failed = job(4, "bob", "all", 0);
  failed.state = WorkloadState::kFailed;
  s.workloads = {running, array, both, failed};
}

inline void add_the_rest(Snapshot& s) {
  model::Qos q;
  q.name = Symbol("normal");
  q.limits = {{LimitKind::kGrpTres, Symbol("gres/gpu"), 16, 6},
              {LimitKind::kMaxWallPerJob, Symbol(), 60, std::nullopt},
              {LimitKind::kGrpJobs, Symbol(), std::nullopt, 3}};
  q.users = {{Symbol("alice"), {{LimitKind::kMaxTresPerUser, Symbol("gres/gpu"), 8, 6}}}};
  s.qos = {q};
  model::Association a;
  a.account = Symbol("llm");
  a.user = Symbol("bob");
  a.limits = {{LimitKind::kMaxJobs, Symbol(), 4, 1}};
  s.associations = {a};
  model::Reservation r;
  r.name = Symbol("maint");
  r.start = Timestamp{kNow + 3600};
  r.end = Timestamp{kNow + 7200};
  r.node_count = 2;
  s.reservations = {r};
  model::Licence l;
  l.name = Symbol("matlab");
  l.total = 10;
  l.used = 4;
  s.licences = {l};
  model::SchedulerVitals v;
  v.time = Timestamp{kNow - 5};
  v.since = Timestamp{kNow - 3605};
  v.server_threads = 3;
  v.jobs_submitted = 263;
  v.main.last_microseconds = 931;
  v.main.total = 19;
  v.main.exits = {{"end_of_queue", 18}, {"rpc_limit", 1}};
  v.backfill.last_when = Timestamp{kNow - 35};
  v.rpc_by_type = {{"REQUEST_PING", 4, 1320, 5283}, {"REQUEST_JOB_INFO", 11, 3207, 35283}};
  v.rpc_by_user = {{"root", 224, 3827, 857394}};
  s.vitals = v;
  model::SourceStatus nodes, limits;
  nodes.name = "nodes";
  nodes.state = model::SourceState::kFresh;
  nodes.last_success = nodes.last_attempt = Timestamp{kNow - 12};
  nodes.records = 4;
  nodes.bytes = 4096;
  nodes.seconds = 0.25;
  nodes.reads = 7;
  limits.name = "limits";
  limits.state = model::SourceState::kStale;
  limits.last_success = Timestamp{kNow - 900};
  limits.last_attempt = Timestamp{kNow - 10};
  limits.error = "exit 1";
  limits.reads = 4;
  limits.failures = 2;
  s.sources = {nodes, limits};
}

inline Snapshot small() {
  Snapshot s;
  s.cluster = "lab";
  s.scheduler_version = "22.05.8";
  s.time = {kNow - 2};
  s.config.emplace();
  s.config->entries = {{"SelectTypeParameters", "CR_CORE_MEMORY"}};
  add_nodes(s);
  add_jobs(s);
  add_the_rest(s);
  s.build_index();
  return s;
}

}  // namespace schedlens::metrics::test
