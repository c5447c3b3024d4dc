// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/time_text.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

const Symbol kPodScheduled{"PodScheduled"};
const Symbol kFailedScheduling{"FailedScheduling"};

std::string event_key(Symbol ns, std::string_view name) {
  return fmt::format("{}/{}", ns.view(), name);
}

}  // namespace

PodMessages::PodMessages(const model::Snapshot& snapshot) : snapshot_(snapshot) {
  static const Symbol kPod{"Pod"};
  if (!snapshot.kubernetes || !snapshot.kubernetes->events) return;
  for (const auto& e : *snapshot.kubernetes->events) {
    if (e.kind == kPod) events_.emplace(event_key(e.ns, e.name), &e);
  }
}

const model::Event* PodMessages::event(model::WorkloadId id, Symbol reason) const {
  const auto& w = snapshot_.workload(id);
  const model::Event* last = nullptr;
  auto [from, to] = events_.equal_range(event_key(w.pod->ns, w.name));
  for (auto it = from; it != to; ++it) {
    const auto& e = *it->second;
    // Another pod may have had the name before.
    if (e.reason != reason || (!e.uid.empty() && e.uid != w.pod->uid)) continue;
    if (!last || last->last < e.last) last = &e;
  }
  return last;
}

PodMessage PodMessages::of(model::WorkloadId id) const {
  const auto& pod = *snapshot_.workload(id).pod;
  PodMessage message;
  const auto* condition = pod.condition(kPodScheduled);
  if (condition && !condition->status) {
    message.text = *condition->message;
    message.gated = condition->reason.view() == "SchedulingGated";
    message.internal_error = condition->reason.view() == "SchedulerError";
    message.last_attempt = pod.condition_written;
  }
  const auto* event = this->event(id, kFailedScheduling);
  if (event && event->last && (!message.last_attempt || *message.last_attempt < *event->last)) {
    message.last_attempt = event->last;
  }
  if (message.text.empty() && event) message.text = event->note;
  if (!message.gated && !message.internal_error) message.fit = parse_fit_message(message.text);
  return message;
}

namespace {

// "it counted 60 Insufficient cpu, we count 58; ..."
std::string unequal_counts(const std::vector<SchedulerCount>& theirs,
                           const std::vector<SchedulerCount>& ours) {
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> both;
  for (const auto& c : theirs) both[c.reason].first = c.count;
  for (const auto& c : ours) both[c.reason].second = c.count;
  std::string text;
  for (const auto& [reason, counts] : both) {
    if (counts.first == counts.second) continue;
    text += fmt::format("{}it counts {} for \"{}\", here it is {}", text.empty() ? "" : "; ",
                        counts.first, reason, counts.second);
  }
  return text;
}

std::string unknown_reason(const FitMessage& theirs) {
  for (const auto& c : canonical(theirs.reasons)) {
    if (!filter_of_reason(c.reason)) return c.reason;
  }
  return {};
}

std::string why_unequal(const PodMessage& theirs, const OwnCounts& ours, Timestamp now) {
  const auto& fit = *theirs.fit;
  if (auto reason = unknown_reason(fit); !reason.empty()) {
    return fmt::format("\"{}\" is not the reason of a plugin that is evaluated here", reason);
  }
  if (theirs.last_attempt && *theirs.last_attempt < now) {
    return fmt::format(
        "the scheduler last tried at {}, {} before this data, so its text may be "
        "out of date",
        local_time(*theirs.last_attempt), short_duration(now - *theirs.last_attempt));
  }
  if (ours.nominees) return "pods nominated to nodes may have changed meanwhile";
  return "the scheduler may be configured otherwise (order of plugins, arguments), or know "
         "something newer";
}

}  // namespace

std::string message_difference(const PodMessage& theirs, const OwnCounts& ours, Timestamp now) {
  if (!theirs.fit || theirs.fit->form == FitMessage::Form::kNoNodes) return {};
  const auto& fit = *theirs.fit;
  std::string what;
  if (fit.nodes != ours.nodes) {
    what = fmt::format("it looked at {} nodes, here there are {}", fit.nodes, ours.nodes);
  } else if (fit.form == FitMessage::Form::kWholePod || !ours.whole_pod.empty()) {
    // 1.20 counts the same text for every node.
    const bool same = fit.whole_pod == ours.whole_pod ||
                      (fit.reasons.size() == 1 && fit.reasons[0].reason == ours.whole_pod);
    if (same) return {};
    what = ours.whole_pod.empty()
               ? fmt::format("it says \"{}\", and nothing read here says so", fit.whole_pod)
               : fmt::format("here the reason is \"{}\"", ours.whole_pod);
  } else if (ours.reasons.empty()) {
    what = "here nodes pass every filter";
  } else {
    auto own = canonical(ours.reasons);
    auto said = canonical(fit.reasons);
    // What a cut text does not say cannot differ.
    if (fit.cut) {
      std::erase_if(own, [&](const SchedulerCount& c) {
        return std::none_of(said.begin(), said.end(),
                            [&](const SchedulerCount& s) { return s.reason == c.reason; });
      });
    }
    what = unequal_counts(said, own);
  }
  if (what.empty()) return {};
  return fmt::format("{}: {}", what, why_unequal(theirs, ours, now));
}

}  // namespace schedlens::diagnose
