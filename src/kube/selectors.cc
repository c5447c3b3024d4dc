// SPDX-License-Identifier: Apache-2.0
#include "kube/selectors.h"

#include "kube/fields.h"
#include "model/pod.h"

namespace schedlens::kube {

model::LabelOperator label_operator(std::string_view word) {
  if (word == "In") return model::LabelOperator::kIn;
  if (word == "NotIn") return model::LabelOperator::kNotIn;
  if (word == "Exists") return model::LabelOperator::kExists;
  if (word == "DoesNotExist") return model::LabelOperator::kDoesNotExist;
  if (word == "Gt") return model::LabelOperator::kGt;
  if (word == "Lt") return model::LabelOperator::kLt;
  return model::LabelOperator::kUnknown;
}

model::TaintEffect taint_effect(std::string_view word) {
  if (word.empty()) return model::TaintEffect::kNone;
  if (word == "NoSchedule") return model::TaintEffect::kNoSchedule;
  if (word == "PreferNoSchedule") return model::TaintEffect::kPreferNoSchedule;
  if (word == "NoExecute") return model::TaintEffect::kNoExecute;
  return model::TaintEffect::kUnknown;
}

namespace {

// LabelSelectorRequirement and NodeSelectorRequirement.
model::LabelExpression read_requirement(Fields fields) {
  model::LabelExpression expression;
  while (fields.next()) {
    if (fields.number() == 1) expression.key = fields.symbol("key");
    if (fields.number() == 2) expression.op = label_operator(fields.text("operator"));
    if (fields.number() == 3) expression.values.push_back(fields.string("values"));
  }
  return expression;
}

model::NodeSelectorTerm read_node_selector_term(Fields fields) {
  model::NodeSelectorTerm term;
  while (fields.next()) {
    if (fields.number() == 1) {
      term.labels.push_back(read_requirement(fields.message("matchExpressions")));
    } else if (fields.number() == 2) {
      term.fields.push_back(read_requirement(fields.message("matchFields")));
    }
  }
  return term;
}

model::TolerationOperator toleration_operator(std::string_view word) {
  if (word.empty() || word == "Equal") return model::TolerationOperator::kEqual;
  if (word == "Exists") return model::TolerationOperator::kExists;
  if (word == "Gt") return model::TolerationOperator::kGt;
  if (word == "Lt") return model::TolerationOperator::kLt;
  return model::TolerationOperator::kUnknown;
}

}  // namespace

model::LabelSelector read_label_selector(Fields fields) {
  model::LabelSelector selector;
  while (fields.next()) {
    if (fields.number() == 1) {
      const auto [key, value] = fields.entry("matchLabels");
      selector.all.push_back(
          {Symbol(key), model::LabelOperator::kIn, std::vector{std::string(value)}});
    } else if (fields.number() == 2) {
      selector.all.push_back(read_requirement(fields.message("matchExpressions")));
    }
  }
  return selector;
}

std::vector<model::NodeSelectorTerm> read_node_selector(Fields fields) {
  std::vector<model::NodeSelectorTerm> terms;
  while (fields.next()) {
    if (fields.number() != 1) continue;
    terms.push_back(read_node_selector_term(fields.message("nodeSelectorTerms")));
  }
  return terms;
}

model::NodeSelectorTerm read_topology_selector_term(Fields fields) {
  model::NodeSelectorTerm term;
  while (fields.next()) {
    if (fields.number() != 1) continue;
    auto requirement = fields.message("matchLabelExpressions");
    model::LabelExpression expression;
    expression.op = model::LabelOperator::kIn;
    while (requirement.next()) {
      if (requirement.number() == 1) expression.key = requirement.symbol("key");
      if (requirement.number() == 2) expression.values.push_back(requirement.string("values"));
    }
    term.labels.push_back(std::move(expression));
  }
  return term;
}

model::Taint read_taint(Fields fields) {
  model::Taint taint;
  while (fields.next()) {
    if (fields.number() == 1) taint.key = fields.symbol("key");
    if (fields.number() == 2) taint.value = fields.string("value");
    if (fields.number() == 3) taint.effect = taint_effect(fields.text("effect"));
    if (fields.number() == 4) taint.added = fields.time("timeAdded");
  }
  return taint;
}

model::Toleration read_toleration(Fields fields) {
  model::Toleration toleration;
  while (fields.next()) {
    if (fields.number() == 1) toleration.key = fields.symbol("key");
    if (fields.number() == 2) toleration.op = toleration_operator(fields.text("operator"));
    if (fields.number() == 3) toleration.value = fields.string("value");
    if (fields.number() == 4) toleration.effect = taint_effect(fields.text("effect"));
  }
  return toleration;
}

model::PodAffinityTerm read_pod_affinity_term(Fields fields) {
  model::PodAffinityTerm term;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        term.pods = read_label_selector(fields.message("labelSelector"));
        break;
      case 2:
        term.namespaces.push_back(fields.symbol("namespaces"));
        break;
      case 3:
        term.topology_key = fields.symbol("topologyKey");
        break;
      case 4:
        term.namespace_selector = read_label_selector(fields.message("namespaceSelector"));
        break;
    }
  }
  return term;
}

std::optional<model::SpreadConstraint> read_spread_constraint(Fields fields) {
  model::SpreadConstraint spread;
  bool filters = false;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        spread.max_skew = fields.int32("maxSkew");
        break;
      case 2:
        spread.topology_key = fields.symbol("topologyKey");
        break;
      case 3:
        filters = fields.text("whenUnsatisfiable") == "DoNotSchedule";
        break;
      case 4:
        spread.pods = read_label_selector(fields.message("labelSelector"));
        break;
      case 5:
        spread.min_domains = fields.int32("minDomains");
        break;
      case 6:
        spread.honor_node_affinity = fields.text("nodeAffinityPolicy") != "Ignore";
        break;
      case 7:
        spread.honor_node_taints = fields.text("nodeTaintsPolicy") == "Honor";
        break;
      case 8:
        spread.match_label_keys.push_back(fields.symbol("matchLabelKeys"));
        break;
    }
  }
  if (!filters) return std::nullopt;
  return spread;
}

}  // namespace schedlens::kube
