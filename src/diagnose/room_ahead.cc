// SPDX-License-Identifier: Apache-2.0
#include "diagnose/room_ahead.h"

#include <algorithm>
#include <functional>

#include "diagnose/take_share.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::Workload;

namespace {

// What passes with time, beside resources.
constexpr Tests kPassing{Tests::of(Test::kReserved).bits | Tests::of(Test::kOwner).bits |
                         kResourceTests.bits};
constexpr std::size_t kMostMoments = 256;  // tried for one workload on several nodes

template <class Number>
void take(Number& from, Number amount) {
  from = from > amount ? from - amount : Number{};
}

bool contains(const std::vector<NodeId>& nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

void at_most(Share& share, const Share& other) {
  share.cpus = std::min(share.cpus, other.cpus);
  share.tasks = std::min(share.tasks, other.tasks);
  for (std::size_t i = 0; i < share.devices.size(); ++i) {
    share.devices[i] = std::min(share.devices[i], other.devices[i]);
  }
}

}  // namespace

RoomAhead::RoomAhead(Evaluation& evaluation, const HeldNow& held, const std::vector<Offset>& ends)
    : evaluation_(evaluation),
      snapshot_(evaluation.snapshot()),
      held_(held),
      ends_(ends),
      rows_(snapshot_.nodes.size()) {
  views_.reserve(evaluation.nodes().classes.size());
  for (const auto& c : evaluation.nodes().classes) {
    auto& view = views_.emplace_back(c.view);
    view.completing = view.powering_down = false;  // not for long
  }
}

RoomAhead::Row& RoomAhead::row(NodeId node) {
  auto& row = rows_[node.index];
  if (!row.empty()) return row;
  const auto& view = evaluation_.nodes().classes[evaluation_.nodes().of_node[node.index]].view;
  Stretch now;
  now.used.cpus = view.cpus_used;
  now.used.memory = view.memory_used;
  for (std::size_t i = 0; i < view.devices.size() && i < kMostDeviceKinds; ++i) {
    now.used.devices[i] = static_cast<std::uint32_t>(view.devices[i].used);
  }
  now.whole = view.held_whole;
  auto holds = held_.on(node);
  now.empty = holds.empty();
  row.push_back(now);
  std::sort(holds.begin(), holds.end(),
            [&](const auto& a, const auto& b) { return ends_[a.by.index] < ends_[b.by.index]; });
  auto whole = std::count_if(holds.begin(), holds.end(), [](const auto& h) { return h.whole; });
  for (std::size_t i = 0; i < holds.size(); ++i) {
    const auto end = ends_[holds[i].by.index];
    if (end >= kNever) break;
    auto next = row.back();
    next.from = end;
    diagnose::take(next.used.cpus, holds[i].use.cpus);
    diagnose::take(next.used.memory, holds[i].use.memory);
    for (std::size_t d = 0; d < kMostDeviceKinds; ++d) {
      diagnose::take(next.used.devices[d], holds[i].use.devices[d]);
    }
    whole -= holds[i].whole ? 1 : 0;
    next.whole = whole > 0;
    next.empty = i + 1 == holds.size();
    if (row.back().from == end) row.pop_back();
    row.push_back(next);
  }
  return row;
}

const NodeView& RoomAhead::seen(NodeId node, const Stretch& stretch) {
  const auto c = evaluation_.nodes().of_node[node.index];
  const auto& base = evaluation_.nodes().classes[c].view;
  auto& view = views_[c];
  view.cpus_used = stretch.used.cpus;
  view.memory_used = stretch.used.memory;
  for (std::size_t i = 0; i < view.devices.size() && i < kMostDeviceKinds; ++i) {
    view.devices[i].used = stretch.used.devices[i];
  }
  view.held_whole = stretch.whole;
  // What is not followed job by job goes with the last one.
  view.unshared = base.unshared && !stretch.empty;
  view.one_user = stretch.empty ? Symbol() : base.one_user;
  view.several_users = base.several_users && !stretch.empty;
  if (!base.queue_cpus.empty()) {
    view.queue_cpus = stretch.empty ? decltype(view.queue_cpus){} : base.queue_cpus;
  }
  return view;
}

bool RoomAhead::has_room(const Asker& asker, NodeId node, const Stretch& stretch) {
  const auto& shape = asker.answer.shape;
  const auto c = evaluation_.nodes().of_node[node.index];
  const auto features = (*asker.answer.feature_masks)[c] & asker.alternative;
  return failed_tests(shape, snapshot_.queue(shape.queue), seen(node, stretch), features, Use::kNow)
      .without(Tests::of(Test::kReserved))
      .empty();
}

Offset RoomAhead::after_reservations(const Asker& asker, NodeId node, Offset from) const {
  if (asker.closed_by.empty()) return from;
  const auto& holding =
      evaluation_.nodes().classes[evaluation_.nodes().of_node[node.index]].view.reservations;
  for (bool moved = true; moved && from < kNever;) {
    moved = false;
    for (auto i : holding) {
      if (!std::binary_search(asker.closed_by.begin(), asker.closed_by.end(), i)) continue;
      const auto& r = snapshot_.reservations[i];
      const Offset begins = r.start ? (*r.start - snapshot_.time).value : 0;
      const Offset ends = r.end ? (*r.end - snapshot_.time).value : kNever;
      if (from >= ends || from + asker.runs <= begins) continue;
      from = ends;
      moved = true;
    }
  }
  return from;
}

Offset RoomAhead::first_room(const Asker& asker, NodeId node, Offset from) {
  const auto& stretches = row(node);
  for (;;) {
    from = after_reservations(asker, node, from);
    if (from >= kNever) return kNever;
    auto it = std::upper_bound(stretches.begin(), stretches.end(), from,
                               [](Offset at, const Stretch& s) { return at < s.from; });
    auto i = static_cast<std::size_t>(it - stretches.begin()) - 1;
    while (i < stretches.size() && stretches[i].from < from + asker.runs &&
           has_room(asker, node, stretches[i])) {
      ++i;
    }
    if (i == stretches.size() || stretches[i].from >= from + asker.runs) return from;
    if (i + 1 == stretches.size()) return kNever;
    from = stretches[i + 1].from;
  }
}

bool RoomAhead::may_use(const Asker& asker, NodeId node) const {
  const auto failed = evaluation_.failed_on(asker.answer, asker.w, node);
  return !failed.has(Test::kExcluded) && !failed.has(Test::kRequired);
}

RoomAhead::Asker RoomAhead::at_any_moment(const Asker& asker) {
  return {asker.w, asker.answer, asker.alternative, {}, 1};
}

RoomAhead::Heap& RoomAhead::heap(const Asker& asker) {
  auto [it, added] = heaps_.try_emplace({&asker.answer, asker.alternative});
  auto& heap = it->second;
  if (!added) return heap;
  const auto soonest = at_any_moment(asker);
  const auto& classes = evaluation_.nodes().classes;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (!asker.answer.failed[c].without(kPassing).empty()) continue;
    if (((*asker.answer.feature_masks)[c] & asker.alternative) == 0) continue;
    for (auto node : classes[c].members) {
      const auto at = first_room(soonest, node, 0);
      if (at < kNever) heap.push_back({at, node.index});
    }
  }
  std::make_heap(heap.begin(), heap.end(), std::greater<>());
  return heap;
}

RoomAhead::Plan RoomAhead::on_one_node(const Asker& asker, Offset not_before) {
  auto& heap = this->heap(asker);
  const auto soonest = at_any_moment(asker);
  const auto& shape = asker.answer.shape;
  Plan best;
  Heap looked_at;
  while (!heap.empty() && std::max(heap.front().at, not_before) < best.at) {
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    auto first = heap.back();
    heap.pop_back();
    const NodeId node{first.node};
    const auto now_first = first_room(soonest, node, first.at);
    if (now_first > first.at) {
      if (now_first >= kNever) continue;
      heap.push_back({now_first, first.node});
      std::push_heap(heap.begin(), heap.end(), std::greater<>());
      continue;
    }
    looked_at.push_back(first);
    if (!may_use(asker, node)) continue;
    const auto at = first_room(asker, node, std::max(first.at, not_before));
    if (at >= best.at || !place(shape, {{0, 1, share(asker, node, at)}}).fits) continue;
    best = {at, {node}};
  }
  for (auto first : looked_at) {
    heap.push_back(first);
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
  }
  return best;
}

Share RoomAhead::share(const Asker& asker, NodeId node, Offset at) {
  const auto& shape = asker.answer.shape;
  std::optional<Share> least;
  const auto& stretches = row(node);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (stretches[i].from >= at + asker.runs) break;
    if (i + 1 < stretches.size() && stretches[i + 1].from <= at) continue;
    const auto here =
        share_of(shape, snapshot_.queue(shape.queue), seen(node, stretches[i]), Use::kNow);
    if (least) {
      at_most(*least, here);
    } else {
      least = here;
    }
  }
  return least.value_or(Share{});
}

std::optional<std::vector<NodeId>> RoomAhead::choose(const Asker& asker, const Heap& firsts,
                                                     Offset at) {
  const auto& wanted = asker.w.request.required_nodes;
  std::vector<Candidate> candidates, required;
  for (auto first : firsts) {
    if (first.at > at) break;
    const NodeId node{first.node};
    if (first.at < at && first_room(asker, node, at) != at) continue;
    auto& list = contains(wanted, node) ? required : candidates;
    list.push_back({first.node, 1, share(asker, node, at)});
  }
  if (required.size() < wanted.size()) return std::nullopt;
  auto placement = place(asker.answer.shape, std::move(candidates), required);
  if (!placement.fits) return std::nullopt;
  std::vector<NodeId> nodes;
  for (auto [node, count] : placement.chosen) nodes.push_back({node});
  return nodes;
}

// The nodes free at some moment are enough or not; the moments to try are those at which one more
// gets free.
RoomAhead::Plan RoomAhead::on_several(const Asker& asker, Offset not_before) {
  Heap firsts;
  for (auto first : heap(asker)) {
    const NodeId node{first.node};
    if (!may_use(asker, node)) continue;
    const auto at = first_room(asker, node, std::max(first.at, not_before));
    if (at < kNever) firsts.push_back({at, first.node});
  }
  std::sort(firsts.begin(), firsts.end(), [](First a, First b) { return b > a; });
  const auto fewest = std::max<std::size_t>(1, asker.answer.shape.min_nodes);
  std::size_t tried = 0;
  for (auto i = fewest - 1; i < firsts.size() && tried < kMostMoments; ++i) {
    if (i + 1 < firsts.size() && firsts[i + 1].at == firsts[i].at) continue;
    ++tried;
    if (auto nodes = choose(asker, firsts, firsts[i].at)) return {firsts[i].at, std::move(*nodes)};
  }
  return {};
}

void RoomAhead::split(Row& row, Offset at) {
  auto it = std::upper_bound(row.begin(), row.end(), at,
                             [](Offset moment, const Stretch& s) { return moment < s.from; });
  if (std::prev(it)->from == at) return;
  auto later = *std::prev(it);
  later.from = at;
  row.insert(it, later);
}

void RoomAhead::take(const Asker& asker, const Plan& plan) {
  const auto count = static_cast<std::uint32_t>(plan.nodes.size());
  for (auto node : plan.nodes) {
    auto& stretches = row(node);
    const auto end = plan.at + asker.runs;
    split(stretches, plan.at);
    if (end < kNever) split(stretches, end);
    for (auto& stretch : stretches) {
      if (stretch.from < plan.at || stretch.from >= end) continue;
      auto view = seen(node, stretch);
      take_share(view, asker.answer.shape, count, snapshot_);
      stretch.used.cpus = view.cpus_used;
      stretch.used.memory = view.memory_used;
      for (std::size_t i = 0; i < view.devices.size() && i < kMostDeviceKinds; ++i) {
        stretch.used.devices[i] = static_cast<std::uint32_t>(view.devices[i].used);
      }
      stretch.whole = view.held_whole;
      stretch.empty = false;
    }
  }
}

std::optional<Offset> RoomAhead::book(const Workload& w, ShapeAnswer& answer, Offset not_before,
                                      Offset runs) {
  const auto& shape = answer.shape;
  Asker asker{w, answer, ~0u, evaluation_.reservations().closed_at_some_time(w),
              std::max<Offset>(1, runs)};
  std::sort(asker.closed_by.begin(), asker.closed_by.end());
  const bool one = shape.max_nodes == 1 && w.request.required_nodes.size() <= 1;
  Plan best;
  const auto alternatives = std::max<std::size_t>(1, answer.features->alternatives());
  for (std::size_t a = 0; a < alternatives; ++a) {
    if (answer.features->alternatives() > 0) asker.alternative = std::uint32_t{1} << a;
    auto plan = one ? on_one_node(asker, not_before) : on_several(asker, not_before);
    if (plan.at < best.at) best = std::move(plan);
  }
  if (best.at >= kNever) return std::nullopt;
  take(asker, best);
  return best.at;
}

}  // namespace schedlens::diagnose
