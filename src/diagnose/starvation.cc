// SPDX-License-Identifier: Apache-2.0
#include "diagnose/starvation.h"

#include <algorithm>
#include <array>

#include "diagnose/starvation_policies.h"

namespace schedlens::diagnose {

using model::WorkloadId;

namespace {

constexpr std::size_t kEnoughStarts = 5;
constexpr std::size_t kManyOvertook = 10;
constexpr std::size_t kMostExplained = 50;  // a verdict each

// The scheduler cannot do anything about these.
bool beyond_policy(RootCause cause) {
  return cause == RootCause::kNone || cause == RootCause::kHold ||
         cause == RootCause::kDependency || cause == RootCause::kBeginTime ||
         cause == RootCause::kImpossible || cause == RootCause::kVolume;
}

// Slurm takes the tasks of an array that are throttled for not eligible; they wait all the same.
std::optional<Timestamp> waits_since(const model::Workload& w, Timestamp now) {
  const auto since = w.eligible || !w.array ? w.eligible : w.submitted;
  return since && *since <= now ? since : std::nullopt;
}

std::size_t overtaken_by(const std::deque<ClassStart>& starts, Timestamp eligible) {
  return static_cast<std::size_t>(std::count_if(
      starts.begin(), starts.end(),
      [&](const ClassStart& s) { return s.eligible > eligible && s.start > eligible; }));
}

// The longest that so many parts of a thousand waited.
Seconds quantile(const std::vector<Seconds>& sorted, std::size_t per_thousand) {
  const auto rank = (sorted.size() * per_thousand + 999) / 1000;
  return sorted[std::max<std::size_t>(1, rank) - 1];
}

}  // namespace

std::string_view policy_name(Policy policy) {
  static constexpr std::array<std::string_view, 16> kNames{
      "age_cap",         "no_age",         "fair_share",  "priority_weights",
      "backfill_window", "no_plan",        "queue_depth", "array_throttle",
      "preemption",      "licences",       "limit",       "gang",
      "priority_class",  "never_preempts", "unknown",     "none"};
  return kNames[static_cast<std::size_t>(policy)];
}

Starvation find_starving(const model::Snapshot& snapshot, const ClassWaits& waits,
                         Explainer& explainer, const StarvationOptions& options) {
  Starvation result;
  std::map<WaitClass, std::vector<Seconds>> sorted_waits;
  for (auto id : snapshot.pending()) {
    const auto& w = snapshot.workload(id);
    const auto since = waits_since(w, snapshot.time);
    if (!since || snapshot.time - *since < options.at_least) continue;
    const auto c = wait_class(w);
    const auto& starts = waits.starts(c);
    if (starts.size() < kEnoughStarts) {
      ++result.too_few_starts;
      continue;
    }
    auto& sorted = sorted_waits[c];
    if (sorted.empty()) {
      for (const auto& s : starts) sorted.push_back(s.start - s.eligible);
      std::sort(sorted.begin(), sorted.end());
    }
    Starving found{id,
                   {},
                   snapshot.time - *since,
                   c,
                   starts.size(),
                   quantile(sorted, 500),
                   quantile(sorted, 900),
                   overtaken_by(starts, *since),
                   {}};
    const bool long_for_its_class = found.waited > found.p90 * 2;
    if (!long_for_its_class && found.overtaken_by < kManyOvertook) continue;
    found.cause = explainer.classify(id);
    if (!beyond_policy(found.cause)) result.workloads.push_back(std::move(found));
  }
  std::stable_sort(result.workloads.begin(), result.workloads.end(),
                   [](const Starving& a, const Starving& b) { return a.waited > b.waited; });
  std::size_t explained = 0;
  for (auto& s : result.workloads) {
    if (++explained > kMostExplained) {
      s.policies = {{Policy::kUnknown, "not looked into: it stands behind many that starve, too"}};
      continue;
    }
    s.policies = policies_behind(snapshot, s, waits, explainer.explain(s.id));
  }
  return result;
}

}  // namespace schedlens::diagnose
