// SPDX-License-Identifier: Apache-2.0
#include "diagnose/gpu_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "diagnose/constraint_list.h"
#include "diagnose/usage_findings.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/unhealthy_devices.h"
#include "model/usage.h"

namespace schedlens::diagnose {
namespace {

using model::NodeFlag;
using model::NodeState;
using model::Snapshot;

std::size_t place(GpuState state) {
  return static_cast<std::size_t>(state);
}

// The source that fills the list works, as far as one is known to.
bool is_read(const Snapshot& s, std::string_view list) {
  for (const auto& source : s.sources) {
    if (source.feeds != list) continue;
    if (source.state == model::SourceState::kStale || source.state == model::SourceState::kFailed ||
        source.state == model::SourceState::kNever) {
      return false;
    }
  }
  return true;
}

// Nothing can be said of what runs there.
bool is_down(const model::Node& node) {
  return node.state == NodeState::kDown || node.state == NodeState::kUnknown ||
         node.state == NodeState::kError || node.state == NodeState::kFuture;
}

bool is_drained(const model::Node& node) {
  const auto& f = node.flags;
  return f.has(NodeFlag::kDrain) || f.has(NodeFlag::kFail) || f.has(NodeFlag::kRebootIssued);
}

// Of a Kubernetes node: devices that are there and not handed out. They are in no pool, so that
// which resources are whole GPUs shows in that a pool has not kept the resource's own name.
std::uint64_t unhealthy_gpus(const model::Node& node) {
  if (!node.object) return 0;
  const auto& pools = node.gres;
  bool parts = std::any_of(pools.begin(), pools.end(), [](const model::GresPool& p) {
    return p.name != model::names::kGpu && p.name.view().find('/') == std::string_view::npos;
  });
  std::uint64_t sum = 0;
  const auto unhealthy = model::unhealthy_devices(*node.object);
  for (const auto& item : unhealthy.items()) {
    bool other = std::any_of(pools.begin(), pools.end(),
                             [&](const model::GresPool& p) { return p.name == item.name; });
    if (other || (parts && !item.name.view().ends_with("/gpu"))) continue;
    sum += static_cast<std::uint64_t>(item.amount);
  }
  return sum;
}

// Devices that somebody holds and that did nothing while they were watched, by node.
std::vector<std::uint64_t> idle_devices(const Snapshot& s) {
  std::vector<std::uint64_t> idle(s.nodes.size());
  const auto* usage = s.kubernetes ? s.kubernetes->usage.get() : nullptr;
  if (!usage || !usage->gpus) return idle;
  for (const auto& gpu : *usage->gpus) {
    if (!gpu.node || !gpu.mig_instance.empty() || gpu.pods.empty() || !gpu.busy) continue;
    if (is_current(gpu.sampled, s) && is_idle(gpu)) ++idle[gpu.node->index];
  }
  return idle;
}

class Writer {
 public:
  Writer(const Snapshot& s, const Fragmentation& f, std::span<const RootCause> causes)
      : s_(s),
        causes_(causes),
        nodes_known_(is_read(s, "nodes")),
        workloads_known_(is_read(s, "workloads")),
        idle_devices_(idle_devices(s)),
        maintenance_(s.nodes.size()),
        fragmentation_(f) {
    for (const auto& r : s.reservations) {
      if (!r.active || !r.has_flag("MAINT")) continue;
      for (auto n : r.nodes) maintenance_[n.index] = true;
    }
  }

  GpuLedger write() {
    std::vector<const NodeFragmentation*> fragments(s_.nodes.size());
    for (const auto& n : fragmentation_.nodes) fragments[n.node.index] = &n;
    auto free = fragmentation_.free_gpus.begin();
    const auto end = fragmentation_.free_gpus.end();
    for (std::uint32_t i = 0; i < s_.nodes.size(); ++i) {
      auto first = free;
      while (free != end && free->node.index == i) ++free;
      add_node(i, fragments[i], {first, free});
    }
    finish();
    return std::move(ledger_);
  }

 private:
  using Free = std::span<const FreePiece>;

  void add_node(std::uint32_t i, const NodeFragmentation* f, Free free) {
    const auto& node = s_.nodes[i];
    const auto offered = model::gpus_total(node);
    const auto used = model::gpus_used(node);
    const auto broken = unhealthy_gpus(node);
    const auto total = std::max(offered + broken, used.value_or(0));
    if (total == 0) return;
    now_.node = {i};
    now_.gpus = {};
    left_ = total;
    if (!nodes_known_) {
      give(GpuState::kUnknown, left_);
    } else if (is_down(node)) {
      give(GpuState::kDown, left_);
    } else {
      in_working_order(i, f, free, offered, used, broken);
    }
    for (std::size_t state = 0; state < kGpuStates; ++state) {
      ledger_.gpus[state] += now_.gpus[state];
    }
    ledger_.total += total;
    ledger_.nodes.push_back(now_);
  }

  void in_working_order(std::uint32_t i, const NodeFragmentation* f, Free free,
                        std::uint64_t offered, std::optional<std::uint64_t> used,
                        std::uint64_t broken) {
    const auto& node = s_.nodes[i];
    // Slices that are given away take whole GPUs with them.
    auto taken = f && f->total > f->free ? f->total - f->free : 0;
    taken = std::max(taken, used.value_or(0));
    give(GpuState::kUnhealthy,
         std::min(broken, offered + broken - std::min(offered + broken, taken)));
    if (!used || (s_.kubernetes && !workloads_known_)) return give(GpuState::kUnknown, left_);
    taken = std::min(taken, left_);
    give(GpuState::kAllocatedIdle, std::min(idle_devices_[i], taken));
    give(GpuState::kInUse, taken - std::min(idle_devices_[i], taken));
    if (is_drained(node)) return give(GpuState::kDrained, left_);
    if (!model::in_service(node)) return give(GpuState::kDown, left_);
    if (maintenance_[i] || node.flags.has(NodeFlag::kMaintenance)) {
      return give(GpuState::kMaintenance, left_);
    }
    if (f && f->stranded_by == Stranding::kReserved) return give(GpuState::kReservedIdle, left_);
    if (f && f->stranded_by == Stranding::kPlanned) return give(GpuState::kHeldIdle, left_);
    if (!workloads_known_) return give(GpuState::kUnknown, left_);
    for (const auto& piece : free) add_free(i, piece);
    give(GpuState::kNoDemand, left_);
  }

  void add_free(std::uint32_t i, const FreePiece& piece) {
    const auto gpus = std::min(piece.gpus, left_);
    switch (piece.use) {
      case FreeUse::kHeld:
        return give(GpuState::kHeldIdle, gpus);
      case FreeUse::kElsewhere:
        note(GpuState::kElsewhere, {}, i, gpus);
        return give(GpuState::kElsewhere, gpus);
      case FreeUse::kUnusable: {
        auto& idle = note(GpuState::kStranded, lack_name(piece.lack), i, gpus);
        if (piece.shape) shapes_[&idle].insert(*piece.shape);
        return give(GpuState::kStranded, gpus, lack_name(piece.lack));
      }
      case FreeUse::kTaken:
        break;
    }
    const auto cause = causes_[piece.whose->index];
    auto& idle = note(GpuState::kNotScheduled, cause_name(cause), i, gpus);
    workloads_[&idle].insert(piece.whose->index);
    give(GpuState::kNotScheduled, gpus, cause_name(cause));
  }

  void give(GpuState state, std::uint64_t gpus, std::string_view cause = {}) {
    now_.gpus[place(state)] += gpus;
    left_ -= gpus;
    parts_[{state, cause}] += gpus;
  }

  IdleGpus& note(GpuState state, std::string_view cause, std::uint32_t node, std::uint64_t gpus) {
    auto& idle = idle_[{state, cause}];
    idle.state = state;
    idle.cause = cause;
    idle.gpus += gpus;
    if (idle.nodes.empty() || idle.nodes.back().index != node) idle.nodes.push_back({node});
    return idle;
  }

  void finish() {
    for (std::size_t state = 0; state < kGpuStates; ++state) {
      // A state without causes is always there, so that a graph of it does not begin in the middle.
      const auto s = static_cast<GpuState>(state);
      if (s != GpuState::kStranded && s != GpuState::kNotScheduled) parts_[{s, {}}] += 0;
    }
    for (const auto& [key, gpus] : parts_) {
      const bool caused = key.first == GpuState::kStranded || key.first == GpuState::kNotScheduled;
      if (!caused || gpus > 0) ledger_.parts.push_back({key.first, key.second, gpus});
    }
    for (auto& [key, idle] : idle_) {
      for (auto shape : shapes_[&idle]) idle.shapes.push_back(fragmentation_.demand[shape]);
      for (auto w : workloads_[&idle]) idle.workloads.push_back({w});
      ledger_.idle.push_back(std::move(idle));
    }
    std::stable_sort(ledger_.idle.begin(), ledger_.idle.end(),
                     [](const auto& a, const auto& b) { return a.gpus > b.gpus; });
    add_queues();
    if (ledger_.total == 0) return;
    if (!nodes_known_) {
      ledger_.unsure.emplace_back(
          "the nodes could not be read of late: what their GPUs do now is not known");
    } else if (!workloads_known_) {
      ledger_.unsure.emplace_back(
          "what runs and waits could not be read of late: what is not known because of that is "
          "counted as unknown");
    }
    for (const auto& source : s_.sources) {
      if (source.feeds != "nodes" || source.unreadable_records == 0) continue;
      ledger_.unsure.push_back(fmt::format("{} could not be understood and {} in no count",
                                           plural(source.unreadable_records, "node record"),
                                           source.unreadable_records == 1 ? "is" : "are"));
    }
  }

  void add_queues() {
    if (s_.kubernetes) return;
    std::vector<const NodeLedger*> of_node(s_.nodes.size());
    for (const auto& n : ledger_.nodes) of_node[n.node.index] = &n;
    for (const auto& q : s_.queues) {
      QueueLedger queue{q.name, {}};
      bool any = false;
      for (auto id : q.nodes) {
        const auto* n = of_node[id.index];
        if (!n) continue;
        any = true;
        for (std::size_t state = 0; state < kGpuStates; ++state) {
          queue.gpus[state] += n->gpus[state];
        }
      }
      if (any) ledger_.queues.push_back(queue);
    }
  }

  const Snapshot& s_;
  std::span<const RootCause> causes_;
  bool nodes_known_, workloads_known_;
  std::vector<std::uint64_t> idle_devices_;  // by NodeId
  std::vector<bool> maintenance_;            // by NodeId
  const Fragmentation& fragmentation_;
  GpuLedger ledger_;
  NodeLedger now_;          // the node that is being written
  std::uint64_t left_ = 0;  // its GPUs that are in no state yet
  using Key = std::pair<GpuState, std::string_view>;
  std::map<Key, std::uint64_t> parts_;
  std::map<Key, IdleGpus> idle_;
  std::map<const IdleGpus*, std::set<std::uint32_t>> shapes_, workloads_;
};

}  // namespace

std::string_view gpu_state_name(GpuState state) {
  constexpr std::array<std::string_view, kGpuStates> kNames = {
      "unknown",       "down",     "unhealthy",     "allocated_idle",
      "in_use",        "drained",  "maintenance",   "reserved_idle",
      "held_idle",     "stranded", "not_scheduled", "waiting_elsewhere",
      "idle_no_demand"};
  return kNames[place(state)];
}

std::string_view gpu_state_meaning(GpuState state) {
  constexpr std::array<std::string_view, kGpuStates> kMeanings = {
      "what was read does not say",
      "the node is down or does not answer",
      "the device, as its kubelet says",
      "allocated, and measured to do nothing",
      "allocated",
      "free, and the node takes no new work",
      "free, in a maintenance reservation",
      "free, in another reservation",
      "free, and held for something that waits",
      "free, and what waits lacks something beside it",
      "free, and what fits is kept from starting",
      "free, and what waits may not use the node",
      "free, and nothing waits for it"};
  return kMeanings[place(state)];
}

GpuLedger gpu_ledger(const Snapshot& snapshot, const Fragmentation& fragmentation,
                     std::span<const RootCause> causes) {
  return Writer(snapshot, fragmentation, causes).write();
}

}  // namespace schedlens::diagnose
