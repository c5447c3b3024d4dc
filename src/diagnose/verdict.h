// SPDX-License-Identifier: Apache-2.0
#pragma once
// The answer to "why does this workload not run?".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "diagnose/device_row.h"
#include "diagnose/pod_room.h"
#include "diagnose/remedy.h"
#include "diagnose/scheduler_count.h"
#include "diagnose/start_forecast.h"
#include "model/ids.h"
#include "model/limit.h"

namespace schedlens::diagnose {

// What alone would have to change for the workload to start; one vocabulary for all schedulers.
enum class RootCause : std::uint8_t {
  kNone,  // it is not waiting
  kHold,
  kDependency,
  kBeginTime,
  kGang,
  kLimit,
  kLicence,
  kVolume,
  kReservation,
  kConstraint,
  kUnhealthyNodes,
  kFragmentation,
  kCapacity,
  kPriority,
  kNotConsidered,
  kImpossible,
  kUnknown,  // what was read does not explain it
  kCount
};
std::string_view cause_name(RootCause cause);  // "unhealthy_nodes"

// One test that nodes must pass, under the scheduler's own name for it.
struct Constraint {
  std::string name;    // "partition", "features", "gres/gpu", "memory", "cpus", "drain", ...
  std::string detail;  // what is asked: "8 gpu on one node", "a100&ib"
  std::vector<model::NodeId> ruled_out;
  std::vector<model::NodeId> only;  // ruled out by this test and by no other
};

// Somebody's share of a limit.
struct LimitUse {
  std::string holder;  // a user or a job
  double amount = 0;
};

// A limit that the workload meets, with the use that fills it.
struct ReachedLimit {
  std::string holder;  // "QOS high", "user alice in QOS high", "account llm", "partition dev"
  std::string name;    // "GrpTRES", "MaxTime"
  Symbol resource;     // "gres/gpu", empty where it counts jobs or time
  std::string unit;    // "", "bytes", "minutes", "jobs"
  double limit = 0;
  std::optional<double> used;
  double requested = 0;                // infinite where time without end is asked for
  bool request_alone_exceeds = false;  // waiting does not help
  std::vector<LimitUse> filled_by;     // largest first
};

// A reservation whose nodes or time stand in the way.
struct BlockingReservation {
  Symbol name;
  std::optional<Timestamp> start, end;
  std::vector<model::NodeId> nodes;
  std::string effect;  // "4 nodes are set aside from 14:00 and the job may run until 15:10"
};

struct UnhealthyNode {
  model::NodeId node;
  std::string state;       // "drained"
  std::string reason;      // as somebody wrote it
  bool would_fit = false;  // in service it would hold the workload's share now
};

// GPUs as the workload sees them on the nodes it is allowed to use.
struct GpuView {
  std::uint64_t requested_per_node = 0;
  std::uint64_t requested = 0;
  std::uint64_t free = 0;              // not allocated, on nodes in service
  std::uint64_t free_allocatable = 0;  // of those, with the CPUs and memory this workload needs
  std::uint64_t stranded = 0;          // free but blocked by another resource
  std::uint64_t largest_hole = 0;      // most allocatable on one node
  std::uint64_t out_of_service = 0;    // on drained, down or failing nodes
};

struct Fit {
  bool fits_now = false;
  std::vector<model::NodeId> nodes;  // where, when it fits
  std::uint32_t nodes_passing = 0;   // nodes that pass every test now
  std::uint32_t nodes_needed = 1;
};

struct Verdict {
  model::WorkloadId workload;
  RootCause cause = RootCause::kUnknown;
  std::string summary;               // one sentence with the numbers that matter
  std::vector<std::string> details;  // further facts, a sentence each
  std::vector<std::string> unsure;   // what was not known or not modelled, a sentence each

  std::string scheduler_reason;   // as the scheduler says it
  std::string reason_difference;  // why ours differs from it, empty where it does not
  // Of a pod: nodes counted as kube-scheduler counts them, under the first test that they fail;
  // what it said itself; and how that differs from these counts, empty where it does not.
  std::vector<SchedulerCount> as_scheduler;
  std::string scheduler_message;
  std::string message_difference;

  // Of a pod: what made it and what it belongs to, outwards, by kind and name.
  std::vector<std::pair<Symbol, std::string>> owners;
  std::vector<Constraint> constraints;
  std::vector<ReachedLimit> limits;
  std::vector<BlockingReservation> reservations;
  std::vector<UnhealthyNode> unhealthy_nodes;
  // The setting that keeps every scheduler from coming to it ("bf_max_job_test"); empty if none.
  std::string depth_limit;
  std::vector<model::WorkloadId> ahead;  // would be served first from the same nodes, in order
  GpuView gpus;
  std::vector<DeviceRow> devices;  // of a pod with ResourceClaims that have no devices yet
  Fit fit;
  // Of a pod that fits nowhere: whom the scheduler would preempt for it, and the fewest others
  // whose end would let it start. Absent where that is nobody, or where others are not in the way.
  std::optional<PodPreemption> preemption;
  std::optional<PodHole> hole;
  // What would let it start, the first to be tried first; remedies.h fills them.
  std::vector<Remedy> remedies;
  // When it starts by itself; start_forecast.h makes it. Absent where nobody asked.
  std::optional<StartForecast> forecast;
};

}  // namespace schedlens::diagnose
