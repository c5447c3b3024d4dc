// SPDX-License-Identifier: Apache-2.0
// All that waits is placed on the nodes that nobody holds in reserve: first what waits for room
// alone, then what a limit or the like stops, then what its own user holds back. What is still free
// on a node after that is of no use to anything that found no place, and is put down to what the
// closest of these lacks there. Equal rooms that the same workloads may use are judged once.
#include "diagnose/fragmentation_demand.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "diagnose/fragmentation_place.h"
#include "model/pod.h"

namespace schedlens::diagnose::fitting {
namespace {

using model::Snapshot;
using model::Workload;
using model::WorkloadId;

// In this order they get the GPUs.
enum Turn : std::size_t { kRoomOnly, kStopped, kHeldBack, kTurns };

Turn turn_of(const Wanted& wanted, const Workload& w, Timestamp now) {
  if (wanted.room_only) return kRoomOnly;
  bool held = !w.pod && w.priority && *w.priority == 0;
  bool later = w.eligible ? *w.eligible > now : !w.dependency.empty();
  return held || later || (w.pod && !w.pod->gates.empty()) ? kHeldBack : kStopped;
}

struct Judgement {
  FreeUse use = FreeUse::kElsewhere;
  Lack lack = Lack::kNothing;
  std::optional<std::uint32_t> shape;
};

bool lacks_gpus(const Room& room, const Share& share) {
  if (share.gpu_sum > room.gpu_sum) return true;
  return std::any_of(share.gpus.begin(), share.gpus.end(), [&](const TypedGpus& g) {
    return g.type != kAnyType && g.count > (g.type < room.gpus.size() ? room.gpus[g.type] : 0);
  });
}

// What one share lacks in a room, and how far that is from fitting.
std::pair<Lack, int> lack_of(const Room& room, const Share& share) {
  if (places(room, share) > 0) return {Lack::kNodes, 0};
  if (lacks_gpus(room, share)) return {Lack::kGpus, 9};
  if (share.whole_node && !room.idle) return {Lack::kWholeNode, 4};
  auto threads = std::int64_t{room.threads};
  bool cpu = share.cpus > 0 && (share.cpus + threads - 1) / threads * threads > room.cpus;
  auto wanted = share.memory + share.fixed_memory;
  bool memory =
      (wanted > 0 && wanted > room.memory) || (share.whole_memory && !room.memory_untouched);
  if (cpu && memory) return {Lack::kCpuAndMemory, 2};
  if (cpu) return {Lack::kCpu, 1};
  if (memory) return {Lack::kMemory, 1};
  bool pods = !room.extra.empty() && room.extra.front() < 1;
  return {pods ? Lack::kPods : Lack::kDevices, 3};
}

class Demand {
 public:
  Demand(const Snapshot& s, const Rooms& rooms, const ShapeBook& book, Fragmentation& result)
      : s_(s), book_(book), result_(result), unplaced_(book.shapes.size()), rooms_(rooms) {}

  void run(const std::vector<Wanted>& order) {
    auto rooms = open_rooms();
    std::array<std::vector<Wanted>, kTurns> turns;
    for (const auto& wanted : order) {
      const auto& w = s_.workload(wanted.id);
      if (w.pod && !w.pod->nominated_node.empty() && promise(wanted, rooms)) continue;
      turns[turn_of(wanted, w, s_.time)].push_back(wanted);
    }
    Placer placer(std::move(rooms), book_.pools);
    place(turns, placer);
    list_unplaced();
    for (std::uint32_t i = 0; i < s_.nodes.size(); ++i) judge(i, placer);
    std::stable_sort(result_.free_gpus.begin(), result_.free_gpus.end(),
                     [](const auto& a, const auto& b) { return a.node.index < b.node.index; });
  }

 private:
  // Without those that are reserved or that the scheduler holds for somebody.
  std::vector<Room> open_rooms() const {
    auto rooms = rooms_.nodes;
    for (std::size_t i = 0; i < rooms.size(); ++i) {
      auto& room = rooms[i];
      bool planned = room.idle && s_.nodes[i].flags.has(model::NodeFlag::kPlanned);
      room.open = room.open && !room.reserved && !planned;
    }
    return rooms;
  }

  // A pod that is nominated to a node has its room there.
  bool promise(const Wanted& wanted, std::vector<Room>& rooms) {
    auto node = s_.find_node(s_.workload(wanted.id).pod->nominated_node);
    if (!node || !rooms[node->index].open) return false;
    auto& room = rooms[node->index];
    const auto& share = book_.shapes[wanted.shape].share;
    auto gpus = std::min(room.gpu_sum, share.gpu_sum);
    if (gpus > 0) {
      result_.free_gpus.push_back({*node, FreeUse::kHeld, Lack::kNothing,
                                   static_cast<std::uint64_t>(gpus), wanted.id, std::nullopt});
    }
    take(room, share);
    return true;
  }

  void place(std::array<std::vector<Wanted>, kTurns>& turns, Placer& placer) {
    std::unordered_map<std::uint32_t, std::uint32_t> running;  // by array
    for (const auto& w : s_.workloads) {
      if (w.array && model::holds_resources(w)) ++running[w.array->job_id];
    }
    std::vector<bool> exhausted(book_.shapes.size());
    std::unordered_map<std::uint32_t, std::uint32_t> placed;  // tasks by WorkloadId
    for (std::size_t turn = 0; turn < kTurns; ++turn) {
      for (const auto& wanted : turns[turn]) {
        const auto& w = s_.workload(wanted.id);
        auto left = model::task_count(w) - placed[wanted.id.index];
        auto most = left;
        bool throttled = false;
        if (turn == kRoomOnly && w.array && w.array->max_running) {
          most = std::min(left, *w.array->max_running -
                                    std::min(*w.array->max_running, running[w.array->job_id]));
          // The rest is stopped by the array's own limit.
          throttled = most < left;
          if (throttled) turns[kStopped].push_back(wanted);
        }
        std::uint32_t n = 0;
        while (n < most && !exhausted[wanted.shape]) {
          if (!placer.place(book_.shapes[wanted.shape])) {
            exhausted[wanted.shape] = true;
            break;
          }
          ++n;
          note(wanted.id, placer.taken());
        }
        placed[wanted.id.index] += n;
        if (turn == kRoomOnly && w.array) running[w.array->job_id] += n;
        if (!throttled) unplaced_[wanted.shape] += left - n;
      }
    }
  }

  void note(WorkloadId whose, const Placer::Taken& taken) {
    for (auto [node, gpus] : taken) {
      auto key = std::uint64_t{node} << 32 | whose.index;
      auto [it, is_new] = entry_.emplace(key, result_.free_gpus.size());
      if (is_new) {
        result_.free_gpus.push_back(
            {{node}, FreeUse::kTaken, Lack::kNothing, 0, whose, std::nullopt});
      }
      result_.free_gpus[it->second].gpus += static_cast<std::uint64_t>(gpus);
    }
  }

  void list_unplaced() {
    for (std::size_t i = 0; i < book_.shapes.size(); ++i) {
      if (unplaced_[i] == 0) continue;
      const auto& shape = book_.shapes[i];
      shapes_.push_back(static_cast<std::uint32_t>(i));
      result_.demand.push_back({shape.text, shape.queue, shape.gpus, unplaced_[i]});
    }
  }

  void judge(std::uint32_t i, const Placer& placer) {
    if (shapes_.empty() || !model::in_service(s_.nodes[i])) return;
    const auto& room = placer.left(i);
    if (room.gpu_sum <= 0 || rooms_.nodes[i].reserved) return;
    Judgement judgement{FreeUse::kUnusable, Lack::kWholeNode, std::nullopt};
    if (room.open) {
      judgement = of_class(i, room);
    } else if (rooms_.nodes[i].open) {
      return;  // planned
    }
    result_.free_gpus.push_back({{i},
                                 judgement.use,
                                 judgement.lack,
                                 static_cast<std::uint64_t>(room.gpu_sum),
                                 std::nullopt,
                                 judgement.shape});
  }

  bool may_use(std::uint32_t shape, std::uint32_t node) const {
    const auto& wanted = book_.shapes[shape];
    const auto& pools = wanted.pools;
    // Those that it names are all that it takes.
    const auto& named = wanted.required;
    if (named.size() >= wanted.nodes &&
        std::find(named.begin(), named.end(), model::NodeId{node}) == named.end()) {
      return false;
    }
    return std::any_of(pools.begin(), pools.end(),
                       [&](auto p) { return bool{book_.pools[p].member[node]}; });
  }

  const Judgement& of_class(std::uint32_t i, const Room& room) {
    std::vector<std::int64_t> key = {room.idle, std::int64_t{room.threads}, room.cpus, room.memory,
                                     room.memory_untouched};
    key.insert(key.end(), room.gpus.begin(), room.gpus.end());
    key.insert(key.end(), room.extra.begin(), room.extra.end());
    for (auto shape : shapes_) key.push_back(may_use(shape, i));
    auto [it, is_new] = judged_.emplace(std::move(key), Judgement{});
    if (is_new) it->second = closest(i, room);
    return it->second;
  }

  Judgement closest(std::uint32_t i, const Room& room) const {
    Judgement best;
    int distance = 0;
    for (std::uint32_t place = 0; place < shapes_.size(); ++place) {
      const auto& shape = book_.shapes[shapes_[place]];
      if (!may_use(shapes_[place], i)) continue;
      auto [lack, far] = lack_of(room, shape.spread ? part(shape.share, 1) : shape.share);
      if (best.shape && far >= distance) continue;
      best = {FreeUse::kUnusable, lack, place};
      distance = far;
    }
    return best;
  }

  const Snapshot& s_;
  const ShapeBook& book_;
  Fragmentation& result_;
  std::vector<std::uint64_t> unplaced_;  // by shape of the book
  std::vector<std::uint32_t> shapes_;    // with unplaced workloads, as in Fragmentation::demand
  const Rooms& rooms_;
  std::unordered_map<std::uint64_t, std::size_t> entry_;  // of a node and a workload
  std::map<std::vector<std::int64_t>, Judgement> judged_;
};

}  // namespace

void find_demand(const Snapshot& snapshot, const Rooms& rooms, const ShapeBook& book,
                 const std::vector<Wanted>& order, Fragmentation& result) {
  if (!order.empty()) Demand(snapshot, rooms, book, result).run(order);
}

}  // namespace schedlens::diagnose::fitting
