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
    std::vector<model::NodeId> nodes;  // with a pod that has it, ascending
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
  // With, in addition, nominated pods on that node.
  Result test(model::NodeId node, std::span<const AssignedPod> nominated = {}) const;

  struct Term {
    PodSelection selection;
    const Topology* topology = nullptr;
    std::vector<bool> present;  // by value: a pod that is meant runs there
  };
  const std::vector<Term>& affinity() const { return affinity_; }
  const std::vector<Term>& anti_affinity() const { return anti_affinity_; }
  // No pod is meant by all affinity terms, and this one is: it may be the first.
  bool may_be_first() const { return none_present_ && self_; }

 private:
  Term term(PodCluster& cluster, const PodMatch& match, const model::PodAffinityTerm& asked) const;
  Answer affinity_holds(model::NodeId node, std::span<const AssignedPod> nominated) const;
  bool repelled(model::NodeId node, std::span<const AssignedPod> nominated) const;
  bool repelled_by_existing(model::NodeId node, std::span<const AssignedPod> nominated) const;

  const PodCluster& cluster_;
  const PodMatch& match_;
  const model::Pod& pod_;
  std::vector<Term> affinity_, anti_affinity_;
  std::vector<Term> existing_;  // terms of others that mean this pod
  bool none_present_ = true;
  bool self_ = false;
  bool affinity_unknown_ = false;
  bool anti_unknown_ = false;
};

}  // namespace schedlens::diagnose
