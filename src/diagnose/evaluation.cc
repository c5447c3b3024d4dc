// SPDX-License-Identifier: Apache-2.0
#include "diagnose/evaluation.h"

#include <algorithm>
#include <unordered_set>

namespace schedlens::diagnose {

using model::NodeId;
using model::Workload;

namespace {

const std::vector<NodeId>& excluded(const Workload& w) {
  static const std::vector<NodeId> kNone;
  return w.request.excluded_nodes ? *w.request.excluded_nodes : kNone;
}

bool contains(const std::vector<NodeId>& nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

// With as many required nodes as it may have, a workload takes no other.
bool takes_only_required(const Shape& shape, const Workload& w) {
  return !w.request.required_nodes.empty() && w.request.required_nodes.size() >= shape.max_nodes;
}

// The nodes with a counted feature are enough for each count.
bool counts_reached(const ShapeAnswer& answer, const NodeClasses& nodes,
                    const std::vector<Candidate>& candidates) {
  for (const auto& count : answer.features->counts()) {
    std::uint64_t with = 0;
    for (const auto& c : candidates) {
      const auto& features = nodes.classes[c.id].view.features;
      if (std::find(features.begin(), features.end(), count.feature) != features.end()) {
        with += c.count;
      }
    }
    if (with < count.nodes) return false;
  }
  return true;
}

}  // namespace

bool has_node_lists(const Workload& w) {
  return !w.request.required_nodes.empty() || !excluded(w).empty();
}

Evaluation::Evaluation(const model::Snapshot& snapshot)
    : snapshot_(snapshot), nodes_(snapshot), reservations_(snapshot) {
  classes_of_queue_.resize(snapshot.queues.size());
  for (std::uint32_t i = 0; i < nodes_.classes.size(); ++i) {
    const auto& c = nodes_.classes[i];
    class_sizes_.push_back(static_cast<std::uint32_t>(c.members.size()));
    nodes_have_owners_ |= !c.view.owner.empty();
    for (auto queue : c.view.queues) classes_of_queue_[queue.index].push_back(i);
  }
}

const Evaluation::Features& Evaluation::features(const std::string& text) {
  auto [it, added] = features_.try_emplace(text);
  if (added) {
    it->second.expression = FeatureExpression::parse(text);
    it->second.masks.reserve(nodes_.classes.size());
    for (const auto& c : nodes_.classes) {
      it->second.masks.push_back(it->second.expression.matches(c.view.features));
    }
  }
  return it->second;
}

ShapeAnswer& Evaluation::answer(const Workload& w, model::QueueId queue) {
  auto shape = make_shape(snapshot_, w, queue, reservations_.view(w), nodes_have_owners_);
  auto [it, added] = answers_.try_emplace(shape.key());
  if (!added) return *it->second;
  it->second = std::make_unique<ShapeAnswer>();
  auto& answer = *it->second;
  const auto& f = features(shape.features);
  answer.features = &f.expression;
  answer.feature_masks = &f.masks;
  answer.shape = std::move(shape);
  answer.failed = test_classes(answer, Use::kNow);
  return answer;
}

std::vector<Tests> Evaluation::test_classes(const ShapeAnswer& answer, Use use) const {
  const auto queue = answer.shape.queue;
  std::vector<Tests> failed(nodes_.classes.size(), Tests::of(Test::kPartition));
  for (auto c : classes_of_queue_[queue.index]) {
    failed[c] = failed_tests(answer.shape, snapshot_.queue(queue), nodes_.classes[c].view,
                             (*answer.feature_masks)[c], use);
  }
  return failed;
}

const std::vector<Tests>& Evaluation::when_empty(ShapeAnswer& answer) {
  if (answer.failed_when_empty.empty()) {
    answer.failed_when_empty = test_classes(answer, Use::kNothing);
  }
  return answer.failed_when_empty;
}

std::vector<std::uint32_t> Evaluation::counts(const Workload& w, Tests ignoring) const {
  auto counts = class_sizes_;
  if (!ignoring.has(Test::kExcluded)) {
    std::unordered_set<NodeId> refused(excluded(w).begin(), excluded(w).end());
    for (auto node : refused) --counts[nodes_.of_node[node.index]];
  }
  if (!ignoring.has(Test::kRequired)) {
    std::unordered_set<NodeId> wanted(w.request.required_nodes.begin(),
                                      w.request.required_nodes.end());
    for (auto node : wanted) {
      if (!contains(excluded(w), node)) --counts[nodes_.of_node[node.index]];
    }
  }
  return counts;
}

Placement Evaluation::place_with(ShapeAnswer& answer, const Workload& w, Tests ignoring, Use use) {
  const auto& failed = use == Use::kNow ? answer.failed : when_empty(answer);
  const auto& q = snapshot_.queue(answer.shape.queue);
  bool lists = has_node_lists(w);
  std::vector<std::uint32_t> own_counts;
  if (lists) own_counts = counts(w, ignoring);
  const auto& count = lists ? own_counts : class_sizes_;
  const auto& required = w.request.required_nodes;
  bool honour_required = !ignoring.has(Test::kRequired) && !required.empty();
  bool others = !honour_required || !takes_only_required(answer.shape, w);
  auto passes = [&](std::size_t c, std::uint32_t alternative) {
    if (!failed[c].without(ignoring).empty()) return false;
    return ignoring.has(Test::kFeatures) || ((*answer.feature_masks)[c] & alternative) != 0;
  };

  Placement best;
  auto alternatives = ignoring.has(Test::kFeatures)
                          ? std::size_t{1}
                          : std::max<std::size_t>(1, answer.features->alternatives());
  for (std::size_t a = 0; a < alternatives && !best.fits; ++a) {
    auto bit = std::uint32_t{1} << a;
    std::vector<Candidate> candidates, fixed;
    for (std::uint32_t c = 0; others && c < failed.size(); ++c) {
      if (count[c] == 0 || !passes(c, bit)) continue;
      const auto share = share_of(answer.shape, q, nodes_.classes[c].view, use);
      // Which of the empty nodes it would get is of no interest, and these are mostly alike.
      const bool alike = use == Use::kNothing && answer.features->counts().empty() &&
                         !candidates.empty() && candidates.back().share == share;
      if (alike) {
        candidates.back().count += count[c];
      } else {
        candidates.push_back({c, count[c], share});
      }
    }
    bool all_required = true;
    for (auto node : required) {
      if (!honour_required) break;
      auto c = nodes_.of_node[node.index];
      all_required &= passes(c, bit) && !contains(excluded(w), node);
      fixed.push_back({c, 1, share_of(answer.shape, q, nodes_.classes[c].view, use)});
    }
    auto both = candidates;
    both.insert(both.end(), fixed.begin(), fixed.end());
    auto placement = place(answer.shape, std::move(candidates), fixed);
    if (!all_required ||
        (!ignoring.has(Test::kFeatures) && !counts_reached(answer, nodes_, both))) {
      placement.fits = false;
      placement.chosen.clear();
    }
    if (placement.fits || placement.passing > best.passing) best = std::move(placement);
  }
  return best;
}

Placement Evaluation::fit(ShapeAnswer& answer, const Workload& w, Tests ignoring) {
  if (has_node_lists(w)) return place_with(answer, w, ignoring, Use::kNow);
  for (const auto& [bits, placement] : answer.placements) {
    if (bits == ignoring.bits) return placement;
  }
  auto placement = place_with(answer, w, ignoring, Use::kNow);
  answer.placements.emplace_back(ignoring.bits, placement);
  return placement;
}

bool Evaluation::possible(ShapeAnswer& answer, const Workload& w) {
  if (has_node_lists(w)) return place_with(answer, w, {}, Use::kNothing).fits;
  if (!answer.possible) answer.possible = place_with(answer, w, {}, Use::kNothing).fits;
  return *answer.possible;
}

Sums Evaluation::sums(ShapeAnswer& answer, const Workload& w) {
  bool lists = has_node_lists(w);
  if (!lists && answer.sums) return *answer.sums;
  const auto& empty = when_empty(answer);
  const auto& q = snapshot_.queue(answer.shape.queue);
  auto counts = lists ? this->counts(w, Tests::of(Test::kRequired)) : class_sizes_;
  if (takes_only_required(answer.shape, w)) {
    counts.assign(counts.size(), 0);
    for (auto node : w.request.required_nodes) ++counts[nodes_.of_node[node.index]];
  }
  Sums sums;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0 || !empty[c].empty()) continue;
    const auto& view = nodes_.classes[c].view;
    auto gpus = free_gpus(answer.shape, q, view);
    auto other = answer.failed[c].without(kResourceTests);
    if (other == Tests::of(Test::kState)) {
      sums.nodes_out += counts[c];
      sums.gpus_out += gpus.free * counts[c];
    }
    if (!other.empty()) continue;
    sums.nodes += counts[c];
    if (view.powering_down) continue;
    sums.cpus += std::uint64_t{cpus_open(answer.shape, view)} * counts[c];
    sums.memory += view.memory_free() * counts[c];
    sums.gpus.free += gpus.free * counts[c];
    sums.gpus.allocatable += gpus.allocatable * counts[c];
    sums.largest_hole = std::max(sums.largest_hole, gpus.allocatable);
    sums.fewest_cpus = sums.fewest_cpus ? std::min(sums.fewest_cpus, view.cpus) : view.cpus;
    for (std::size_t i = 0; i < answer.shape.devices.size() && i < kMostDeviceKinds; ++i) {
      const auto& d = answer.shape.devices[i];
      sums.devices[i] += view.devices_free(d.name, d.type) * counts[c];
    }
  }
  if (!lists) answer.sums = sums;
  return sums;
}

bool ClassSet::intersects(const ClassSet& other) const {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] & other.words[i]) return true;
  }
  return false;
}

const ClassSet& Evaluation::allowed_classes(ShapeAnswer& answer) const {
  if (!answer.allowed) {
    auto& set = answer.allowed.emplace();
    set.words.resize(nodes_.classes.size() / 64 + 1);
    for (std::size_t c = 0; c < answer.failed.size(); ++c) {
      if (answer.failed[c].without(kResourceTests).empty()) set.add(c);
    }
  }
  return *answer.allowed;
}

Tests Evaluation::failed_on(const ShapeAnswer& answer, const Workload& w, NodeId node) const {
  auto failed = answer.failed[nodes_.of_node[node.index]];
  if (contains(excluded(w), node)) failed |= Tests::of(Test::kExcluded);
  if (takes_only_required(answer.shape, w) && !contains(w.request.required_nodes, node)) {
    failed |= Tests::of(Test::kRequired);
  }
  return failed;
}

Tests Evaluation::all_failed_on(const ShapeAnswer& answer, const Workload& w, NodeId node) const {
  auto failed = failed_on(answer, w, node);
  if (!failed.has(Test::kPartition)) return failed;
  const auto c = nodes_.of_node[node.index];
  return failed | failed_tests(answer.shape, snapshot_.queue(answer.shape.queue),
                               nodes_.classes[c].view, (*answer.feature_masks)[c], Use::kNow);
}

std::vector<NodeId> Evaluation::nodes_of(const Placement& placement, const Workload& w,
                                         Tests ignoring) const {
  std::vector<NodeId> nodes;
  bool honour_required = !ignoring.has(Test::kRequired);
  std::unordered_set<NodeId> avoid;
  if (!ignoring.has(Test::kExcluded)) avoid.insert(excluded(w).begin(), excluded(w).end());
  if (honour_required) {
    nodes = w.request.required_nodes;
    avoid.insert(nodes.begin(), nodes.end());
  }
  // The required nodes stand at the end of the chosen, one entry each.
  auto others = placement.chosen.size() - std::min(placement.chosen.size(), nodes.size());
  for (std::size_t i = 0; i < others; ++i) {
    auto [c, count] = placement.chosen[i];
    for (auto node : nodes_.classes[c].members) {
      if (count == 0) break;
      if (avoid.contains(node)) continue;
      nodes.push_back(node);
      --count;
    }
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace schedlens::diagnose
