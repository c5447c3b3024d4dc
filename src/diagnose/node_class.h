// SPDX-License-Identifier: Apache-2.0
#pragma once
// What node tests read of a node, and nodes grouped by it: two nodes of one class answer every
// request alike, so a request is tested once per class.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct Devices {
  Symbol name;
  Symbol type;
  std::uint64_t total = 0;
  std::uint64_t used = 0;
  bool use_known = true;  // when not, all of them count as used
  // Shares of a GPU (shard, mps): so many to one. A job has all its shares of one GPU, and a GPU is
  // given whole or in shares. 0 for other devices.
  std::uint64_t per_gpu = 0;
};

// The CPUs of one node as the jobs of one queue use them that lets jobs share CPUs: row by row,
// each CPU once in a row. Which CPUs a job has is not read, so jobs are taken to fill the first row
// that has as many left, as the scheduler fills them.
struct CpuRows {
  model::QueueId queue;
  std::vector<std::uint32_t> used;  // by row
  std::uint32_t others = 0;         // CPUs of jobs of other queues

  void add(std::uint32_t cpus, std::uint32_t all);
  // The most that one row has left.
  std::uint32_t open(std::uint32_t all) const;
  friend bool operator==(const CpuRows&, const CpuRows&) = default;
};

struct NodeView {
  // Slurm's word for what takes the node out of service ("drain", "down"); empty in service.
  std::string out_of_service;
  bool completing = false;
  bool powering_down = false;  // healthy: the scheduler can start it again once it is off
  bool held_whole = false;     // a job that shares its nodes with nobody runs here

  std::uint32_t cpus = 0;  // those a job can get
  std::uint32_t cpus_used = 0;
  std::uint32_t sockets = 0, cores_per_socket = 0, threads_per_core = 1;
  Bytes memory;  // what a job can get
  Bytes memory_used;
  Bytes tmp_disk;
  std::vector<Devices> devices;
  std::vector<Symbol> features;             // sorted
  std::vector<model::QueueId> queues;       // ascending
  std::vector<std::uint32_t> reservations;  // that hold it, places in Snapshot::reservations
  Symbol owner;
  // Whose jobs run here, where somebody may ask for nodes of one user only.
  Symbol one_user;
  bool several_users = false;
  // CPUs in use by the jobs of each queue that bounds them per node.
  std::vector<std::pair<model::QueueId, std::uint32_t>> queue_cpus;

  std::vector<CpuRows> rows;  // of queues that let jobs share CPUs and have jobs here
  bool unshared = false;      // a job runs here that shares its CPUs with nobody

  std::uint32_t cpus_free() const { return cpus > cpus_used ? cpus - cpus_used : 0; }
  Bytes memory_free() const { return {std::max<std::int64_t>(0, (memory - memory_used).value)}; }
  // Devices of a name, and of a type unless that is empty. Of shares, those of one GPU.
  std::uint64_t devices_total(Symbol name, Symbol type) const;
  std::uint64_t devices_free(Symbol name, Symbol type) const;
  bool in_queue(model::QueueId queue) const;
};

// Reads NodeViews out of a Snapshot, which must outlive it.
class NodeViews {
 public:
  explicit NodeViews(const model::Snapshot& snapshot);
  NodeView view(model::NodeId id) const;

 private:
  void index_reservations();
  void index_use();
  void add_rows(model::NodeId id, NodeView& v) const;

  const model::Snapshot& snapshot_;
  bool users_matter_ = false;
  std::vector<std::vector<model::QueueId>> queues_;
  std::vector<std::vector<std::uint32_t>> reservations_;
  std::vector<std::vector<std::pair<model::QueueId, std::uint32_t>>> queue_cpus_;
  bool cpus_shared_ = false;  // in some queue
};

struct NodeClass {
  NodeView view;
  std::vector<model::NodeId> members;  // ascending
};

struct NodeClasses {
  std::vector<NodeClass> classes;
  std::vector<std::uint32_t> of_node;  // place in classes, by NodeId

  explicit NodeClasses(const model::Snapshot& snapshot);
};

// A running workload that leaves no part of its nodes to others.
bool shares_with_nobody(const model::Snapshot& snapshot, const model::Workload& w);

// Slurm's word for what takes a node out of service; empty when it is in service.
std::string out_of_service(const model::Node& node);

}  // namespace schedlens::diagnose
