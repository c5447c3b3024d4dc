// SPDX-License-Identifier: Apache-2.0
// What can be changed about a waiting pod itself. Most of a pod cannot be changed once it is made:
// then it, or what made it, is made anew.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/pod_changes.h"
#include "diagnose/pod_evaluation.h"
#include "diagnose/pod_maker.h"
#include "diagnose/pod_text.h"
#include "diagnose/remedy_text.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::PodSpec;
using model::Snapshot;

namespace {

std::optional<PodMaker> maker(const model::Workload& w, const Verdict& v) {
  PodMaker made;
  made.name = w.name;
  if (!w.pod->owner) return made;
  made.name.clear();
  for (const auto& [kind, name] : v.owners) {
    // The controller ties a DaemonSet's pods to their nodes, whatever its template says.
    if (kind.view() == "DaemonSet") continue;
    if (auto known = pod_maker(kind, name)) made = std::move(*known);
  }
  if (made.name.empty()) return std::nullopt;
  // A maker that has one of its own that is not known would be put right again by it.
  if (v.owners.back().second != made.name) return std::nullopt;
  return made;
}

class PodChange {
 public:
  PodChange(const Snapshot& s, const Verdict& v)
      : v_(v), w_(s.workload(v.workload)), maker_(maker(w_, v)) {}

  const PodSpec& spec() const { return *w_.pod->spec; }
  bool possible() const { return maker_.has_value(); }

  // filter: what jq does to the object; "$spec" stands for the pod's part of it.
  Step step(RemedyKind kind, std::string filter, std::string effect,
            const std::function<void(PodSpec&)>& change) const {
    Step step;
    step.kind = kind;
    step.command = change_command(*maker_, w_.account, std::move(filter));
    step.effect = std::move(effect);
    if (maker_->anew) step.effect += fmt::format(" The {} is made anew.", maker_->word);
    step.edit = [id = v_.workload, change](Snapshot& s) {
      auto pod = std::make_shared<model::Pod>(*s.workloads[id.index].pod);
      auto changed = std::make_shared<PodSpec>(*pod->spec);
      change(*changed);
      pod->request = changed->request;
      pod->spec = std::move(changed);
      pod->nominated_node = Symbol();
      pod->conditions.clear();
      s.workloads[id.index].pod = std::move(pod);
    };
    return step;
  }

 private:
  const Verdict& v_;
  const model::Workload& w_;
  std::optional<PodMaker> maker_;
};

bool rules_out(const Verdict& v, PodFilter filter) {
  return std::any_of(v.constraints.begin(), v.constraints.end(),
                     [&](const Constraint& c) { return c.name == filter_name(filter); });
}

// The node with the fewest taints that keep the pod off, of those that have any.
std::vector<model::Taint> fewest_taints(const Snapshot& s, const Verdict& v, const PodSpec& spec) {
  std::vector<model::Taint> best;
  for (const auto& c : v.constraints) {
    if (c.name != filter_name(PodFilter::kTaintToleration)) continue;
    // Where the taint alone is in the way, if anywhere.
    for (auto node : c.only.empty() ? c.ruled_out : c.only) {
      const auto& object = s.node(node).object;
      if (!object) continue;
      std::vector<model::Taint> taints;
      for (const auto* taint : untolerated_but_cordon(spec, *object)) taints.push_back(*taint);
      const bool sick = std::any_of(taints.begin(), taints.end(), [](const auto& t) {
        return t.key.view().starts_with("node.kubernetes.io/");
      });
      if (taints.empty() || sick) continue;
      if (best.empty() || taints.size() < best.size()) best = std::move(taints);
    }
  }
  return best;
}

// Then it is not known how much each of them asks for.
bool asked_by_several(const PodSpec& spec, Symbol resource) {
  return std::any_of(spec.terms.begin(), spec.terms.end(), [&](const auto& term) {
    return term.resource == resource && (term.containers > 1 || term.overhead > 0);
  });
}

std::string effect_name(model::TaintEffect effect) {
  return effect == model::TaintEffect::kNoExecute ? "NoExecute" : "NoSchedule";
}

}  // namespace

std::vector<Step> more_tolerations(const Snapshot& s, const Verdict& v) {
  const PodChange change(s, v);
  if (!change.possible()) return {};
  const auto taints = fewest_taints(s, v, change.spec());
  if (taints.empty()) return {};
  std::string list, text;
  std::vector<model::Toleration> added;
  for (const auto& taint : taints) {
    if (!list.empty()) list += ", ";
    list +=
        fmt::format(R"({{"key": {}, "operator": "Equal", "value": {}, "effect": "{}"}})",
                    json_text(taint.key.view()), json_text(taint.value), effect_name(taint.effect));
    text += (text.empty() ? "" : ", ") + model::to_text(taint);
    added.push_back({taint.key, model::TolerationOperator::kEqual, taint.value, taint.effect});
  }
  return {change.step(RemedyKind::kFewerWishes, fmt::format("$spec.tolerations += [{}]", list),
                      fmt::format("The pod tolerates {}.", text), [added](PodSpec& spec) {
                        spec.tolerations.insert(spec.tolerations.end(), added.begin(), added.end());
                      })};
}

std::vector<Step> fewer_pod_wishes(const Snapshot& s, const Verdict& v) {
  const PodChange change(s, v);
  if (!change.possible()) return {};
  const auto& spec = change.spec();
  std::vector<Step> steps;
  auto add = [&](bool asked, std::string filter, std::string effect,
                 const std::function<void(PodSpec&)>& edit) {
    if (!asked) return;
    steps.push_back(
        change.step(RemedyKind::kFewerWishes, std::move(filter), std::move(effect), edit));
  };
  const bool affinity = rules_out(v, PodFilter::kNodeAffinity);
  const bool nothing_said = v.constraints.empty();  // a PreFilter plugin stopped before the nodes
  add((affinity || nothing_said) && !spec.node_selector.empty(), "del($spec.nodeSelector)",
      "The pod has no nodeSelector any more.", [](PodSpec& p) { p.node_selector.clear(); });
  add((affinity || nothing_said) && spec.node_affinity.has_value(),
      "del($spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution)",
      "The pod has no required node affinity any more.",
      [](PodSpec& p) { p.node_affinity.reset(); });
  const bool among = rules_out(v, PodFilter::kInterPodAffinity);
  add(among && !spec.anti_affinity.empty(),
      "del($spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution)",
      "The pod has no required anti-affinity any more.",
      [](PodSpec& p) { p.anti_affinity.clear(); });
  add(among && !spec.affinity.empty(),
      "del($spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution)",
      "The pod has no required pod affinity any more.", [](PodSpec& p) { p.affinity.clear(); });
  add(rules_out(v, PodFilter::kPodTopologySpread) && !spec.spread.empty(),
      R"(($spec.topologySpreadConstraints[] | select(.whenUnsatisfiable == "DoNotSchedule")) |= )"
      R"((del(.minDomains) | .whenUnsatisfiable = "ScheduleAnyway"))",
      "Its topology spread is a wish, and no longer a condition.",
      [](PodSpec& p) { p.spread.clear(); });
  add(rules_out(v, PodFilter::kNodePorts) && !spec.host_ports.empty() && !spec.host_network,
      "del($spec.containers[].ports[]?.hostPort)", "The pod has no port of its node any more.",
      [](PodSpec& p) { p.host_ports.clear(); });
  return steps;
}

std::vector<Step> smaller_pod(const Snapshot& s, const Verdict& v) {
  const PodChange change(s, v);
  const auto& w = s.workload(v.workload);
  const auto hole = static_cast<std::int64_t>(v.gpus.largest_hole);
  if (!change.possible() || hole == 0) return {};
  std::vector<Step> steps;
  for (const auto& item : change.spec().request.items()) {
    if (!is_gpu_resource(w, item.name) || item.amount <= hole) continue;
    if (asked_by_several(change.spec(), item.name)) continue;
    const auto name = json_text(item.name.view());
    steps.push_back(
        change.step(RemedyKind::kSmallerRequest,
                    fmt::format("($spec | .containers[], .initContainers[]? | .resources | "
                                "(.limits, .requests) | select(.[{0}]?) | .[{0}]) = \"{1}\"",
                                name, hole),
                    fmt::format("The pod has {} instead of {}.", amount_text(item.name, hole),
                                amount_text(item.name, item.amount)),
                    [resource = item.name, hole](PodSpec& p) { p.request.set(resource, hole); }));
  }
  return steps;
}

}  // namespace schedlens::diagnose
