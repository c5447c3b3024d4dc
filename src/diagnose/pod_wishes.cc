// SPDX-License-Identifier: Apache-2.0
// What a pod's spec says of single nodes: labels, names, taints, ports.

#include <algorithm>

#include "diagnose/pod_evaluation.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::PodSpec;

bool matches_node(const PodSpec& spec, const model::NodeObject& object, std::string_view name) {
  for (const auto& wanted : spec.node_selector) {
    const auto* value = object.labels.find(wanted.key);
    if (!value || *value != wanted.value) return false;
  }
  if (!spec.node_affinity) return true;
  return std::any_of(spec.node_affinity->begin(), spec.node_affinity->end(),
                     [&](const auto& term) { return term.selects(object.labels, name); });
}

std::vector<const model::Taint*> untolerated(const PodSpec& spec, const model::NodeObject& object) {
  std::vector<const model::Taint*> list;
  for (const auto& taint : object.taints) {
    const bool counts = taint.effect == model::TaintEffect::kNoSchedule ||
                        taint.effect == model::TaintEffect::kNoExecute;
    if (counts && !model::tolerates(spec.tolerations, taint)) list.push_back(&taint);
  }
  return list;
}

namespace {

const model::Taint& cordon_taint() {
  static const model::Taint kCordon{
      Symbol("node.kubernetes.io/unschedulable"), "", model::TaintEffect::kNoSchedule, {}};
  return kCordon;
}

}  // namespace

std::vector<const model::Taint*> untolerated_but_cordon(const PodSpec& spec,
                                                        const model::NodeObject& object) {
  auto list = untolerated(spec, object);
  if (!object.unschedulable) return list;
  const auto& cordon = cordon_taint();
  std::erase_if(list, [&](const model::Taint* t) {
    return t->key == cordon.key && t->effect == cordon.effect;
  });
  return list;
}

bool tolerates_cordon(const PodSpec& spec) {
  return model::tolerates(spec.tolerations, cordon_taint());
}

bool clashes(const model::HostPort& a, const model::HostPort& b) {
  if (a.port != b.port || a.protocol != b.protocol) return false;
  auto any = [](const std::string& ip) { return ip.empty() || ip == "0.0.0.0"; };
  return any(a.ip) || any(b.ip) || a.ip == b.ip;
}

std::optional<std::vector<std::string>> named_nodes(const PodSpec& spec) {
  static const Symbol kName{"metadata.name"};
  if (!spec.node_affinity || spec.node_affinity->empty()) return std::nullopt;
  std::vector<std::string> all;
  for (const auto& term : *spec.node_affinity) {
    std::optional<std::vector<std::string>> names;
    for (const auto& field : term.fields) {
      if (field.key != kName || field.op != model::LabelOperator::kIn) continue;
      if (!names) {
        names = field.values;
        continue;
      }
      std::erase_if(*names, [&](const std::string& n) {
        return std::find(field.values.begin(), field.values.end(), n) == field.values.end();
      });
    }
    if (!names) return std::nullopt;
    all.insert(all.end(), names->begin(), names->end());
  }
  return all;
}

}  // namespace schedlens::diagnose
