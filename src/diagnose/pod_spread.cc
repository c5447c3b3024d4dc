// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_spread.h"
#include "model/pod.h"

#include <algorithm>

namespace schedlens::diagnose {

using model::NodeId;

model::LabelSelector spread_selector(const model::SpreadConstraint& constraint,
                                     const model::Pod& pod) {
  model::LabelSelector selector;
  if (constraint.pods) selector = *constraint.pods;
  for (Symbol key : constraint.match_label_keys) {
    if (const auto* value = pod.labels.find(key)) {
      selector.all.push_back({key, model::LabelOperator::kIn, {*value}});
    }
  }
  return selector;
}

PodSpread::PodSpread(PodCluster& cluster, PodMatch& match, const model::Pod& pod,
                     const std::function<NodeInclusion(NodeId)>& inclusion)
    : cluster_(cluster), ns_(pod.ns) {
  const auto& asked = pod.spec->spread;
  for (const auto& a : asked) {
    Constraint c;
    c.topology = &cluster.topology(a.topology_key);
    c.selector = spread_selector(a, pod);
    c.selects_none = !a.pods;
    c.max_skew = a.max_skew;
    c.min_domains = a.min_domains.value_or(1);
    c.self = !c.selects_none && c.selector.selects(pod.labels) ? 1 : 0;
    constraints_.push_back(std::move(c));
  }
  for (auto& c : constraints_) c.takes_part.assign(cluster.node_count(), false);
  for (std::uint32_t i = 0; i < cluster.node_count(); ++i) {
    const bool all_keys =
        std::all_of(constraints_.begin(), constraints_.end(),
                    [&](const Constraint& c) { return c.topology->of_node[i] >= 0; });
    if (!all_keys) continue;
    const auto included = inclusion({i});
    for (std::size_t k = 0; k < constraints_.size(); ++k) {
      constraints_[k].takes_part[i] = (!asked[k].honor_node_affinity || included.affinity) &&
                                      (!asked[k].honor_node_taints || included.taints);
    }
  }
  for (auto& c : constraints_) count(c, match, pod.ns);
}

void PodSpread::count(Constraint& c, PodMatch& match, Symbol ns) {
  c.counts.assign(c.topology->values.size(), 0);
  c.is_domain.assign(c.topology->values.size(), false);
  for (std::size_t i = 0; i < c.takes_part.size(); ++i) {
    if (c.takes_part[i]) c.is_domain[static_cast<std::size_t>(c.topology->of_node[i])] = true;
  }
  if (!c.selects_none) {
    for (const auto& [node, pods] : match.counts_for_spread(c.selector, ns)) {
      if (!c.takes_part[node.index]) continue;
      c.counts[static_cast<std::size_t>(c.topology->of_node[node.index])] += pods;
    }
  }
  for (std::size_t v = 0; v < c.counts.size(); ++v) {
    if (!c.is_domain[v]) continue;
    ++c.domains;
    if (!c.emptiest || c.counts[v] < c.counts[*c.emptiest]) {
      c.second = c.emptiest;
      c.emptiest = v;
    } else if (!c.second || c.counts[v] < c.counts[*c.second]) {
      c.second = v;
    }
  }
}

std::int64_t PodSpread::Constraint::minimum(std::int32_t grown, std::int64_t by) const {
  if (domains < min_domains || !emptiest) return 0;
  if (by == 0 || grown < 0) return counts[*emptiest];
  if (*emptiest != static_cast<std::size_t>(grown)) {
    return std::min(counts[*emptiest], counts[static_cast<std::size_t>(grown)] + by);
  }
  const auto larger = counts[*emptiest] + by;
  return second ? std::min(larger, counts[*second]) : larger;
}

PodReasons PodSpread::failed(NodeId node, std::span<const AssignedPod> nominated,
                             std::span<const AssignedPod> gone) const {
  for (const auto& c : constraints_) {
    const auto value = c.topology->of_node[node.index];
    if (value < 0) return PodReasons::of(PodReason::kSpreadLabelMissing);
    std::int64_t extra = 0;
    if (c.takes_part[node.index] && !c.selects_none) {
      const auto counts = [&](const AssignedPod& p) {
        const auto& pod = cluster_.pod(p);
        return pod.ns == ns_ && !pod.deleting && c.selector.selects(pod.labels);
      };
      extra = std::count_if(nominated.begin(), nominated.end(), counts) -
              std::count_if(gone.begin(), gone.end(), counts);
    }
    const auto skew =
        c.counts[static_cast<std::size_t>(value)] + extra + c.self - c.minimum(value, extra);
    if (skew > c.max_skew) return PodReasons::of(PodReason::kSpread);
  }
  return {};
}

}  // namespace schedlens::diagnose
