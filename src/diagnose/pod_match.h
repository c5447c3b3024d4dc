// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which pods the selectors of spread constraints and affinity terms mean, and how many of them run
// on each node. Equal questions are answered once, and none looks at more pods than have one of the
// labels that it asks for.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnose/pod_cluster.h"
#include "model/pod.h"

namespace schedlens::diagnose {

// Nodes with at least one pod meant, ascending, and how many.
using NodeCounts = std::vector<std::pair<model::NodeId, std::uint32_t>>;

enum class Answer : std::uint8_t { kNo, kYes, kUnknown };

// A selector of pods with the namespaces that it reaches.
struct PodSelection {
  const model::LabelSelector* pods = nullptr;  // null: none
  std::vector<Symbol> namespaces;              // by id
  bool all_namespaces = false;
  // Reaches further namespaces by their labels, which were not read.
  bool namespaces_unknown = false;

  Answer selects(Symbol ns, const model::Labels& labels) const;
  std::string text() const;  // equal for equal selections
};

class PodMatch {
 public:
  explicit PodMatch(const PodCluster& cluster) : cluster_(cluster) {}

  // The pods that a term of a pod in own_namespace means.
  PodSelection selection(const model::PodAffinityTerm& term, Symbol own_namespace) const;

  // Assigned pods that all selections mean. Unknown answers count as no.
  const NodeCounts& counts(const std::vector<PodSelection>& all);
  // Of one namespace, without those being deleted.
  const NodeCounts& counts_for_spread(const model::LabelSelector& pods, Symbol ns);

 private:
  // Places in cluster_.assigned(), ascending.
  using Places = std::vector<std::uint32_t>;
  using ByValue = std::unordered_map<std::string_view, Places>;
  using ByNamespace = std::unordered_map<Symbol, ByValue>;

  // The assigned pods that have the label.
  const ByNamespace& labelled(Symbol key);
  // All that the selection means, and others.
  Places candidates(const PodSelection& selection);
  template <class Means>
  NodeCounts count(const Places& places, Means means) const;

  const PodCluster& cluster_;
  std::unordered_map<Symbol, ByNamespace> labelled_;
  std::unordered_map<std::string, NodeCounts> known_;
};

}  // namespace schedlens::diagnose
