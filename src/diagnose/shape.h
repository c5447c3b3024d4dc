// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a workload's request, within one queue, that node tests and placement read, in one
// normal form. Workloads of equal shape get equal answers.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// Devices of one name and type, as asked for in every form.
struct DeviceDemand {
  Symbol name;
  Symbol type;
  std::uint64_t per_node = 0;  // the least that a node must give
  std::uint64_t per_job = 0;   // in all nodes together; 0 where only the nodes' count matters
  std::uint64_t per_task = 0;  // where tasks may spread over nodes unevenly
};

enum class MemoryDemand : std::uint8_t { kNone, kPerNode, kPerCpu, kPerGpu, kWholeNode };

struct Shape {
  static constexpr std::uint32_t kAnyNumber = std::numeric_limits<std::uint32_t>::max();

  model::QueueId queue;
  std::uint32_t min_nodes = 1;
  std::uint32_t max_nodes = kAnyNumber;
  std::uint32_t cpus_per_node = 1;  // the least that a node must give
  std::uint32_t cpus_per_task = 1;
  std::uint32_t cpus = 1;   // in all nodes together
  std::uint32_t tasks = 0;  // in all nodes together; 0 when not known
  std::uint32_t sockets = 0, cores_per_socket = 0, threads_per_core = 0;  // 0: any
  MemoryDemand memory_per = MemoryDemand::kNone;
  Bytes memory;
  Bytes tmp_disk;
  std::vector<DeviceDemand> devices;
  std::uint32_t cpus_per_gpu = 0;
  bool whole_nodes = false;
  bool shares_cpus = false;  // with other jobs of its queue (OverSubscribe)
  bool one_user = false;     // nodes without other users' jobs
  std::uint32_t core_spec = 0;
  std::string features;
  Symbol user;  // only where nodes belong to users

  // Places in Snapshot::reservations: those whose nodes are closed to it for its run, and its own.
  std::vector<std::uint32_t> closed_by;
  std::optional<std::uint32_t> own_reservation;
  bool leaves_own_reservation = false;  // FLEX

  std::uint64_t gpus_per_node() const;
  // GPUs in all nodes together, as far as the request says.
  std::uint64_t gpus() const;
  // CPUs that a node gives along with the least number of devices.
  std::uint32_t cpus_on_node() const { return cpus_per_node; }
  Bytes memory_on_node() const;
  bool wants_gpus() const { return gpus() > 0; }

  // Equal exactly for equal shapes.
  std::string key() const;
};

// What reservations do to one workload.
struct ReservationView {
  std::vector<std::uint32_t> closed_by;
  std::optional<std::uint32_t> own;
  bool leaves_own = false;
};

Shape make_shape(const model::Snapshot& snapshot, const model::Workload& w, model::QueueId queue,
                 ReservationView reservations, bool nodes_have_owners);

// The workload's CPUs in the queue may be those of others: the queue forces it, or lets it and the
// workload asks for it. Such jobs and others do not run on the same node.
bool shares_cpus(const model::Queue& queue, const model::Workload& w);

// Memory is something the scheduler counts (SelectTypeParameters); absent when not known.
std::optional<bool> memory_is_counted(const model::Snapshot& snapshot);

}  // namespace schedlens::diagnose
