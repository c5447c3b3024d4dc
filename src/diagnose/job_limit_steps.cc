// SPDX-License-Identifier: Apache-2.0
// Raising the limits that a waiting Slurm job meets.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/assessment.h"
#include "diagnose/job_changes.h"
#include "diagnose/remedy_text.h"

namespace schedlens::diagnose {

using model::Limit;
using model::LimitKind;
using model::Snapshot;

namespace {

// What the limit must be for the job to start.
double enough(const ReachedLimit& limit) {
  return limit.request_alone_exceeds && !limit.used ? limit.requested
                                                    : limit.used.value_or(0) + limit.requested;
}

std::string amount_word(const ReachedLimit& limit, double amount) {
  if (std::isinf(amount)) return "-1";
  if (limit.unit == "bytes") return fmt::format("{:.0f}M", std::ceil(amount / (1 << 20)));
  return fmt::format("{:.0f}", std::ceil(amount));
}

// What sacctmgr calls a limit, where that is not the name that slurmctld shows.
std::string_view option_name(const LimitHit& hit) {
  switch (hit.kind) {
    case LimitKind::kMaxWallPerJob:
      return "MaxWall";
    case LimitKind::kMaxTresPerJob:
      return "MaxTRESPerJob";
    case LimitKind::kMaxTresPerNode:
      return "MaxTRESPerNode";
    case LimitKind::kMaxTresMinsPerJob:
      return "MaxTRESMinsPerJob";
    case LimitKind::kMinTresPerJob:
      return "MinTRESPerJob";
    case LimitKind::kMaxJobsPerUser:
      return "MaxJobsPerUser";
    case LimitKind::kMaxTresPerUser:
      return "MaxTRESPerUser";
    case LimitKind::kMaxTresRunMinsPerUser:
      return "MaxTRESRunMinsPerUser";
    case LimitKind::kMaxJobsPerAccount:
      return "MaxJobsPerAccount";
    case LimitKind::kMaxTresPerAccount:
      return "MaxTRESPerAccount";
    case LimitKind::kMaxTresRunMinsPerAccount:
      return "MaxTRESRunMinsPerAccount";
    default:
      return hit.limit.name;
  }
}

// "GrpTRES=gres/gpu=16", "MaxJobs=3".
std::string setting(const LimitHit& hit, double amount) {
  const auto& limit = hit.limit;
  const auto name = option_name(hit);
  if (limit.resource.empty()) return fmt::format("{}={}", name, amount_word(limit, amount));
  return fmt::format("{}={}={}", name, limit.resource.view(), amount_word(limit, amount));
}

std::string whose(const LimitScope& scope) {
  if (scope.kind == LimitScope::Kind::kQos) {
    return "qos where " + shell_word(fmt::format("name={}", scope.qos.view()));
  }
  if (scope.user.empty()) {
    return "account where " + shell_word(fmt::format("name={}", scope.account.view()));
  }
  return fmt::format("user where {} {}", shell_word(fmt::format("name={}", scope.user.view())),
                     shell_word(fmt::format("account={}", scope.account.view())));
}

void raise(std::vector<Limit>& limits, LimitKind kind, Symbol resource, double amount) {
  for (auto& l : limits) {
    if (l.kind == kind && l.resource == resource && l.limit) l.limit = amount;
  }
}

void raise(Snapshot& s, const LimitHit& hit, double amount) {
  const auto& scope = hit.scope;
  const auto resource = hit.limit.resource;
  if (scope.kind == LimitScope::Kind::kAssociation) {
    for (auto& a : s.associations) {
      if (a.id == scope.association) raise(a.limits, hit.kind, resource, amount);
    }
    return;
  }
  for (auto& q : s.qos) {
    if (q.name != scope.qos) continue;
    for (auto* limits : {&q.limits, &q.each_user, &q.each_account}) {
      raise(*limits, hit.kind, resource, amount);
    }
    for (auto& holder : q.users) raise(holder.limits, hit.kind, resource, amount);
    for (auto& holder : q.accounts) raise(holder.limits, hit.kind, resource, amount);
  }
}

Step raise_account_limit(const LimitHit& hit) {
  const auto amount = hit.limit.name.starts_with("Min") ? hit.limit.requested : enough(hit.limit);
  const auto text = setting(hit, amount);
  return by_operator(
      RemedyKind::kRaiseLimit,
      fmt::format("sacctmgr -i modify {} set {}", whose(hit.scope), shell_word(text)),
      fmt::format("{} has {} from then on, for all its jobs.", hit.limit.holder, text),
      [hit, amount](Snapshot& s) { raise(s, hit, amount); });
}

std::string with(const model::Allowed& allowed, Symbol name) {
  std::string names;
  for (auto n : allowed.names) names += std::string(n.view()) + ",";
  return names + std::string(name.view());
}

std::string without(const std::vector<Symbol>& denied, Symbol name) {
  std::string names;
  for (auto n : denied) {
    if (n == name) continue;
    names += (names.empty() ? "" : ",") + std::string(n.view());
  }
  return names;
}

// The value that the partition's rule must have, and what then is different.
struct PartitionRule {
  std::string value;
  std::function<void(model::Queue&)> change;
};

std::optional<PartitionRule> loosened(const ReachedLimit& limit, const model::Queue& queue,
                                      const model::Workload& w) {
  const auto asked = limit.requested;
  const auto number = static_cast<std::uint32_t>(std::isfinite(asked) ? asked : 0);
  const auto& rule = limit.name;
  if (rule == "MaxTime") {
    if (std::isinf(asked)) {
      return {{"UNLIMITED", [](auto& q) { q.max_time = Bound<Seconds>::unlimited(); }}};
    }
    const Seconds time{std::llround(asked * 60)};
    return {{slurm_time(time), [time](auto& q) { q.max_time = Bound<Seconds>::of(time); }}};
  }
  if (rule == "MaxNodes") {
    return {{std::to_string(number),
             [number](auto& q) { q.max_nodes = Bound<std::uint32_t>::of(number); }}};
  }
  if (rule == "MinNodes") {
    return {{std::to_string(number), [number](auto& q) { q.min_nodes = number; }}};
  }
  if (rule == "MaxCPUsPerNode") {
    return {{std::to_string(number),
             [number](auto& q) { q.max_cpus_per_node = Bound<std::uint32_t>::of(number); }}};
  }
  if (rule == "MaxMemPerNode" && queue.max_memory_per_node.has_value()) {
    const Bytes bytes{std::llround(asked)};
    return {{fmt::format("{:.0f}", std::ceil(asked / (1 << 20))),
             [bytes](auto& q) { q.max_memory_per_node = Bound<Bytes>::of(bytes); }}};
  }
  if (rule == "MaxMemPerCPU" && queue.max_memory_per_cpu.has_value()) {
    const Bytes bytes{std::llround(asked)};
    return {{fmt::format("{:.0f}", std::ceil(asked / (1 << 20))),
             [bytes](auto& q) { q.max_memory_per_cpu = Bound<Bytes>::of(bytes); }}};
  }
  if (rule == "AllowAccounts") {
    return {{with(queue.allow_accounts, w.account),
             [name = w.account](auto& q) { q.allow_accounts.names.push_back(name); }}};
  }
  if (rule == "AllowQos") {
    return {{with(queue.allow_qos, w.qos),
             [name = w.qos](auto& q) { q.allow_qos.names.push_back(name); }}};
  }
  if (rule == "DenyAccounts") {
    return {{without(queue.deny_accounts, w.account),
             [name = w.account](auto& q) { std::erase(q.deny_accounts, name); }}};
  }
  if (rule == "DenyQos") {
    return {{without(queue.deny_qos, w.qos),
             [name = w.qos](auto& q) { std::erase(q.deny_qos, name); }}};
  }
  return std::nullopt;
}

Step partition_step(const model::Queue& queue, std::string_view rule, const PartitionRule& value) {
  return by_operator(
      RemedyKind::kRaiseLimit,
      fmt::format("scontrol update {} {}",
                  shell_word(fmt::format("PartitionName={}", queue.name.view())),
                  shell_word(fmt::format("{}={}", rule, value.value))),
      fmt::format("Partition {} has {}={} from then on, until slurmctld reads its files again.",
                  queue.name.view(), rule, value.value),
      [name = queue.name, change = value.change](Snapshot& s) {
        for (auto& q : s.queues) {
          if (q.name == name) change(q);
        }
      });
}

}  // namespace

std::vector<Step> raised_limits(const Snapshot& s, const Verdict& v) {
  const auto& w = s.workload(v.workload);
  Assessor assessor(s);
  const auto assessment = assessor.assess(w);
  std::vector<Step> steps;
  if (!assessment.answer) return steps;
  const auto& queue = s.queue(assessment.answer->shape.queue);
  if (queue.state != model::QueueState::kUp && queue.state != model::QueueState::kUnknown) {
    steps.push_back(
        partition_step(queue, "State", {"UP", [](auto& q) { q.state = model::QueueState::kUp; }}));
  }
  for (const auto& hit : assessor.limits(w, *assessment.answer)) {
    if (hit.scope.kind != LimitScope::Kind::kNobody) {
      steps.push_back(raise_account_limit(hit));
    } else if (auto rule = loosened(hit.limit, queue, w)) {
      steps.push_back(partition_step(queue, hit.limit.name, *rule));
    }
  }
  return steps;
}

}  // namespace schedlens::diagnose
