// SPDX-License-Identifier: Apache-2.0
#pragma once
// Waiting GPU workloads as shapes: what one of them takes of one node, and which nodes it may use.
// Part of fragmentation().

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/symbol.h"
#include "model/snapshot.h"

namespace schedlens::diagnose::fitting {

// What jobs can still get on one node.
struct Room {
  bool open = false;      // in service, with GPUs, and nobody has it to himself
  bool reserved = false;  // by a reservation that is active now
  bool idle = false;      // nothing is allocated on it
  std::uint32_t threads = 1;
  std::int64_t cpus = 0;
  std::int64_t memory = 0;
  bool memory_untouched = false;
  std::vector<std::int64_t> gpus;  // by place in Rooms::types
  std::int64_t gpu_sum = 0;
  std::vector<std::int64_t> extra;  // by place in Rooms::extras
};

struct Rooms {
  std::vector<Symbol> types;   // GPU types of the cluster; the empty one for untyped GPUs
  std::vector<Room> nodes;     // by NodeId
  bool memory_counts = true;   // the scheduler hands out memory
  std::int64_t cpu_parts = 1;  // how many of the units in which CPUs are counted make one CPU
  // What Kubernetes counts beside CPUs and memory: "pods" first, then every further resource that
  // waiting GPU pods ask for, GPUs among them by their own names. Empty with Slurm.
  std::vector<Symbol> extras;
};

inline constexpr std::size_t kAnyType = std::numeric_limits<std::size_t>::max();

struct TypedGpus {
  std::size_t type = kAnyType;  // place in Rooms::types, or past its end for a type nobody has
  std::int64_t count = 0;
  friend bool operator==(const TypedGpus&, const TypedGpus&) = default;
};

// What one job takes of one node; of a job whose GPUs may be spread at will, what it takes in all.
struct Share {
  std::vector<TypedGpus> gpus;
  std::int64_t gpu_sum = 0;
  std::int64_t cpus = 1;
  std::int64_t memory = 0;
  std::int64_t fixed_memory = 0;  // on each node, however many GPUs it gives
  bool whole_memory = false;
  bool whole_node = false;
  bool once_per_node = false;
  std::vector<std::pair<std::size_t, std::int64_t>> extra;  // place in Rooms::extras, amount
  friend bool operator==(const Share&, const Share&) = default;
};

// How often a room holds the share. CPUs are given in whole cores.
std::int64_t places(const Room& room, const Share& share);
void take(Room& room, const Share& share);
// The part of a spread job's share that goes with some of its GPUs.
Share part(const Share& whole, std::int64_t gpus);

// Nodes that a shape may use, with what is free on them in sum.
struct Pool {
  std::vector<bool> member;                                     // by NodeId
  std::vector<std::pair<std::uint32_t, std::int64_t>> classes;  // a room, and how many equal it
  std::int64_t gpus = 0, cpus = 0, memory = 0;
  std::vector<std::int64_t> extra;
};

struct Shape {
  Share share;
  std::uint32_t nodes = 1;
  bool spread = false;  // over any number of nodes from nodes to max_nodes (0: any number)
  std::uint32_t max_nodes = 0;
  std::vector<std::uint32_t> pools;  // alternatives: a job stays within one
  std::vector<model::NodeId> required;
  std::string text, queue;
  std::uint64_t gpus = 0;     // of one workload
  std::uint64_t waiting = 0;  // workloads, array tasks each
};

class PodWishes;

// Finds the shape of a workload; equal requests get the same one. Both arguments must outlive it.
class ShapeBook {
 public:
  // pods: null but for Kubernetes.
  ShapeBook(const model::Snapshot& snapshot, const Rooms& rooms, PodWishes* pods);

  std::uint32_t shape_of(model::WorkloadId id);  // place in shapes

  std::vector<Shape> shapes;
  std::vector<Pool> pools;
  std::set<std::string> unread_features;  // expressions that are not evaluated

 private:
  void classify_rooms();
  std::size_t horizon(const model::Workload& w) const;
  std::uint32_t pod_shape(model::WorkloadId id);
  Shape make_shape(const model::Workload& w);
  void add_gpus(Share& share, const std::vector<model::GresCount>& list, std::int64_t times) const;
  void fill_gpus(const model::Workload& w, Shape& shape) const;
  void fill_memory(const model::Workload& w, Shape& shape) const;
  std::string describe(const Shape& shape, const model::Workload& w) const;
  void add_pools(const model::Workload& w, Shape& shape);
  Pool make_pool(const model::Workload& w, const std::vector<Symbol>& queues);
  Pool sum_up(std::vector<bool> member) const;

  const model::Snapshot& s_;
  const Rooms& rooms_;
  PodWishes* pods_;
  std::vector<std::uint32_t> class_of_;            // by NodeId
  std::vector<std::uint32_t> class_room_;          // a node of each class
  std::vector<const model::Reservation*> future_;  // by start
  std::unordered_map<std::string, std::uint32_t> shape_by_key_, pool_by_key_;
};

}  // namespace schedlens::diagnose::fitting
