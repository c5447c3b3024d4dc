// SPDX-License-Identifier: Apache-2.0
#pragma once
// What would let a waiting workload start: a command that can be pasted, who may give it, and what
// comes of it. Each has been tried on a copy of the Snapshot: the same evaluation that explains the
// wait finds that the workload starts.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/start_forecast.h"
#include "model/ids.h"

namespace schedlens::diagnose {

// Who has the right to do it.
enum class Actor : std::uint8_t { kUser, kOperator };
std::string_view actor_name(Actor actor);  // "user"

// From the least intrusive to what costs others their work.
enum class RemedyKind : std::uint8_t {
  kWake,
  kRelease,             // from a hold, a dependency, a begin time, a gate
  kElsewhere,           // another partition, other nodes
  kShorterLimit,        // of its run time
  kSmallerRequest,      // fewer nodes, GPUs, CPUs or less memory
  kFewerWishes,         // features, node lists, selectors, tolerations
  kReturnNodes,         // to service
  kReleaseReservation,  // of others
  kRaiseLimit,
  kRaisePriority,
  kEndWorkloads,  // that hold what it needs
};
std::string_view remedy_name(RemedyKind kind);  // "shorter_limit"

enum class Starts : std::uint8_t {
  kNow,     // in the next cycle of the scheduler
  kInTurn,  // nothing but the workloads ahead of it is in the way then
};
std::string_view starts_name(Starts starts);  // "now"

struct Remedy {
  Actor who = Actor::kUser;
  RemedyKind kind = RemedyKind::kRelease;
  std::string command;  // lines for a shell
  std::string effect;   // what it does, in sentences
  Starts starts = Starts::kNow;
  std::vector<model::WorkloadId> ends;    // running ones that it ends
  std::vector<model::WorkloadId> delays;  // waiting ones that could start now, and then could not
  // Of one that starts in its turn: when that is. Absent where nobody looked.
  std::optional<StartForecast> forecast = {};
};

}  // namespace schedlens::diagnose
