// SPDX-License-Identifier: Apache-2.0
#pragma once
// A machine that runs workloads.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/resources.h"

namespace schedlens::model {

struct NodeObject;  // model/node_object.h
using NodeObjectPtr = std::shared_ptr<const NodeObject>;

// The base state; what else is true of the node is in its flags.
enum class NodeState : std::uint8_t { kUnknown, kDown, kIdle, kAllocated, kMixed, kError, kFuture };

// Conditions beside the base state, any number at once. The names are Slurm's (slurm.h).
enum class NodeFlag : std::uint8_t {
  kExternal,
  kReserved,
  kCloud,
  kResume,
  kDrain,
  kCompleting,
  kNotResponding,
  kPoweredDown,
  kFail,
  kPoweringUp,
  kMaintenance,
  kRebootRequested,
  kRebootIssued,
  kRebootCanceled,
  kPoweringDown,
  kPowerDown,
  kPowerUp,
  kPowerDrain,
  kDynamicFuture,
  kDynamicNormal,
  kPlanned,
  kInvalidRegistration,
  kBlocked,
  kUndrain,
  kCount
};

// A set of flags of one enum whose last member is kCount.
template <class Flag>
struct Flags {
  std::uint64_t bits = 0;

  bool has(Flag f) const { return bits >> static_cast<unsigned>(f) & 1; }
  void set(Flag f) { bits |= std::uint64_t{1} << static_cast<unsigned>(f); }
  void clear(Flag f) { bits &= ~(std::uint64_t{1} << static_cast<unsigned>(f)); }
  bool any() const { return bits != 0; }
  friend bool operator==(Flags, Flags) = default;
};

// Why an operator or the scheduler took the node out of service.
struct NodeReason {
  std::string text;
  std::string author;
  std::optional<Timestamp> since;
  friend bool operator==(const NodeReason&, const NodeReason&) = default;
};

struct Node {
  Symbol name;
  NodeState state = NodeState::kUnknown;
  Flags<NodeFlag> flags;
  // State words that this version does not know, kept so that nothing is lost.
  std::vector<std::string> unknown_states;
  std::optional<NodeReason> reason;

  std::uint32_t cpus = 0;
  std::uint32_t cpus_allocated = 0;
  // CPUs a job can get: all of them less the ones set aside for the system.
  std::optional<std::uint32_t> cpus_effective;
  std::uint32_t sockets = 0;
  std::uint32_t cores_per_socket = 0;
  std::uint32_t threads_per_core = 0;
  // Configured memory, less the memory set aside for the system in memory_reserved.
  Bytes memory;
  Bytes memory_reserved;
  // By allocation, not by use.
  Bytes memory_allocated;
  // By use, from the operating system; absent when the node has not reported.
  std::optional<Bytes> memory_free;
  std::optional<double> cpu_load;
  Bytes tmp_disk;
  std::vector<GresPool> gres;

  // Features usable now and, where they differ, those that could be made available.
  std::vector<Symbol> features;
  std::vector<Symbol> features_available;
  std::vector<Symbol> queues;
  std::uint32_t weight = 1;
  Symbol owner;      // the one user a node is given to, if any
  Symbol mcs_label;  // multi-category security label, if any
  std::optional<Timestamp> boot_time;
  std::optional<Timestamp> last_busy;
  std::string version;
  std::string address;
  std::string comment;
  NodeObjectPtr object;  // only of a Kubernetes node
};

// GPUs on the node by any type.
std::uint64_t gpus_total(const Node& node);
// Absent when the scheduler did not say how many are in use.
std::optional<std::uint64_t> gpus_used(const Node& node);

// Of the GPUs of which shares are in use ("shard", "mps"), those that the node's GPUs count as
// used.
std::uint64_t shared_gpus_counted(const Node& node, const GresPool& shares);

// The node accepts new work: not down, drained, failing, unresponsive or on its way to being
// powered down. Busy, planned and reserved nodes are in service; so are nodes that are powered down
// or powering up, which the scheduler starts for jobs, and busy ones that it will power down once
// they are idle.
bool in_service(const Node& node);

// The one word operators use, by Slurm's own order of precedence (node_state_string): "drained",
// "down", "maint", "planned", "mixed", "idle", ... Lower case, without a suffix.
std::string display_state(const Node& node);

// The buckets of counts: every node is in exactly one, so their sum is the number of nodes.
enum class NodeBucket : std::uint8_t {
  kIdle,
  kMixed,
  kAllocated,
  kPlanned,
  kReserved,
  kCompleting,
  kMaintenance,
  kDraining,
  kDrained,
  kDown,
  kFail,
  kNotResponding,
  kInvalid,
  kPoweredDown,
  kPoweringUp,
  kPoweringDown,
  kRebooting,
  kBlocked,
  kFuture,
  kUnknown,
  kCount
};
NodeBucket bucket(const Node& node);
std::string_view bucket_name(NodeBucket bucket);

std::string_view state_name(NodeState state);  // "IDLE"
std::string_view flag_name(NodeFlag flag);     // "DRAIN"
// "MIXED+DRAIN+PLANNED"
std::string full_state(const Node& node);

}  // namespace schedlens::model
