// SPDX-License-Identifier: Apache-2.0
#include "diagnose/queue_position.h"

#include <algorithm>

#include "diagnose/take_share.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::Workload;
using model::WorkloadId;

namespace {

constexpr std::string_view kParameters = "SchedulerParameters";
// Slurm's defaults.
constexpr std::uint64_t kDefaultQueueDepth = 100;
constexpr std::uint64_t kDefaultBackfillDepth = 500;
// Tasks of one array that are followed one by one.
constexpr std::uint32_t kTasksPerRecord = 1000;

std::uint64_t depth(const model::SchedulerConfig* config, std::string_view name,
                    std::uint64_t otherwise) {
  auto value = config ? config->number_option(kParameters, name) : std::nullopt;
  if (!value || *value < 0) return otherwise;
  return static_cast<std::uint64_t>(*value);
}

std::optional<std::int64_t> bound(const model::SchedulerConfig* config, std::string_view name) {
  auto value = config ? config->number_option(kParameters, name) : std::nullopt;
  return value && *value > 0 ? value : std::nullopt;
}

// Plans lie at least this far ahead, by the default of bf_resolution.
constexpr Seconds kOneCycle{60};

bool over(std::int64_t count, const std::optional<std::int64_t>& most) {
  return most && count > *most;
}

}  // namespace

QueueWalk::QueueWalk(Evaluation& evaluation, Plans plans)
    : evaluation_(evaluation), snapshot_(evaluation.snapshot()), plans_(plans) {
  for (const auto& c : evaluation.nodes().classes) {
    untouched_.push_back(static_cast<std::uint32_t>(c.members.size()));
  }
  const auto* config = snapshot_.config ? &*snapshot_.config : nullptr;
  main_depth_ = depth(config, "default_queue_depth", kDefaultQueueDepth);
  backfill_depth_ = depth(config, "bf_max_job_test", kDefaultBackfillDepth);
  per_user_ = bound(config, "bf_max_job_user");
  per_partition_ = bound(config, "bf_max_job_part");
  per_account_ = bound(config, "bf_max_job_assoc");
  per_user_partition_ = bound(config, "bf_max_job_user_part");
  main_per_partition_ = bound(config, "partition_job_depth");
  if (config) {
    auto type = config->get("SchedulerType");
    auto interval = config->number_option(kParameters, "bf_interval");
    backfills_ = (!type || *type == "sched/backfill") && (!interval || *interval >= 0);
  }
}

std::string QueueWalk::depth_limit(const Workload& w, model::QueueId queue) {
  ++seen_;
  auto main_here = ++main_of_partition_[queue.index];
  std::string main;
  if (blocked_.contains(queue.index)) {
    main = "the jobs ahead in its partition";
  } else if (seen_ > main_depth_) {
    main = "default_queue_depth";
  } else if (over(main_here, main_per_partition_)) {
    main = "partition_job_depth";
  }
  std::string backfill;
  if (!backfills_) {
    backfill = main == "the jobs ahead in its partition" ? "" : main;
  } else if (over(++of_user_partition_[{w.user, queue.index}], per_user_partition_)) {
    backfill = "bf_max_job_user_part";
  } else if (over(++of_partition_[queue.index], per_partition_)) {
    backfill = "bf_max_job_part";
  } else if (over(++of_account_[w.account], per_account_)) {
    backfill = "bf_max_job_assoc";
  } else if (over(++of_user_[w.user], per_user_)) {
    backfill = "bf_max_job_user";
  } else if (++backfilled_ > backfill_depth_) {
    backfill = "bf_max_job_test";
  }
  return main.empty() ? std::string() : backfill;
}

QueueWalk::Touched& QueueWalk::touch(NodeId node) {
  auto [it, added] = place_.try_emplace(node, static_cast<std::uint32_t>(touched_.size()));
  if (added) {
    auto c = evaluation_.nodes().of_node[node.index];
    touched_.push_back({evaluation_.nodes().classes[c].view, node, {}});
    --untouched_[c];
  }
  return touched_[it->second];
}

bool QueueWalk::has_room(const ShapeAnswer& answer, const Touched& t) const {
  const auto& q = snapshot_.queue(answer.shape.queue);
  auto c = evaluation_.nodes().of_node[t.node.index];
  return failed_tests(answer.shape, q, t.view, (*answer.feature_masks)[c], Use::kNow).empty();
}

bool QueueWalk::may_use(const Workload& w, const ShapeAnswer& answer, const Touched& t) const {
  if (t.planned) {
    auto end = end_if_started_now(snapshot_, w);
    if (!end || *end > *t.planned) return false;
  }
  if (!has_node_lists(w)) return true;
  return evaluation_.failed_on(answer, w, t.node).without(kResourceTests).empty();
}

// What is left for the workload: touched nodes one by one (id: their place after all classes), the
// others by class.
std::vector<Candidate> QueueWalk::room(const Workload& w, const ShapeAnswer& answer) {
  const auto& classes = evaluation_.nodes().classes;
  const auto& q = snapshot_.queue(answer.shape.queue);
  std::vector<Candidate> candidates;
  for (std::uint32_t i = 0; i < touched_.size(); ++i) {
    if (!has_room(answer, touched_[i]) || !may_use(w, answer, touched_[i])) continue;
    candidates.push_back({static_cast<std::uint32_t>(classes.size()) + i, 1,
                          share_of(answer.shape, q, touched_[i].view, Use::kNow)});
  }
  auto left = untouched_;
  if (w.request.excluded_nodes) {
    for (auto node : *w.request.excluded_nodes) {
      if (!place_.contains(node)) --left[evaluation_.nodes().of_node[node.index]];
    }
  }
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    if (left[c] == 0 || !answer.failed[c].empty()) continue;
    candidates.push_back({c, left[c], share_of(answer.shape, q, classes[c].view, Use::kNow)});
  }
  return candidates;
}

// A node without room never gets it back, so it is dropped for the whole shape; one that is only
// closed to this workload is kept for the next.
std::optional<NodeId> QueueWalk::single_node(const Workload& w, const ShapeAnswer& answer,
                                             Progress& progress) {
  while (progress.seen < touched_.size()) progress.alive.push_back(progress.seen++);
  auto& alive = progress.alive;
  for (auto i = alive.size(); i-- > 0;) {
    const auto& t = touched_[alive[i]];
    if (!has_room(answer, t)) {
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    if (may_use(w, answer, t)) return t.node;
  }
  const auto& classes = evaluation_.nodes().classes;
  auto& c = progress.next_class;
  for (; c < classes.size(); ++c) {
    if (untouched_[c] == 0 || !answer.failed[c].empty()) continue;
    for (auto node : classes[c].members) {
      if (!place_.contains(node)) return node;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<NodeId>> QueueWalk::several_nodes(const Workload& w,
                                                            const ShapeAnswer& answer) {
  const auto& classes = evaluation_.nodes().classes;
  auto placement = place(answer.shape, room(w, answer));
  if (!placement.fits) return std::nullopt;
  const auto& excluded = w.request.excluded_nodes;
  std::vector<NodeId> nodes;
  for (auto [id, count] : placement.chosen) {
    if (id >= classes.size()) {
      nodes.push_back(touched_[id - classes.size()].node);
      continue;
    }
    for (auto node : classes[id].members) {
      if (count == 0) break;
      if (place_.contains(node)) continue;
      if (excluded && std::find(excluded->begin(), excluded->end(), node) != excluded->end()) {
        continue;
      }
      nodes.push_back(node);
      --count;
    }
  }
  return nodes;
}

bool QueueWalk::take_room(const Workload& w, ShapeAnswer& answer) {
  bool lists = has_node_lists(w);
  auto& progress = progress_[&answer];
  if (!lists && progress.exhausted) return false;
  std::vector<NodeId> nodes;
  if (!w.request.required_nodes.empty()) {
    nodes = w.request.required_nodes;
    for (auto node : nodes) {
      auto it = place_.find(node);
      if (it == place_.end()) continue;
      const auto& t = touched_[it->second];
      if (!has_room(answer, t) || !may_use(w, answer, t)) return false;
    }
  } else if (answer.shape.max_nodes == 1 && !lists) {
    auto node = single_node(w, answer, progress);
    if (!node) {
      progress.exhausted = progress.alive.empty();
      return false;
    }
    nodes.push_back(*node);
  } else {
    auto found = several_nodes(w, answer);
    if (!found) {
      // Plans may close to this workload what is open to a shorter one.
      progress.exhausted = !lists && !any_plans_;
      return false;
    }
    nodes = std::move(*found);
  }
  for (auto node : nodes) {
    take_share(touch(node).view, answer.shape, static_cast<std::uint32_t>(nodes.size()), snapshot_);
  }
  return true;
}

void QueueWalk::plan(const Workload& w) {
  if (!w.start || *w.start <= snapshot_.time) return;
  any_plans_ |= !w.planned_nodes.empty();
  for (auto node : w.planned_nodes) {
    auto& planned = touch(node).planned;
    planned = planned ? std::min(*planned, *w.start) : *w.start;
  }
}

Standing QueueWalk::step(WorkloadId id, const Workload& w, ShapeAnswer& answer, bool fits) {
  Standing standing;
  auto queue = answer.shape.queue;
  standing.depth_limit = depth_limit(w, queue);
  if (!fits) {
    plan(w);
    // It may be planned in any of its partitions, and the main scheduler stops in each of them.
    const Blocked blocked{id, w.start, !w.planned_nodes.empty()};
    blocked_.try_emplace(queue.index, blocked);
    for (auto name : w.queues) {
      if (auto other = snapshot_.find_queue(name)) blocked_.try_emplace(other->index, blocked);
    }
    return standing;
  }
  auto it = blocked_.find(queue.index);
  if (it != blocked_.end() && !it->second.planned) {
    // Without a plan, only a forecast after its own end clears the way.
    auto end = end_if_started_now(snapshot_, w);
    bool done_before = it->second.start && end && *end <= *it->second.start;
    if (!done_before) standing.behind = it->second.id;
  }
  // What no scheduler comes to takes no room either.
  if (!standing.depth_limit.empty()) return standing;
  standing.room_taken = !take_room(w, answer);
  // The other tasks of an array take theirs too.
  auto more = std::min(model::task_count(w) - 1, kTasksPerRecord);
  for (std::uint32_t task = 0; task < more && !standing.room_taken; ++task) {
    if (!take_room(w, answer)) break;
  }
  if (standing.room_taken || standing.behind) {
    plan(w);
  } else if (plans_ == Plans::kOfNow) {
    const auto planned = model::forecast(w);
    standing.planned_later = planned && *planned > snapshot_.time + kOneCycle;
  }
  return standing;
}

}  // namespace schedlens::diagnose
