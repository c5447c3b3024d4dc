// SPDX-License-Identifier: Apache-2.0
// What an operator of a Kubernetes cluster can change for a waiting pod.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/time_text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/pod_assessment.h"
#include "diagnose/pod_changes.h"
#include "diagnose/pod_text.h"
#include "diagnose/remedy_text.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::Snapshot;
using model::WorkloadId;

namespace {

void change_node(Snapshot& s, NodeId id, const std::function<void(model::NodeObject&)>& how) {
  auto& node = s.nodes[id.index];
  auto object = std::make_shared<model::NodeObject>(*node.object);
  how(*object);
  node.object = std::move(object);
}

const Symbol& cordon_key() {
  static const Symbol kKey{"node.kubernetes.io/unschedulable"};
  return kKey;
}

void uncordon(Snapshot& s, NodeId id) {
  change_node(s, id, [](model::NodeObject& object) {
    object.unschedulable = false;
    std::erase_if(object.taints, [](const auto& t) { return t.key == cordon_key(); });
  });
  return_node(s, id);
}

std::vector<NodeId> only_ruled_out_by(const Verdict& v, PodFilter filter) {
  for (const auto& c : v.constraints) {
    if (c.name == filter_name(filter)) return c.only;
  }
  return {};
}

}  // namespace

std::vector<Step> opened_gates(const Snapshot& s, const Verdict& v) {
  const auto& w = s.workload(v.workload);
  if (w.pod->gates.empty()) return {};
  std::vector<std::string> names;
  for (auto gate : w.pod->gates) names.emplace_back(gate.view());
  return {
      by_operator(RemedyKind::kRelease,
                  fmt::format("kubectl patch pod -n {} {} --type=json -p {}",
                              shell_word(w.account.view()), shell_word(w.name),
                              shell_word(R"([{"op": "remove", "path": "/spec/schedulingGates"}])")),
                  fmt::format("The pod is considered without waiting for whoever set the {} {}.",
                              names.size() == 1 ? "gate" : "gates", some_of(names)),
                  [id = v.workload](Snapshot& other) {
                    auto pod = std::make_shared<model::Pod>(*other.workloads[id.index].pod);
                    pod->gates.clear();
                    pod->conditions.clear();
                    other.workloads[id.index].pod = std::move(pod);
                  })};
}

std::vector<Step> woken(const Snapshot& s, const Verdict& v) {
  if (!v.fit.fits_now || v.fit.nodes.empty()) return {};
  const auto node = shell_word(s.node(v.fit.nodes.front()).name.view());
  return {by_operator(RemedyKind::kWake,
                      fmt::format("kubectl taint nodes {0} schedlens/wake=:PreferNoSchedule\n"
                                  "kubectl taint nodes {0} schedlens/wake:PreferNoSchedule-",
                                  node),
                      "The pod fits; the scheduler sees a node change and tries it at once.",
                      [](Snapshot&) {})};
}

std::vector<Step> uncordoned_nodes(const Snapshot& s, const Verdict& v) {
  std::optional<NodeId> best;
  for (const auto& n : v.unhealthy_nodes) {
    const auto& object = s.node(n.node).object;
    if (n.would_fit && object && object->unschedulable && !best) best = n.node;
  }
  if (!best) return {};
  const auto name = s.node(*best).name.view();
  return {by_operator(RemedyKind::kReturnNodes, "kubectl uncordon " + shell_word(name),
                      fmt::format("{} takes pods again: first see why it was cordoned.", name),
                      [node = *best](Snapshot& other) { uncordon(other, node); })};
}

std::vector<Step> untainted_nodes(const Snapshot& s, const Verdict& v) {
  const auto& spec = *s.workload(v.workload).pod->spec;
  for (auto node : only_ruled_out_by(v, PodFilter::kTaintToleration)) {
    const auto& object = s.node(node).object;
    if (!object) continue;
    const auto taints = untolerated_but_cordon(spec, *object);
    const bool sick = std::any_of(taints.begin(), taints.end(), [](const auto* t) {
      return t->key.view().starts_with("node.kubernetes.io/") ||
             t->key.view().starts_with("node-role.kubernetes.io/");
    });
    if (taints.empty() || sick) continue;
    std::string words, text;
    std::vector<model::Taint> removed;
    for (const auto* t : taints) {
      removed.push_back(*t);
      words += " " + shell_word(model::to_text(*t) + "-");
      text += (text.empty() ? "" : ", ") + model::to_text(*t);
    }
    const auto name = s.node(node).name.view();
    return {by_operator(RemedyKind::kReturnNodes,
                        fmt::format("kubectl taint nodes {}{}", shell_word(name), words),
                        fmt::format("{} is open to all pods: {} is gone.", name, text),
                        [node, removed](Snapshot& other) {
                          change_node(other, node, [&](model::NodeObject& o) {
                            std::erase_if(o.taints, [&](const auto& t) {
                              return std::find(removed.begin(), removed.end(), t) != removed.end();
                            });
                          });
                        })};
  }
  return {};
}

std::vector<Step> labelled_nodes(const Snapshot& s, const Verdict& v) {
  const auto& selector = s.workload(v.workload).pod->spec->node_selector;
  const auto nodes = only_ruled_out_by(v, PodFilter::kNodeAffinity);
  if (selector.empty() || nodes.empty()) return {};
  const auto name = s.node(nodes.front()).name.view();
  std::string words;
  for (const auto& l : selector) {
    // Who a node is, and where it stands, is not for us to say.
    if (l.key.view().find("kubernetes.io/") != std::string_view::npos) return {};
    words += " " + shell_word(fmt::format("{}={}", l.key.view(), l.value));
  }
  return {by_operator(RemedyKind::kReturnNodes,
                      fmt::format("kubectl label nodes --overwrite {}{}", shell_word(name), words),
                      fmt::format("{} has the labels that the pod selects.", name),
                      [node = nodes.front(), selector](Snapshot& other) {
                        change_node(other, node, [&](model::NodeObject& o) {
                          auto items = o.labels.items();
                          for (const auto& l : selector) {
                            std::erase_if(items,
                                          [&](const auto& item) { return item.key == l.key; });
                            items.push_back(l);
                          }
                          o.labels = model::Labels(items);
                        });
                      })};
}

std::vector<Step> ended_pods(const Snapshot& s, const Verdict& v) {
  if (!v.hole) return {};
  const auto& ends = v.hole->ends;
  std::string command;
  for (auto id : ends) {
    const auto& w = s.workload(id);
    if (!command.empty()) command += '\n';
    command += fmt::format("kubectl delete pod -n {} {}", shell_word(w.account.view()),
                           shell_word(w.name));
  }
  const auto them = ends.size() == 1 ? "it" : "them";
  auto step = by_operator(
      RemedyKind::kEndWorkloads, std::move(command),
      fmt::format("Ends {} on {}; what made {} makes {} anew, to wait behind this one if of lower "
                  "priority.",
                  plural(ends.size(), "pod"), s.node(v.hole->node).name.view(), them, them),
      [ends](Snapshot& other) {
        for (auto id : ends) end_workload(other, id);
      });
  const auto& by_itself = v.hole->by_itself;
  const auto they = ends.size() == 1 ? "it ends" : "they end";
  if (by_itself.expected) {
    step.effect +=
        fmt::format(" Left alone, {} at about {}.", they, local_time(*by_itself.expected));
  } else if (by_itself.latest) {
    step.effect +=
        fmt::format(" Left alone, {} by {} at the latest.", they, local_time(*by_itself.latest));
  }
  step.ends = ends;
  return {std::move(step)};
}

}  // namespace schedlens::diagnose
