// SPDX-License-Identifier: Apache-2.0
#pragma once
// The filter InterPodAffinity (pkg/scheduler/framework/plugins/interpodaffinity): a pod's own
// required terms and the anti-affinity of the pods that run.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "diagnose/pod_cluster.h"
#include "diagnose/pod_filter.h"
#include "diagnose/pod_match.h"
#include "model/pod.h"

namespace schedlens::diagnose {

// Required anti-affinity of assigned pods, equal terms together.
class ExistingAntiAffinity {
 public:
  ExistingAntiAffinity(const PodCluster& cluster, const PodMatch& match);

  struct Term {
    PodSelection selection;
    Symbol topology_key;
    NodeCounts nodes;  // and how many pods there have it
  };
  const std::vector<Term>& terms() const { return terms_; }

 private:
  std::vector<Term> terms_;
};

class PodAffinity {
 public:
  PodAffinity(PodCluster& cluster, PodMatch& match, const ExistingAntiAffinity& existing,
              const model::Pod& pod);

  struct Result {
    PodReasons failed;
    bool unknown = false;  // depends on labels of namespaces that were not read
  };
  // With, in addition, nominated pods on that node, and without those that are gone from there.
  Result test(model::NodeId node, std::span<const AssignedPod> nominated = {},
              std::span<const AssignedPod> gone = {}) const;

  struct Term {
    PodSelection selection;
    const Topology* topology = nullptr;
    std::vector<std::int64_t> pods;  // that are meant and run there, by value
  };
  const std::vector<Term>& affinity() const { return affinity_; }
  const std::vector<Term>& anti_affinity() const { return anti_affinity_; }
  // No pod is meant by all affinity terms, and this one is: it may be the first.
  bool may_be_first() const { return present_ == 0 && self_; }

 private:
  Term term(PodCluster& cluster, const PodMatch& match, const model::PodAffinityTerm& asked) const;
  Term& existing_over(const Topology& topology);
  using Pods = std::span<const AssignedPod>;
  Answer affinity_holds(model::NodeId node, Pods nominated, Pods gone) const;
  bool repelled(model::NodeId node, Pods nominated, Pods gone) const;
  bool repelled_by_existing(model::NodeId node, Pods nominated, Pods gone) const;
  bool meant_by_all(const AssignedPod& p) const;  // of the affinity terms
  // Terms of the pod, over that key, that mean this one.
  std::int64_t terms_against(const AssignedPod& p, Symbol key) const;

  const PodCluster& cluster_;
  const PodMatch& match_;
  const model::Pod& pod_;
  std::vector<Term> affinity_, anti_affinity_;
  std::vector<Term> existing_;  // of others and mean this pod; those over one key together
  std::int64_t present_ = 0;    // sum of the affinity terms' pods
  bool self_ = false;
  bool affinity_unknown_ = false;
  bool anti_unknown_ = false;
};

}  // namespace schedlens::diagnose
