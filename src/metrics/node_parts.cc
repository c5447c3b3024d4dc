// SPDX-License-Identifier: Apache-2.0
// Cluster, nodes and partitions.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/text.h"
#include "metrics/parts.h"

namespace schedlens::metrics {
namespace {

using model::Node;
using model::NodeBucket;
using model::Snapshot;

constexpr auto kBuckets = static_cast<std::size_t>(NodeBucket::kCount);

// CPUs and memory of some nodes.
struct Amounts {
  std::uint64_t cpus = 0, cpus_allocated = 0, cpus_out = 0;
  Bytes memory, memory_allocated, memory_out;

  void add(const Node& n) {
    cpus += n.cpus;
    cpus_allocated += n.cpus_allocated;
    memory += n.memory;
    memory_allocated += n.memory_allocated;
    if (model::in_service(n)) return;
    cpus_out += n.cpus - std::min(n.cpus, n.cpus_allocated);
    memory_out += std::max(n.memory - n.memory_allocated, Bytes{0});
  }
};

using GpusByType = std::map<Symbol, diagnose::GpuSplit>;

void add_gpus(const Node& n, GpusByType& sums) {
  for (const auto& pool : n.gres) {
    if (pool.name == model::names::kGpu) sums[pool.type].add(pool, model::in_service(n));
  }
}

void write_cluster(const Snapshot& s, Exposition& out) {
  Amounts all;
  GpusByType gpus;
  for (const auto& n : s.nodes) {
    all.add(n);
    add_gpus(n, gpus);
  }
  out.sample(family("schedlens_cluster_nodes"), s.nodes.size());
  out.sample(family("schedlens_cluster_cpus"), all.cpus);
  out.sample(family("schedlens_cluster_cpus_allocated"), all.cpus_allocated);
  out.sample(family("schedlens_cluster_cpus_out_of_service"), all.cpus_out);
  out.sample(family("schedlens_cluster_memory_bytes"), all.memory);
  out.sample(family("schedlens_cluster_memory_allocated_bytes"), all.memory_allocated);
  out.sample(family("schedlens_cluster_memory_out_of_service_bytes"), all.memory_out);
  auto write = [&](FamilyRef f, std::uint64_t diagnose::GpuSplit::*part) {
    for (const auto& [type, split] : gpus) out.sample(f, split.*part, type);
  };
  write(family("schedlens_gpus"), &diagnose::GpuSplit::total);
  write(family("schedlens_gpus_used"), &diagnose::GpuSplit::used);
  write(family("schedlens_gpus_free"), &diagnose::GpuSplit::free);
  write(family("schedlens_gpus_out_of_service"), &diagnose::GpuSplit::out_of_service);
  write(family("schedlens_gpus_use_unknown"), &diagnose::GpuSplit::unknown);
}

// Every bucket always, so that the sum is the number of nodes.
void write_states(const Snapshot& s, Exposition& out) {
  std::array<std::uint64_t, kBuckets> counts{};
  for (const auto& n : s.nodes) ++counts[static_cast<std::size_t>(model::bucket(n))];
  for (std::size_t b = 0; b < kBuckets; ++b) {
    out.sample(family("schedlens_nodes"), counts[b],
               model::bucket_name(static_cast<NodeBucket>(b)));
  }
}

void write_out_of_service(const Snapshot& s, Exposition& out) {
  std::vector<const Node*> lost;
  std::map<std::string, std::uint64_t> by_reason;
  for (const auto& n : s.nodes) {
    if (model::in_service(n)) continue;
    lost.push_back(&n);
    ++by_reason[reason_group(n.reason ? n.reason->text : "")];
  }
  std::vector<std::pair<std::string, std::uint64_t>> order(by_reason.begin(), by_reason.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [reason, nodes] : order) {
    out.sample(family("schedlens_nodes_out_of_service"), nodes, reason);
  }
  for (const auto* n : lost) {
    auto reason = printable(n->reason ? n->reason->text : "").substr(0, 120);
    out.sample(family("schedlens_node_out_of_service_info"), 1, n->name, model::display_state(*n),
               reason);
  }
  for (const auto* n : lost) {
    if (!n->reason) continue;
    out.sample(family("schedlens_node_out_of_service_since_timestamp_seconds"), n->reason->since,
               n->name);
  }
}

void write_node_gpus(const Snapshot& s, const RenderInput& input, Exposition& out) {
  for (const auto& n : s.nodes) {
    if (auto total = model::gpus_total(n)) {
      out.sample(family("schedlens_node_gpus"), total, n.name);
    }
  }
  for (const auto& n : s.nodes) {
    if (model::gpus_total(n) > 0) {
      out.sample(family("schedlens_node_gpus_used"), model::gpus_used(n), n.name);
    }
  }
  if (input.analysis) {
    for (const auto& f : input.analysis->fragmentation.nodes) {
      out.sample(family("schedlens_node_gpus_allocatable"), f.allocatable, s.node(f.node).name);
    }
  }
  if (!input.node_info) return;
  for (const auto& n : s.nodes) {
    std::string types;
    for (const auto& pool : n.gres) {
      if (pool.name != model::names::kGpu) continue;
      if (!types.empty()) types += ',';
      types += pool.type.view();
    }
    if (model::gpus_total(n) == 0) continue;
    out.sample(family("schedlens_node_info"), 1, n.name, types, n.version);
  }
}

struct PartitionSums {
  Amounts amounts;
  GpusByType gpus;
  std::array<std::uint64_t, kBuckets> states{};
};

void write_partition_gpus(const Snapshot& s, const std::vector<PartitionSums>& sums,
                          Exposition& out) {
  auto write = [&](FamilyRef f, std::uint64_t diagnose::GpuSplit::*part) {
    for (std::size_t q = 0; q < sums.size(); ++q) {
      for (const auto& [type, split] : sums[q].gpus) {
        out.sample(f, split.*part, s.queues[q].name, type);
      }
    }
  };
  write(family("schedlens_partition_gpus"), &diagnose::GpuSplit::total);
  write(family("schedlens_partition_gpus_used"), &diagnose::GpuSplit::used);
  write(family("schedlens_partition_gpus_free"), &diagnose::GpuSplit::free);
  write(family("schedlens_partition_gpus_out_of_service"), &diagnose::GpuSplit::out_of_service);
}

}  // namespace

std::string reason_group(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string group;
  for (char c : lower(printable(trim(text)))) {
    bool digit = c >= '0' && c <= '9';
    if (digit && !group.empty() && group.back() == '#') continue;
    group += digit ? '#' : c;
    if (group.size() == kLongest) break;
  }
  return group.empty() ? "unspecified" : group;
}

void write_nodes(const Snapshot& s, const RenderInput& input, Exposition& out) {
  write_cluster(s, out);
  write_states(s, out);
  write_out_of_service(s, out);
  write_node_gpus(s, input, out);
}

void write_partitions(const Snapshot& s, const RenderInput&, Exposition& out) {
  std::vector<PartitionSums> sums(s.queues.size());
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    for (auto id : s.queues[q].nodes) {
      const auto& n = s.node(id);
      sums[q].amounts.add(n);
      add_gpus(n, sums[q].gpus);
      ++sums[q].states[static_cast<std::size_t>(model::bucket(n))];
    }
  }
  for (const auto& q : s.queues) {
    if (q.state == model::QueueState::kUnknown) continue;
    bool up = q.state == model::QueueState::kUp || q.state == model::QueueState::kDrain;
    out.sample(family("schedlens_partition_up"), up ? 1 : 0, q.name);
  }
  for (std::size_t q = 0; q < sums.size(); ++q) {
    for (std::size_t b = 0; b < kBuckets; ++b) {
      out.sample(family("schedlens_partition_nodes"), sums[q].states[b], s.queues[q].name,
                 model::bucket_name(static_cast<NodeBucket>(b)));
    }
  }
  auto write = [&](FamilyRef f, auto Amounts::*part) {
    for (std::size_t q = 0; q < sums.size(); ++q) {
      out.sample(f, sums[q].amounts.*part, s.queues[q].name);
    }
  };
  write(family("schedlens_partition_cpus"), &Amounts::cpus);
  write(family("schedlens_partition_cpus_allocated"), &Amounts::cpus_allocated);
  write(family("schedlens_partition_cpus_out_of_service"), &Amounts::cpus_out);
  write(family("schedlens_partition_memory_bytes"), &Amounts::memory);
  write(family("schedlens_partition_memory_allocated_bytes"), &Amounts::memory_allocated);
  write(family("schedlens_partition_memory_out_of_service_bytes"), &Amounts::memory_out);
  write_partition_gpus(s, sums, out);
}

}  // namespace schedlens::metrics
