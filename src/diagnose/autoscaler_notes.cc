// SPDX-License-Identifier: Apache-2.0
#include "diagnose/autoscaler_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/time_text.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

// It looks at unschedulable pods every ten seconds and waits for new nodes a quarter of an hour at
// most; after so long without a word something keeps it from looking.
constexpr Seconds kSilent{600};
// It writes its status with every look.
constexpr Seconds kStatusOld{180};

std::string limits_text(const model::AutoscalerStatus& status) {
  std::vector<std::string> parts;
  for (const auto& g : status.groups) {
    if (g.target && g.max && *g.target >= *g.max) {
      parts.push_back(fmt::format("{} has {} nodes, as many as it may", g.name, *g.target));
    } else if (g.scale_up == "Backoff") {
      parts.push_back(fmt::format("{} is not tried for a while after a failure{}{}", g.name,
                                  g.backoff.empty() ? "" : ": ", g.backoff));
    } else if (!g.health.empty() && g.health != "Healthy") {
      parts.push_back(fmt::format("{} is {}", g.name, lower(g.health)));
    }
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

bool is_running(const model::Kubernetes& kubernetes) {
  static const Symbol kName{"cluster-autoscaler"};
  if (kubernetes.autoscaler) return true;
  if (!kubernetes.events) return false;
  return std::any_of(kubernetes.events->begin(), kubernetes.events->end(),
                     [](const model::Event& e) { return e.reporter == kName; });
}

}  // namespace

std::vector<std::string> autoscaler_notes(const model::Snapshot& snapshot, model::WorkloadId id,
                                          const PodMessages& messages) {
  static const Symbol kTriggered{"TriggeredScaleUp"}, kNotTriggered{"NotTriggerScaleUp"};
  const auto* triggered = messages.event(id, kTriggered);
  const auto* refused = messages.event(id, kNotTriggered);
  const auto& kubernetes = *snapshot.kubernetes;
  std::vector<std::string> notes;
  if (triggered && (!refused || refused->last < triggered->last)) {
    notes.push_back(fmt::format("The cluster autoscaler is adding nodes: {}", triggered->note));
    return notes;
  }
  if (!refused && !is_running(kubernetes)) return notes;
  const auto& status = kubernetes.autoscaler;
  if (refused) {
    notes.push_back(fmt::format("The cluster autoscaler adds no nodes for it: {}", refused->note));
  } else {
    const auto age = model::waited(snapshot.workload(id), snapshot.time);
    if (!age || *age < kSilent) return notes;
    notes.push_back(fmt::format(
        "The cluster autoscaler has said nothing about it in {}: neither that it adds nodes nor "
        "why not.",
        short_duration(*age)));
  }
  if (!status) return notes;
  if (status->time && snapshot.time - *status->time > kStatusOld) {
    notes.push_back(fmt::format("Its own status is {} old; it may not be running.",
                                short_duration(snapshot.time - *status->time)));
  }
  if (auto limits = limits_text(*status); !limits.empty()) {
    notes.push_back(fmt::format("Of its node groups, {}.", limits));
  }
  return notes;
}

}  // namespace schedlens::diagnose
