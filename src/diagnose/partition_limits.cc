// SPDX-License-Identifier: Apache-2.0
#include "diagnose/partition_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace schedlens::diagnose {
namespace {

using model::Queue;
using model::Workload;

// Collects the rules that are met; all of them are the request's own doing.
class Hits {
 public:
  explicit Hits(const Queue& queue) : holder_(fmt::format("partition {}", queue.name.view())) {}

  void add(std::string name, double limit = 0, double requested = 0, std::string unit = {},
           Symbol resource = {}) {
    LimitHit hit;
    hit.limit.holder = holder_;
    hit.limit.name = std::move(name);
    hit.limit.resource = resource;
    hit.limit.unit = std::move(unit);
    hit.limit.limit = limit;
    hit.limit.requested = requested;
    hit.limit.request_alone_exceeds = true;
    hits_.push_back(std::move(hit));
  }
  std::vector<LimitHit> take() { return std::move(hits_); }

 private:
  std::string holder_;
  std::vector<LimitHit> hits_;
};

bool lists(const std::vector<Symbol>& names, Symbol name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool qos_flag(const model::Snapshot& snapshot, const Workload& w, std::string_view flag) {
  const auto* qos = snapshot.find_qos(w.qos);
  if (!qos || !qos->flags) return false;
  return std::any_of(qos->flags->begin(), qos->flags->end(),
                     [&](const auto& f) { return equal_ignoring_case(f, flag); });
}

void access(const Queue& queue, const Workload& w, Hits& hits) {
  if (!queue.allow_accounts.allows(w.account)) hits.add("AllowAccounts");
  if (queue.allow_accounts.all && lists(queue.deny_accounts, w.account)) hits.add("DenyAccounts");
  if (!w.qos.empty()) {
    if (!queue.allow_qos.allows(w.qos)) hits.add("AllowQos");
    if (queue.allow_qos.all && lists(queue.deny_qos, w.qos)) hits.add("DenyQos");
  }
  // Group membership is not known; the scheduler's own word is taken.
  if (depends_on_groups(queue) && w.reason.view() == "AccountNotAllowed" &&
      queue.allow_accounts.allows(w.account)) {
    hits.add("AllowGroups");
  }
  if (queue.root_only && w.user.view() != "root") hits.add("RootOnly");
  if (queue.requires_reservation && w.reservation.empty()) hits.add("ReqResv");
}

void size(const model::Snapshot& snapshot, const Queue& queue, const Workload& w,
          const Shape& shape, Hits& hits) {
  auto asked = std::max(1u, w.request.min_nodes);
  // A node count that no range accompanies may be the scheduler's own estimate.
  if (!w.request.max_nodes) {
    auto nodes = w.request.totals.get(model::names::kNode);
    if (nodes && *nodes >= 1) asked = std::min(asked, static_cast<std::uint32_t>(*nodes));
  }
  // Of a range the most counts, even where the partition has room for the least.
  asked = std::max(asked, w.request.max_nodes.value_or(0));
  auto most = queue.max_nodes.get();
  if (most && asked > *most && !qos_flag(snapshot, w, "PartitionMaxNodes")) {
    hits.add("MaxNodes", *most, asked, "", model::names::kNode);
  }
  auto least = queue.min_nodes;
  if (w.request.max_nodes && *w.request.max_nodes < least &&
      !qos_flag(snapshot, w, "PartitionMinNodes")) {
    hits.add("MinNodes", least, *w.request.max_nodes, "", model::names::kNode);
  }
  if (auto per_node = queue.max_cpus_per_node.get()) {
    if (shape.cpus_per_node > *per_node) {
      hits.add("MaxCPUsPerNode", *per_node, shape.cpus_per_node, "", model::names::kCpu);
    }
  }
}

void time(const model::Snapshot& snapshot, const Queue& queue, const Workload& w, Hits& hits) {
  auto most = queue.max_time.get();
  if (!most || qos_flag(snapshot, w, "PartitionTimeLimit")) return;
  // Backfill starts a job at its least time where it names one.
  double asked = 0;
  if (w.time_min || w.time_limit.has_value()) {
    asked = static_cast<double>((w.time_min ? *w.time_min : w.time_limit.value).value) / 60;
  } else if (w.time_limit.known()) {
    asked = std::numeric_limits<double>::infinity();
  }
  auto allowed = static_cast<double>(most->value) / 60;
  if (asked > allowed) hits.add("MaxTime", allowed, asked, "minutes");
}

std::optional<Bytes> cluster_memory_bound(const model::Snapshot& snapshot, std::string_view key) {
  if (!snapshot.config) return std::nullopt;
  auto text = snapshot.config->get(key);
  auto megabytes = text ? parse_number<std::int64_t>(*text) : std::nullopt;
  return megabytes && *megabytes > 0 ? std::optional(mebibytes(*megabytes)) : std::nullopt;
}

void memory(const model::Snapshot& snapshot, const Queue& queue, const Shape& shape, Hits& hits) {
  bool partition_bounds =
      queue.max_memory_per_node.has_value() || queue.max_memory_per_cpu.has_value();
  auto per_node = partition_bounds ? queue.max_memory_per_node.get()
                                   : cluster_memory_bound(snapshot, "MaxMemPerNode");
  auto per_cpu = partition_bounds ? queue.max_memory_per_cpu.get()
                                  : cluster_memory_bound(snapshot, "MaxMemPerCPU");
  auto on_node = shape.memory_on_node();
  if (per_node && on_node > *per_node) {
    hits.add("MaxMemPerNode", static_cast<double>(per_node->value),
             static_cast<double>(on_node.value), "bytes", model::names::kMemory);
  }
  if (!per_cpu) return;
  // Memory asked for per node counts against the CPUs of the node.
  auto cpus = std::max(1u, shape.cpus_per_node);
  auto each = shape.memory_per == MemoryDemand::kPerCpu ? shape.memory.value : on_node.value / cpus;
  if (each > per_cpu->value) {
    hits.add("MaxMemPerCPU", static_cast<double>(per_cpu->value), static_cast<double>(each),
             "bytes", model::names::kMemory);
  }
}

}  // namespace

std::vector<LimitHit> partition_limits(const model::Snapshot& snapshot, const Workload& w,
                                       const Shape& shape) {
  const auto& queue = snapshot.queue(shape.queue);
  Hits hits(queue);
  size(snapshot, queue, w, shape, hits);
  time(snapshot, queue, w, hits);
  memory(snapshot, queue, shape, hits);
  access(queue, w, hits);
  return hits.take();
}

bool suspended(const Queue& queue) {
  return queue.state == model::QueueState::kDown || queue.state == model::QueueState::kDrain ||
         queue.state == model::QueueState::kInactive;
}

bool depends_on_groups(const Queue& queue) {
  return !queue.allow_groups.all;
}

}  // namespace schedlens::diagnose
