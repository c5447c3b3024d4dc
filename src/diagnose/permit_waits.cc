// SPDX-License-Identifier: Apache-2.0
#include "diagnose/permit_waits.h"

#include <algorithm>

#include "diagnose/release.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

// Whoever preempts others is nominated to their node while they end. What such a pod was told last
// is how its preemption went; the others were told that there is none, or nothing yet.
bool may_preempt(const model::Pod& pod) {
  static const Symbol kPodScheduled{"PodScheduled"};
  const auto* condition = pod.condition(kPodScheduled);
  if (!condition || condition->status) return false;
  const auto& text = *condition->message;
  for (auto no : {"No preemption victims found", "Preemption is not helpful"}) {
    if (text.find(no) != std::string::npos) return false;
  }
  return true;
}

bool names_the_node(const model::Snapshot& snapshot) {
  const auto minor = minor_release(snapshot.scheduler_version);
  return minor && *minor >= 35;
}

}  // namespace

std::optional<PermitWait> permit_wait(const model::Snapshot& snapshot, model::WorkloadId id) {
  const auto& w = snapshot.workload(id);
  if (!w.pod || !model::is_pending(w) || !names_the_node(snapshot)) return std::nullopt;
  const auto& pod = *w.pod;
  // Where the scheduler's own mark on the status is not there, what was nominated how is not known.
  const bool waits = pod.condition_written && !pod.nominated_node.empty() &&
                     pod.node_name.empty() && !pod.deleting && pod.gates.empty() &&
                     !may_preempt(pod);
  if (!waits) return std::nullopt;
  return PermitWait{id, pod.nominated_node,
                    std::max(Seconds{0}, snapshot.time - *pod.condition_written)};
}

std::optional<std::vector<PermitWait>> permit_waits(const model::Snapshot& snapshot) {
  if (!names_the_node(snapshot)) return std::nullopt;
  std::vector<PermitWait> waits;
  for (const auto id : snapshot.pending()) {
    if (auto wait = permit_wait(snapshot, id)) waits.push_back(*wait);
  }
  return waits;
}

}  // namespace schedlens::diagnose
