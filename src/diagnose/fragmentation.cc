// SPDX-License-Identifier: Apache-2.0
#include "diagnose/fragmentation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnose/constraint_list.h"
#include "diagnose/fragmentation_fit.h"
#include "diagnose/fragmentation_pods.h"
#include "diagnose/fragmentation_taints.h"

namespace schedlens::diagnose {
namespace {

using fitting::Room;
using fitting::Rooms;
using model::NodeFlag;
using model::Snapshot;

constexpr std::array<std::uint64_t, 4> kSizes = {1, 2, 4, 8};

struct Weighted {
  double value = 0;
  std::uint64_t weight = 0;
};

// 0 when there are none.
double median(std::vector<Weighted>& samples) {
  std::sort(samples.begin(), samples.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  std::uint64_t total = 0, passed = 0;
  for (const auto& s : samples) total += s.weight;
  for (const auto& s : samples) {
    passed += s.weight;
    if (2 * passed >= total) return s.value;
  }
  return 0;
}

// What the GPU workloads of one queue ask per GPU.
struct Habits {
  std::vector<Weighted> cpus, memory;
  std::uint64_t workloads = 0;
};

struct AllHabits {
  std::vector<Habits> queues;  // by QueueId
  Habits cluster;
};

AllHabits find_habits(const Snapshot& s) {
  AllHabits all;
  all.queues.resize(s.queues.size());
  for (const auto& w : s.workloads) {
    bool held = model::holds_resources(w);
    if (!held && !model::is_pending(w)) continue;
    auto gpus = held ? model::gpus_held(w) : model::gpus_requested(w);
    if (gpus == 0) continue;
    const auto& totals = held ? w.allocation.totals : w.request.totals;
    auto cpus = totals.get(model::names::kCpu);
    if (!cpus && !held) cpus = w.request.cpus;
    auto memory = totals.get(model::names::kMemory);
    auto g = static_cast<double>(gpus);
    auto add = [&, weight = model::task_count(w)](Habits& h) {
      h.workloads += weight;
      if (cpus) h.cpus.push_back({*cpus / g, weight});
      if (memory) h.memory.push_back({*memory / g, weight});
    };
    add(all.cluster);
    for (Symbol name : w.queues) {
      if (auto id = s.find_queue(name)) add(all.queues[id->index]);
    }
  }
  return all;
}

// The habits are the queue's own or, where it has none, those of the cluster.
GpuNeed need_of(const model::Queue& q, Habits& habits, bool own, const Rooms& rooms) {
  const bool pods = rooms.cpu_parts > 1;
  auto whose = fmt::format("{} GPU {}{}", habits.workloads, pods ? "pods" : "workloads",
                           own    ? ""
                           : pods ? " of all schedulers"
                                  : " of all queues");
  GpuNeed need;
  need.queue = q.name;
  if (q.default_cpus_per_gpu) {
    need.cpus_per_gpu = *q.default_cpus_per_gpu;
    need.basis = "DefCpuPerGPU";
  } else if (!habits.cpus.empty()) {
    need.cpus_per_gpu = median(habits.cpus);
    need.basis = "median CPUs of " + whose;
  } else {
    need.basis = pods ? "no GPU pods to go by" : "one CPU per job";
  }
  if (!rooms.memory_counts) {
    need.basis += "; the scheduler does not hand out memory";
  } else if (q.default_memory_per_gpu) {
    need.memory_per_gpu = *q.default_memory_per_gpu;
    need.basis += "; DefMemPerGPU";
  } else if (q.default_memory_per_cpu) {
    auto per_cpu = *q.default_memory_per_cpu;
    need.memory_per_gpu = {std::llround(static_cast<double>(per_cpu.value) * need.cpus_per_gpu)};
    if (need.cpus_per_gpu == 0) need.memory_per_job = per_cpu;
    need.basis += "; DefMemPerCPU";
  } else if (q.default_memory_per_node) {
    need.memory_per_job = *q.default_memory_per_node;
    need.basis += "; DefMemPerNode";
  } else if (!habits.memory.empty()) {
    need.memory_per_gpu = {std::llround(median(habits.memory))};
    need.basis += "; median memory of " + whose;
  }
  return need;
}

// In the unit of the rooms. A pod may ask for parts of a CPU, or for none.
std::int64_t cpus_for(const GpuNeed& need, std::int64_t gpus, std::int64_t parts) {
  auto cpus = std::ceil(need.cpus_per_gpu * static_cast<double>(gpus * parts) - 1e-9);
  return std::max<std::int64_t>(parts > 1 ? 0 : 1, static_cast<std::int64_t>(cpus));
}

// Further pods that the node takes; jobs are not counted.
std::int64_t slots(const Room& room) {
  return room.extra.empty() ? std::numeric_limits<std::int64_t>::max()
                            : std::max<std::int64_t>(room.extra.front(), 0);
}

std::int64_t memory_for(const GpuNeed& need, std::int64_t gpus) {
  return need.memory_per_job.value + need.memory_per_gpu.value * gpus;
}

// The GPUs that one usual job of a queue can get on a node, and what stops it from getting more.
struct Grant {
  std::int64_t gpus = 0;
  Stranding stopped_by = Stranding::kNone;
};

Grant grant(const Room& room, const model::Queue& queue, const GpuNeed& need, std::int64_t parts) {
  if (slots(room) == 0) return {0, Stranding::kPods};
  if (queue.exclusive && !room.idle) return {0, Stranding::kShared};
  auto by_cpu = room.gpu_sum, by_memory = room.gpu_sum;
  // A pod that asks for none gets on a node where too much has been given away.
  auto enough = [&](std::int64_t wanted, std::int64_t free) {
    return wanted <= free || (parts > 1 && wanted <= 0);
  };
  while (by_cpu > 0 && !enough(cpus_for(need, by_cpu, parts), room.cpus)) --by_cpu;
  while (by_memory > 0 && !enough(memory_for(need, by_memory), room.memory)) --by_memory;
  Grant g{std::min(by_cpu, by_memory), Stranding::kNone};
  if (g.gpus < room.gpu_sum) {
    g.stopped_by = by_cpu <= by_memory ? Stranding::kCpu : Stranding::kMemory;
  }
  return g;
}

bool taken_whole(const Snapshot& s, model::NodeId id) {
  const auto& node = s.node(id);
  if (!node.owner.empty() || !node.mcs_label.empty()) return true;
  for (auto w : s.workloads_on(id)) {
    auto sharing = s.workload(w).request.sharing;
    if (sharing == model::Sharing::kWholeNode || sharing == model::Sharing::kUser ||
        sharing == model::Sharing::kMcs) {
      return true;
    }
  }
  return false;
}

// GPUs that are given away in slices ("shard", "mps") and so cannot be had whole, beyond those that
// count as used anyway.
std::int64_t sliced_gpus(const model::Node& node) {
  std::int64_t sliced = 0;
  for (const auto& pool : node.gres) {
    bool slices = pool.name.view() == "shard" || pool.name.view() == "mps";
    if (!slices || pool.used.value_or(0) == 0) continue;
    auto listed = std::ssize(pool.used_indexes);
    auto counted = static_cast<std::int64_t>(model::shared_gpus_counted(node, pool));
    sliced = std::max(sliced, std::max<std::int64_t>(1, listed) - counted);
  }
  return sliced;
}

std::vector<bool> reserved_nodes(const Snapshot& s, Fragmentation& result) {
  std::vector<bool> reserved(s.nodes.size());
  for (std::size_t i = 0; i < s.nodes.size(); ++i) {
    const auto& f = s.nodes[i].flags;
    reserved[i] = f.has(NodeFlag::kReserved) || f.has(NodeFlag::kMaintenance);
  }
  for (const auto& r : s.reservations) {
    if (!r.active) continue;
    std::uint64_t cores = 0;
    for (auto n : r.nodes) {
      cores += std::uint64_t{s.node(n).sockets} * s.node(n).cores_per_socket;
    }
    if (r.whole_nodes(cores)) {
      for (auto n : r.nodes) reserved[n.index] = true;
    } else {
      result.unsure.push_back(fmt::format(
          "reservation {} sets aside {}; which ones is not known, so they count as free",
          r.name.view(), plural(r.core_count, "core")));
    }
  }
  return reserved;
}

std::size_t type_place(std::vector<Symbol>& types, Symbol type) {
  auto it = std::find(types.begin(), types.end(), type);
  if (it == types.end()) it = types.insert(it, type);
  return static_cast<std::size_t>(it - types.begin());
}

// Free GPUs by type. Slices take from the first types; they are only told by count.
void fill_gpus(const model::Node& node, std::vector<Symbol>& types, Room& room) {
  auto sliced = sliced_gpus(node);
  for (const auto& pool : node.gres) {
    if (pool.name != model::names::kGpu) continue;
    auto place = type_place(types, pool.type);
    if (room.gpus.size() <= place) room.gpus.resize(place + 1);
    auto free =
        static_cast<std::int64_t>(pool.total) - static_cast<std::int64_t>(pool.used.value_or(0));
    auto lost = std::min(sliced, std::max<std::int64_t>(free, 0));
    sliced -= lost;
    room.gpus[place] += std::max<std::int64_t>(free, 0) - lost;
    room.gpu_sum += std::max<std::int64_t>(free, 0) - lost;
  }
}

Rooms find_rooms(const Snapshot& s, Fragmentation& result) {
  Rooms rooms;
  rooms.nodes.resize(s.nodes.size());
  auto parameters = s.config ? s.config->get("SelectTypeParameters") : std::nullopt;
  rooms.memory_counts = !parameters || s.config->has_word("SelectTypeParameters", "memory");
  if (!parameters && !s.kubernetes) {
    result.unsure.emplace_back(
        "the scheduler's configuration was not read: memory is taken to be handed out");
  }
  auto reserved = reserved_nodes(s, result);
  std::size_t silent = 0;
  for (std::uint32_t i = 0; i < s.nodes.size(); ++i) {
    const auto& node = s.nodes[i];
    if (model::gpus_total(node) == 0) continue;
    if (!model::gpus_used(node)) {
      ++silent;
      continue;
    }
    auto& room = rooms.nodes[i];
    fill_gpus(node, rooms.types, room);
    room.threads = std::max(1u, node.threads_per_core);
    room.cpus = std::int64_t{node.cpus_effective.value_or(node.cpus)} - node.cpus_allocated;
    room.memory = (node.memory - node.memory_reserved - node.memory_allocated).value;
    room.memory_untouched = node.memory_allocated.value == 0;
    room.idle = node.cpus_allocated == 0 && *model::gpus_used(node) == 0;
    room.reserved = reserved[i];
    room.open = model::in_service(node) && !taken_whole(s, {i});
  }
  for (auto& room : rooms.nodes) room.gpus.resize(rooms.types.size());
  if (silent > 0) {
    result.unsure.push_back(fmt::format(
        "{} with GPUs {} not say how many are in use and {} left out", plural(silent, "node"),
        silent == 1 ? "does" : "do", silent == 1 ? "is" : "are"));
  }
  return rooms;
}

// Sums for the standard sizes: what the usual jobs could use node by node, and pooled.
struct Pooled {
  std::vector<std::int64_t> usable;  // per node, plans of the scheduler disregarded
  std::vector<std::int64_t> slots;   // likewise
  double gpus = 0, cpus = 0, memory = 0;
  double cpus_needed = 0, memory_needed = 0;  // for all the free GPUs
};

class Survey {
 public:
  Survey(const Snapshot& s, const Rooms& rooms, Fragmentation& result)
      : s_(s), rooms_(rooms), result_(result), tolerations_(s) {
    auto habits = find_habits(s);
    std::vector<bool> has_gpus(s.queues.size());
    queues_of_.resize(s.nodes.size());
    for (std::uint32_t q = 0; q < s.queues.size(); ++q) {
      auto state = s.queues[q].state;
      bool up = state == model::QueueState::kUp || state == model::QueueState::kUnknown ||
                state == model::QueueState::kDrain;
      for (auto n : s.queues[q].nodes) {
        if (up) queues_of_[n.index].push_back(q);
        has_gpus[q] = has_gpus[q] || model::gpus_total(s.node(n)) > 0;
      }
    }
    for (std::uint32_t q = 0; q < s.queues.size(); ++q) {
      bool own = habits.queues[q].workloads > 0;
      auto& usual = own ? habits.queues[q] : habits.cluster;
      needs_.push_back(need_of(s.queues[q], usual, own, rooms));
      if (auto text = tolerations_.text(q); !text.empty()) needs_.back().basis += "; " + text;
      if (has_gpus[q]) result.needs.push_back(needs_.back());
    }
  }

  void node(std::uint32_t i) {
    const auto& node = s_.nodes[i];
    const auto& room = rooms_.nodes[i];
    NodeFragmentation f;
    f.node = {i};
    f.total = model::gpus_total(node);
    f.free = static_cast<std::uint64_t>(room.gpu_sum);
    f.in_service = model::in_service(node);
    if (f.in_service) {
      auto [g, usable] = judge(i);
      f.allocatable = static_cast<std::uint64_t>(g.gpus);
      f.stranded = f.free - f.allocatable;
      if (f.stranded > 0) f.stranded_by = g.stopped_by;
      pooled_.usable.push_back(usable);
      pooled_.slots.push_back(slots(room));
    }
    f.score = 1 - static_cast<double>(f.allocatable) / static_cast<double>(f.total);
    add(f);
  }

  void standard_sizes() {
    double limit = pooled_.gpus;
    if (pooled_.cpus_needed > 0) {
      limit = std::min(limit, pooled_.gpus * pooled_.cpus / pooled_.cpus_needed);
    }
    if (pooled_.memory_needed > 0) {
      limit = std::min(limit, pooled_.gpus * pooled_.memory / pooled_.memory_needed);
    }
    for (auto g : kSizes) {
      ShapeFit fit;
      fit.shape = fmt::format("{} gpu", g);
      fit.gpus = g;
      for (std::size_t i = 0; i < pooled_.usable.size(); ++i) {
        auto by_gpus = static_cast<std::uint64_t>(pooled_.usable[i]) / g;
        fit.fits_now += std::min(by_gpus, static_cast<std::uint64_t>(pooled_.slots[i]));
      }
      fit.fits_pooled = static_cast<std::uint64_t>(limit) / g;
      result_.standard.push_back(fit);

      std::uint64_t used = 0;
      for (const auto& n : result_.nodes) used += n.allocatable / g * g;
      auto& share = result_.by_size[g];
      if (result_.gpus_allocatable > 0) {
        share = 1 - static_cast<double>(used) / static_cast<double>(result_.gpus_allocatable);
      }
    }
  }

  const fitting::UsualTolerations& tolerations() const { return tolerations_; }

 private:
  // What the best queue can use of a node in service, with and without heed of the plans.
  std::pair<Grant, std::int64_t> judge(std::uint32_t i) {
    const auto& room = rooms_.nodes[i];
    if (room.reserved) return {{0, Stranding::kReserved}, 0};
    if (!room.open) return {{0, Stranding::kShared}, 0};
    if (queues_of_[i].empty()) return {{0, Stranding::kQueue}, 0};
    std::optional<Grant> best;
    const GpuNeed* need = nullptr;
    for (auto q : queues_of_[i]) {
      auto g = tolerations_.barred(q, i) ? Grant{0, Stranding::kTaint}
                                         : grant(room, s_.queues[q], needs_[q], rooms_.cpu_parts);
      if (best && best->gpus >= g.gpus) continue;
      best = g;
      need = &needs_[q];
    }
    if (best->stopped_by == Stranding::kTaint) return {*best, 0};
    if (room.gpu_sum > 0) {
      auto free = static_cast<double>(room.gpu_sum);
      pooled_.gpus += free;
      pooled_.cpus_needed += free * need->cpus_per_gpu * static_cast<double>(rooms_.cpu_parts);
      pooled_.memory_needed += free * static_cast<double>(need->memory_per_gpu.value);
    }
    pooled_.cpus += static_cast<double>(std::max<std::int64_t>(room.cpus, 0));
    pooled_.memory += static_cast<double>(std::max<std::int64_t>(room.memory, 0));
    auto usable = best->gpus;
    if (room.idle && s_.nodes[i].flags.has(NodeFlag::kPlanned)) {
      return {{0, Stranding::kPlanned}, usable};
    }
    return {*best, usable};
  }

  void add(const NodeFragmentation& f) {
    result_.gpus_total += f.total;
    result_.gpus_used += model::gpus_used(s_.node(f.node)).value_or(0);
    (f.in_service ? result_.gpus_free : result_.gpus_out_of_service) += f.free;
    result_.gpus_allocatable += f.allocatable;
    if (f.stranded > 0) {
      result_.stranded_by[f.stranded_by] += f.stranded;
      bool planned = f.stranded_by == Stranding::kPlanned;
      (planned ? result_.gpus_planned : result_.gpus_stranded) += f.stranded;
    }
    result_.largest_hole = std::max(result_.largest_hole, f.allocatable);
    result_.nodes.push_back(f);
  }

  const Snapshot& s_;
  const Rooms& rooms_;
  Fragmentation& result_;
  fitting::UsualTolerations tolerations_;
  std::vector<GpuNeed> needs_;                         // by QueueId
  std::vector<std::vector<std::uint32_t>> queues_of_;  // those that are up, by NodeId
  Pooled pooled_;
};

}  // namespace

std::string_view stranding_name(Stranding s) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Stranding::kCount)> kNames = {
      "none", "cpu", "memory", "shared", "reserved", "planned", "queue", "taint", "pods"};
  return kNames[static_cast<std::size_t>(s)];
}

std::string_view lack_name(Lack lack) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Lack::kCount)> kNames = {
      "nothing", "gpus",    "cpu",        "memory", "cpu_and_memory",
      "pods",    "devices", "whole_node", "nodes"};
  return kNames[static_cast<std::size_t>(lack)];
}

Fragmentation fragmentation(const Snapshot& snapshot) {
  Fragmentation result;
  auto rooms = find_rooms(snapshot, result);
  std::optional<fitting::PodWishes> pods;
  if (snapshot.kubernetes) pods.emplace(snapshot).fill(rooms);
  Survey survey(snapshot, rooms, result);
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    const auto& node = snapshot.nodes[i];
    if (model::gpus_total(node) > 0 && model::gpus_used(node)) survey.node(i);
  }
  survey.standard_sizes();
  fitting::count_queue_fits(snapshot, rooms, pods ? &*pods : nullptr, result);
  if (!pods) return result;
  for (auto list :
       {survey.tolerations().unsure(), pods->unsure(), fitting::parts_left_out(snapshot)}) {
    result.unsure.insert(result.unsure.end(), list.begin(), list.end());
  }
  return result;
}

}  // namespace schedlens::diagnose
