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
      if (nodes.empty() || nodes.back() != p.node) nodes.push_back(p.node);
    }
  }
}

PodAffinity::Term PodAffinity::term(PodCluster& cluster, const PodMatch& match,
                                    const model::PodAffinityTerm& asked) const {
  Term t;
  t.selection = match.selection(asked, pod_.ns);
  t.topology = &cluster.topology(asked.topology_key);
  t.present.assign(t.topology->values.size(), false);
  return t;
}

PodAffinity::PodAffinity(PodCluster& cluster, PodMatch& match, const ExistingAntiAffinity& existing,
                         const model::Pod& pod)
    : cluster_(cluster), match_(match), pod_(pod) {
  auto mark = [](Term& t, NodeId node) {
    const auto value = t.topology->of_node[node.index];
    if (value < 0) return false;
    t.present[static_cast<std::size_t>(value)] = true;
    return true;
  };

  std::vector<PodSelection> all;
  for (const auto& asked : pod.spec->affinity) {
    affinity_.push_back(term(cluster, match, asked));
    all.push_back(affinity_.back().selection);
    affinity_unknown_ |= all.back().namespaces_unknown;
  }
  if (!all.empty()) {
    for (const auto& [node, count] : match.counts(all)) {
      for (auto& t : affinity_) {
        if (mark(t, node)) none_present_ = false;
      }
    }
    self_ = std::all_of(all.begin(), all.end(), [&](const PodSelection& s) {
      return s.selects(pod.ns, pod.labels) == Answer::kYes;
    });
  }

  for (const auto& asked : pod.spec->anti_affinity) {
    auto& t = anti_affinity_.emplace_back(term(cluster, match, asked));
    anti_unknown_ |= t.selection.namespaces_unknown;
    for (const auto& [node, count] : match.counts({t.selection})) mark(t, node);
  }

  for (const auto& theirs : existing.terms()) {
    const auto meant = theirs.selection.selects(pod.ns, pod.labels);
    if (meant == Answer::kUnknown) anti_unknown_ = true;
    if (meant != Answer::kYes) continue;
    Term t;
    t.topology = &cluster.topology(theirs.topology_key);
    t.present.assign(t.topology->values.size(), false);
    for (auto node : theirs.nodes) mark(t, node);
    existing_.push_back(std::move(t));
  }
}

namespace {

// By number of the node's value; without the label, no.
bool present_at(const PodAffinity::Term& t, NodeId node) {
  const auto value = t.topology->of_node[node.index];
  return value >= 0 && t.present[static_cast<std::size_t>(value)];
}

}  // namespace

Answer PodAffinity::affinity_holds(NodeId node, std::span<const AssignedPod> nominated) const {
  if (affinity_.empty()) return Answer::kYes;
  const bool has_keys = std::all_of(affinity_.begin(), affinity_.end(), [&](const Term& t) {
    return t.topology->of_node[node.index] >= 0;
  });
  if (!has_keys) return Answer::kNo;
  const bool there = std::all_of(affinity_.begin(), affinity_.end(),
                                 [&](const Term& t) { return present_at(t, node); });
  if (there) return Answer::kYes;
  if (affinity_unknown_) return Answer::kUnknown;
  if (may_be_first()) return Answer::kYes;
  const bool with_nominated =
      std::any_of(nominated.begin(), nominated.end(), [&](const AssignedPod& n) {
        const auto& pod = cluster_.pod(n);
        return std::all_of(affinity_.begin(), affinity_.end(), [&](const Term& t) {
          return t.selection.selects(pod.ns, pod.labels) == Answer::kYes;
        });
      });
  return with_nominated ? Answer::kYes : Answer::kNo;
}

bool PodAffinity::repelled(NodeId node, std::span<const AssignedPod> nominated) const {
  return std::any_of(anti_affinity_.begin(), anti_affinity_.end(), [&](const Term& t) {
    if (t.topology->of_node[node.index] < 0) return false;
    if (present_at(t, node)) return true;
    return std::any_of(nominated.begin(), nominated.end(), [&](const AssignedPod& n) {
      const auto& pod = cluster_.pod(n);
      return t.selection.selects(pod.ns, pod.labels) == Answer::kYes;
    });
  });
}

bool PodAffinity::repelled_by_existing(NodeId node, std::span<const AssignedPod> nominated) const {
  if (std::any_of(existing_.begin(), existing_.end(),
                  [&](const Term& t) { return present_at(t, node); })) {
    return true;
  }
  const auto& labels = cluster_.object(node).labels;
  for (const auto& n : nominated) {
    const auto& pod = cluster_.pod(n);
    for (const auto& asked : pod.spec->anti_affinity) {
      if (labels.find(asked.topology_key) &&
          match_.selection(asked, pod.ns).selects(pod_.ns, pod_.labels) == Answer::kYes) {
        return true;
      }
    }
  }
  return false;
}

PodAffinity::Result PodAffinity::test(NodeId node, std::span<const AssignedPod> nominated) const {
  Result result;
  const auto holds = affinity_holds(node, nominated);
  if (holds == Answer::kNo) result.failed |= PodReasons::of(PodReason::kPodAffinity);
  if (repelled(node, nominated)) result.failed |= PodReasons::of(PodReason::kPodAntiAffinity);
  if (repelled_by_existing(node, nominated)) {
    result.failed |= PodReasons::of(PodReason::kExistingAntiAffinity);
  }
  result.unknown = anti_unknown_ || holds == Answer::kUnknown;
  return result;
}

}  // namespace schedlens::diagnose
