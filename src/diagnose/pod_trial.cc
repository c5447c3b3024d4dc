// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_trial.h"

#include <algorithm>

#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::WorkloadId;

namespace {

std::span<const AssignedPod> on_node(const std::vector<AssignedPod>& by_node, NodeId node) {
  const auto [begin, end] =
      std::equal_range(by_node.begin(), by_node.end(), AssignedPod{node, {}},
                       [](const AssignedPod& a, const AssignedPod& b) { return a.node < b.node; });
  return {begin, end};
}

// What the end of others on the node can change.
PodReasons curable() {
  return reasons_of(PodFilter::kNodeResourcesFit) | reasons_of(PodFilter::kNodePorts) |
         reasons_of(PodFilter::kVolumeRestrictions) | PodReasons::of(PodReason::kSpread) |
         PodReasons::of(PodReason::kPodAntiAffinity) |
         PodReasons::of(PodReason::kExistingAntiAffinity);
}

}  // namespace

PodTrial::PodTrial(const PodCluster& cluster, WorkloadId id, const PodAnswer& answer, NodeId node)
    : cluster_(cluster),
      pod_(*cluster.snapshot().workload(id).pod),
      answer_(answer),
      node_(node),
      nominated_(on_node(answer.nominees, node)),
      places_(cluster.object(node).allocatable.get(model::names::kKubePods) -
              cluster.pods_on(node)) {
  for (const auto& ask : answer.asks) lacks_.push_back(ask.amount - ask.free(node));
}

bool PodTrial::open(const PodAnswer& answer, NodeId node) {
  const auto failed = answer.failed[node.index];
  if (failed.empty() || !failed.without(curable()).empty()) return false;
  if (!answer.unknown[node.index].empty() || !answer.whole_pod.empty()) return false;
  // More than the node has: nobody's end helps.
  return std::all_of(answer.asks.begin(), answer.asks.end(), [&](const ResourceAsk& ask) {
    return ask.amount <= ask.allocatable(node) || ask.has_class;
  });
}

void PodTrial::leave(const AssignedPod& p) {
  gone_.push_back(p);
  ++places_;
  const auto& request = cluster_.pod(p).request;
  for (std::size_t r = 0; r < lacks_.size(); ++r) lacks_[r] -= request.get(answer_.asks[r].name);
}

void PodTrial::come_back(const AssignedPod& p) {
  std::erase_if(gone_, [&](const AssignedPod& g) { return g.id == p.id; });
  --places_;
  const auto& request = cluster_.pod(p).request;
  for (std::size_t r = 0; r < lacks_.size(); ++r) lacks_[r] += request.get(answer_.asks[r].name);
}

bool PodTrial::has_left(WorkloadId id) const {
  return std::any_of(gone_.begin(), gone_.end(), [&](const AssignedPod& g) { return g.id == id; });
}

bool PodTrial::ports_free() const {
  const auto& mine = pod_.spec->host_ports;
  if (mine.empty()) return true;
  for (const auto& p : cluster_.assigned_on(node_)) {
    const auto& theirs = cluster_.pod(p).spec->host_ports;
    if (theirs.empty() || has_left(p.id)) continue;
    for (const auto& port : theirs) {
      const bool clash = std::any_of(mine.begin(), mine.end(),
                                     [&](const model::HostPort& m) { return clashes(m, port); });
      if (clash) return false;
    }
  }
  return true;
}

bool PodTrial::passes_with(std::span<const AssignedPod> nominated) const {
  if (places_ - static_cast<std::int64_t>(nominated.size()) < 1) return false;
  for (std::size_t r = 0; r < lacks_.size(); ++r) {
    const auto& ask = answer_.asks[r];
    if (ask.has_class && ask.allocatable(node_) == 0) continue;
    auto lacks = lacks_[r];
    for (const auto& n : nominated) lacks += cluster_.pod(n).request.get(ask.name);
    if (lacks > 0) return false;
  }
  for (const auto& n : nominated) {
    for (const auto& theirs : cluster_.pod(n).spec->host_ports) {
      for (const auto& mine : pod_.spec->host_ports) {
        if (clashes(mine, theirs)) return false;
      }
    }
  }
  if (answer_.spread && !answer_.spread->failed(node_, nominated, gone_).empty()) return false;
  if (!answer_.affinity) return true;
  const auto result = answer_.affinity->test(node_, nominated, gone_);
  return result.failed.empty() && !result.unknown;
}

bool PodTrial::passes() const {
  if (answer_.failed[node_.index].has(PodReason::kReadWriteOncePod) &&
      !(answer_.exclusive_user && has_left(*answer_.exclusive_user))) {
    return false;
  }
  if (!passes_with({}) || !ports_free()) return false;
  return nominated_.empty() || passes_with(nominated_);
}

}  // namespace schedlens::diagnose
