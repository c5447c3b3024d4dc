// SPDX-License-Identifier: Apache-2.0
#pragma once
// Puts the Verdict on a waiting pod together: gates, filters, cause, and the facts and sentences
// that go with them.

#include <string>
#include <unordered_map>
#include <utility>

#include "diagnose/pod_assessment.h"
#include "diagnose/pod_gate.h"
#include "diagnose/pod_message.h"
#include "diagnose/verdict.h"

namespace schedlens::diagnose {

class PodExplainer {
 public:
  // Of a Kubernetes cluster. The Snapshot must outlive it.
  explicit PodExplainer(const model::Snapshot& snapshot);

  Verdict explain(model::WorkloadId id);
  RootCause classify(model::WorkloadId id);
  // Its scheduler runs, and a node has room for it.
  bool starts_next(model::WorkloadId id);
  // Others that wait, of at least its priority, fit on its nodes too, and are as many as these: the
  // scheduler may give them all the room. They are looked at in no order that is known from outside
  // but that of their priorities.
  bool room_may_go_to_others(model::WorkloadId id);
  // Evaluations made for classify() so far.
  std::size_t evaluations() const { return known_.size(); }

 private:
  bool fits(model::WorkloadId id);
  void explain_filters(model::WorkloadId id, const PodMessage& message, Verdict& verdict);

  const model::Snapshot& snapshot_;
  PodEvaluation evaluation_;
  PodMessages messages_;
  PodGates gates_;
  // By likeness. What an evaluation says of all its nodes is not kept: it would be a row for every
  // node.
  std::unordered_map<std::string, std::pair<RootCause, PodAssessment::Step>> known_;
  // Also by likeness: the nodes that would take it, for pods that are asked about one after
  // another.
  const std::vector<model::NodeId>& nodes_for(model::WorkloadId id);
  std::unordered_map<std::string, std::vector<model::NodeId>> nodes_for_;
};

}  // namespace schedlens::diagnose
