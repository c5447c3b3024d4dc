// SPDX-License-Identifier: Apache-2.0
// The further sentences of a Verdict: details, why the scheduler says something else, and what is
// not known.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "base/time_text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/job_preemption.h"
#include "diagnose/limit_text.h"
#include "diagnose/partition_limits.h"
#include "diagnose/reason_text.h"
#include "diagnose/summary.h"

namespace schedlens::diagnose {

using model::Workload;
using Step = Assessment::Step;

namespace {

using Sentences = std::vector<std::string>;

// "node1 is", "node1 and 3 more are".
std::string is_or_are(const model::Snapshot& snapshot, const std::vector<model::NodeId>& nodes) {
  const auto& first = snapshot.node(nodes.front()).name;
  if (nodes.size() == 1) return fmt::format("{} is", first.view());
  return fmt::format("{} and {} more are", first.view(), nodes.size() - 1);
}

void limit_details(const Findings& f, Sentences& out) {
  for (const auto& l : f.verdict.limits) {
    if (is_access_rule({l, model::LimitKind::kCount, {}})) continue;
    if (f.verdict.limits.size() > 1) out.push_back(limit_sentence(l));
    if (l.filled_by.empty()) continue;
    const auto& first = l.filled_by.front();
    out.push_back(fmt::format("{} of {} is filled mostly by {} ({:.0f} of {:.0f})", l.name,
                              l.holder, first.holder, first.amount, l.used.value_or(0)));
  }
}

// By name while they are few; the summary says how many they are, and unhealthy_nodes lists them.
void unhealthy_details(const Findings& f, Sentences& out) {
  constexpr std::ptrdiff_t kFew = 2;
  const auto& all = f.verdict.unhealthy_nodes;
  if (std::count_if(all.begin(), all.end(), [](const auto& n) { return n.would_fit; }) > kFew)
    return;
  for (const auto& n : all) {
    if (!n.would_fit) continue;
    out.push_back(fmt::format("{} is {}{} and would hold the job's share",
                              f.snapshot.node(n.node).name.view(), n.state,
                              n.reason.empty() ? "" : fmt::format(" ({})", printable(n.reason))));
  }
}

// Nodes that are off, or about to be, and that the scheduler starts for jobs.
void power_details(const Findings& f, Sentences& out) {
  const auto& evaluation = f.assessor.evaluation();
  std::vector<model::NodeId> leaving, off;
  for (std::uint32_t i = 0; i < f.snapshot.nodes.size(); ++i) {
    auto failed = evaluation.failed_on(*f.assessment.answer, f.workload, {i});
    if (failed == Tests::of(Test::kPoweringDown)) leaving.push_back({i});
  }
  for (auto node : f.verdict.fit.nodes) {
    if (f.snapshot.node(node).flags.has(model::NodeFlag::kPoweredDown)) off.push_back(node);
  }
  if (!leaving.empty()) {
    out.push_back(
        fmt::format("{} being powered down and would hold the job's share; the "
                    "scheduler can power {} up again for it afterwards",
                    is_or_are(f.snapshot, leaving), leaving.size() == 1 ? "it" : "them"));
  }
  if (!off.empty()) {
    out.push_back(fmt::format("{} powered down; the scheduler powers {} up for the job",
                              is_or_are(f.snapshot, off), off.size() == 1 ? "it" : "them"));
  }
}

// Another partition that would take it at once.
void elsewhere(const Findings& f, Sentences& out) {
  if (f.assessment.step != Step::kNodes || f.assessment.fits) return;
  const auto& w = f.workload;
  for (std::uint32_t q = 0; q < f.snapshot.queues.size(); ++q) {
    const auto& queue = f.snapshot.queues[q];
    bool named = std::find(w.queues.begin(), w.queues.end(), queue.name) != w.queues.end();
    if (named || queue.hidden || queue.state != model::QueueState::kUp) continue;
    if (depends_on_groups(queue)) continue;
    auto& answer = f.assessor.evaluation().answer(w, {q});
    if (!f.assessor.limits(w, answer).empty()) continue;
    if (f.assessor.evaluation().fit(answer, w).fits) {
      out.push_back(fmt::format("it would fit now in partition {}", queue.name.view()));
    }
  }
}

std::string named(const model::Snapshot& s, const std::vector<model::WorkloadId>& ids) {
  std::vector<std::string> names;
  for (auto id : ids) names.push_back(model::display_id(s.workload(id)));
  return fmt::format("{} {}", ids.size() == 1 ? "job" : "jobs", fmt::join(names, ", "));
}

void preemption(const Findings& f, Sentences& out) {
  if (f.assessment.fits || !f.assessment.answer) return;
  const PreemptionRule rule(f.snapshot, f.workload, f.snapshot.queue(*f.assessment.queue));
  if (rule.nobody() || rule.not_followed()) return;
  const auto found = diagnose::preemption(f.snapshot, rule, f.verdict.workload);
  if (found.running == 0) {
    out.push_back(fmt::format("it may preempt {}, and none runs", rule.whom()));
  } else if (found.ends.empty()) {
    out.push_back(
        fmt::format("preemption cannot help: it may preempt {}, and even the end of all "
                    "{} that run would not give it its nodes",
                    rule.whom(), found.running));
  } else {
    auto when = found.from ? fmt::format("may be preempted from {} on (PreemptExemptTime)",
                                         local_time(*found.from))
                           : std::string("may be preempted at once");
    out.push_back(fmt::format("it may preempt {}: the end of {} would give it its nodes, and {} {}",
                              rule.whom(), named(f.snapshot, found.ends),
                              found.ends.size() == 1 ? "that one" : "these", when));
  }
}

void place_details(const Findings& f, Sentences& out) {
  const auto& w = f.workload;
  if (w.queues.size() > 1 && f.assessment.queue) {
    out.push_back(
        fmt::format("it names {} partitions; this is about {}, where it is closest to "
                    "starting",
                    w.queues.size(), f.snapshot.queue(*f.assessment.queue).name.view()));
  }
  if (w.array && !w.array->task_id && w.array->waiting_count > 1) {
    out.push_back(fmt::format("it stands for {} waiting tasks; this is about the next of them",
                              w.array->waiting_count));
  }
  if (w.het) {
    out.push_back(
        "it is one component of a heterogeneous job: all components must be able to "
        "start at the same time, and only the backfill scheduler starts them");
  }
  for (std::size_t i = 1; i < f.missing.size(); ++i) {
    out.push_back(fmt::format("component {} cannot start either ({}): {}",
                              model::display_id(f.snapshot.workload(f.missing[i].id)),
                              cause_name(f.missing[i].cause), f.missing[i].summary));
  }
  if (f.standing.behind) {
    const auto& ahead = f.snapshot.workload(*f.standing.behind);
    out.push_back(fmt::format("behind job {}, only the backfill scheduler can start it",
                              model::display_id(ahead)));
  }
  if (auto start = model::forecast(w); start && *start > f.snapshot.time) {
    out.push_back(fmt::format("the scheduler expects it to start at {} (in {})", local_time(*start),
                              short_duration(*start - f.snapshot.time)));
  }
}

// Behind a job that waits, Slurm takes the whole partition out of its search.
constexpr std::string_view kPartitionTakenOut = "Nodes required for job are DOWN, DRAINED";

std::string about_word(const Findings& f) {
  auto word = reason_word(f.workload.reason.view());
  auto cause = f.verdict.cause;
  const auto& text = f.verdict.scheduler_reason;
  if (text.find(kPartitionTakenOut.substr(0, 30)) != std::string::npos &&
      f.verdict.unhealthy_nodes.empty()) {
    return "the scheduler's text speaks of nodes down, drained or reserved, but none of the nodes "
           "it may use is: a job ahead in another partition with the same nodes has taken them "
           "out of this scheduling cycle";
  }
  if (word == "Priority" && cause != RootCause::kPriority) {
    return "Priority only means that the main scheduler stopped at a job ahead and did not test "
           "this one against the nodes";
  }
  if (word == "Resources" && cause == RootCause::kFragmentation) {
    return "Resources does not tell a full cluster from free resources in the wrong places";
  }
  if (word == "ReqNodeNotAvail" && cause == RootCause::kUnhealthyNodes &&
      text.find("May be reserved") != std::string::npos) {
    return "the scheduler says the nodes may be reserved, which it also says of drained nodes";
  }
  if (word == "BadConstraints" && cause == RootCause::kHold) {
    return "its constraints could be satisfied now; the scheduler does not look again while it is "
           "on hold";
  }
  return {};
}

// The class that the scheduler's word stands for, where it stands for one.
RootCause word_cause(std::string_view word) {
  if (word == "Priority") return RootCause::kPriority;
  if (word == "Resources") return RootCause::kCapacity;
  return reason_meaning(word).cause;
}

void stale_sources(const model::Snapshot& snapshot, Sentences& out) {
  for (const auto& s : snapshot.sources) {
    using enum model::SourceState;
    if (s.state == kFresh) continue;
    if (s.state == kPartial) {
      out.push_back(fmt::format("{} was read only in part", s.name));
    } else if (s.last_success && s.state == kStale) {
      out.push_back(fmt::format("{} was last read at {}, which is longer ago than it should be",
                                s.name, local_time(*s.last_success)));
    } else if (!s.last_success) {
      out.push_back(fmt::format("{} was never read{}", s.name,
                                s.error.empty() ? "" : ": " + printable(s.error)));
    } else {
      out.push_back(fmt::format("{} was last read {} ago", s.name,
                                short_duration(snapshot.time - *s.last_success)));
    }
  }
}

void unmodelled_request(const Findings& f, Sentences& out) {
  const auto& w = f.workload;
  const auto& r = w.request;
  if (!r.excluded_nodes) out.push_back("whether it excludes nodes was not read");
  if (f.assessment.answer && !f.assessment.answer->features->understood()) {
    out.push_back(
        fmt::format("the feature expression {} was not understood; every node passes it "
                    "here",
                    printable(r.features)));
  }
  if (f.assessment.answer && !f.assessment.answer->features->counts().empty()) {
    out.push_back("counts of features are tested one by one, not all together");
  }
  if (r.contiguous) out.push_back("that its nodes must be neighbours is not tested");
  if (r.memory_per == model::MemoryPer::kUnspecified && !r.memory_per_gpu) {
    out.push_back("how much memory it asks for was not read; memory is not tested");
  }
  if (r.sockets_per_node || r.cores_per_socket || !r.gres_per_socket.empty()) {
    out.push_back("which cores of which socket are in use is not known");
  }
  if (r.max_nodes.value_or(r.min_nodes) < r.min_nodes) {
    out.push_back("its node range is contradictory");
  }
}

bool wants_gpu_shares(const Findings& f) {
  if (!f.assessment.answer) return false;
  const auto& devices = f.assessment.answer->shape.devices;
  return std::any_of(devices.begin(), devices.end(), [](const auto& d) {
    return d.name.view() == "shard" || d.name.view() == "mps";
  });
}

void unmodelled_nodes(const Findings& f, Sentences& out) {
  const auto& evaluation = f.assessor.evaluation();
  bool tied = false, unknown_use = false;
  for (const auto& node : f.snapshot.nodes) {
    for (const auto& pool : node.gres) tied |= !pool.sockets.empty();
  }
  for (const auto& c : evaluation.nodes().classes) {
    for (const auto& d : c.view.devices) unknown_use |= !d.use_known;
  }
  if (f.assessment.answer && f.assessment.answer->shape.wants_gpus() && tied) {
    out.push_back("GPUs belong to sockets, and which cores of a socket are free is not known");
  }
  if (f.assessment.answer && f.assessment.answer->shape.shares_cpus) {
    auto queue = f.assessment.answer->shape.queue;
    bool shared = std::any_of(
        evaluation.nodes().classes.begin(), evaluation.nodes().classes.end(), [&](const auto& c) {
          return std::any_of(c.view.rows.begin(), c.view.rows.end(),
                             [&](const CpuRows& r) { return r.queue == queue; });
        });
    if (shared) {
      out.push_back(
          "which CPUs the jobs use that share them is not known; they count as filled one after "
          "the other");
    }
  }
  if (wants_gpu_shares(f)) {
    out.push_back(
        "all its shares must be of one GPU, and how many each GPU has left is not known; the most "
        "that one can have counts");
  }
  if (unknown_use) {
    out.push_back("of some nodes it is not known how many devices are in use; they count as full");
  }
  for (auto r : evaluation.reservations().of_cores_only()) {
    out.push_back(
        fmt::format("reservation {} holds only some cores of its nodes; they count as "
                    "open",
                    f.snapshot.reservations[r].name.view()));
  }
}

// What it gains by preempting others is told where only the nodes are in the way.
void preemption_not_tested(const Findings& f, Sentences& out) {
  const bool limited = f.verdict.cause == RootCause::kLimit;
  if (!f.assessment.queue || (f.assessment.fits && !limited)) return;
  const PreemptionRule rule(f.snapshot, f.workload, f.snapshot.queue(*f.assessment.queue));
  if (!rule.not_followed() && (rule.nobody() || !limited)) return;
  out.push_back(
      fmt::format("what it could gain by preempting {} is not tested: the scheduler may "
                  "start it by ending or suspending theirs, once they may be preempted",
                  rule.whom()));
}

void unmodelled_cluster(const Findings& f, Sentences& out) {
  if (!f.snapshot.config) {
    out.push_back("the scheduler's configuration was not read");
    return;
  }
  const auto& config = *f.snapshot.config;
  auto set = [&](std::string_view key) {
    auto value = config.get(key);
    return value && !value->empty() && *value != "(null)" && *value != "none";
  };
  if (set("JobSubmitPlugins")) {
    out.push_back(
        fmt::format("the job submit plugin ({}) may change requests in ways not seen "
                    "here",
                    *config.get("JobSubmitPlugins")));
  }
  auto topology = config.get("TopologyPlugin");
  if (topology && *topology != "topology/none" && *topology != "topology/default" &&
      *topology != "topology/flat" && f.assessment.answer &&
      f.assessment.answer->shape.max_nodes > 1) {
    out.push_back(fmt::format("the network topology ({}) is not part of the test", *topology));
  }
  if (f.assessor.account_limits().unknown()) {
    out.push_back("QOS and association limits were not read");
  }
  if (f.assessment.queue) {
    const auto& q = f.snapshot.queue(*f.assessment.queue);
    if (depends_on_groups(q)) {
      out.push_back(
          fmt::format("partition {} admits only some groups, and who belongs to them is "
                      "not known",
                      q.name.view()));
    }
  }
  preemption_not_tested(f, out);
}

// Slurm holds the components of a heterogeneous job against a limit together.
void limits_of_a_group(const Findings& f, Sentences& out) {
  if (!f.workload.het || f.assessor.account_limits().unknown()) return;
  out.push_back("limits are tested for each component by itself, not for all together");
}

// A node that the limit's holder uses already counts once, so a start beside its own jobs is free,
// where there is room. Only the scheduler, once it has chosen nodes, knows which it would be.
void shared_nodes_of_a_limit(const Findings& f, Sentences& out) {
  if (f.workload.reason.view().find("Node") != std::string_view::npos) return;
  if (!f.assessment.answer) return;
  const auto& answer = *f.assessment.answer;
  for (const auto& hit : f.assessor.limits(f.workload, answer)) {
    const auto& limit = hit.limit;
    bool counts_nodes = limit.resource == model::names::kNode && limit.used.value_or(0) > 0;
    if (!counts_nodes || limit.request_alone_exceeds) continue;
    auto used = f.assessor.account_limits().nodes_used(hit);
    auto with_room = std::count_if(used.begin(), used.end(), [&](model::NodeId node) {
      return f.assessor.evaluation().failed_on(answer, f.workload, node).empty();
    });
    auto further = std::max(0.0, limit.limit - *limit.used);
    if (static_cast<double>(with_room) + further < answer.shape.min_nodes) continue;
    out.push_back(
        fmt::format("{} {} counts a node once, whoever runs on it: on a node that {} already uses "
                    "the job would not add to it",
                    limit.holder, limit.name, limit.holder));
  }
}

}  // namespace

std::vector<std::string> further_details(const Findings& f) {
  auto out =
      f.assessment.step == Step::kGate ? f.assessor.gates().details(f.workload) : Sentences{};
  limit_details(f, out);
  if (f.assessment.step == Step::kNodes) unhealthy_details(f, out);
  if (f.assessment.step == Step::kNodes && f.assessment.answer) power_details(f, out);
  elsewhere(f, out);
  place_details(f, out);
  preemption(f, out);
  return out;
}

std::string reason_difference(const Findings& f) {
  if (auto text = about_word(f); !text.empty()) return text;
  auto word = reason_word(f.workload.reason.view());
  auto theirs = word_cause(word);
  auto meaning = reason_meaning(word).meaning;
  if (theirs == f.verdict.cause || meaning.empty()) return {};
  if (word == "None") return fmt::format("None only means that {}", meaning);
  if (word == "Resources" || word == "ReqNodeNotAvail") {
    return fmt::format("{} only means that {}", word, meaning);
  }
  if (theirs == RootCause::kUnknown) return {};
  return fmt::format("the scheduler says {} ({}); it shows one reason only, that of its last test",
                     word, meaning);
}

std::vector<std::string> not_known(const Findings& f) {
  Sentences out;
  limits_of_a_group(f, out);
  shared_nodes_of_a_limit(f, out);
  stale_sources(f.snapshot, out);
  unmodelled_request(f, out);
  unmodelled_nodes(f, out);
  unmodelled_cluster(f, out);
  return out;
}

}  // namespace schedlens::diagnose
