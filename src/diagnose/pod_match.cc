// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_match.h"
#include "model/kubernetes.h"
#include "model/pod.h"

#include <algorithm>
#include <numeric>

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

const PodMatch::ByNamespace& PodMatch::labelled(Symbol key) {
  auto [at, is_new] = labelled_.try_emplace(key);
  if (!is_new) return at->second;
  const auto all = cluster_.assigned();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto& pod = cluster_.pod(all[i]);
    if (const auto* value = pod.labels.find(key)) at->second[pod.ns][*value].push_back(i);
  }
  return at->second;
}

namespace {

void append(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Only pods that have the label can pass.
bool needs_label(const model::LabelExpression& expression) {
  using enum model::LabelOperator;
  return expression.op == kIn || expression.op == kExists || expression.op == kGt ||
         expression.op == kLt;
}

// What asks for one of few values first.
bool narrower(const model::LabelExpression& a, const model::LabelExpression& b) {
  return a.op == model::LabelOperator::kIn && b.op != model::LabelOperator::kIn;
}

}  // namespace

PodMatch::Places PodMatch::candidates(const PodSelection& selection) {
  Places places;
  if (!selection.pods) return places;
  const model::LabelExpression* asked = nullptr;
  for (const auto& e : selection.pods->all) {
    if (needs_label(e) && (!asked || narrower(e, *asked))) asked = &e;
  }
  if (!asked) {
    places.resize(cluster_.assigned().size());
    std::iota(places.begin(), places.end(), 0u);
    return places;
  }
  auto take = [&](const ByValue& values) {
    if (asked->op != model::LabelOperator::kIn) {
      for (const auto& [value, there] : values) append(places, there);
      return;
    }
    for (const auto& value : asked->values) {
      if (auto at = values.find(value); at != values.end()) append(places, at->second);
    }
  };
  const auto& known = labelled(asked->key);
  if (selection.all_namespaces) {
    for (const auto& [ns, values] : known) take(values);
  } else {
    for (Symbol ns : selection.namespaces) {
      if (auto at = known.find(ns); at != known.end()) take(at->second);
    }
  }
  std::sort(places.begin(), places.end());
  // A value may be named twice.
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

template <class Means>
NodeCounts PodMatch::count(const Places& places, Means means) const {
  NodeCounts counts;
  for (auto place : places) {
    const auto& p = cluster_.assigned()[place];
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
  if (is_new && !all.empty()) {
    at->second = count(candidates(all.front()), [&](const model::Pod& pod) {
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
    PodSelection selection;
    selection.pods = &pods;
    selection.namespaces = {ns};
    at->second = count(candidates(selection), [&](const model::Pod& pod) {
      return pod.ns == ns && !pod.deleting && pods.selects(pod.labels);
    });
  }
  return at->second;
}

}  // namespace schedlens::diagnose
