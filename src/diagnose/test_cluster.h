// SPDX-License-Identifier: Apache-2.0
#pragma once
// Builds small clusters for tests: eight equal nodes with 8 GPUs, 64 CPUs and 1000 GiB, in one
// partition "main", and whatever a test adds.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/explain.h"
#include "model/snapshot.h"

namespace schedlens::diagnose::testing {

constexpr std::int64_t kNow = 1'800'000'000;
constexpr Bytes gib(std::int64_t n) {
  return mebibytes(n * 1024);
}

struct Cluster {
  model::Snapshot s;

  explicit Cluster(int nodes = 8) {
    s.time = {kNow};
    s.config.emplace();
    set("AccountingStorageEnforce", "associations,limits,qos");
    set("SelectTypeParameters", "CR_CORE_MEMORY");
    set("SchedulerParameters", "bf_interval=30");
    for (int i = 0; i < nodes; ++i) add_node("n" + std::to_string(i));
    auto& queue = add_queue("main");
    for (int i = 0; i < nodes; ++i) queue.nodes.push_back({static_cast<std::uint32_t>(i)});
    queue.total_nodes = static_cast<std::uint32_t>(nodes);
  }

  void set(std::string key, std::string value) {
    for (auto& [k, v] : s.config->entries) {
      if (k == key) {
        v = value;
        return;
      }
    }
    s.config->entries.emplace_back(key, value);
  }

  model::Node& add_node(const std::string& name) {
    model::Node node;
    node.name = Symbol(name);
    node.state = model::NodeState::kIdle;
    node.cpus = 64;
    node.sockets = 2;
    node.cores_per_socket = 32;
    node.threads_per_core = 1;
    node.memory = gib(1000);
    node.gres.push_back({Symbol("gpu"), Symbol("a100"), 8, 0, {}, ""});
    node.features = {Symbol("a100"), Symbol("ib")};
    s.nodes.push_back(node);
    return s.nodes.back();
  }
  model::Queue& add_queue(const std::string& name, std::vector<int> nodes = {}) {
    model::Queue queue;
    queue.name = Symbol(name);
    queue.state = model::QueueState::kUp;
    queue.max_nodes = Bound<std::uint32_t>::unlimited();
    queue.max_time = Bound<Seconds>::unlimited();
    for (int n : nodes) queue.nodes.push_back({static_cast<std::uint32_t>(n)});
    s.queues.push_back(queue);
    return s.queues.back();
  }

  model::Node& node(int i) { return s.nodes[static_cast<std::size_t>(i)]; }
  model::Queue& queue(int i = 0) { return s.queues[static_cast<std::size_t>(i)]; }

  // A running job on some nodes, taking the same of each.
  model::Workload& run(std::string user, std::vector<int> on, std::uint32_t cpus, int gpus = 0,
                       Bytes memory = gib(1)) {
    auto w = base(user);
    w.state = model::WorkloadState::kRunning;
    w.start = Timestamp{kNow - 600};
    w.end = Timestamp{kNow + 3000};
    for (int i : on) {
      auto& n = node(i);
      w.allocation.nodes.push_back({static_cast<std::uint32_t>(i)});
      n.cpus_allocated += cpus;
      n.memory_allocated += memory;
      n.state =
          n.cpus_allocated >= n.cpus ? model::NodeState::kAllocated : model::NodeState::kMixed;
      if (gpus > 0) *n.gres.front().used += static_cast<std::uint64_t>(gpus);
    }
    auto count = static_cast<double>(on.size());
    auto& totals = w.allocation.totals;
    totals.set(model::names::kCpu, cpus * count);
    totals.set(model::names::kMemory, static_cast<double>(memory.value) * count);
    totals.set(model::names::kNode, count);
    if (gpus > 0) {
      totals.set(model::names::kGresGpu, gpus * count);
      totals.set(Symbol("gres/gpu:a100"), gpus * count);
    }
    s.workloads.push_back(w);
    return s.workloads.back();
  }

  // A waiting job for one node, one CPU and 1 GiB; change what it returns.
  model::Workload& wait(std::string user = "alice", int gpus = 0) {
    auto w = base(user);
    w.state = model::WorkloadState::kPending;
    w.reason = Symbol("Resources");
    w.request.max_nodes = 1;
    w.request.tasks = 1;
    w.request.cpus_per_task = 1;
    w.request.memory_per = model::MemoryPer::kNode;
    w.request.memory = gib(1);
    w.request.excluded_nodes.emplace();
    if (gpus > 0) {
      w.request.gres_per_node.push_back(
          {Symbol("gpu"), Symbol(), static_cast<std::uint64_t>(gpus)});
    }
    s.workloads.push_back(w);
    return s.workloads.back();
  }

  void drain(int i, std::string why = "transient ECC error") {
    node(i).flags.set(model::NodeFlag::kDrain);
    node(i).reason = model::NodeReason{why, "root", Timestamp{kNow - 3600}};
  }
  model::Reservation& reserve(std::string name, std::vector<int> nodes, std::int64_t from,
                              std::int64_t until) {
    model::Reservation r;
    r.name = Symbol(name);
    r.start = Timestamp{kNow + from};
    r.end = Timestamp{kNow + until};
    r.active = from <= 0;
    for (int n : nodes) r.nodes.push_back({static_cast<std::uint32_t>(n)});
    s.reservations.push_back(r);
    return s.reservations.back();
  }

  model::Qos& qos(const std::string& name) {
    for (auto& q : s.qos) {
      if (q.name.view() == name) return q;
    }
    model::Qos q;
    q.name = Symbol(name);
    q.flags.emplace();
    s.qos.push_back(q);
    return s.qos.back();
  }
  model::Association& association(const std::string& account, const std::string& user = "") {
    model::Association a;
    a.id = static_cast<std::uint32_t>(s.associations.size() + 1);
    a.account = Symbol(account);
    a.user = Symbol(user);
    s.associations.push_back(a);
    return s.associations.back();
  }

  // The verdict on the last workload added (or on another).
  Verdict why(std::size_t index) {
    s.build_index();
    return Explainer(s).explain({static_cast<std::uint32_t>(index)});
  }
  Verdict why() { return why(s.workloads.size() - 1); }

 private:
  model::Workload base(const std::string& user) {
    model::Workload w;
    w.job_id = next_++;
    w.user = Symbol(user);
    w.account = Symbol("llm");
    w.qos = Symbol("normal");
    w.queues = {s.queues.front().name};
    w.priority = 10000 - w.job_id;
    w.submitted = w.eligible = Timestamp{kNow - 600};
    w.time_limit = Bound<Seconds>::of({3600});
    return w;
  }
  std::uint32_t next_ = 1;
};

inline model::Limit limit(model::LimitKind kind, std::string_view resource,
                          std::optional<double> bound, std::optional<double> used = {}) {
  return {kind, Symbol(resource), bound, used};
}

// The named constraint, or an empty one.
inline Constraint constraint(const Verdict& v, std::string_view name) {
  for (const auto& c : v.constraints) {
    if (c.name == name) return c;
  }
  return {};
}

// One of the sentences contains the text.
inline bool says(const std::vector<std::string>& sentences, std::string_view text) {
  for (const auto& s : sentences) {
    if (s.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace schedlens::diagnose::testing
