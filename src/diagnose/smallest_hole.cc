// SPDX-License-Identifier: Apache-2.0
#include "diagnose/smallest_hole.h"

#include <algorithm>
#include <limits>
#include <set>

#include "diagnose/assessment.h"
#include "diagnose/what_if.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::Snapshot;
using model::WorkloadId;
using Ids = std::vector<WorkloadId>;

namespace {

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMostTogether = 3;  // exact up to here
constexpr std::size_t kMostOthers = 8;    // smaller ones that are tried in place of the last
constexpr std::size_t kMostOnANode = 24;  // among which sets are sought

void take(std::uint32_t& from, std::uint32_t amount) {
  from -= std::min(from, amount);
}

// The node as it is once the workload has ended there.
void leave(NodeView& view, const Snapshot& s, const model::Workload& w, NodeId node) {
  const auto part = held_on(w, node);
  take(view.cpus_used, part.cpus.value_or(0));
  view.memory_used = Bytes{
      std::max<std::int64_t>(0, view.memory_used.value - part.memory.value_or(Bytes{}).value)};
  for (const auto& held : part.gres) {
    auto left = held.total;
    for (auto& d : view.devices) {
      if (d.name != held.name || (!held.type.empty() && d.type != held.type)) continue;
      const auto now = std::min(left, d.used);
      d.used -= now;
      left -= now;
    }
  }
  for (auto& [queue, cpus] : view.queue_cpus) {
    if (!w.queues.empty() && s.queue(queue).name == w.queues.front()) {
      take(cpus, part.cpus.value_or(0));
    }
  }
  if (w.request.sharing == model::Sharing::kWholeNode) view.held_whole = false;
}

// Which running workloads of a node must end for it to take its share of the waiting one.
class NodeTrial {
 public:
  NodeTrial(const Snapshot& s, const Evaluation& evaluation, const ShapeAnswer& answer, NodeId node,
            const MayEnd& may_end)
      : s_(s),
        may_end_(may_end),
        queue_(s.queue(answer.shape.queue)),
        answer_(answer),
        features_((*answer.feature_masks)[evaluation.nodes().of_node[node.index]]),
        view_(evaluation.nodes().classes[evaluation.nodes().of_node[node.index]].view),
        node_(node) {
    for (auto id : s.workloads_on(node)) here_.push_back(id);
  }

  // gone: what ends in any case. Only sets of fewer than limit are of interest.
  std::optional<Ids> fewest(const std::set<WorkloadId>& gone, std::size_t limit) const {
    Ids stays;
    Ids ended(gone.begin(), gone.end());
    for (auto id : here_) {
      if (!gone.contains(id) && (!may_end_ || may_end_(id))) stays.push_back(id);
    }
    if (passes(ended)) return Ids{};
    if (limit <= 1) return std::nullopt;
    if (stays.size() <= kMostOnANode) {
      for (std::size_t size = 1; size <= std::min({kMostTogether, stays.size(), limit - 1});
           ++size) {
        Ids chosen;
        if (choose(stays, 0, size, ended, chosen)) return chosen;
      }
    }
    if (limit <= kMostTogether) return std::nullopt;
    return largest_first(std::move(stays), std::move(ended));
  }

 private:
  bool passes(const Ids& ended) const {
    auto view = view_;
    std::size_t left = 0;
    for (auto id : here_) {
      if (std::find(ended.begin(), ended.end(), id) == ended.end()) {
        ++left;
      } else {
        leave(view, s_, s_.workload(id), node_);
      }
    }
    if (left == 0) {
      view.held_whole = view.unshared = view.several_users = false;
      view.one_user = Symbol();
      view.rows.clear();
    }
    return failed_tests(answer_.shape, queue_, view, features_, Use::kNow).empty();
  }

  // A set of that size of those from the given place on.
  bool choose(const Ids& from, std::size_t place, std::size_t size, Ids& ended, Ids& chosen) const {
    if (size == 0) return passes(ended);
    for (auto i = place; i + size <= from.size(); ++i) {
      ended.push_back(from[i]);
      chosen.push_back(from[i]);
      if (choose(from, i + 1, size - 1, ended, chosen)) return true;
      ended.pop_back();
      chosen.pop_back();
    }
    return false;
  }

  std::optional<Ids> largest_first(Ids stays, Ids ended) const {
    std::stable_sort(stays.begin(), stays.end(), [&](WorkloadId a, WorkloadId b) {
      auto size = [&](WorkloadId id) {
        const auto& w = s_.workload(id);
        return std::pair(model::gpus_held(w), held_on(w, node_).cpus.value_or(0));
      };
      return size(a) > size(b);
    });
    Ids chosen;
    for (auto id : stays) {
      ended.push_back(id);
      chosen.push_back(id);
      if (passes(ended)) return chosen;
    }
    return std::nullopt;
  }

  const Snapshot& s_;
  const MayEnd& may_end_;
  const model::Queue& queue_;
  const ShapeAnswer& answer_;
  std::uint32_t features_;
  NodeView view_;
  NodeId node_;
  Ids here_;
};

// Nodes that only others' use keeps from taking their share.
std::vector<NodeId> open_nodes(const Snapshot& s, Evaluation& evaluation, const ShapeAnswer& answer,
                               const model::Workload& w) {
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < s.nodes.size(); ++i) {
    if (evaluation.failed_on(answer, w, {i}).without(kResourceTests).empty()) nodes.push_back({i});
  }
  return nodes;
}

}  // namespace

std::optional<Timestamp> last_end(const Snapshot& s, const Ids& ids) {
  std::optional<Timestamp> last;
  for (auto id : ids) {
    const auto& end = s.workload(id).end;
    if (!end) return std::nullopt;
    if (!last || *end > *last) last = end;
  }
  return last;
}

namespace {

// Where every node could take its share but all together have too little of what is asked for in
// sum: those that hold most of it end first, as few as help.
std::optional<Hole> hole_in_sum(const Snapshot& s, WorkloadId id, const std::vector<NodeId>& nodes,
                                const MayEnd& may_end) {
  std::set<WorkloadId> running;
  for (auto node : nodes) {
    for (auto other : s.workloads_on(node)) {
      if (!may_end || may_end(other)) running.insert(other);
    }
  }
  Ids by_size(running.begin(), running.end());
  std::stable_sort(by_size.begin(), by_size.end(), [&](WorkloadId a, WorkloadId b) {
    auto size = [&](WorkloadId w) {
      const auto& totals = s.workload(w).allocation.totals;
      return std::pair(model::gpus_held(s.workload(w)), totals.get(model::names::kCpu));
    };
    return size(a) > size(b);
  });
  auto helps = [&](const Ids& ends) {
    auto changed = s;
    for (auto w : ends) end_workload(changed, w);
    changed.build_index();
    return Assessor(changed).assess(changed.workload(id)).fits;
  };
  Hole hole;
  for (auto w : by_size) {
    if (hole.ends.size() == kMostTogether) return std::nullopt;
    hole.ends.push_back(w);
    if (!helps(hole.ends)) continue;
    // The smallest that does as the last one.
    std::size_t tried = 0;
    for (auto i = by_size.size(); i-- > hole.ends.size() && tried++ < kMostOthers;) {
      auto with_another = hole.ends;
      with_another.back() = by_size[i];
      if (!helps(with_another)) continue;
      hole.ends = std::move(with_another);
      break;
    }
    for (auto end : hole.ends) {
      const auto& on = s.workload(end).allocation.nodes;
      hole.nodes.insert(hole.nodes.end(), on.begin(), on.end());
    }
    hole.by_itself = last_end(s, hole.ends);
    return hole;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Hole> smallest_hole(const Snapshot& s, WorkloadId id, const MayEnd& may_end) {
  const auto& w = s.workload(id);
  Assessor assessor(s);
  auto assessment = assessor.assess(w);
  if (!assessment.answer) return std::nullopt;
  auto& evaluation = assessor.evaluation();
  const auto& answer = *assessment.answer;
  const auto nodes = open_nodes(s, evaluation, answer, w);
  std::vector<NodeTrial> trials;
  for (auto node : nodes) trials.emplace_back(s, evaluation, answer, node, may_end);
  std::vector<bool> chosen(nodes.size());

  Hole hole;
  std::set<WorkloadId> gone;
  for (std::uint32_t taken = 0; taken < std::max(1u, answer.shape.min_nodes); ++taken) {
    std::optional<std::size_t> best;
    Ids best_ends;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (chosen[i]) continue;
      auto ends = trials[i].fewest(gone, best ? best_ends.size() : kAnyNumber);
      if (!ends || (best && ends->size() >= best_ends.size())) continue;
      best = i;
      best_ends = std::move(*ends);
      if (best_ends.empty()) break;
    }
    if (!best) return std::nullopt;
    if (!best_ends.empty()) hole.nodes.push_back(nodes[*best]);
    gone.insert(best_ends.begin(), best_ends.end());
    chosen[*best] = true;
  }
  if (gone.empty()) return hole_in_sum(s, id, nodes, may_end);
  hole.ends.assign(gone.begin(), gone.end());
  hole.by_itself = last_end(s, hole.ends);
  return hole;
}

}  // namespace schedlens::diagnose
