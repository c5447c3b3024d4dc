// SPDX-License-Identifier: Apache-2.0
#include "diagnose/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "base/time_text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/licence_tests.h"
#include "diagnose/limit_text.h"
#include "diagnose/reason_text.h"

namespace schedlens::diagnose {

using model::Workload;
using Step = Assessment::Step;

namespace {

std::string queue_name(const Findings& f) {
  return f.assessment.queue ? f.snapshot.queue(*f.assessment.queue).name.str() : std::string();
}

std::string node_names(const Findings& f, const std::vector<model::NodeId>& nodes) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < nodes.size() && i < 4; ++i) {
    names.push_back(f.snapshot.node(nodes[i]).name.str());
  }
  auto text = fmt::format("{}", fmt::join(names, ", "));
  if (nodes.size() > 4) text += fmt::format(" and {} more", nodes.size() - 4);
  return text;
}

std::vector<model::NodeId> would_fit(const Verdict& v) {
  std::vector<model::NodeId> nodes;
  for (const auto& n : v.unhealthy_nodes) {
    if (n.would_fit) nodes.push_back(n.node);
  }
  return nodes;
}

std::string needs(const Findings& f) {
  return "needs " + describe(f.assessment.answer->shape);
}

std::string limit_summary(const Findings& f) {
  const auto& limits = f.verdict.limits;
  auto it = std::find_if(limits.begin(), limits.end(),
                         [](const auto& l) { return l.request_alone_exceeds; });
  if (it == limits.end()) it = limits.begin();
  if (it == limits.end()) {
    return fmt::format("the scheduler says that a limit is reached ({}): {}",
                       f.verdict.scheduler_reason,
                       reason_meaning(f.workload.reason.view()).meaning);
  }
  auto text = limit_sentence(*it);
  if (limits.size() > 1) text += fmt::format(" (and {} more)", plural(limits.size() - 1, "limit"));
  return text;
}

std::string access_summary(const Findings& f) {
  const auto& w = f.workload;
  const auto& q = f.snapshot.queue(*f.assessment.queue);
  auto list = [](const std::vector<Symbol>& names) {
    std::vector<std::string_view> views;
    for (auto n : names) views.push_back(n.view());
    return fmt::format("{}", fmt::join(views, ","));
  };
  for (const auto& l : f.verdict.limits) {
    if (l.name == "AllowAccounts") {
      return fmt::format("partition {} does not admit account {} (AllowAccounts={})", q.name.view(),
                         w.account.view(), list(q.allow_accounts.names));
    }
    if (l.name == "DenyAccounts") {
      return fmt::format("partition {} refuses account {} (DenyAccounts={})", q.name.view(),
                         w.account.view(), list(q.deny_accounts));
    }
    if (l.name == "AllowQos") {
      return fmt::format("partition {} does not admit QOS {} (AllowQos={})", q.name.view(),
                         w.qos.view(), list(q.allow_qos.names));
    }
    if (l.name == "DenyQos") {
      return fmt::format("partition {} refuses QOS {} (DenyQos={})", q.name.view(), w.qos.view(),
                         list(q.deny_qos));
    }
    if (l.name == "AllowGroups") {
      return fmt::format("partition {} admits only groups {}, and the scheduler refuses user {}",
                         q.name.view(), list(q.allow_groups.names), w.user.view());
    }
    if (l.name == "RootOnly") return fmt::format("partition {} is for root only", q.name.view());
    if (l.name == "ReqResv") {
      return fmt::format("partition {} admits only jobs with a reservation", q.name.view());
    }
  }
  return fmt::format("partition {} does not admit it", q.name.view());
}

std::string licence_summary(const Findings& f) {
  std::string text;
  for (const auto& l : missing_licences(f.snapshot, f.workload)) {
    if (!text.empty()) text += f.workload.request.any_licence ? ", or " : "; ";
    text += l.never() ? fmt::format("asks for {} of licence {}, and there are only {}", l.asked,
                                    l.name.view(), l.total)
                      : fmt::format("needs {} of licence {}, and {} of {} are in use", l.asked,
                                    l.name.view(), l.used, l.total);
    if (l.reserved > 0) text += fmt::format(" and {} set aside", l.reserved);
  }
  return text;
}

std::string reservation_summary(const Findings& f) {
  std::vector<std::string> parts;
  for (const auto& r : f.verdict.reservations) {
    parts.push_back(fmt::format("{} ({})", r.name.view(), r.effect));
  }
  return fmt::format("{}; it would fit now without reservation {}", needs(f),
                     fmt::join(parts, " and "));
}

std::string unhealthy_summary(const Findings& f) {
  const auto& v = f.verdict;
  auto holding = would_fit(v);
  auto sums = f.assessor.evaluation().sums(*f.assessment.answer, f.workload);
  std::string text = needs(f);
  if (!holding.empty()) {
    text +=
        fmt::format("; {} would hold it but {} out of service: {}", plural(holding.size(), "node"),
                    holding.size() == 1 ? "is" : "are", node_names(f, holding));
  } else {
    text += fmt::format("; of the nodes it may use {} in service and {} not",
                        sums.nodes == 1 ? "1 is" : fmt::format("{} are", sums.nodes),
                        v.unhealthy_nodes.size());
  }
  if (!v.unhealthy_nodes.empty() && !v.unhealthy_nodes.front().reason.empty()) {
    text += fmt::format(" ({}: {})", v.unhealthy_nodes.front().state,
                        printable(v.unhealthy_nodes.front().reason));
  }
  return text;
}

std::string constraint_summary(const Findings& f) {
  auto& evaluation = f.assessor.evaluation();
  auto without = evaluation.fit(*f.assessment.answer, f.workload, kOwnChoiceTests);
  std::vector<std::string> asked;
  const auto& r = f.workload.request;
  if (!r.features.empty()) asked.push_back("features " + printable(r.features));
  if (!r.required_nodes.empty()) {
    asked.push_back("required nodes " + node_names(f, r.required_nodes));
  }
  if (r.excluded_nodes && !r.excluded_nodes->empty()) {
    asked.push_back("excluded nodes " + node_names(f, *r.excluded_nodes));
  }
  return fmt::format("{}; {} with room now, but its {} rule them out", needs(f),
                     plural(without.passing, "node"), fmt::join(asked, " and "));
}

// "137 GPUs are free on 58 nodes in service, at most 6 on one node".
std::string free_gpus_text(const Findings& f, const Sums& sums) {
  const auto& g = f.verdict.gpus;
  return fmt::format("{} free on the {} in service that it may use, at most {} usable on one node",
                     g.free == 1 ? "1 GPU is" : fmt::format("{} GPUs are", g.free),
                     plural(sums.nodes, "node"), g.largest_hole);
}

std::string fragmentation_summary(const Findings& f) {
  const auto& shape = f.assessment.answer->shape;
  auto sums = f.assessor.evaluation().sums(*f.assessment.answer, f.workload);
  std::string text = needs(f);
  if (shape.wants_gpus()) {
    text += "; " + free_gpus_text(f, sums);
    if (f.verdict.gpus.stranded > 0) {
      text += fmt::format(", {} of them stranded without the CPUs or memory that go with them",
                          f.verdict.gpus.stranded);
    }
  } else {
    text += fmt::format(
        "; {} and {} are free on the {} in service that it may use, but not in "
        "this shape",
        plural(sums.cpus, "CPU"), short_bytes(sums.memory), plural(sums.nodes, "node"));
  }
  if (auto holding = would_fit(f.verdict); !holding.empty()) {
    text += fmt::format("; {} out of service would hold {}", plural(holding.size(), "node"),
                        shape.min_nodes > 1 ? "its share of a node" : "it");
  }
  return text;
}

std::string capacity_summary(const Findings& f) {
  const auto& shape = f.assessment.answer->shape;
  auto sums = f.assessor.evaluation().sums(*f.assessment.answer, f.workload);
  std::string text = needs(f);
  if (shape.wants_gpus()) {
    text += fmt::format(" ({} in all); {}", plural(shape.gpus(), "GPU"), free_gpus_text(f, sums));
  } else {
    text +=
        fmt::format("; {} and {} are free on the {} in service that it may use",
                    plural(sums.cpus, "CPU"), short_bytes(sums.memory), plural(sums.nodes, "node"));
  }
  if (!f.verdict.ahead.empty()) {
    text += fmt::format("; {} ahead of it", plural(f.verdict.ahead.size(), "job"));
  }
  return text;
}

std::string job_name(const Findings& f, model::WorkloadId id) {
  const auto& w = f.snapshot.workload(id);
  return fmt::format("job {} of {}", model::display_id(w), w.user.view());
}

std::string priority_summary(const Findings& f) {
  auto text = fmt::format("fits now on {} in partition {}", node_names(f, f.verdict.fit.nodes),
                          queue_name(f));
  if (f.standing.room_taken) {
    text += fmt::format(", but the room goes to those ahead of it ({})",
                        plural(f.verdict.ahead.size(), "job"));
  } else if (f.standing.behind) {
    text += fmt::format(", but {} is ahead and waits for the same nodes",
                        job_name(f, *f.standing.behind));
  } else if (f.standing.planned_later) {
    text +=
        ", but the scheduler has planned it for later, so it keeps the room for one of those ahead";
  }
  return text;
}

std::string gang_summary(const Findings& f) {
  auto text =
      fmt::format("fits now on {} in partition {}, but the components of job {} start together",
                  node_names(f, f.verdict.fit.nodes), queue_name(f), f.workload.het->job_id);
  if (f.missing.empty()) {
    return text + ": each has room by itself, and there is not enough for all of them at once";
  }
  const auto& first = f.missing.front();
  text += fmt::format(", and {} cannot ({}): {}", model::display_id(f.snapshot.workload(first.id)),
                      cause_name(first.cause), first.summary);
  if (f.missing.size() > 1) {
    text += fmt::format(" (and {} more)", plural(f.missing.size() - 1, "component"));
  }
  return text;
}

std::optional<Timestamp> last_cycle(const model::Snapshot& snapshot) {
  if (!snapshot.vitals) return std::nullopt;
  return std::max(snapshot.vitals->main.last_when, snapshot.vitals->backfill.last_when);
}

std::string not_considered_summary(const Findings& f) {
  if (f.assessment.step == Step::kSchedulerReason) {
    return reason_meaning(f.workload.reason.view()).meaning;
  }
  auto text = fmt::format("fits now on {} in partition {}", node_names(f, f.verdict.fit.nodes),
                          queue_name(f));
  if (!f.standing.depth_limit.empty()) {
    return text + fmt::format(", but the scheduler does not come to it: {} ends its search before",
                              f.standing.depth_limit);
  }
  text += " and nobody ahead takes the room; the scheduler has not come to it yet";
  if (auto last = last_cycle(f.snapshot)) {
    text += fmt::format(" (last cycle {} ago)", short_duration(f.snapshot.time - *last));
  }
  return text;
}

std::string impossible_summary(const Findings& f) {
  if (f.assessment.step == Step::kLicence) return licence_summary(f);
  if (f.assessment.step == Step::kSchedulerReason) {
    return reason_meaning(f.workload.reason.view()).meaning;
  }
  auto text = fmt::format(
      "{}, which the nodes of partition {} could not give even if all were "
      "empty and in service",
      needs(f), queue_name(f));
  if (!f.workload.request.features.empty()) {
    text += fmt::format(" (features {})", printable(f.workload.request.features));
  }
  if (held_for_constraints(f.workload)) text += "; the scheduler has put it on hold for that";
  return text;
}

std::string scheduler_summary(const Findings& f) {
  const auto& w = f.workload;
  auto meaning = reason_meaning(w.reason.view()).meaning;
  auto word = reason_word(w.reason.view());
  if (word == "InvalidQOS") return fmt::format("{} (QOS {})", meaning, w.qos.view());
  if (word == "InvalidAccount") return fmt::format("{} (account {})", meaning, w.account.view());
  return meaning.empty() ? fmt::format("the scheduler says {}", w.reason.view()) : meaning;
}

}  // namespace

std::string summarize(const Findings& f) {
  const auto& a = f.assessment;
  switch (a.step) {
    case Step::kGate:
      return f.assessor.gates().summary(f.workload);
    case Step::kNoPartition:
      return "none of its partitions is known";
    case Step::kSuspended:
      return fmt::format("partition {} starts no jobs (state {})", queue_name(f),
                         model::state_name(f.snapshot.queue(*a.queue).state));
    case Step::kAccess:
      return access_summary(f);
    case Step::kLimits:
      return limit_summary(f);
    case Step::kLicence:
      return licence_summary(f);
    case Step::kSchedulerReason:
      return scheduler_summary(f);
    case Step::kNodes:
      break;
  }
  switch (f.verdict.cause) {
    case RootCause::kReservation:
      return reservation_summary(f);
    case RootCause::kUnhealthyNodes:
      return unhealthy_summary(f);
    case RootCause::kConstraint:
      return constraint_summary(f);
    case RootCause::kFragmentation:
      return fragmentation_summary(f);
    case RootCause::kCapacity:
      return capacity_summary(f);
    case RootCause::kPriority:
      return priority_summary(f);
    case RootCause::kGang:
      return gang_summary(f);
    case RootCause::kNotConsidered:
      return not_considered_summary(f);
    case RootCause::kImpossible:
      return impossible_summary(f);
    default:
      return "what was read does not explain it";
  }
}

namespace {

// "; it starts once node1 is up (powering_up)" while it only has its nodes.
std::string not_ready(const model::Snapshot& snapshot, const Workload& w) {
  if (!w.flags.has(model::WorkloadFlag::kConfiguring)) return {};
  for (auto id : w.allocation.nodes) {
    const auto& node = snapshot.node(id);
    using enum model::NodeBucket;
    auto bucket = model::bucket(node);
    if (bucket == kPoweringUp || bucket == kPoweredDown || bucket == kRebooting) {
      return fmt::format("; it starts once {} is up ({})", node.name.view(),
                         model::bucket_name(bucket));
    }
  }
  return "; it starts once its nodes are ready";
}

}  // namespace

std::string summarize_not_waiting(const model::Snapshot& snapshot, const Workload& w) {
  auto state = lower(model::full_state(w));
  if (!model::holds_resources(w)) {
    auto text = fmt::format("it does not wait: {}", state);
    if (w.end) text += fmt::format(" since {}", local_time(*w.end));
    if (w.exit) text += fmt::format(", exit code {}:{}", w.exit->code, w.exit->signal);
    return text;
  }
  auto text =
      fmt::format("it does not wait: {} on {}", state, plural(w.allocation.nodes.size(), "node"));
  if (auto gpus = model::gpus_held(w)) text += fmt::format(" with {}", plural(gpus, "GPU"));
  if (w.start && *w.start <= snapshot.time) {
    text += fmt::format(" for {}", short_duration(snapshot.time - *w.start));
  }
  if (auto wait = model::waited(w, snapshot.time)) {
    text += fmt::format(", after waiting {}", short_duration(*wait));
  }
  text += not_ready(snapshot, w);
  return text;
}

}  // namespace schedlens::diagnose
