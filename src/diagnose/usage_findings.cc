// SPDX-License-Identifier: Apache-2.0
#include "diagnose/usage_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/time_text.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

using model::GpuUse;
using model::NodeId;
using model::Snapshot;
using model::WorkloadId;

double seen(const GpuUse& gpu) {
  return std::max(gpu.busy.value_or(0), gpu.busiest.value_or(0));
}

std::string name_of(const GpuUse& gpu) {
  auto name = gpu.index.empty() ? gpu.uuid : gpu.index;
  if (!gpu.mig_instance.empty()) name += '/' + gpu.mig_instance;
  return name;
}

std::string percent_text(double share) {
  return fmt::format("{:.0f} %", std::floor(100 * share + 0.5));
}

// "in the last 7m0s", or when that was one look.
std::string span_text(const UsageFinding& f) {
  return f.watched ? fmt::format("in the last {}", short_duration(*f.watched)) : "when looked at";
}

std::string gpus_text(std::size_t n) {
  return n == 1 ? "1 GPU" : fmt::format("{} GPUs", n);
}

// Devices of one kind of finding, of one pod or of one node.
struct Group {
  std::vector<const GpuUse*> gpus;
};

// since: when the pod began to hold them.
UsageFinding finding_of(UsageFindingKind kind, const Group& group, const Snapshot& s,
                        std::optional<Timestamp> since = std::nullopt) {
  UsageFinding f;
  f.kind = kind;
  bool was_watched = false;
  for (const auto* gpu : group.gpus) {
    f.devices.push_back(name_of(*gpu));
    if (gpu->mig_instance.empty()) {
      f.gpus += 1.0 / static_cast<double>(std::max<std::size_t>(gpu->pods.size(), 1));
    }
    f.busiest = std::max(f.busiest, seen(*gpu));
    f.node = gpu->node;
    // The shortest: of all of them it is true.
    if (!gpu->watched_since) continue;
    was_watched = true;
    since = since ? std::max(*since, *gpu->watched_since) : *gpu->watched_since;
  }
  if (was_watched && *since < s.time) f.watched = s.time - *since;
  return f;
}

std::string place_text(const UsageFinding& f, const Snapshot& s) {
  return f.node ? fmt::format(" on {}", s.node(*f.node).name.view()) : std::string();
}

void word_idle(UsageFinding& f, const Snapshot& s) {
  const auto& w = s.workload(*f.pod);
  f.text = fmt::format("{} holds {}{} that did nothing {}: busy {} at most.", display_id(w),
                       gpus_text(f.devices.size()), place_text(f, s), span_text(f),
                       percent_text(f.busiest));
}

void word_memory(UsageFinding& f, const Snapshot& s) {
  f.text = fmt::format(
      "{} fills the memory of {}{} and was busy {} at most {}. That is usual of servers that "
      "reserve memory beforehand, and of training that waits for its data.",
      display_id(s.workload(*f.pod)), gpus_text(f.devices.size()), place_text(f, s),
      percent_text(f.busiest), span_text(f));
}

void word_unallocated(UsageFinding& f, const Snapshot& s) {
  f.text = fmt::format(
      "Something runs on {}{} that no pod holds, as far as the exporter knows: busy {} at most. A "
      "privileged container, or a process outside Kubernetes, can use devices without asking for "
      "them.",
      gpus_text(f.devices.size()), place_text(f, s), percent_text(f.busiest));
}

bool has_full_memory(const GpuUse& gpu) {
  return gpu.memory && gpu.memory_total && gpu.memory_total->value > 0 &&
         static_cast<double>(gpu.memory->value) >
             kFull * static_cast<double>(gpu.memory_total->value);
}

// Nothing else says what else would be wrong with a device: who holds what.
class Sorter {
 public:
  explicit Sorter(const Snapshot& s) : s_(s) {
    const auto& gpus = *s.kubernetes->usage->gpus;
    for (const auto& gpu : gpus) {
      if (!gpu.mig_instance.empty()) divided_.insert(gpu.uuid);
    }
    note_claims(gpus);
    for (const auto& gpu : gpus) sort(gpu);
  }

  std::map<WorkloadId, Group> idle, memory_held;
  std::map<NodeId, Group> unallocated;

 private:
  // Many exporters do not see which devices a ResourceClaim gives to a pod.
  void note_claims(const std::vector<GpuUse>& gpus) {
    std::set<WorkloadId> seen_with_devices;
    for (const auto& gpu : gpus) seen_with_devices.insert(gpu.pods.begin(), gpu.pods.end());
    for (std::uint32_t i = 0; i < s_.workloads.size(); ++i) {
      const auto& w = s_.workloads[i];
      if (!w.pod || w.pod->resource_claims.empty() || !model::holds_resources(w)) continue;
      if (seen_with_devices.contains({i})) continue;
      unseen_claims_.insert(w.allocation.nodes.begin(), w.allocation.nodes.end());
    }
  }

  void sort(const GpuUse& gpu) {
    if (!gpu.busy || !is_current(gpu.sampled, s_)) return;
    // What runs on a divided device runs on its parts.
    if (gpu.mig_instance.empty() && divided_.contains(gpu.uuid)) return;
    if (gpu.pods.empty()) {
      if (gpu.pods_known && gpu.node && *gpu.busy >= kIdle && !unseen_claims_.contains(*gpu.node)) {
        unallocated[*gpu.node].gpus.push_back(&gpu);
      }
      return;
    }
    for (const auto pod : gpu.pods) {
      if (is_idle(gpu)) {
        idle[pod].gpus.push_back(&gpu);
      } else if (has_full_memory(gpu) && seen(gpu) < kLittle) {
        memory_held[pod].gpus.push_back(&gpu);
      }
    }
  }

  const Snapshot& s_;
  std::set<std::string> divided_;
  std::set<NodeId> unseen_claims_;  // nodes with pods whose claimed devices nobody names
};

}  // namespace

bool is_current(const std::optional<Timestamp>& sampled, const Snapshot& snapshot) {
  return sampled && snapshot.time - *sampled <= kOldestUse;
}

bool is_idle(const GpuUse& gpu) {
  return gpu.busy && seen(gpu) < kIdle;
}

std::string_view finding_name(UsageFindingKind kind) {
  switch (kind) {
    case UsageFindingKind::kIdleGpus:
      return "idle_gpus";
    case UsageFindingKind::kMemoryHeld:
      return "memory_held";
    case UsageFindingKind::kUsedUnallocated:
      return "used_unallocated";
    case UsageFindingKind::kCount:
      break;
  }
  return "";
}

std::vector<UsageFinding> find_misuse(const Snapshot& s, const TopOwners& owners) {
  std::vector<UsageFinding> findings;
  if (!s.kubernetes->usage->gpus) return findings;
  const Sorter sorter(s);
  const auto of_pods = [&](UsageFindingKind kind, const std::map<WorkloadId, Group>& groups,
                           void (*word)(UsageFinding&, const Snapshot&)) {
    for (const auto& [pod, group] : groups) {
      auto& f = findings.emplace_back(finding_of(kind, group, s, s.workload(pod).start));
      f.pod = pod;
      f.owner = owners.of(s.workload(pod));
      word(f, s);
    }
  };
  of_pods(UsageFindingKind::kIdleGpus, sorter.idle, word_idle);
  of_pods(UsageFindingKind::kMemoryHeld, sorter.memory_held, word_memory);
  for (const auto& [node, group] : sorter.unallocated) {
    auto& f = findings.emplace_back(finding_of(UsageFindingKind::kUsedUnallocated, group, s));
    word_unallocated(f, s);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto& a, const auto& b) { return a.gpus > b.gpus; });
  return findings;
}

}  // namespace schedlens::diagnose
