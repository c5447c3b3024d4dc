// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_match.h"
#include "model/kubernetes.h"
#include "model/pod.h"

#include <algorithm>

namespace schedlens::diagnose {

Answer PodSelection::selects(Symbol ns, const model::Labels& labels) const {
  if (!pods) return Answer::kNo;
  const bool here =
      all_namespaces || std::find(namespaces.begin(), namespaces.end(), ns) != namespaces.end();
  if (!here && !namespaces_unknown) return Answer::kNo;
  if (!pods->selects(labels)) return Answer::kNo;
  return here ? Answer::kYes : Answer::kUnknown;
}

std::string PodSelection::text() const {
  std::string text = pods ? to_text(*pods) : "nothing";
  text += all_namespaces ? "\n*" : "\n";
  for (Symbol ns : namespaces) text += ns.str() + ",";
  return text;
}

PodSelection PodMatch::selection(const model::PodAffinityTerm& term, Symbol own) const {
  PodSelection selection;
  if (term.pods) selection.pods = &*term.pods;
  selection.namespaces = term.namespaces;
  const auto& selector = term.namespace_selector;
  if (!selector) {
    if (term.namespaces.empty()) selection.namespaces.push_back(own);
  } else if (selector->all.empty()) {
    selection.all_namespaces = true;
    selection.namespaces.clear();
  } else if (!cluster_.kubernetes().namespaces) {
    selection.namespaces_unknown = true;
  } else {
    for (const auto& ns : *cluster_.kubernetes().namespaces) {
      if (selector->selects(ns.labels)) selection.namespaces.push_back(ns.name);
    }
  }
  auto& list = selection.namespaces;
  std::sort(list.begin(), list.end(), [](Symbol a, Symbol b) { return a.id() < b.id(); });
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return selection;
}

template <class Means>
NodeCounts PodMatch::count(Means means) const {
  NodeCounts counts;
  for (const auto& p : cluster_.assigned()) {
    if (!means(cluster_.pod(p))) continue;
    if (counts.empty() || counts.back().first != p.node) counts.emplace_back(p.node, 0);
    ++counts.back().second;
  }
  return counts;
}

const NodeCounts& PodMatch::counts(const std::vector<PodSelection>& all) {
  std::string key = "a";
  for (const auto& s : all) key += s.text() + "\n";
  auto [at, is_new] = known_.try_emplace(key);
  if (is_new) {
    at->second = count([&](const model::Pod& pod) {
      return std::all_of(all.begin(), all.end(), [&](const PodSelection& s) {
        return s.selects(pod.ns, pod.labels) == Answer::kYes;
      });
    });
  }
  return at->second;
}

const NodeCounts& PodMatch::counts_for_spread(const model::LabelSelector& pods, Symbol ns) {
  auto [at, is_new] = known_.try_emplace("s" + to_text(pods) + "\n" + ns.str());
  if (is_new) {
    at->second = count([&](const model::Pod& pod) {
      return pod.ns == ns && !pod.deleting && pods.selects(pod.labels);
    });
  }
  return at->second;
}

}  // namespace schedlens::diagnose
