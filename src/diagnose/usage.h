// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is requested against what is really used, by pod, owner, namespace and node, and what that
// tells: devices that nobody uses though somebody holds them, and the other way round.
//
// A sum holds what is known; beside it stands of how many pods nothing is known. What was measured
// too long ago counts as not known.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/top_owner.h"
#include "model/snapshot.h"
#include "model/usage.h"

namespace schedlens::diagnose {

// Older values say nothing about now.
inline constexpr Seconds kOldestUse{600};

// CPU in cores or memory in bytes, of the pods of one row.
struct Compared {
  double requested = 0;        // by all
  double used = 0;             // by those that were measured
  double requested_known = 0;  // by those that were measured: what used compares with
  std::uint32_t known = 0;     // pods that were
  std::uint32_t unknown = 0;   // pods that were not

  // Absent where none was measured.
  std::optional<double> use() const;
  // Of use in requests; absent where those that were measured request nothing.
  std::optional<double> share() const;
};

// Devices. One that several pods take turns on counts as a part of one for each of them.
struct GpusCompared {
  std::uint64_t held = 0;  // whole devices, by request
  double measured = 0;     // of those
  double busy = 0;         // their busy shares added up: 8 devices at 50 % are 4
  double idle = 0;         // of the measured
  double memory = 0, memory_total = 0;
  double parts_measured = 0;  // MIG instances, which are no whole devices
  double parts_busy = 0;
};

struct UsageRow {
  // Which of these is set says what the row is of.
  std::optional<model::WorkloadId> pod;
  std::optional<Owner> owner;
  Symbol ns;
  std::optional<model::NodeId> node;

  std::uint32_t pods = 0;
  Compared cpu, memory;
  GpusCompared gpus;
  // Of a node: what it can give pods, and what it uses with all that is not in pods.
  std::optional<double> cpu_allocatable, memory_allocatable;
  const model::Use* whole = nullptr;
};

enum class UsageFindingKind : std::uint8_t {
  kIdleGpus,         // held, and nothing ran on them
  kMemoryHeld,       // little runs on them, but their memory is full: a hint, no verdict
  kUsedUnallocated,  // something runs on a device that no pod holds
  kCount
};
std::string_view finding_name(UsageFindingKind kind);  // "idle_gpus"

struct UsageFinding {
  UsageFindingKind kind = UsageFindingKind::kIdleGpus;
  std::optional<model::WorkloadId> pod;
  std::optional<Owner> owner;  // of the pod
  std::optional<model::NodeId> node;
  std::vector<std::string> devices;  // their index on the node, or UUID
  double gpus = 0;                   // how much of whole devices that is
  double busiest = 0;
  std::optional<Seconds> watched;  // for so long; absent where that was one look
  std::string text;
};

struct UsageReport {
  bool measured = false;  // anything at all
  std::vector<UsageRow> owners, namespaces, nodes;
  std::vector<UsageFinding> findings;       // most devices first
  std::optional<Timestamp> oldest, newest;  // of what was counted
};

// Of a Kubernetes cluster. Points into the Snapshot.
UsageReport compare_usage(const model::Snapshot& snapshot);
// One row for each pod that holds resources, the most unused devices first, then the most CPU
// requested and not used.
std::vector<UsageRow> usage_by_pod(const model::Snapshot& snapshot);

}  // namespace schedlens::diagnose
