// SPDX-License-Identifier: Apache-2.0
#include "diagnose/holdings.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace schedlens::diagnose {
namespace {

using model::Snapshot;
using model::Workload;

class HolderSums {
 public:
  void add(Symbol name, const Workload& w) {
    auto [it, is_new] = place_.emplace(name, holders_.size());
    if (is_new) holders_.push_back({name, {}});
    holders_[it->second].demand.add(w);
  }

  std::vector<Holder> take() {
    auto key = [](const Holder& h) {
      const auto& d = h.demand;
      return std::tuple(~d.gpus_held, ~d.gpus_waiting, ~d.running, ~d.waiting, h.name);
    };
    std::sort(holders_.begin(), holders_.end(),
              [&](const Holder& a, const Holder& b) { return key(a) < key(b); });
    return std::move(holders_);
  }

 private:
  std::unordered_map<Symbol, std::size_t> place_;
  std::vector<Holder> holders_;
};

void add_nodes(const Snapshot& snapshot, Holdings& h) {
  std::unordered_map<Symbol, std::size_t> place;
  for (const auto& node : snapshot.nodes) {
    ++h.nodes[static_cast<std::size_t>(model::bucket(node))];
    h.cpus += node.cpus;
    h.cpus_allocated += node.cpus_allocated;
    h.memory += node.memory;
    h.memory_allocated += node.memory_allocated;
    bool in_service = model::in_service(node);
    for (const auto& pool : node.gres) {
      if (pool.name != model::names::kGpu) continue;
      auto [it, is_new] = place.emplace(pool.type, h.types.size());
      if (is_new) h.types.push_back({pool.type, {}});
      h.types[it->second].gpus.add(pool, in_service);
      h.gpus.add(pool, in_service);
    }
  }
  std::sort(h.types.begin(), h.types.end(), [](const TypeHolding& a, const TypeHolding& b) {
    return std::tuple(~a.gpus.total, a.type) < std::tuple(~b.gpus.total, b.type);
  });
}

void add_queues(const Snapshot& snapshot, Holdings& h) {
  for (std::uint32_t i = 0; i < snapshot.queues.size(); ++i) {
    QueueHolding line{.queue = {i}, .gpus = {}, .demand = {}};
    for (auto id : snapshot.queues[i].nodes) {
      const auto& node = snapshot.node(id);
      bool in_service = model::in_service(node);
      ++line.nodes;
      line.nodes_in_service += in_service ? 1 : 0;
      for (const auto& pool : node.gres) {
        if (pool.name == model::names::kGpu) line.gpus.add(pool, in_service);
      }
    }
    h.queues.push_back(line);
  }
}

void add_workloads(const Snapshot& snapshot, Holdings& h) {
  HolderSums users, accounts;
  for (const auto& w : snapshot.workloads) {
    if (!model::is_pending(w) && !model::holds_resources(w)) continue;
    h.demand.add(w);
    users.add(w.user, w);
    accounts.add(w.account, w);
    for (Symbol name : w.queues) {
      if (auto id = snapshot.find_queue(name)) h.queues[id->index].demand.add(w);
    }
  }
  h.users = users.take();
  h.accounts = accounts.take();
}

}  // namespace

void GpuSplit::add(const model::GresPool& pool, bool in_service) {
  total += pool.total;
  if (!pool.used) {
    unknown += pool.total;
    return;
  }
  auto in_use = std::min(*pool.used, pool.total);
  used += in_use;
  (in_service ? free : out_of_service) += pool.total - in_use;
}

void Demand::add(const model::Workload& w) {
  if (model::holds_resources(w)) {
    ++running;
    gpus_held += model::gpus_held(w);
  } else if (model::is_pending(w)) {
    waiting += model::task_count(w);
    gpus_waiting += model::gpus_requested(w) * model::task_count(w);
  }
}

Holdings holdings(const model::Snapshot& snapshot) {
  Holdings h;
  add_nodes(snapshot, h);
  add_queues(snapshot, h);
  add_workloads(snapshot, h);
  return h;
}

}  // namespace schedlens::diagnose
