// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_wake.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/time_text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/release.h"

namespace schedlens::diagnose {
namespace {

// podMaxBackoffSeconds, where nobody has changed it.
constexpr Seconds kLongestBackoff{10};

// After so long every pod is tried again, whatever happened.
Seconds flushed_after(std::string_view version) {
  const auto minor = minor_release(version);
  return minor && *minor <= 20 ? Seconds{90} : Seconds{330};
}

bool turned_down_by(const PodMessage& message, PodFilter filter) {
  if (!message.fit) return false;
  for (const auto& c : canonical(message.fit->reasons)) {
    if (filter_of_reason(c.reason) == filter) return true;
  }
  return false;
}

void add_pushes(const PodMessage& message, Wake& wake) {
  wake.details.push_back(
      "To have it tried at once, put a PreferNoSchedule taint with a key of your own on any node "
      "and take it off again.");
  if (turned_down_by(message, PodFilter::kInterPodAffinity)) {
    wake.details.push_back(
        "Affinity turned it down, and the scheduler does not notice every help there: changed "
        "labels of namespaces, pods met through a namespaceSelector, the end of a pod where there "
        "are several anti-affinity terms, a node that leaves a forbidden domain. A changed label "
        "on the pod itself wakes it, too.");
  }
  if (turned_down_by(message, PodFilter::kPodTopologySpread)) {
    wake.details.push_back(
        "A pod that is being deleted stops counting for spread at once, but the scheduler tries "
        "again only when it is gone.");
  }
  if (turned_down_by(message, PodFilter::kNodeResourcesFit)) {
    wake.details.push_back("The end of any running pod wakes it, too.");
  }
}

}  // namespace

Wake wake(const model::Snapshot& snapshot, model::WorkloadId id, const PodMessage& message,
          std::size_t nodes, const std::string& example) {
  Wake wake;
  const auto& w = snapshot.workload(id);
  const auto fits = fmt::format("It fits on {} now ({})", plural(nodes, "node"), example);
  if (message.internal_error) {
    wake.summary = fmt::format("{}, but the scheduler failed on it: {}", fits, message.text);
    return wake;
  }
  if (message.text.empty()) {
    const bool is_new = w.submitted && snapshot.time - *w.submitted <= kLongestBackoff;
    wake.summary = is_new ? fits + ", and the scheduler has not come to it yet."
                          : fits + ", and the scheduler says nothing about it.";
    if (!is_new) {
      wake.unsure.push_back(
          "A scheduler that is not running, a plugin that lets the pod wait after a node was found "
          "(Permit) and a volume that is being prepared look the same from outside.");
    }
    return wake;
  }
  if (!message.last_attempt) {
    wake.summary = fits + ", and the scheduler turned it down before.";
    wake.unsure.push_back("When the scheduler last tried it is not known.");
    return wake;
  }
  const auto age = snapshot.time - *message.last_attempt;
  if (age <= kLongestBackoff) {
    wake.summary = fits + "; the scheduler turned it down a moment ago and tries again within " +
                   short_duration(kLongestBackoff) + ".";
    return wake;
  }
  wake.asleep = true;
  const auto flush = flushed_after(snapshot.scheduler_version);
  wake.summary = fmt::format(
      "{}, but the scheduler turned it down at {} and has not tried again since: nothing has "
      "happened that it takes for a help.",
      fits, local_time(*message.last_attempt));
  if (age <= flush) {
    wake.details.push_back(fmt::format("It is tried again within {} of the last time in any case.",
                                       short_duration(flush)));
  } else {
    wake.details.push_back(
        fmt::format("It should have been tried again after {} at the latest: the scheduler may not "
                    "be running, or the pod waits after a node was found (Permit).",
                    short_duration(flush)));
  }
  add_pushes(message, wake);
  return wake;
}

}  // namespace schedlens::diagnose
