// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the scheduler last said of a pod, from its condition and its events.

#include <optional>
#include <string>
#include <unordered_map>

#include "diagnose/fit_message.h"
#include "model/kubernetes.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct PodMessage {
  std::string text;               // empty when it said nothing
  std::optional<FitMessage> fit;  // when the text says which nodes it turned down
  bool internal_error = false;    // reason SchedulerError
  bool gated = false;             // reason SchedulingGated
  std::optional<Timestamp> last_attempt;
};

class PodMessages {
 public:
  // The Snapshot must outlive it.
  explicit PodMessages(const model::Snapshot& snapshot);
  PodMessage of(model::WorkloadId id) const;
  // The last event of a kind about the pod.
  const model::Event* event(model::WorkloadId id, Symbol reason) const;

 private:
  const model::Snapshot& snapshot_;
  std::unordered_multimap<std::string, const model::Event*> events_;  // by namespace/name
};

// Why our counts and the scheduler's are not the same; empty when they are or when there is nothing
// to compare with.
struct OwnCounts {
  std::size_t nodes = 0;
  std::string whole_pod;
  std::vector<SchedulerCount> reasons;  // none and no whole_pod: it fits
  bool nominees = false;                // pods nominated elsewhere took part
};
std::string message_difference(const PodMessage& theirs, const OwnCounts& ours, Timestamp now);

}  // namespace schedlens::diagnose
