// SPDX-License-Identifier: Apache-2.0
#include "diagnose/efficiency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/time_text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/usage_findings.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

using model::NodeId;
using model::Snapshot;
using model::Workload;
using model::WorkloadId;

// Less of what is held is worth a line only where it is this much.
constexpr double kHalf = 0.5;
constexpr double kWorthCpus = 4;
constexpr Bytes kWorthMemory = mebibytes(16 * 1024);
// The load of a node, or the CPUs of a pod, on which nothing runs but the system.
constexpr double kNothing = 0.1;

std::string cpus_text(double cpus) {
  return fmt::format("{:.1f} CPUs", cpus);
}

std::string places_text(const Snapshot& s, const std::vector<NodeId>& nodes) {
  if (nodes.size() == 1) return s.node(nodes.front()).name.str();
  return fmt::format("{} nodes", nodes.size());
}

bool has_run(const Workload& w, Timestamp now, Seconds least) {
  return w.state == model::WorkloadState::kRunning && w.start && *w.start + least <= now &&
         !w.flags.has(model::WorkloadFlag::kConfiguring) &&
         !w.flags.has(model::WorkloadFlag::kCompleting) &&
         !w.flags.has(model::WorkloadFlag::kStopped);
}

// Which loss of a workload on nodes that it has for itself, added up.
struct Sum {
  std::vector<NodeId> nodes;
  double held_cpus = 0, load = 0;
  double held_memory = 0, unused_memory = 0;
};

// Slurm tells what every node does, not what every job does: on a node with one job that is the
// same.
class Nodes {
 public:
  explicit Nodes(const Snapshot& s, std::vector<EfficiencyFinding>& out) : s_(s), out_(out) {}

  void run() {
    find_stalled();
    for (std::uint32_t i = 0; i < s_.nodes.size(); ++i) look_at({i});
    for (const auto& [id, sum] : alone_) judge({id}, sum);
  }

 private:
  void find_stalled() {
    stalled_.resize(s_.workloads.size());
    for (std::uint32_t i = 0; i < s_.workloads.size(); ++i) {
      const auto& w = s_.workloads[i];
      const auto& nodes = w.allocation.nodes;
      if (nodes.empty() || !has_run(w, s_.time, kStalledAfter)) continue;
      double load = 0;
      bool known = std::all_of(nodes.begin(), nodes.end(), [&](NodeId n) {
        load = std::max(load, s_.node(n).cpu_load.value_or(0));
        return s_.node(n).cpu_load.has_value();
      });
      if (!known || load >= kNothing) continue;
      stalled_[i] = true;
      EfficiencyFinding f;
      f.kind = EfficiencyKind::kStalled;
      f.workloads = {{i}};
      f.nodes = nodes;
      f.gpus = model::gpus_held(w);
      f.cpus = w.allocation.totals.get(model::names::kCpu);
      f.text = fmt::format(
          "{} has run for {} and holds {}, and the load of {} is {:.2f} at most: it hangs, waits "
          "for something outside, or its processes are gone.",
          display_id(w), short_duration(s_.time - *w.start), holds_text(w), places_text(s_, nodes),
          load);
      out_.push_back(std::move(f));
    }
  }

  static std::string holds_text(const Workload& w) {
    auto cpus = w.allocation.totals.get(model::names::kCpu).value_or(0);
    auto text = plural(static_cast<std::uint64_t>(cpus), "CPU");
    if (auto gpus = model::gpus_held(w)) text = plural(gpus, "GPU") + " and " + text;
    return text;
  }

  void look_at(NodeId id) {
    const auto& node = s_.node(id);
    std::vector<WorkloadId> jobs;
    for (auto w : s_.workloads_on(id)) {
      if (!has_run(s_.workload(w), s_.time, kSettled)) return;  // the load is not yet theirs
      jobs.push_back(w);
    }
    if (jobs.empty() || !node.cpu_load || node.cpus_allocated == 0) return;
    auto held = static_cast<double>(node.cpus_allocated);
    if (jobs.size() == 1) return add_alone(jobs.front(), id, held);
    auto unused = held - *node.cpu_load;
    if (*node.cpu_load < kNothing || *node.cpu_load > kHalf * held || unused < kWorthCpus) return;
    EfficiencyFinding f;
    f.kind = EfficiencyKind::kUnusedCpus;
    f.workloads = std::move(jobs);
    f.nodes = {id};
    f.cpus = unused;
    f.exact = false;
    f.text = fmt::format(
        "{} jobs hold {:.0f} CPUs of {}, whose load is {:.1f}: {} are not used. Slurm does not say "
        "by which of them.",
        f.workloads.size(), held, node.name.view(), *node.cpu_load, cpus_text(unused));
    out_.push_back(std::move(f));
  }

  void add_alone(WorkloadId job, NodeId id, double held) {
    const auto& node = s_.node(id);
    auto& sum = alone_[job.index];
    sum.nodes.push_back(id);
    sum.held_cpus += held;
    sum.load += std::min(*node.cpu_load, held);
    if (!node.memory_free || node.memory_allocated.value == 0) return;
    auto memory = static_cast<double>(node.memory_allocated.value);
    auto used = static_cast<double>((node.memory - *node.memory_free).value);
    sum.held_memory += memory;
    sum.unused_memory += std::max(0.0, memory - used);
  }

  void judge(WorkloadId id, const Sum& sum) {
    const auto& w = s_.workload(id);
    const auto unused = sum.held_cpus - sum.load;
    if (!stalled_[id.index] && sum.load < kHalf * sum.held_cpus && unused >= kWorthCpus) {
      EfficiencyFinding f;
      f.kind = EfficiencyKind::kUnusedCpus;
      f.workloads = {id};
      f.nodes = sum.nodes;
      f.cpus = unused;
      f.text = fmt::format(
          "{} holds {:.0f} CPUs of {} alone, whose load is {:.1f}: {} are not used.", display_id(w),
          sum.held_cpus, places_text(s_, sum.nodes), sum.load, cpus_text(unused));
      out_.push_back(std::move(f));
    }
    if (sum.unused_memory <= kHalf * sum.held_memory ||
        sum.unused_memory < static_cast<double>(kWorthMemory.value)) {
      return;
    }
    EfficiencyFinding f;
    f.kind = EfficiencyKind::kUnusedMemory;
    f.workloads = {id};
    f.nodes = sum.nodes;
    f.memory = Bytes{static_cast<std::int64_t>(sum.unused_memory)};
    f.text = fmt::format("{} holds {} of memory on {} alone; at least {} of it is free now.",
                         display_id(w), short_bytes({static_cast<std::int64_t>(sum.held_memory)}),
                         places_text(s_, sum.nodes), short_bytes(*f.memory));
    out_.push_back(std::move(f));
  }

  const Snapshot& s_;
  std::vector<EfficiencyFinding>& out_;
  std::vector<bool> stalled_;           // by WorkloadId
  std::map<std::uint32_t, Sum> alone_;  // by WorkloadId, on nodes without others
};

// Pods are measured one by one.
class Pods {
 public:
  Pods(const Snapshot& s, const UsageReport& usage, std::vector<EfficiencyFinding>& out)
      : s_(s), usage_(usage), out_(out) {}

  void run() {
    for (const auto& f : usage_.findings) {
      if (f.kind == UsageFindingKind::kIdleGpus) add_idle(f);
    }
    for (const auto& row : usage_.owners) add_owner(row);
    find_stalled();
  }

 private:
  void add_idle(const UsageFinding& idle) {
    EfficiencyFinding f;
    f.kind = EfficiencyKind::kIdleGpus;
    if (idle.pod) f.workloads = {*idle.pod};
    if (idle.node) f.nodes = {*idle.node};
    f.gpus = static_cast<std::uint64_t>(idle.gpus + 0.5);
    f.text = idle.text;
    out_.push_back(std::move(f));
  }

  void add_owner(const UsageRow& row) {
    const auto name =
        fmt::format("{} {}/{}", row.owner->kind.view(), row.ns.view(), row.owner->name);
    const auto unused = row.cpu.requested_known - row.cpu.used;
    if (row.cpu.known > 0 && row.cpu.used < kHalf * row.cpu.requested_known &&
        unused >= kWorthCpus) {
      EfficiencyFinding f;
      f.kind = EfficiencyKind::kUnusedCpus;
      f.cpus = unused;
      f.text = fmt::format("{} requests {} with {} that {} measured, and uses {}.", name,
                           cpus_text(row.cpu.requested_known), plural(row.cpu.known, "pod"),
                           row.cpu.known == 1 ? "is" : "are", cpus_text(row.cpu.used));
      out_.push_back(std::move(f));
    }
    const auto memory = row.memory.requested_known - row.memory.used;
    if (row.memory.known == 0 || row.memory.used >= kHalf * row.memory.requested_known ||
        memory < static_cast<double>(kWorthMemory.value)) {
      return;
    }
    EfficiencyFinding f;
    f.kind = EfficiencyKind::kUnusedMemory;
    f.memory = Bytes{static_cast<std::int64_t>(memory)};
    f.text = fmt::format("{} requests {} of memory with {} that {} measured, and uses {}.", name,
                         short_bytes({static_cast<std::int64_t>(row.memory.requested_known)}),
                         plural(row.memory.known, "pod"), row.memory.known == 1 ? "is" : "are",
                         short_bytes({static_cast<std::int64_t>(row.memory.used)}));
    out_.push_back(std::move(f));
  }

  void find_stalled() {
    const auto* usage = s_.kubernetes->usage.get();
    if (!usage || !usage->pods) return;
    for (const auto& [pod, use] : *usage->pods) {
      const auto& w = s_.workload(pod);
      if (!use.cpu || *use.cpu >= kNothing || !is_current(use.sampled, s_)) continue;
      const auto gpus = model::gpus_held(w);
      if (gpus == 0 || !has_run(w, s_.time, kStalledAfter)) continue;
      EfficiencyFinding f;
      f.kind = EfficiencyKind::kStalled;
      f.workloads = {pod};
      f.nodes = w.allocation.nodes;
      f.gpus = gpus;
      f.text = fmt::format(
          "{} has run for {}, holds {} and uses {:.2f} CPUs: it hangs, serves nobody, or waits for "
          "something outside.",
          display_id(w), short_duration(s_.time - *w.start), plural(gpus, "GPU"), *use.cpu);
      out_.push_back(std::move(f));
    }
  }

  const Snapshot& s_;
  const UsageReport& usage_;
  std::vector<EfficiencyFinding>& out_;
};

// "8 gpu, 64 cpu (3 in train), ..."
std::string shapes_text(const std::vector<UnplacedShape>& shapes) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> parts;
  for (const auto& shape : shapes) {
    if (parts.size() == kMost) {
      parts.push_back(fmt::format("{} other shapes", shapes.size() - kMost));
      break;
    }
    parts.push_back(fmt::format("{} ({} waiting{})", shape.shape, shape.unplaced,
                                shape.queue.empty() ? "" : " in " + shape.queue));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string lacking(std::string_view lack) {
  if (lack == lack_name(Lack::kGpus)) return "fewer stand together than the smallest asks for";
  if (lack == lack_name(Lack::kCpu)) return "the CPUs beside them are too few";
  if (lack == lack_name(Lack::kMemory)) return "the memory beside them is too little";
  if (lack == lack_name(Lack::kCpuAndMemory)) return "CPUs and memory beside them are too few";
  if (lack == lack_name(Lack::kPods)) return "the nodes take no further pods";
  if (lack == lack_name(Lack::kWholeNode)) return "one job or one user has the node to itself";
  if (lack == lack_name(Lack::kNodes)) return "there are too few such nodes for all of a workload";
  return "other devices beside them are too few";
}

void add_idle_gpus(const Snapshot& s, const GpuLedger& ledger,
                   std::vector<EfficiencyFinding>& out) {
  for (const auto& idle : ledger.idle) {
    EfficiencyFinding f;
    f.nodes = idle.nodes;
    f.gpus = idle.gpus;
    auto head = fmt::format("{} free on {} {}", plural(idle.gpus, "GPU"),
                            places_text(s, idle.nodes), idle.gpus == 1 ? "serves" : "serve");
    if (idle.state == GpuState::kStranded) {
      f.kind = EfficiencyKind::kStranded;
      f.text = fmt::format("{} nothing that waits: {}.", head, lacking(idle.cause));
      if (!idle.shapes.empty()) f.text += " Closest: " + shapes_text(idle.shapes) + ".";
    } else if (idle.state == GpuState::kNotScheduled) {
      f.kind = EfficiencyKind::kNotScheduled;
      f.workloads = idle.workloads;
      f.text = fmt::format("{} could hold {}, {} first, kept from starting by: {}.",
                           head.substr(0, head.rfind(' ')),
                           plural(idle.workloads.size(), "waiting workload"),
                           display_id(s.workload(idle.workloads.front())), idle.cause);
    } else {
      f.kind = EfficiencyKind::kWaitingElsewhere;
      f.text = head + " nothing: what waits may not use these nodes.";
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

std::string_view kind_name(EfficiencyKind kind) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(EfficiencyKind::kCount)> kNames =
      {"stranded", "not_scheduled", "waiting_elsewhere", "idle_gpus",
       "stalled",  "unused_cpus",   "unused_memory"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<EfficiencyFinding> efficiency_findings(const Snapshot& s, const GpuLedger& ledger,
                                                   const UsageReport& usage) {
  std::vector<EfficiencyFinding> findings;
  add_idle_gpus(s, ledger, findings);
  if (s.kubernetes) {
    Pods(s, usage, findings).run();
  } else {
    Nodes(s, findings).run();
  }
  std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    if (a.gpus != b.gpus) return a.gpus > b.gpus;
    if (a.cpus != b.cpus) return a.cpus > b.cpus;
    return a.memory.value_or(Bytes{}) > b.memory.value_or(Bytes{});
  });
  return findings;
}

}  // namespace schedlens::diagnose
