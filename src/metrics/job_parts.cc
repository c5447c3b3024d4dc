// SPDX-License-Identifier: Apache-2.0
// Jobs, and the users and accounts they belong to.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/text.h"
#include "metrics/parts.h"

namespace schedlens::metrics {
namespace {

using model::Snapshot;
using model::Workload;
using model::WorkloadFlag;
using model::WorkloadState;

constexpr std::array kStates = {
    WorkloadState::kUnknown,    WorkloadState::kPending,   WorkloadState::kRunning,
    WorkloadState::kSuspended,  WorkloadState::kCompleted, WorkloadState::kCancelled,
    WorkloadState::kFailed,     WorkloadState::kTimeout,   WorkloadState::kNodeFail,
    WorkloadState::kPreempted,  WorkloadState::kBootFail,  WorkloadState::kDeadline,
    WorkloadState::kOutOfMemory};
constexpr auto kFlags = static_cast<std::size_t>(WorkloadFlag::kCount);

constexpr std::array<std::int64_t, 9> kAges = {0,     60,    600,    3600,  14400,
                                               28800, 86400, 259200, 604800};
using Ages = std::array<std::uint64_t, kAges.size()>;  // tasks at least that old

struct Counts {
  std::array<std::uint64_t, kStates.size()> records{}, tasks{};
  std::array<std::uint64_t, kFlags> flagged{};
  std::map<std::string, std::uint64_t> reasons;
};

Counts count(const Snapshot& s) {
  Counts c;
  std::map<Symbol, std::uint64_t> reasons;
  for (const auto& w : s.workloads) {
    auto state = static_cast<std::size_t>(w.state);
    ++c.records[state];
    c.tasks[state] += model::task_count(w);
    for (std::size_t f = 0; f < kFlags; ++f) {
      if (w.flags.has(static_cast<WorkloadFlag>(f))) ++c.flagged[f];
    }
    if (model::is_pending(w)) reasons[w.reason] += model::task_count(w);
  }
  for (const auto& [reason, tasks] : reasons) c.reasons[reason_token(reason.view())] += tasks;
  return c;
}

void write_counts(const Snapshot& s, Exposition& out) {
  auto c = count(s);
  for (auto state : kStates) {
    out.sample(family("schedlens_jobs"), c.records[static_cast<std::size_t>(state)],
               lower(state_name(state)));
  }
  for (auto state : kStates) {
    out.sample(family("schedlens_job_tasks"), c.tasks[static_cast<std::size_t>(state)],
               lower(state_name(state)));
  }
  for (std::size_t f = 0; f < kFlags; ++f) {
    out.sample(family("schedlens_jobs_flagged"), c.flagged[f],
               lower(flag_name(static_cast<WorkloadFlag>(f))));
  }
  std::vector<std::pair<std::string, std::uint64_t>> order(c.reasons.begin(), c.reasons.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [reason, tasks] : order) {
    out.sample(family("schedlens_pending_tasks_by_reason"), tasks, reason);
  }
}

void write_causes(const CauseCounts& causes, Exposition& out) {
  auto each = [&](auto write) {
    for (std::size_t i = 0; i < causes.size(); ++i) {
      auto cause = static_cast<diagnose::RootCause>(i);
      if (cause != diagnose::RootCause::kNone) write(cause_name(cause), causes[i]);
    }
  };
  each([&](auto name, const CauseCount& c) {
    out.sample(family("schedlens_pending_tasks"), c.tasks, name);
  });
  each([&](auto name, const CauseCount& c) {
    out.sample(family("schedlens_pending_gpus"), c.gpus, name);
  });
}

// Each under the strongest policy behind its wait.
void write_starvation(const Snapshot& s, const diagnose::Starvation& starvation, Exposition& out) {
  constexpr auto kPolicies = static_cast<std::size_t>(diagnose::Policy::kNone) + 1;
  std::array<std::uint64_t, kPolicies> tasks{};
  std::array<Seconds, kPolicies> longest{};
  for (const auto& found : starvation.workloads) {
    const auto policy = static_cast<std::size_t>(found.policies.front().policy);
    tasks[policy] += model::task_count(s.workload(found.id));
    longest[policy] = std::max(longest[policy], found.waited);
  }
  for (std::size_t i = 0; i < kPolicies; ++i) {
    out.sample(family("schedlens_starving_tasks"), tasks[i],
               diagnose::policy_name(static_cast<diagnose::Policy>(i)));
  }
  for (std::size_t i = 0; i < kPolicies; ++i) {
    if (tasks[i] == 0) continue;
    out.sample(family("schedlens_starving_longest_seconds"), longest[i],
               diagnose::policy_name(static_cast<diagnose::Policy>(i)));
  }
}

struct PartitionJobs {
  std::array<std::uint64_t, kStates.size()> tasks{};
  Ages since_eligible{}, since_submit{};
  std::optional<Seconds> oldest;
  std::uint64_t gpus_held = 0, gpus_waiting = 0;

  void add(const Workload& w, Timestamp now) {
    auto n = model::task_count(w);
    tasks[static_cast<std::size_t>(w.state)] += n;
    gpus_held += model::gpus_held(w);
    if (!model::is_pending(w)) return;
    gpus_waiting += model::gpus_requested(w) * n;
    if (auto age = model::waited(w, now)) {
      add_age(since_eligible, *age, n);
      oldest = std::max(oldest.value_or(*age), *age);
    }
    if (w.submitted && *w.submitted <= now) add_age(since_submit, now - *w.submitted, n);
  }

  static void add_age(Ages& ages, Seconds age, std::uint32_t tasks) {
    for (std::size_t i = 0; i < kAges.size(); ++i) {
      if (age.value >= kAges[i]) ages[i] += tasks;
    }
  }
};

void write_by_partition(const Snapshot& s, Exposition& out) {
  std::vector<PartitionJobs> sums(s.queues.size());
  for (const auto& w : s.workloads) {
    for (auto name : w.queues) {
      if (auto id = s.find_queue(name)) sums[id->index].add(w, s.time);
    }
  }
  auto each = [&](auto write) {
    for (std::size_t q = 0; q < sums.size(); ++q) write(s.queues[q].name, sums[q]);
  };
  each([&](Symbol name, const PartitionJobs& p) {
    for (auto state : kStates) {
      out.sample(family("schedlens_partition_tasks"), p.tasks[static_cast<std::size_t>(state)],
                 name, lower(state_name(state)));
    }
  });
  each([&](Symbol name, const PartitionJobs& p) {
    out.sample(family("schedlens_partition_gpus_held"), p.gpus_held, name);
  });
  each([&](Symbol name, const PartitionJobs& p) {
    out.sample(family("schedlens_partition_gpus_waiting"), p.gpus_waiting, name);
  });
  each([&](Symbol name, const PartitionJobs& p) {
    for (std::size_t i = 0; i < kAges.size(); ++i) {
      out.sample(family("schedlens_pending_age_tasks"), p.since_eligible[i], name, "eligible",
                 std::to_string(kAges[i]));
    }
    for (std::size_t i = 0; i < kAges.size(); ++i) {
      out.sample(family("schedlens_pending_age_tasks"), p.since_submit[i], name, "submit",
                 std::to_string(kAges[i]));
    }
  });
  each([&](Symbol name, const PartitionJobs& p) {
    out.sample(family("schedlens_pending_oldest_seconds"), p.oldest, name);
  });
}

struct HolderFamilies {
  FamilyRef held, waiting, tasks;
};

// Those who hold most come first, so that a limit cuts off the least.
void write_holders(const std::vector<diagnose::Holder>& holders, HolderFamilies f,
                   Exposition& out) {
  for (const auto& h : holders) out.sample(f.held, h.demand.gpus_held, h.name);
  for (const auto& h : holders) out.sample(f.waiting, h.demand.gpus_waiting, h.name);
  for (const auto& h : holders) {
    out.sample(f.tasks, h.demand.running, h.name, "running");
    out.sample(f.tasks, h.demand.waiting, h.name, "pending");
  }
}

}  // namespace

std::string reason_token(std::string_view reason) {
  constexpr std::size_t kLongest = 64;
  auto part_of_token = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  auto end = std::find_if_not(reason.begin(), reason.end(), part_of_token);
  std::string token(reason.begin(), end);
  if (token.size() > kLongest) token.resize(kLongest);
  return token.empty() ? "unspecified" : token;
}

void write_jobs(const Snapshot& s, const RenderInput& input, Exposition& out) {
  write_counts(s, out);
  if (!s.kubernetes) write_by_partition(s, out);
  if (!input.analysis) return;
  write_causes(input.analysis->causes, out);
  write_starvation(s, input.analysis->starvation, out);
  if (s.kubernetes) return;  // whose pods hold what: by namespace, write_kubernetes()
  write_holders(input.analysis->holdings.users,
                {family("schedlens_user_gpus_held"), family("schedlens_user_gpus_waiting"),
                 family("schedlens_user_tasks")},
                out);
  write_holders(input.analysis->holdings.accounts,
                {family("schedlens_account_gpus_held"), family("schedlens_account_gpus_waiting"),
                 family("schedlens_account_tasks")},
                out);
}

}  // namespace schedlens::metrics
