// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_affinity.h"
#include "model/pod.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace schedlens::diagnose {

using model::NodeId;

ExistingAntiAffinity::ExistingAntiAffinity(const PodCluster& cluster, const PodMatch& match) {
  // Pods of one template and namespace have the same terms.
  std::map<std::pair<const model::PodSpec*, std::uint32_t>, std::vector<std::size_t>> places;
  std::unordered_map<std::string, std::size_t> by_text;
  for (const auto& p : cluster.assigned()) {
    const auto& pod = cluster.pod(p);
    if (pod.spec->anti_affinity.empty()) continue;
    auto [at, is_new] = places.try_emplace({pod.spec.get(), pod.ns.id()});
    if (is_new) {
      for (const auto& asked : pod.spec->anti_affinity) {
        auto selection = match.selection(asked, pod.ns);
        auto text = selection.text() + "\n" + asked.topology_key.str();
        if (selection.namespaces_unknown) text += "\n" + to_text(*asked.namespace_selector);
        auto [place, first] = by_text.emplace(std::move(text), terms_.size());
        if (first) terms_.push_back({std::move(selection), asked.topology_key, {}});
        at->second.push_back(place->second);
      }
    }
    for (auto place : at->second) {
      auto& nodes = terms_[place].nodes;
      if (nodes.empty() || nodes.back().first != p.node) nodes.emplace_back(p.node, 0);
      ++nodes.back().second;
    }
  }
}

PodAffinity::Term PodAffinity::term(PodCluster& cluster, const PodMatch& match,
                                    const model::PodAffinityTerm& asked) const {
  Term t;
  t.selection = match.selection(asked, pod_.ns);
  t.topology = &cluster.topology(asked.topology_key);
  t.pods.assign(t.topology->values.size(), 0);
  return t;
}

PodAffinity::Term& PodAffinity::existing_over(const Topology& topology) {
  for (auto& t : existing_) {
    if (t.topology == &topology) return t;
  }
  auto& t = existing_.emplace_back();
  t.topology = &topology;
  t.pods.assign(topology.values.size(), 0);
  return t;
}

PodAffinity::PodAffinity(PodCluster& cluster, PodMatch& match, const ExistingAntiAffinity& existing,
                         const model::Pod& pod)
    : cluster_(cluster), match_(match), pod_(pod) {
  auto mark = [](Term& t, NodeId node, std::int64_t pods) {
    const auto value = t.topology->of_node[node.index];
    if (value < 0) return std::int64_t{0};
    t.pods[static_cast<std::size_t>(value)] += pods;
    return pods;
  };

  std::vector<PodSelection> all;
  for (const auto& asked : pod.spec->affinity) {
    affinity_.push_back(term(cluster, match, asked));
    all.push_back(affinity_.back().selection);
    affinity_unknown_ |= all.back().namespaces_unknown;
  }
  if (!all.empty()) {
    for (const auto& [node, count] : match.counts(all)) {
      for (auto& t : affinity_) present_ += mark(t, node, count);
    }
    self_ = std::all_of(all.begin(), all.end(), [&](const PodSelection& s) {
      return s.selects(pod.ns, pod.labels) == Answer::kYes;
    });
  }

  for (const auto& asked : pod.spec->anti_affinity) {
    auto& t = anti_affinity_.emplace_back(term(cluster, match, asked));
    anti_unknown_ |= t.selection.namespaces_unknown;
    for (const auto& [node, count] : match.counts({t.selection})) mark(t, node, count);
  }

  for (const auto& theirs : existing.terms()) {
    const auto meant = theirs.selection.selects(pod.ns, pod.labels);
    if (meant == Answer::kUnknown) anti_unknown_ = true;
    if (meant != Answer::kYes) continue;
    auto& t = existing_over(cluster.topology(theirs.topology_key));
    for (const auto& [node, count] : theirs.nodes) mark(t, node, count);
  }
}

namespace {

// By the node's value; without the label, none.
std::int64_t pods_at(const PodAffinity::Term& t, NodeId node) {
  const auto value = t.topology->of_node[node.index];
  return value < 0 ? 0 : t.pods[static_cast<std::size_t>(value)];
}

}  // namespace

bool PodAffinity::meant_by_all(const AssignedPod& p) const {
  const auto& pod = cluster_.pod(p);
  return std::all_of(affinity_.begin(), affinity_.end(), [&](const Term& t) {
    return t.selection.selects(pod.ns, pod.labels) == Answer::kYes;
  });
}

Answer PodAffinity::affinity_holds(NodeId node, Pods nominated, Pods gone) const {
  if (affinity_.empty()) return Answer::kYes;
  const bool has_keys = std::all_of(affinity_.begin(), affinity_.end(), [&](const Term& t) {
    return t.topology->of_node[node.index] >= 0;
  });
  if (!has_keys) return Answer::kNo;
  const auto meant = [this](const AssignedPod& p) { return meant_by_all(p); };
  const auto left = std::count_if(gone.begin(), gone.end(), meant);
  const bool there = std::all_of(affinity_.begin(), affinity_.end(),
                                 [&](const Term& t) { return pods_at(t, node) > left; });
  if (there) return Answer::kYes;
  if (affinity_unknown_) return Answer::kUnknown;
  const auto terms = static_cast<std::int64_t>(affinity_.size());
  if (self_ && present_ == left * terms) return Answer::kYes;
  return std::any_of(nominated.begin(), nominated.end(), meant) ? Answer::kYes : Answer::kNo;
}

bool PodAffinity::repelled(NodeId node, Pods nominated, Pods gone) const {
  return std::any_of(anti_affinity_.begin(), anti_affinity_.end(), [&](const Term& t) {
    if (t.topology->of_node[node.index] < 0) return false;
    const auto meant = [&](const AssignedPod& p) {
      const auto& pod = cluster_.pod(p);
      return t.selection.selects(pod.ns, pod.labels) == Answer::kYes;
    };
    return pods_at(t, node) > std::count_if(gone.begin(), gone.end(), meant) ||
           std::any_of(nominated.begin(), nominated.end(), meant);
  });
}

std::int64_t PodAffinity::terms_against(const AssignedPod& p, Symbol key) const {
  const auto& pod = cluster_.pod(p);
  const auto& terms = pod.spec->anti_affinity;
  return std::count_if(terms.begin(), terms.end(), [&](const model::PodAffinityTerm& asked) {
    return asked.topology_key == key &&
           match_.selection(asked, pod.ns).selects(pod_.ns, pod_.labels) == Answer::kYes;
  });
}

bool PodAffinity::repelled_by_existing(NodeId node, Pods nominated, Pods gone) const {
  const bool here = std::any_of(existing_.begin(), existing_.end(), [&](const Term& t) {
    auto left = pods_at(t, node);
    for (const auto& p : gone) {
      if (left > 0) left -= terms_against(p, t.topology->key);
    }
    return left > 0;
  });
  if (here) return true;
  const auto& labels = cluster_.object(node).labels;
  for (const auto& n : nominated) {
    for (const auto& asked : cluster_.pod(n).spec->anti_affinity) {
      if (labels.find(asked.topology_key) && terms_against(n, asked.topology_key) > 0) return true;
    }
  }
  return false;
}

PodAffinity::Result PodAffinity::test(NodeId node, Pods nominated, Pods gone) const {
  Result result;
  const auto holds = affinity_holds(node, nominated, gone);
  if (holds == Answer::kNo) result.failed |= PodReasons::of(PodReason::kPodAffinity);
  if (repelled(node, nominated, gone)) {
    result.failed |= PodReasons::of(PodReason::kPodAntiAffinity);
  }
  if (repelled_by_existing(node, nominated, gone)) {
    result.failed |= PodReasons::of(PodReason::kExistingAntiAffinity);
  }
  result.unknown = anti_unknown_ || holds == Answer::kUnknown;
  return result;
}

}  // namespace schedlens::diagnose
