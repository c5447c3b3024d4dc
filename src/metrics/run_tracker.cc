// SPDX-License-Identifier: Apache-2.0
#include "metrics/run_tracker.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::metrics {
namespace {

using model::Snapshot;
using model::Workload;
using model::WorkloadState;

const Symbol kDisruption{"DisruptionTarget"};
const Symbol kPreemptedEvent{"Preempted"};
constexpr std::size_t kMostListed = 50;
// A preemptor starts when the victims are gone, which takes as long as their epilogs.
constexpr Seconds kPatience{120};

bool is_read(const Snapshot& s) {
  return std::none_of(s.sources.begin(), s.sources.end(), [](const model::SourceStatus& source) {
    return source.feeds == "workloads" && (source.state == model::SourceState::kFailed ||
                                           source.state == model::SourceState::kStale ||
                                           source.state == model::SourceState::kNever);
  });
}

std::optional<LossCause> cause_of_job(const Workload& w) {
  switch (w.state) {
    case WorkloadState::kFailed:
      return LossCause::kFailed;
    case WorkloadState::kTimeout:
      return LossCause::kTimeout;
    case WorkloadState::kOutOfMemory:
      return LossCause::kOutOfMemory;
    case WorkloadState::kNodeFail:
      return LossCause::kNodeFail;
    case WorkloadState::kPreempted:
      return LossCause::kPreempted;
    case WorkloadState::kDeadline:
      return LossCause::kDeadline;
    case WorkloadState::kBootFail:
      return LossCause::kBootFail;
    default:
      return std::nullopt;  // it did its work, or somebody did not want it any more
  }
}

std::optional<LossCause> cause_of_pod(const Workload& w) {
  const auto* disruption = w.pod->condition(kDisruption);
  const bool disrupted = disruption && disruption->status;
  const auto why = disrupted ? disruption->reason.view() : std::string_view();
  if (why == "PreemptionByScheduler") return LossCause::kPreempted;
  if (why == "DeletionByTaintManager" || why == "DeletionByPodGC") return LossCause::kNodeFail;
  if (disrupted || w.pod->status_reason.view() == "Evicted") return LossCause::kEvicted;
  if (w.state == WorkloadState::kFailed) return LossCause::kFailed;
  return std::nullopt;
}

Symbol queue_of(const Workload& w) {
  if (w.pod) return w.pod->ns;
  return w.queues.empty() ? Symbol() : w.queues.front();
}

Symbol class_of(const Workload& w) {
  return w.pod ? w.pod->spec->priority_class : w.qos;
}

bool is_out(const model::Node& node) {
  return node.state == model::NodeState::kDown || node.flags.has(model::NodeFlag::kNotResponding);
}

}  // namespace

std::uint64_t RunTracker::key_of(const Workload& w) {
  return w.pod ? std::hash<std::string>()(w.pod->uid) : w.job_id;
}

void RunTracker::feed(const Snapshot& snapshot, EfficiencyCounts& counts) {
  if (!is_read(snapshot)) return;
  s_ = &snapshot;
  counts_ = &counts;
  if (!first_) first_ = snapshot.time;
  ++round_;
  for (const auto& w : snapshot.workloads) look_at(w, false);
  if (snapshot.kubernetes) {
    for (const auto& w : snapshot.kubernetes->gone_pods) look_at(w, true);
    read_events();
  }
  drop_unseen();
  close_open();
}

void RunTracker::look_at(const Workload& w, bool gone) {
  const auto who = key_of(w);
  auto known = runs_.find(who);
  if (known != runs_.end()) {
    auto& run = known->second;
    run.round = round_;
    const bool again = w.start && *w.start != run.start && !model::is_pending(w);
    if (!run.ended && (model::is_pending(w) || again)) end_by_requeue(w, who, run);
    if (again) {
      runs_.erase(known);
      known = runs_.end();
    }
  }
  if (!gone && model::holds_resources(w)) {
    if (w.start && model::gpus_held(w) > 0) remember(w, who);
    return;
  }
  if (model::is_pending(w)) return;
  if (known == runs_.end()) {
    // Started and ended since the last look.
    const auto gpus = w.pod ? model::gpus_requested(w) : model::gpu_count(w.allocation.totals);
    if (gpus == 0 || !w.start || *w.start <= *first_) return;
    auto [it, is_new] = runs_.emplace(who, Run{});
    it->second = {*w.start,    *w.start,    gpus,  w.allocation.nodes,
                  queue_of(w), class_of(w), false, round_};
    known = it;
  }
  if (!known->second.ended) end(w, who, known->second, gone);
}

void RunTracker::remember(const Workload& w, std::uint64_t who) {
  auto& run = runs_[who];
  if (run.ended) return;
  run = {*w.start, s_->time, model::gpus_held(w), w.allocation.nodes, queue_of(w), class_of(w),
         false,    round_};
}

// It ended between two looks: in the middle, for all that is known.
void RunTracker::end_by_requeue(const Workload& w, std::uint64_t who, Run& run) {
  run.ended = true;
  auto end = Timestamp{(run.seen.unix_seconds + s_->time.unix_seconds) / 2};
  if (!model::is_pending(w) && w.start && *w.start > run.start) end = std::min(end, *w.start);
  end = std::max(end, run.start);
  if (w.pod) return lose(LossCause::kRequeued, run, end);
  open_.push_back({run, who, model::display_id(w), end, s_->time + kPatience,
                   w.preempted && *w.preempted >= run.start});
}

void RunTracker::end(const Workload& w, std::uint64_t who, Run& run, bool gone) {
  run.ended = true;
  auto end = w.end.value_or(s_->time);
  if (gone && !w.end && w.pod->deleting) end = std::min(s_->time, *w.pod->deleting);
  end = std::max(std::min(end, s_->time), run.start);
  if (end < *first_) return;
  auto cause = w.pod ? cause_of_pod(w) : cause_of_job(w);
  const bool told = !w.pod && w.preempted && *w.preempted >= run.start;
  if (told && w.state == WorkloadState::kCancelled) cause = LossCause::kPreempted;
  if (!cause) return;
  if (!w.pod && *cause == LossCause::kPreempted) {
    open_.push_back({run, who, model::display_id(w), end, s_->time + kPatience, true});
    return;
  }
  lose(*cause, run, end);
}

void RunTracker::drop_unseen() {
  std::erase_if(runs_, [&](auto& entry) {
    auto& [who, run] = entry;
    if (run.round == round_) return false;
    if (!run.ended) {
      ++counts_->unseen.runs;
      counts_->unseen.gpu_seconds +=
          static_cast<double>(run.gpus) * static_cast<double>((run.seen - run.start).value);
    }
    return true;
  });
}

void RunTracker::close_open() {
  std::erase_if(open_, [&](const Open& open) {
    const auto* preemptor = preemptor_of(open);
    const bool out = std::any_of(open.run.nodes.begin(), open.run.nodes.end(), [&](auto id) {
      return id.index < s_->nodes.size() && is_out(s_->node(id));
    });
    if (!preemptor && !(out && !open.preempted) && s_->time < open.give_up) return false;
    const auto cause = preemptor || open.preempted ? LossCause::kPreempted
                       : out                       ? LossCause::kNodeFail
                                                   : LossCause::kRequeued;
    lose(cause, open.run, open.end);
    if (cause != LossCause::kPreempted) return true;
    Preemption p;
    p.when = open.end;
    p.victim = open.id;
    p.kind.victim_queue = open.run.queue;
    p.kind.victim_class = open.run.qos;
    p.gpus = open.run.gpus;
    p.gpu_seconds =
        static_cast<double>(open.run.gpus) * static_cast<double>((open.end - open.run.start).value);
    if (preemptor) {
      p.inferred = true;
      p.preemptor = model::display_id(*preemptor);
      p.kind.preemptor_queue = queue_of(*preemptor);
      p.kind.preemptor_class = class_of(*preemptor);
    }
    note(std::move(p));
    return true;
  });
}

const Workload* RunTracker::preemptor_of(const Open& open) const {
  const Workload* first = nullptr;
  for (auto node : open.run.nodes) {
    if (node.index >= s_->nodes.size()) continue;
    for (auto id : s_->workloads_on(node)) {
      const auto& w = s_->workload(id);
      // Clocks tick in seconds.
      if (!w.start || *w.start + Seconds{1} < open.run.seen || key_of(w) == open.who) continue;
      if (!may_preempt(w, open.run)) continue;
      if (!first || *w.start < *first->start) first = &w;
    }
  }
  return first;
}

bool RunTracker::may_preempt(const Workload& w, const Run& victim) const {
  const auto type = s_->config ? s_->config->get("PreemptType") : std::nullopt;
  if (!type) return false;
  if (*type == "preempt/partition_prio") {
    const auto tier = [&](Symbol queue) {
      const auto id = s_->find_queue(queue);
      return id ? s_->queue(*id).priority_tier : 0;
    };
    return tier(queue_of(w)) > tier(victim.queue);
  }
  const auto* qos = *type == "preempt/qos" ? s_->find_qos(w.qos) : nullptr;
  if (!qos || !qos->preempts) return false;
  return std::find(qos->preempts->begin(), qos->preempts->end(), victim.qos) !=
         qos->preempts->end();
}

void RunTracker::lose(LossCause cause, const Run& run, Timestamp end) {
  auto& lost = counts_->lost[static_cast<std::size_t>(cause)];
  ++lost.runs;
  lost.gpu_seconds += static_cast<double>(run.gpus) * static_cast<double>((end - run.start).value);
}

void RunTracker::note(Preemption preemption) {
  ++counts_->preemptions[preemption.kind];
  auto& latest = counts_->latest;
  latest.insert(latest.begin(), std::move(preemption));
  if (latest.size() > kMostListed) latest.resize(kMostListed);
}

// "Preempted by pod 1f0c... on node gpu-1"; of old schedulers "Preempted by ns/name on node gpu-1".
void RunTracker::read_events() {
  if (!s_->kubernetes->events) return;
  std::unordered_set<std::string> shown;
  for (const auto& event : *s_->kubernetes->events) {
    if (event.reason != kPreemptedEvent || event.kind.view() != "Pod") continue;
    const auto last = event.last ? event.last : event.first;
    shown.insert(event.uid);
    if (events_.contains(event.uid) || !last || *last < *first_) continue;
    constexpr std::string_view kHead = "Preempted by ";
    std::string_view by = event.note;
    if (!by.starts_with(kHead)) continue;
    by.remove_prefix(kHead.size());
    if (by.starts_with("pod ")) by.remove_prefix(4);
    by = by.substr(0, by.find(' '));
    Preemption p;
    p.when = *last;
    p.victim = event.ns.str() + '/' + event.name;
    p.kind.victim_queue = event.ns;
    const auto look = [&](const Workload& w) {
      if (!w.pod) return;
      if (w.pod->uid == event.uid) {
        p.kind.victim_class = class_of(w);
        p.gpus = model::gpus_requested(w);
        if (w.start) {
          p.gpu_seconds = static_cast<double>(p.gpus) *
                          static_cast<double>(std::max(Seconds{0}, *last - *w.start).value);
        }
      } else if (w.pod->uid == by || model::display_id(w) == by) {
        p.preemptor = model::display_id(w);
        p.kind.preemptor_queue = queue_of(w);
        p.kind.preemptor_class = class_of(w);
      }
    };
    for (const auto& w : s_->workloads) look(w);
    for (const auto& w : s_->kubernetes->gone_pods) look(w);
    note(std::move(p));
  }
  events_ = std::move(shown);
}

}  // namespace schedlens::metrics
