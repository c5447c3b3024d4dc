// SPDX-License-Identifier: Apache-2.0
// Two counts over the waiting GPU workloads.
//
// Shape by shape: equal workloads form a shape, equal rooms a class, so a shape costs one division
// per class. A job of n nodes fits t times when the nodes together offer n * t places, counting at
// most t of each node: one node holds only one part of a job.
//
// In queue order: workloads are placed one after the other on a copy of the rooms. Rooms only
// shrink, so a shape that found no place
// never finds one later and costs nothing more.
#include "diagnose/fragmentation_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "diagnose/fragmentation_demand.h"
#include "diagnose/fragmentation_place.h"

namespace schedlens::diagnose::fitting {
namespace {

using model::Snapshot;
using model::Workload;

constexpr std::int64_t kManyPlaces = std::numeric_limits<std::int64_t>::max();

// The scheduler's words for "it would not start whatever the room".
bool waits_for_room(const Workload& w, Timestamp now) {
  if (w.priority && *w.priority == 0) return false;
  if (w.eligible ? *w.eligible > now : !w.dependency.empty()) return false;
  constexpr std::string_view kOther[] = {
      "QOS",        "Assoc",     "Max",           "JobHeld",     "JobArrayTaskLimit",
      "Dependency", "BeginTime", "Partition",     "Reservation", "Licenses",
      "Invalid",    "Account",   "BadConstraints"};
  return std::none_of(std::begin(kOther), std::end(kOther),
                      [&](std::string_view prefix) { return w.reason.view().starts_with(prefix); });
}

class FitCounter {
 public:
  FitCounter(const Snapshot& s, const Rooms& rooms, PodWishes* pods, Fragmentation& result)
      : s_(s),
        rooms_(rooms),
        pods_(pods),
        result_(result),
        book_(s, rooms, pods),
        placer_(rooms.nodes, book_.pools) {}

  void run() {
    std::vector<std::pair<model::WorkloadId, std::uint32_t>> order;
    std::vector<Wanted> all;
    for (auto id : s_.pending()) {
      const auto& w = s_.workload(id);
      auto gpus = model::gpus_requested(w);
      if (gpus == 0) continue;
      auto tasks = model::task_count(w);
      auto shape = book_.shape_of(id);
      book_.shapes[shape].waiting += tasks;
      result_.queue_gpus_waiting += gpus * tasks;
      const bool room_only = pods_ ? pods_->waits_for_room(id) : waits_for_room(w, s_.time);
      if (room_only) order.emplace_back(id, shape);
      all.push_back({id, shape, room_only});
    }
    for (const auto& shape : book_.shapes) report(shape);
    std::stable_sort(result_.queue.begin(), result_.queue.end(), [](const auto& a, const auto& b) {
      return a.waiting * a.gpus > b.waiting * b.gpus;
    });
    start_in_order(order);
    find_demand(s_, rooms_, book_, all, result_);
    for (const auto& text : book_.unread_features) {
      result_.unsure.push_back(
          fmt::format("the feature expression {} is not evaluated: every node counts", text));
    }
  }

 private:
  void report(const Shape& shape) {
    ShapeFit fit;
    fit.shape = shape.text;
    fit.queue = shape.queue;
    fit.gpus = shape.gpus;
    fit.waiting = shape.waiting;
    for (auto p : shape.pools) {
      const auto& pool = book_.pools[p];
      auto now = shape.spread ? spread_fits(shape, pool) : fits(shape, pool);
      fit.fits_now = std::max(fit.fits_now, static_cast<std::uint64_t>(now));
      auto pooled = pooled_fits(shape, pool);
      if (shape.share.once_per_node) {
        std::int64_t nodes = 0;
        for (auto [room, count] : pool.classes) nodes += count;
        pooled = std::min(pooled, nodes);
      }
      fit.fits_pooled = std::max(fit.fits_pooled, static_cast<std::uint64_t>(pooled));
    }
    result_.queue.push_back(std::move(fit));
  }

  static std::int64_t pooled_fits(const Shape& shape, const Pool& pool) {
    const auto& share = shape.share;
    std::int64_t n = shape.spread ? 1 : shape.nodes;
    auto k = pool.gpus / (share.gpu_sum * n);
    if (share.cpus > 0) k = std::min(k, pool.cpus / (share.cpus * n));
    auto wanted = (share.memory + share.fixed_memory) * n;
    if (wanted > 0) k = std::min(k, pool.memory / wanted);
    for (auto [place, amount] : share.extra) k = std::min(k, pool.extra[place] / amount);
    return std::max<std::int64_t>(k, 0);
  }

  std::int64_t fits(const Shape& shape, const Pool& pool) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> offers;  // places on a node, nodes
    std::int64_t sum = 0, most = kManyPlaces;
    for (auto [room, count] : pool.classes) {
      auto k = places(rooms_.nodes[room], shape.share);
      if (k == 0) continue;
      offers.emplace_back(k, count);
      sum += k * count;
    }
    for (auto n : shape.required) {
      if (!pool.member[n.index]) return 0;
      most = std::min(most, places(rooms_.nodes[n.index], shape.share));
    }
    std::int64_t low = 0, high = std::min(sum / shape.nodes, most);
    while (low < high) {
      auto t = low + (high - low + 1) / 2;
      std::int64_t offered = 0;
      for (auto [k, count] : offers) offered += std::min(k, t) * count;
      if (offered >= t * shape.nodes) {
        low = t;
      } else {
        high = t - 1;
      }
    }
    return low;
  }

  // Takes the nodes with most free GPUs first, and for the rest of a job the smallest that does.
  std::int64_t spread_fits(const Shape& shape, const Pool& pool) const {
    std::map<std::int64_t, std::int64_t> nodes_with;
    for (auto [room, count] : pool.classes) {
      if (auto g = full_spread(rooms_.nodes[room], shape.share)) nodes_with[g] += count;
    }
    std::vector<std::int64_t> remainders;  // of nodes that this job uses; free for the next job
    for (std::int64_t fitted = 0;; ++fitted) {
      auto missing = shape.share.gpu_sum;
      for (std::uint32_t used = 0; missing > 0; ++used) {
        auto wanted = next_part(shape, missing, used);
        bool too_many = shape.max_nodes > 0 && used == shape.max_nodes;
        if (nodes_with.empty() || too_many || wanted <= 0) return fitted;
        auto it = nodes_with.lower_bound(wanted);
        if (it == nodes_with.end()) it = std::prev(it);
        auto given = std::min(wanted, it->first);
        missing -= given;
        remainders.push_back(it->first - given);
        if (--it->second == 0) nodes_with.erase(it);
      }
      for (auto r : remainders) {
        if (r > 0) ++nodes_with[r];
      }
      remainders.clear();
    }
  }

  // All the GPUs of a room that jobs like this could use, more than one job among them.
  static std::int64_t full_spread(const Room& room, const Share& whole) {
    Share one = part(whole, 1);
    auto usable = places(room, one);
    if (whole.whole_node) return usable > 0 ? room.gpu_sum : 0;
    auto in_one = spread_gpus(room, whole, whole.gpu_sum);
    return std::max(in_one, usable);
  }

  void start_in_order(const std::vector<std::pair<model::WorkloadId, std::uint32_t>>& order) {
    exhausted_.resize(book_.shapes.size());
    exhausted_pooled_.resize(book_.shapes.size());
    all_.extra.resize(rooms_.extras.size());
    for (const auto& room : rooms_.nodes) {
      if (!room.open) continue;
      all_.gpus += room.gpu_sum;
      all_.cpus += room.cpus;
      all_.memory += room.memory;
      for (std::size_t e = 0; e < all_.extra.size(); ++e) all_.extra[e] += room.extra[e];
    }
    auto throttle = running_tasks();
    auto pooled_throttle = throttle;
    for (auto [id, shape] : order) {
      const auto& w = s_.workload(id);
      start(w, shape, throttle, false);
      start(w, shape, pooled_throttle, true);
    }
  }

  using Throttle = std::unordered_map<std::uint32_t, std::uint32_t>;  // array id to running tasks

  Throttle running_tasks() const {
    Throttle running;
    for (const auto& w : s_.workloads) {
      if (w.array && model::holds_resources(w)) ++running[w.array->job_id];
    }
    return running;
  }

  void start(const Workload& w, std::uint32_t which, Throttle& throttle, bool pooled) {
    auto exhausted = pooled ? exhausted_pooled_[which] : exhausted_[which];
    const auto& shape = book_.shapes[which];
    auto& sum = pooled ? result_.queue_gpus_startable_pooled : result_.queue_gpus_startable;
    for (auto tasks = model::task_count(w); tasks > 0 && !exhausted; --tasks) {
      std::uint32_t* running = nullptr;
      if (w.array && w.array->max_running) {
        running = &throttle[w.array->job_id];
        if (*running >= *w.array->max_running) return;
      }
      if (pooled ? place_pooled(shape) : placer_.place(shape)) {
        sum += shape.gpus;
        if (running) ++*running;
      } else {
        exhausted = true;
        (pooled ? exhausted_pooled_ : exhausted_)[which] = true;
      }
    }
  }

  bool place_pooled(const Shape& shape) {
    for (auto p : shape.pools) {
      auto& pool = book_.pools[p];
      if (pooled_fits(shape, pool) == 0 || pooled_fits(shape, all_) == 0) continue;
      std::int64_t n = shape.spread ? 1 : shape.nodes;
      for (auto* from : {&pool, &all_}) {
        from->gpus -= shape.share.gpu_sum * n;
        from->cpus -= shape.share.cpus * n;
        from->memory -= (shape.share.memory + shape.share.fixed_memory) * n;
        for (auto [place, amount] : shape.share.extra) from->extra[place] -= amount;
      }
      return true;
    }
    return false;
  }

  const Snapshot& s_;
  const Rooms& rooms_;
  PodWishes* pods_;
  Fragmentation& result_;
  ShapeBook book_;
  Placer placer_;                                   // in queue order
  std::vector<bool> exhausted_, exhausted_pooled_;  // by shape
  Pool all_;
};

}  // namespace

void count_queue_fits(const Snapshot& snapshot, const Rooms& rooms, PodWishes* pods,
                      Fragmentation& result) {
  FitCounter(snapshot, rooms, pods, result).run();
}

}  // namespace schedlens::diagnose::fitting
