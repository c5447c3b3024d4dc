// SPDX-License-Identifier: Apache-2.0
#pragma once
// Selectors, taints and tolerations, as several types of object carry them.

#include <optional>
#include <string_view>
#include <vector>

#include "model/labels.h"
#include "model/pod.h"

namespace schedlens::kube {

class Fields;

model::LabelOperator label_operator(std::string_view word);  // "In"
model::TaintEffect taint_effect(std::string_view word);      // "NoSchedule"

// A selector that is absent is not an empty one: callers make it only where the field is there.
model::LabelSelector read_label_selector(Fields fields);
std::vector<model::NodeSelectorTerm> read_node_selector(Fields fields);
model::NodeSelectorTerm read_topology_selector_term(Fields fields);

model::Taint read_taint(Fields fields);
model::Toleration read_toleration(Fields fields);
model::PodAffinityTerm read_pod_affinity_term(Fields fields);
// Nothing for one that never keeps a pod from a node.
std::optional<model::SpreadConstraint> read_spread_constraint(Fields fields);

}  // namespace schedlens::kube
