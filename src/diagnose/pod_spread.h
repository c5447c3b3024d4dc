// SPDX-License-Identifier: Apache-2.0
#pragma once
// The filter PodTopologySpread for one pod (pkg/scheduler/framework/plugins/podtopologyspread).

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "diagnose/pod_cluster.h"
#include "diagnose/pod_filter.h"
#include "diagnose/pod_match.h"
#include "model/pod.h"

namespace schedlens::diagnose {

// What a node says to the pod's other wishes, as spread constraints may ask: does it match the node
// selector and affinity, are its taints tolerated.
struct NodeInclusion {
  bool affinity = true;
  bool taints = true;
};

class PodSpread {
 public:
  PodSpread(PodCluster& cluster, PodMatch& match, const model::Pod& pod,
            const std::function<NodeInclusion(model::NodeId)>& inclusion);

  // What the first constraint that fails says; with, in addition, nominated pods on that node, and
  // without those that are gone from there.
  PodReasons failed(model::NodeId node, std::span<const AssignedPod> nominated = {},
                    std::span<const AssignedPod> gone = {}) const;

  struct Constraint {
    const Topology* topology = nullptr;
    model::LabelSelector selector;
    bool selects_none = false;
    std::int64_t max_skew = 1;
    std::int64_t min_domains = 1;
    std::int64_t self = 0;             // 1 if the pod itself is counted
    std::vector<std::int64_t> counts;  // by value of the topology
    std::vector<bool> is_domain;       // likewise
    std::vector<bool> takes_part;      // by node
    std::int64_t domains = 0;
    // The two emptiest domains, so that one may grow.
    std::optional<std::size_t> emptiest, second;

    // The smallest count if that of one domain grew, or shrank by a negative number.
    std::int64_t minimum(std::int32_t grown, std::int64_t by) const;
  };
  const std::vector<Constraint>& constraints() const { return constraints_; }

 private:
  void count(Constraint& constraint, PodMatch& match, Symbol ns);

  const PodCluster& cluster_;
  Symbol ns_;
  std::vector<Constraint> constraints_;
};

// The constraint's selector with the pod's own values of matchLabelKeys.
model::LabelSelector spread_selector(const model::SpreadConstraint& constraint,
                                     const model::Pod& pod);

}  // namespace schedlens::diagnose
