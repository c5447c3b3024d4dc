// SPDX-License-Identifier: Apache-2.0
// What an operator of a Slurm cluster can change for a waiting job.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/time_text.h"
#include "diagnose/assessment.h"
#include "diagnose/constraint_list.h"
#include "diagnose/job_changes.h"
#include "diagnose/job_preemption.h"
#include "diagnose/licence_tests.h"
#include "diagnose/remedy_text.h"
#include "diagnose/smallest_hole.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::Snapshot;
using model::Workload;
using model::WorkloadId;

namespace {

// A node that does not answer or has no power is not brought back by a command.
bool can_be_resumed(const model::Node& node) {
  using model::NodeFlag;
  return !node.flags.has(NodeFlag::kNotResponding) && !node.flags.has(NodeFlag::kPoweredDown) &&
         !node.flags.has(NodeFlag::kPoweringDown);
}

std::string why_out(const Snapshot& s, NodeId id) {
  const auto& node = s.node(id);
  auto text = fmt::format("{} is {}", node.name.view(), model::display_state(node));
  if (node.reason && !node.reason->text.empty()) {
    text += fmt::format(" ('{}'{})", node.reason->text,
                        node.reason->author.empty() ? "" : ", " + node.reason->author);
  }
  return text;
}

// Slurm deletes no reservation that jobs name, running or waiting.
bool in_use(const Snapshot& s, Symbol reservation) {
  return std::any_of(s.workloads.begin(), s.workloads.end(), [&](const Workload& w) {
    return w.reservation == reservation && (model::is_pending(w) || model::holds_resources(w));
  });
}

}  // namespace

std::vector<Step> returned_nodes(const Snapshot& s, const Verdict& v) {
  std::vector<NodeId> nodes;
  const auto need = std::max(1u, v.fit.nodes_needed) -
                    std::min(v.fit.nodes_passing, std::max(1u, v.fit.nodes_needed));
  for (const auto& n : v.unhealthy_nodes) {
    if (n.would_fit && can_be_resumed(s.node(n.node))) nodes.push_back(n.node);
  }
  if (nodes.empty()) return {};
  if (need > 0 && nodes.size() > need) nodes.resize(need);
  std::string reasons;
  for (auto node : nodes) reasons += (reasons.empty() ? "" : "; ") + why_out(s, node);
  return {by_operator(
      RemedyKind::kReturnNodes,
      fmt::format("scontrol update NodeName={} State=RESUME", node_names(s, nodes)),
      fmt::format("Returned to service, which first wants what put them out of it mended: {}.",
                  reasons),
      [nodes](Snapshot& other) {
        for (auto node : nodes) return_node(other, node);
      })};
}

std::vector<Step> released_reservations(const Snapshot& s, const Verdict& v) {
  const auto& w = s.workload(v.workload);
  std::vector<Step> steps;
  for (const auto& r : v.reservations) {
    const bool own = r.name == w.reservation;
    if (own) {
      Step step;
      step.kind = RemedyKind::kRelease;
      step.command = update_job(w, "ReservationName", "");
      step.effect = fmt::format("The job no longer waits for reservation {}.", r.name.view());
      step.change = [](Workload& other) { other.reservation = Symbol(); };
      step.edit = [id = v.workload, change = step.change](Snapshot& other) {
        change(other.workloads[id.index]);
      };
      steps.push_back(std::move(step));
      continue;
    }
    if (in_use(s, r.name)) continue;
    steps.push_back(by_operator(
        RemedyKind::kReleaseReservation,
        "scontrol delete " + shell_word(fmt::format("ReservationName={}", r.name.view())),
        fmt::format("Reservation {} gives {} back to all.", r.name.view(),
                    plural(r.nodes.size(), "node")),
        [name = r.name](Snapshot& other) {
          std::erase_if(other.reservations, [&](const auto& x) { return x.name == name; });
        }));
  }
  return steps;
}

std::vector<Step> raised_priority(const Snapshot& s, const Verdict& v) {
  const auto& w = s.workload(v.workload);
  std::uint64_t highest = 0;
  for (auto id : s.pending()) {
    if (id != v.workload) highest = std::max(highest, s.workload(id).priority.value_or(0));
  }
  if (!w.priority || highest < *w.priority) return {};
  const auto priority = highest + 1;
  const auto change = [priority](Workload& other) { other.priority = priority; };
  auto step = by_operator(
      RemedyKind::kRaisePriority, update_job(w, "Priority", std::to_string(priority)),
      "The job is the first of its partition, and no longer gains or loses priority by itself.",
      [id = v.workload, change](Snapshot& other) { change(other.workloads[id.index]); });
  step.change = change;
  return {std::move(step)};
}

namespace {

Step end_jobs(const Snapshot& s, const std::vector<WorkloadId>& ends, const std::string& from,
              std::optional<Timestamp> by_itself) {
  std::string ids;
  std::vector<std::string> owners;
  for (auto id : ends) {
    const auto& w = s.workload(id);
    ids += (ids.empty() ? "" : ",") + update_id(w);
    const auto name = w.user.str();
    if (std::find(owners.begin(), owners.end(), name) == owners.end()) owners.push_back(name);
  }
  auto effect = fmt::format(
      "Takes {} of {}{} for a while: requeued and held, until released with scontrol release.",
      plural(ends.size(), "job"), fmt::join(owners, ", "), from);
  if (by_itself) {
    effect += fmt::format(" By the time limits they end by {}.", local_time(*by_itself));
  }
  auto step = by_operator(RemedyKind::kEndWorkloads, "scontrol requeuehold " + ids,
                          std::move(effect), [ends](Snapshot& other) {
                            for (auto id : ends) end_workload(other, id);
                          });
  step.ends = ends;
  return step;
}

}  // namespace

std::vector<Step> ended_workloads(const Snapshot& s, const Verdict& v) {
  std::vector<Step> steps;
  auto add = [&](const std::optional<Hole>& hole) {
    if (!hole || (!steps.empty() && steps.back().ends == hole->ends)) return;
    steps.push_back(end_jobs(s, hole->ends, " off " + node_names(s, hole->nodes), hole->by_itself));
  };
  // Rather those that it may preempt anyway.
  const auto& w = s.workload(v.workload);
  const auto queue = w.queues.empty() ? std::nullopt : s.find_queue(w.queues.front());
  if (queue) {
    const PreemptionRule rule(s, w, s.queue(*queue));
    if (!rule.nobody() && !rule.not_followed()) {
      add(smallest_hole(s, v.workload,
                        [&](WorkloadId id) { return rule.may_preempt(s.workload(id)); }));
    }
  }
  add(smallest_hole(s, v.workload));
  return steps;
}

std::vector<Step> ended_holders(const Snapshot& s, const Verdict& v) {
  std::vector<WorkloadId> ends;
  for (const auto& missing : missing_licences(s, s.workload(v.workload))) {
    const auto lacks = missing.asked + missing.used + missing.reserved - missing.total;
    std::vector<std::pair<std::uint64_t, WorkloadId>> holders;
    for (std::uint32_t i = 0; i < s.workloads.size(); ++i) {
      const auto& w = s.workloads[i];
      if (!model::holds_resources(w) || w.request.any_licence) continue;
      for (const auto& held : w.request.licences) {
        if (held.name == missing.name) holders.emplace_back(held.count, WorkloadId{i});
      }
    }
    std::stable_sort(holders.begin(), holders.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::uint64_t back = 0;
    for (const auto& [count, id] : holders) {
      if (back >= lacks) break;
      back += count;
      ends.push_back(id);
    }
    if (back < lacks) return {};
  }
  if (ends.empty()) return {};
  return {end_jobs(s, ends, ", which hold the licences,", last_end(s, ends))};
}

std::vector<Step> ended_under_limits(const Snapshot& s, const Verdict& v) {
  Assessor assessor(s);
  const auto& w = s.workload(v.workload);
  const auto assessment = assessor.assess(w);
  if (!assessment.answer) return {};
  std::vector<WorkloadId> ends;
  std::vector<std::string> limits;
  for (const auto& hit : assessor.limits(w, *assessment.answer)) {
    if (hit.limit.request_alone_exceeds || !hit.limit.used) return {};
    auto running = assessor.account_limits().counted(hit);
    std::stable_sort(running.begin(), running.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    auto over = *hit.limit.used + hit.limit.requested - hit.limit.limit;
    for (auto [id, amount] : running) {
      if (over <= 0) break;
      over -= amount;
      if (std::find(ends.begin(), ends.end(), id) == ends.end()) ends.push_back(id);
    }
    if (over > 0) return {};
    limits.push_back(fmt::format("{} of {}", hit.limit.name, hit.limit.holder));
  }
  if (ends.empty()) return {};
  return {end_jobs(s, ends, fmt::format(", which fill {},", fmt::join(limits, " and ")),
                   last_end(s, ends))};
}

}  // namespace schedlens::diagnose
