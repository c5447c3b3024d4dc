// SPDX-License-Identifier: Apache-2.0
#include "model/node.h"

#include <algorithm>
#include <array>

namespace schedlens::model {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(NodeBucket::kCount)> kBucketNames =
    {"idle",          "mixed",   "allocated", "planned",      "reserved",
     "completing",    "maint",   "draining",  "drained",      "down",
     "fail",          "no_resp", "invalid",   "powered_down", "powering_up",
     "powering_down", "reboot",  "blocked",   "future",       "unknown"};

constexpr std::array<std::string_view, static_cast<std::size_t>(NodeFlag::kCount)> kFlagNames = {
    "EXTERNAL",      "RESERVED",        "CLOUD",          "RESUME",
    "DRAIN",         "COMPLETING",      "NOT_RESPONDING", "POWERED_DOWN",
    "FAIL",          "POWERING_UP",     "MAINTENANCE",    "REBOOT_REQUESTED",
    "REBOOT_ISSUED", "REBOOT_CANCELED", "POWERING_DOWN",  "POWER_DOWN",
    "POWER_UP",      "POWER_DRAIN",     "DYNAMIC_FUTURE", "DYNAMIC_NORM",
    "PLANNED",       "INVALID_REG",     "BLOCKED",        "UNDRAIN"};

bool busy(const Node& node) {
  return node.state == NodeState::kAllocated || node.state == NodeState::kMixed ||
         node.flags.has(NodeFlag::kCompleting);
}

// A node that is being started does not answer, and has jobs placed on it all the same.
bool answers(const Node& node) {
  const auto& f = node.flags;
  return !f.has(NodeFlag::kNotResponding) || f.has(NodeFlag::kPoweringUp);
}

// An idle or busy node that no condition takes out of its base state.
NodeBucket working_bucket(const Node& node) {
  const auto& f = node.flags;
  if (node.state == NodeState::kAllocated) return NodeBucket::kAllocated;
  if (f.has(NodeFlag::kCompleting)) {
    return node.state == NodeState::kMixed ? NodeBucket::kMixed : NodeBucket::kCompleting;
  }
  if (node.state == NodeState::kMixed) return NodeBucket::kMixed;
  if (f.has(NodeFlag::kReserved)) return NodeBucket::kReserved;
  if (f.has(NodeFlag::kBlocked)) return NodeBucket::kBlocked;
  if (f.has(NodeFlag::kPlanned)) return NodeBucket::kPlanned;
  return NodeBucket::kIdle;
}

}  // namespace

std::uint64_t gpus_total(const Node& node) {
  std::uint64_t sum = 0;
  for (const auto& pool : node.gres) {
    if (pool.name == names::kGpu) sum += pool.total;
  }
  return sum;
}

std::optional<std::uint64_t> gpus_used(const Node& node) {
  std::uint64_t sum = 0;
  for (const auto& pool : node.gres) {
    if (pool.name != names::kGpu) continue;
    if (!pool.used) return std::nullopt;
    sum += *pool.used;
  }
  return sum;
}

std::uint64_t shared_gpus_counted(const Node& node, const GresPool& shares) {
  std::uint64_t counted = 0;
  for (const auto& pool : node.gres) {
    if (pool.name != names::kGpu) continue;
    const auto& used = pool.used_indexes;
    for (auto device : shares.used_indexes) {
      counted += std::find(used.begin(), used.end(), device) != used.end();
    }
  }
  return counted;
}

bool in_service(const Node& node) {
  const auto& f = node.flags;
  if (node.state == NodeState::kDown || node.state == NodeState::kUnknown ||
      node.state == NodeState::kError || node.state == NodeState::kFuture) {
    return false;
  }
  // Until it is idle a node that is to be powered down takes further jobs.
  bool leaving = f.has(NodeFlag::kPoweringDown) || (f.has(NodeFlag::kPowerDown) && !busy(node));
  return answers(node) && !leaving && !f.has(NodeFlag::kDrain) && !f.has(NodeFlag::kFail) &&
         !f.has(NodeFlag::kInvalidRegistration) && !f.has(NodeFlag::kRebootIssued);
}

NodeBucket bucket(const Node& node) {
  const auto& f = node.flags;
  if (f.has(NodeFlag::kInvalidRegistration)) return NodeBucket::kInvalid;
  // Capacity that is out of service is shown as such, whatever else is true of the node.
  if (f.has(NodeFlag::kDrain)) {
    return busy(node) ? NodeBucket::kDraining : NodeBucket::kDrained;
  }
  if (f.has(NodeFlag::kFail)) return NodeBucket::kFail;
  // Slurm calls a node down from the moment it tells it to reboot.
  if (f.has(NodeFlag::kRebootIssued)) return NodeBucket::kRebooting;
  if (node.state == NodeState::kDown) return NodeBucket::kDown;
  if (node.state == NodeState::kFuture) return NodeBucket::kFuture;
  if (node.state == NodeState::kUnknown || node.state == NodeState::kError) {
    return NodeBucket::kUnknown;
  }
  if (f.has(NodeFlag::kRebootRequested) && !busy(node)) return NodeBucket::kRebooting;
  if (!answers(node)) return NodeBucket::kNotResponding;
  if (f.has(NodeFlag::kPoweringUp)) return NodeBucket::kPoweringUp;
  if (f.has(NodeFlag::kPoweringDown)) return NodeBucket::kPoweringDown;
  if (f.has(NodeFlag::kPoweredDown)) return NodeBucket::kPoweredDown;
  if (f.has(NodeFlag::kMaintenance) && !busy(node)) return NodeBucket::kMaintenance;
  return working_bucket(node);
}

std::string_view bucket_name(NodeBucket b) {
  return kBucketNames[static_cast<std::size_t>(b)];
}

std::string display_state(const Node& node) {
  return std::string(bucket_name(bucket(node)));
}

std::string_view state_name(NodeState state) {
  switch (state) {
    case NodeState::kUnknown:
      return "UNKNOWN";
    case NodeState::kDown:
      return "DOWN";
    case NodeState::kIdle:
      return "IDLE";
    case NodeState::kAllocated:
      return "ALLOCATED";
    case NodeState::kMixed:
      return "MIXED";
    case NodeState::kError:
      return "ERROR";
    case NodeState::kFuture:
      return "FUTURE";
  }
  return "UNKNOWN";
}

std::string_view flag_name(NodeFlag flag) {
  return kFlagNames[static_cast<std::size_t>(flag)];
}

std::string full_state(const Node& node) {
  std::string text(state_name(node.state));
  for (unsigned i = 0; i < static_cast<unsigned>(NodeFlag::kCount); ++i) {
    auto flag = static_cast<NodeFlag>(i);
    if (node.flags.has(flag)) text.append("+").append(flag_name(flag));
  }
  for (const auto& word : node.unknown_states) text.append("+").append(word);
  return text;
}

}  // namespace schedlens::model
