// SPDX-License-Identifier: Apache-2.0
// Random clusters and pods: the answers by class, domain and shared count against a plain evaluator
// that looks at every pod for every node.

#include "diagnose/pod_evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "diagnose/test_pods.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

using model::LabelOperator;
using model::NodeId;
using testing::kHostname;
using testing::kRack;
using testing::kZone;
using testing::Pods;
using testing::selector;
using testing::term;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::mt19937 engine_;
};

const std::vector<std::string> kApps = {"x", "y", "z"};
const std::vector<std::string> kNamespaces = {"default", "train"};

Symbol some_key(Random& random) {
  return random.of(std::vector<Symbol>{kZone, kRack, kHostname, Symbol("absent")});
}

model::PodAffinityTerm random_term(Random& random) {
  auto t = term(selector({{"app", random.of(kApps)}}), some_key(random));
  if (random.one_in(4)) t.pods->all.clear();
  if (random.one_in(4)) t.namespaces = {Symbol("train")};
  if (random.one_in(4)) t.namespace_selector = selector({{"env", "prod"}});
  if (random.one_in(8)) t.namespace_selector = model::LabelSelector{};
  return t;
}

Pods::Draft random_pod(Random& random) {
  auto d = Pods::draft();
  auto& spec = d.spec;
  d.pod.ns = Symbol(random.of(kNamespaces));
  std::vector<model::Label> items;
  if (!random.one_in(5)) items.push_back({Symbol("app"), random.of(kApps)});
  if (random.one_in(2)) items.push_back({Symbol("hash"), random.one_in(2) ? "1" : "2"});
  d.pod.labels = model::Labels(items);
  d.pod.priority = random.below(3) * 10;
  if (!random.one_in(3)) d.gpu(1 + random.below(6));
  if (!random.one_in(3)) d.cpu(1 + random.below(40));
  if (random.one_in(4)) {
    spec.host_ports.push_back({random.one_in(2) ? "" : "10.0.0." + std::to_string(random.below(2)),
                               model::HostProtocol::kTcp, 9000});
  }
  if (random.one_in(3)) {
    spec.tolerations.push_back({Symbol(random.one_in(2) ? "team" : ""),
                                model::TolerationOperator::kExists, "", model::TaintEffect::kNone});
  }
  if (random.one_in(4)) spec.node_selector = {{kZone, random.one_in(2) ? "a" : "b"}};
  if (random.one_in(4)) {
    spec.node_affinity.emplace();
    for (int n = random.below(3); n >= 0; --n) {
      model::NodeSelectorTerm t;
      if (random.one_in(2)) t.labels.push_back({kRack, LabelOperator::kNotIn, {"1"}});
      if (random.one_in(3)) t.labels.push_back({Symbol("rank"), LabelOperator::kGt, {"3"}});
      if (random.one_in(4)) {
        t.fields.push_back({Symbol("metadata.name"),
                            LabelOperator::kIn,
                            {"gpu-" + std::to_string(random.below(4))}});
      }
      spec.node_affinity->push_back(t);
    }
  }
  if (random.one_in(4)) spec.affinity.push_back(random_term(random));
  if (random.one_in(8)) spec.affinity.push_back(random_term(random));
  if (random.one_in(4)) spec.anti_affinity.push_back(random_term(random));
  if (random.one_in(8)) spec.anti_affinity.push_back(random_term(random));
  for (int n = random.below(4); n > 1; --n) {
    model::SpreadConstraint c;
    c.topology_key = some_key(random);
    c.max_skew = 1 + random.below(2);
    if (!random.one_in(6)) c.pods = selector({{"app", random.of(kApps)}});
    if (random.one_in(3)) c.min_domains = random.below(4);
    c.honor_node_affinity = !random.one_in(3);
    c.honor_node_taints = random.one_in(3);
    if (random.one_in(3)) c.match_label_keys = {Symbol("hash")};
    spec.spread.push_back(c);
  }
  return d;
}

Pods random_cluster(Random& random) {
  Pods c(2 + random.below(6));
  c.k.namespaces->push_back({Symbol("prod"), testing::labels({{"env", "prod"}}), false});
  if (random.one_in(2)) (*c.k.namespaces)[1].labels = testing::labels({{"env", "prod"}});
  const int nodes = static_cast<int>(c.s.nodes.size());
  for (int i = 0; i < nodes; ++i) {
    if (random.one_in(6)) c.cordon(i);
    if (random.one_in(5)) c.taint(i, "team", random.one_in(2) ? "a" : "b");
    if (random.one_in(6)) c.taint(i, "soft", "", model::TaintEffect::kPreferNoSchedule);
    if (random.one_in(5)) c.unlabel(i, kZone);
    if (random.one_in(5)) c.unlabel(i, kRack);
    if (random.one_in(4)) c.label(i, "rank", std::to_string(random.below(8)));
    if (random.one_in(6)) c.allocatable(i, model::names::kKubePods, random.below(4));
    if (random.one_in(6)) c.allocatable(i, testing::kGpuName, 4);
  }
  for (int n = random.below(3 * nodes); n > 0; --n) {
    auto id = c.run(random.below(nodes), random_pod(random));
    if (random.one_in(6)) c.change_pod(id, [](auto& p) { p.deleting = Timestamp{Pods::kNow}; });
    if (random.one_in(8)) {
      c.change_pod(id, [](auto& p) { p.phase = model::PodPhase::kSucceeded; });
    }
  }
  for (int n = random.below(3); n > 0; --n) {
    auto d = random_pod(random);
    d.pod.nominated_node = Symbol("gpu-" + std::to_string(random.below(nodes)));
    c.wait(d);
  }
  return c;
}

class Plain {
 public:
  Plain(const model::Snapshot& s, const model::Workload& w)
      : s_(s), w_(w), pod_(*w.pod), spec_(*w.pod->spec) {
    for (const auto& other : s.workloads) {
      if (other.pod->node_name.empty() || model::is_terminal(*other.pod)) continue;
      running_.emplace_back(other.pod->node_name.str(), other.pod.get());
    }
  }

  // Texts of all reasons on the node.
  std::set<std::string> failed(NodeId id) {
    const std::string here(s_.node(id).name.view());
    const auto before = running_;
    for (const auto& other : s_.workloads) {
      const auto& p = *other.pod;
      if (&other == &w_ || !p.node_name.empty() || p.nominated_node != s_.node(id).name) continue;
      if (*p.priority >= *pod_.priority) running_.emplace_back(here, &p);
    }
    auto with = reasons(id);
    running_ = before;
    return with.empty() ? reasons(id) : with;
  }

 private:
  using Running = std::vector<std::pair<std::string, const model::Pod*>>;

  const model::Labels& labels(const std::string& node) const {
    return s_.node(*s_.find_node(Symbol(node))).object->labels;
  }
  bool affine(const model::Node& n) const {
    for (const auto& l : spec_.node_selector) {
      const auto* value = n.object->labels.find(l.key);
      if (!value || *value != l.value) return false;
    }
    if (!spec_.node_affinity) return true;
    for (const auto& t : *spec_.node_affinity) {
      if (t.selects(n.object->labels, n.name.view())) return true;
    }
    return false;
  }
  // A cordon is counted apart from the taint that comes with it.
  bool tolerated(const model::Node& n, bool but_cordon = false) const {
    for (const auto& t : n.object->taints) {
      if (but_cordon && t.key.view() == "node.kubernetes.io/unschedulable") continue;
      if (t.effect == model::TaintEffect::kPreferNoSchedule) continue;
      if (!model::tolerates(spec_.tolerations, t)) return false;
    }
    return true;
  }
  bool in_named_set(const model::Node& n) const {
    if (!spec_.node_affinity || spec_.node_affinity->empty()) return true;
    bool named = false;
    for (const auto& t : *spec_.node_affinity) {
      if (t.fields.empty()) return true;
      named |= t.fields[0].values[0] == n.name.view();
    }
    return named;
  }
  bool means(const model::PodAffinityTerm& t, const model::Pod& owner,
             const model::Pod& other) const {
    bool ns = !t.namespace_selector && t.namespaces.empty() && owner.ns == other.ns;
    for (auto n : t.namespaces) ns |= n == other.ns;
    if (t.namespace_selector) {
      for (const auto& n : *s_.kubernetes->namespaces) {
        ns |= n.name == other.ns && t.namespace_selector->selects(n.labels);
      }
    }
    return ns && t.pods && t.pods->selects(other.labels);
  }
  static bool same(const std::string* a, const std::string* b) { return a && b && *a == *b; }

  std::set<std::string> reasons(NodeId id) {
    const auto& n = s_.node(id);
    const auto& object = *n.object;
    std::set<std::string> out;
    if (!in_named_set(n)) out.insert("node(s) didn't satisfy plugin(s) [NodeAffinity]");
    bool everything = false;
    for (const auto& t : spec_.tolerations) everything |= t.key.empty();
    if (object.unschedulable && !everything) out.insert("node(s) were unschedulable");
    if (!tolerated(n, object.unschedulable)) out.insert("node(s) had untolerated taint(s)");
    if (!affine(n)) out.insert("node(s) didn't match Pod's node affinity/selector");
    resources(n, out);
    spread(n, out);
    neighbours(n, out);
    return out;
  }

  void resources(const model::Node& n, std::set<std::string>& out) {
    model::Quantities used;
    std::int64_t pods = 0;
    for (const auto& [node, p] : running_) {
      if (node != n.name.view()) continue;
      ++pods;
      used.add(p->request);
      for (const auto& theirs : p->spec->host_ports) {
        for (const auto& mine : spec_.host_ports) {
          if (mine.ip.empty() || theirs.ip.empty() || mine.ip == theirs.ip) {
            out.insert("node(s) didn't have free ports for the requested pod ports");
          }
        }
      }
    }
    if (pods + 1 > n.object->allocatable.get(model::names::kKubePods)) out.insert("Too many pods");
    for (const auto& item : spec_.request.items()) {
      if (item.amount > n.object->allocatable.get(item.name) - used.get(item.name)) {
        out.insert("Insufficient " + item.name.str());
      }
    }
  }

  void spread(const model::Node& n, std::set<std::string>& out) {
    for (const auto& c : spec_.spread) {
      const auto* mine = n.object->labels.find(c.topology_key);
      if (!mine) {
        out.insert("node(s) didn't match pod topology spread constraints (missing required label)");
        return;
      }
      auto counted = [&](const model::Pod& p) {
        if (!c.pods || !c.pods->selects(p.labels)) return false;
        for (auto key : c.match_label_keys) {
          const auto* value = pod_.labels.find(key);
          if (value && !same(value, p.labels.find(key))) return false;
        }
        return true;
      };
      std::map<std::string, int> domains;
      for (const auto& other : s_.nodes) {
        bool takes_part =
            (!c.honor_node_affinity || affine(other)) && (!c.honor_node_taints || tolerated(other));
        for (const auto& k : spec_.spread) {
          takes_part &= other.object->labels.find(k.topology_key) != nullptr;
        }
        if (!takes_part) continue;
        auto& count = domains[*other.object->labels.find(c.topology_key)];
        for (const auto& [node, p] : running_) {
          if (node == other.name.view() && p->ns == pod_.ns && !p->deleting && counted(*p)) ++count;
        }
      }
      int least = domains.empty() ? 0 : domains.begin()->second;
      for (const auto& [name, count] : domains) least = std::min(least, count);
      if (static_cast<int>(domains.size()) < c.min_domains.value_or(1)) least = 0;
      const int here = domains.contains(*mine) ? domains[*mine] : 0;
      if (here + (counted(pod_) ? 1 : 0) - least > c.max_skew) {
        out.insert("node(s) didn't match pod topology spread constraints");
        return;
      }
    }
  }

  void neighbours(const model::Node& n, std::set<std::string>& out) {
    const auto& here = n.object->labels;
    bool any_counted = false;
    std::vector<bool> found(spec_.affinity.size());
    for (const auto& [node, p] : running_) {
      const auto& there = labels(node);
      bool all = true;
      for (const auto& t : spec_.affinity) all &= means(t, pod_, *p);
      for (std::size_t i = 0; i < spec_.affinity.size() && all; ++i) {
        const auto key = spec_.affinity[i].topology_key;
        any_counted |= there.find(key) != nullptr;
        if (same(there.find(key), here.find(key))) found[i] = true;
      }
      for (const auto& t : spec_.anti_affinity) {
        if (means(t, pod_, *p) && same(there.find(t.topology_key), here.find(t.topology_key))) {
          out.insert("node(s) didn't match pod anti-affinity rules");
        }
      }
      for (const auto& t : p->spec->anti_affinity) {
        if (means(t, *p, pod_) && same(there.find(t.topology_key), here.find(t.topology_key))) {
          out.insert("node(s) didn't satisfy existing pods anti-affinity rules");
        }
      }
    }
    bool keys = true, self = true, all_found = true;
    for (std::size_t i = 0; i < spec_.affinity.size(); ++i) {
      keys &= here.find(spec_.affinity[i].topology_key) != nullptr;
      self &= means(spec_.affinity[i], pod_, pod_);
      all_found &= found[i];
    }
    if (!keys || !(all_found || (!any_counted && self))) {
      out.insert("node(s) didn't match pod affinity rules");
    }
  }

  const model::Snapshot& s_;
  const model::Workload& w_;
  const model::Pod& pod_;
  const model::PodSpec& spec_;
  Running running_;
};

TEST(PodEvaluation, EqualsAPlainEvaluatorOnRandomClusters) {
  std::size_t nodes = 0, open = 0, promised = 0;
  std::map<std::string, std::size_t> seen;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    auto c = random_cluster(random);
    std::vector<model::WorkloadId> waiting;
    for (int i = 0; i < 4; ++i) waiting.push_back(c.wait(random_pod(random)));
    c.ready();
    PodEvaluation evaluation(c.s);
    std::map<std::string, std::vector<PodReasons>> by_likeness;
    for (std::uint32_t i = 0; i < c.s.workloads.size(); ++i) {
      if (is_assigned(c.s.workloads[i]) || model::is_terminal(*c.s.workloads[i].pod)) continue;
      auto answer = evaluation.evaluate({i});
      if (!answer.whole_pod.empty()) continue;
      Plain plain(c.s, c.s.workloads[i]);
      for (std::uint32_t n = 0; n < c.s.nodes.size(); ++n) {
        std::set<std::string> ours;
        for (auto bits = answer.failed[n].bits; bits != 0; bits &= bits - 1) {
          ours.insert(answer.text({bits & (~bits + 1)}));
        }
        ASSERT_EQ(ours, plain.failed({n})) << "seed " << seed << " pod " << i << " node " << n;
        ++nodes;
        open += ours.empty() ? 1 : 0;
        for (const auto& text : ours) ++seen[text];
      }
      promised += answer.taken_by_nominees.size();
      // Pods that are said to be alike are.
      auto [at, is_new] = by_likeness.emplace(evaluation.likeness({i}), answer.failed);
      if (!is_new) {
        ASSERT_EQ(at->second, answer.failed) << "seed " << seed << " pod " << i;
      }
    }
  }
  // The clusters are neither all open nor all closed, and every reason occurs.
  EXPECT_GT(open, nodes / 50);
  EXPECT_GT(promised, 20u);
  EXPECT_EQ(seen.size(), 13u) << ::testing::PrintToString(seen);
}

}  // namespace
}  // namespace schedlens::diagnose
