// SPDX-License-Identifier: Apache-2.0
#include "diagnose/job_preemption.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "diagnose/smallest_hole.h"

namespace schedlens::diagnose {

using model::Queue;
using model::Snapshot;
using model::Workload;
using model::WorkloadId;

namespace {

bool has_word(std::string_view modes, std::string_view word) {
  for (auto mode : split(modes, ',')) {
    if (lower(trim(mode)) == lower(word)) return true;
  }
  return false;
}

std::string_view setting(const Snapshot& snapshot, std::string_view key) {
  return snapshot.config ? snapshot.config->get(key).value_or("") : "";
}

}  // namespace

PreemptionRule::PreemptionRule(const Snapshot& snapshot, const Workload& w, const Queue& queue)
    : snapshot_(snapshot) {
  const auto type = setting(snapshot, "PreemptType");
  if (type == "preempt/qos") {
    const auto* qos = snapshot.find_qos(w.qos);
    if (!qos || !qos->preempts || has_word(setting(snapshot, "PreemptMode"), "WITHIN")) {
      kind_ = Kind::kNotFollowed;
      whom_ = "others";
      return;
    }
    if (qos->preempts->empty()) return;
    kind_ = Kind::kQos;
    qos_ = *qos->preempts;
    std::vector<std::string_view> names;
    for (const auto& name : qos_) names.push_back(name.view());
    whom_ = fmt::format("jobs of QOS {}", fmt::join(names, ", "));
  } else if (type == "preempt/partition_prio") {
    tier_ = queue.priority_tier;
    const bool lower_tier =
        std::any_of(snapshot.queues.begin(), snapshot.queues.end(),
                    [&](const Queue& other) { return other.priority_tier < tier_; });
    if (!lower_tier) return;
    kind_ = Kind::kTier;
    whom_ = fmt::format("jobs of partitions with a lower tier than {}", tier_);
  } else if (!type.empty() && type != "preempt/none" && type != "(null)") {
    kind_ = Kind::kNotFollowed;
    whom_ = "others";
  }
  if (suspends()) kind_ = Kind::kNotFollowed;
}

bool PreemptionRule::suspends() const {
  auto suspended = [&](std::string_view own) { return has_word(effective(own), "SUSPEND"); };
  if (kind_ == Kind::kQos) {
    return std::any_of(qos_.begin(), qos_.end(),
                       [&](Symbol name) { return suspended(mode_of_qos(name)); });
  }
  return kind_ == Kind::kTier &&
         std::any_of(snapshot_.queues.begin(), snapshot_.queues.end(), [&](const Queue& other) {
           return other.priority_tier < tier_ && suspended(other.preempt_mode);
         });
}

// One without a mode of its own shows OFF.
std::string_view PreemptionRule::mode_of_qos(Symbol name) const {
  const auto* qos = snapshot_.find_qos(name);
  if (!qos || has_word(qos->preempt_mode, "OFF") || has_word(qos->preempt_mode, "cluster")) {
    return {};
  }
  return qos->preempt_mode;
}

std::string_view PreemptionRule::effective(std::string_view own) const {
  return own.empty() ? setting(snapshot_, "PreemptMode") : own;
}

bool PreemptionRule::may_preempt(const Workload& running) const {
  if (running.state != model::WorkloadState::kRunning || !model::holds_resources(running)) {
    return false;
  }
  if (kind_ == Kind::kQos) {
    return std::find(qos_.begin(), qos_.end(), running.qos) != qos_.end() &&
           !has_word(effective(mode_of_qos(running.qos)), "OFF");
  }
  if (kind_ != Kind::kTier || running.queues.empty()) return false;
  const auto id = snapshot_.find_queue(running.queues.front());
  if (!id) return false;
  const auto& queue = snapshot_.queue(*id);
  return queue.priority_tier < tier_ && !has_word(effective(queue.preempt_mode), "OFF");
}

std::optional<Timestamp> PreemptionRule::from(const Workload& running) const {
  const auto* qos = snapshot_.find_qos(running.qos);
  if (!running.start || !qos || !qos->preempt_exempt_time) return std::nullopt;
  return *running.start + *qos->preempt_exempt_time;
}

Preemption preemption(const Snapshot& snapshot, const PreemptionRule& rule, WorkloadId id) {
  Preemption result;
  auto may_end = [&](WorkloadId other) { return rule.may_preempt(snapshot.workload(other)); };
  for (std::uint32_t i = 0; i < snapshot.workloads.size(); ++i) result.running += may_end({i});
  if (result.running == 0) return result;
  const auto hole = smallest_hole(snapshot, id, may_end);
  if (!hole) return result;
  result.ends = hole->ends;
  for (auto end : hole->ends) {
    const auto from = rule.from(snapshot.workload(end));
    if (from && *from > snapshot.time && (!result.from || *from > *result.from)) result.from = from;
  }
  return result;
}

}  // namespace schedlens::diagnose
