// SPDX-License-Identifier: Apache-2.0
#pragma once
// Something that waits for resources or holds them: a Slurm job, an array's waiting tasks, one
// component of a heterogeneous job; a pod.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/ids.h"
#include "model/node.h"
#include "model/resources.h"
#include "model/shared.h"

namespace schedlens::model {

struct Pod;  // model/pod.h
using PodPtr = std::shared_ptr<const Pod>;

enum class WorkloadState : std::uint8_t {
  kUnknown,
  kPending,
  kRunning,
  kSuspended,
  kCompleted,
  kCancelled,
  kFailed,
  kTimeout,
  kNodeFail,
  kPreempted,
  kBootFail,
  kDeadline,
  kOutOfMemory
};

// Conditions beside the base state. Where the source prints only one word, a flag hides the base
// state, which is then kUnknown, except where the flag implies it (kConfiguring: running).
enum class WorkloadFlag : std::uint8_t {
  kCompleting,
  kConfiguring,
  kRequeued,
  kRequeueHold,
  kSpecialExit,
  kResizing,
  kStopped,
  kRevoked,
  kRequeueFederation,
  kReservationDeletedHold,
  kSignaling,
  kStageOut,
  kLaunchFailed,
  kReconfigFail,
  kPowerUpNode,
  kUpdateDb,
  kExpediting,
  kCount
};

// What a memory figure is asked for.
enum class MemoryPer : std::uint8_t { kUnspecified, kNode, kCpu, kGpu };

// May other jobs use the same nodes.
enum class Sharing : std::uint8_t {
  kUnspecified,
  kShareable,  // other jobs may use the rest of the node
  kWholeNode,  // --exclusive
  kUser,       // only the same user's jobs
  kMcs,        // only jobs of the same label
  kOversubscribe
};

// What the workload asks for, in the form it asked. Absent means not asked, not zero.
struct Request {
  std::uint32_t min_nodes = 1;
  std::optional<std::uint32_t> max_nodes;
  std::uint32_t cpus = 1;  // in all
  std::optional<std::uint32_t> tasks;
  std::optional<std::uint32_t> cpus_per_task;
  std::optional<std::uint32_t> tasks_per_node;
  std::optional<std::uint32_t> min_cpus_per_node;
  std::optional<std::uint32_t> sockets_per_node;
  std::optional<std::uint32_t> cores_per_socket;
  std::optional<std::uint32_t> threads_per_core;

  MemoryPer memory_per = MemoryPer::kUnspecified;
  Bytes memory;  // for one memory_per; 0 with kNode means the whole node's memory
  Bytes tmp_disk;

  std::vector<GresCount> gres_per_job;     // --gpus
  std::vector<GresCount> gres_per_node;    // --gres, --gpus-per-node
  std::vector<GresCount> gres_per_socket;  // --gpus-per-socket
  std::vector<GresCount> gres_per_task;    // --gpus-per-task
  std::optional<std::uint32_t> cpus_per_gpu;
  std::optional<Bytes> memory_per_gpu;

  Sharing sharing = Sharing::kUnspecified;
  bool contiguous = false;
  std::optional<std::uint32_t> core_spec;
  std::string features;  // the constraint expression as written: "a100&ib", "[rackA|rackB]"
  std::vector<NodeId> required_nodes;
  // Absent when the source did not deliver the exclusions of this workload.
  std::optional<std::vector<NodeId>> excluded_nodes;
  std::vector<GresCount> licences;
  bool any_licence = false;  // one of them is enough
  // The scheduler's own sum of the above, in all nodes together.
  ResourceCounts totals;
};

// What one workload holds on one node. cpu_ids and device indexes only after a detailed read.
struct NodeAllocation {
  NodeId node;
  std::optional<std::uint32_t> cpus;
  std::optional<Bytes> memory;
  std::vector<GresPool> gres;  // total = held; used_indexes = which
  std::vector<std::uint32_t> cpu_ids;
};

struct Allocation {
  std::vector<NodeId> nodes;
  // In all nodes together.
  ResourceCounts totals;
  // One entry per node after a detailed read; empty otherwise.
  std::vector<NodeAllocation> per_node;
};

// The array a workload belongs to. A record may stand for many waiting tasks.
struct ArrayPlace {
  std::uint32_t job_id = 0;
  std::optional<std::uint32_t> task_id;      // a single task
  std::string waiting_tasks;                 // "1-40,50" when the record stands for several
  std::uint32_t waiting_count = 0;           // how many tasks that is
  std::optional<std::uint32_t> max_running;  // the %N throttle
};

struct HetPlace {
  std::uint32_t job_id = 0;
  std::uint32_t offset = 0;
};

// The parts of the priority number, where a multifactor plugin computes one.
struct PriorityFactors {
  double age = 0, association = 0, fair_share = 0, job_size = 0, queue = 0, qos = 0, site = 0;
  double nice = 0;
  double tres = 0;
};

struct Exit {
  int code = 0;
  int signal = 0;
};

struct Workload {
  std::uint32_t job_id = 0;
  SharedOptional<ArrayPlace> array;
  SharedOptional<HetPlace> het;
  std::string name;
  Symbol user;
  Symbol account;
  Symbol qos;
  std::vector<Symbol> queues;  // partitions, in the order asked

  WorkloadState state = WorkloadState::kUnknown;
  Flags<WorkloadFlag> flags;
  std::string unknown_state;  // a state word this version does not know

  // The scheduler's reason as a token ("Resources") and, where it says more, the whole text.
  Symbol reason;
  std::string reason_text;

  // 0 is how Slurm says "held".
  std::optional<std::uint64_t> priority;
  SharedOptional<PriorityFactors> factors;
  std::int64_t nice = 0;

  std::optional<Timestamp> submitted;
  // When it could first have started as far as the scheduler is concerned; in the future for a
  // begin time.
  std::optional<Timestamp> eligible;
  std::optional<Timestamp> accrue_start;
  // Pending: the scheduler's forecast. Otherwise when it started.
  std::optional<Timestamp> start;
  std::optional<Timestamp> end;
  std::optional<Timestamp> deadline;
  std::optional<Timestamp> last_evaluated;
  std::optional<Timestamp> preempted;
  Bound<Seconds> time_limit;
  std::optional<Seconds> time_min;

  Request request;
  Allocation allocation;
  std::vector<NodeId> planned_nodes;  // where the backfill scheduler would put it

  std::string dependency;  // as the scheduler writes it: "afterok:12(unfulfilled)"
  Symbol reservation;
  std::uint32_t restarts = 0;
  std::optional<Exit> exit;
  std::string comment;
  // Read by a detailed query, so that per-node allocations and exclusions are known.
  bool detailed = false;
  // Only of a pod. Its namespace is the account, its name the name; it has no job id and no user.
  PodPtr pod;
};

// "77", "77_3", "77_[1-40]", "88+1", "namespace/pod": how the scheduler's own tools name it.
std::string display_id(const Workload& w);

// Workloads the record stands for: the waiting tasks of an array, otherwise 1.
std::uint32_t task_count(const Workload& w);

bool is_pending(const Workload& w);
// Holds resources: running, suspended, configuring or completing.
bool holds_resources(const Workload& w);
bool is_finished(const Workload& w);

// GPUs asked for by one task of the workload, in all its nodes.
std::uint64_t gpus_requested(const Workload& w);
std::uint64_t gpus_held(const Workload& w);

// When the scheduler expects a waiting workload to start. Absent where it made no plan: Slurm then
// gives the begin time that was asked for as the start, which says nothing.
std::optional<Timestamp> forecast(const Workload& w);

// Start (or now, while pending) minus eligible; absent when eligible is unknown or in the future.
std::optional<Seconds> waited(const Workload& w, Timestamp now);

std::string_view state_name(WorkloadState state);  // "PENDING"
std::string_view flag_name(WorkloadFlag flag);     // "COMPLETING"
// "RUNNING", "COMPLETING", or the unknown word.
std::string full_state(const Workload& w);

}  // namespace schedlens::model
