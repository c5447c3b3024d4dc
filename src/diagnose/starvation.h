// SPDX-License-Identifier: Apache-2.0
#pragma once
// Workloads that wait beyond what their class waits, and the policy that keeps them waiting: not
// that they are old, but why others of their class that came later did not have to be.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "diagnose/class_waits.h"
#include "diagnose/explain.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// What of the scheduler's configuration makes it wait.
enum class Policy : std::uint8_t {
  kAgeCap,           // its age adds no more to its priority
  kNoAge,            // age adds nothing to anybody's
  kFairShare,        // its account or user has had its share
  kPriorityWeights,  // another part of the priority sets those ahead before it
  kBackfillWindow,   // the plan of the backfill scheduler does not reach as far as it would need
  kNoPlan,           // nothing is set aside for it: smaller ones take each piece that gets free
  kQueueDepth,       // no scheduler comes to it
  kArrayThrottle,
  kPreemption,  // it had started, and was preempted
  kLicences,    // for which nothing is set aside
  kLimit,
  kGang,
  kPriorityClass,  // pods of higher priority came before it
  kNeverPreempts,  // its preemptionPolicy forbids it to take room from lesser ones
  kUnknown,        // not looked into
  kNone,           // no policy: it waits for what is not there
};
std::string_view policy_name(Policy policy);  // "age_cap"

struct PolicyFinding {
  Policy policy = Policy::kNone;
  std::string evidence;  // a sentence with the numbers and settings
};

struct Starving {
  model::WorkloadId id;
  RootCause cause = RootCause::kUnknown;
  Seconds waited = {};
  WaitClass wait_class = {};
  // Of the starts known of its class.
  std::size_t starts = 0;
  Seconds median = {}, p90 = {};
  // Of those, became eligible after it and started while it waited.
  std::size_t overtaken_by = 0;
  std::vector<PolicyFinding> policies = {};  // the strongest first; never empty
};

struct Starvation {
  std::vector<Starving> workloads;   // longest wait first
  std::uint64_t too_few_starts = 0;  // waiting ones whose class has too few starts to tell
};

struct StarvationOptions {
  Seconds at_least{600};  // nobody starves before
};
// Only what the scheduler could start counts: not what is held, depends, begins later or can never
// start. It starves when it has waited twice as long as nine of ten of its class, or while ten of
// its class that came later started.
Starvation find_starving(const model::Snapshot& snapshot, const ClassWaits& waits,
                         Explainer& explainer, const StarvationOptions& options = {});

}  // namespace schedlens::diagnose
