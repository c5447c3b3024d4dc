// SPDX-License-Identifier: Apache-2.0
#include "diagnose/constraint_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/time_text.h"

namespace schedlens::diagnose {
namespace {

std::string count_in_nodes(const Shape& shape, std::uint64_t per_node, std::uint64_t per_job,
                           std::string_view what) {
  if (shape.max_nodes == 1)
    return fmt::format("{} {} on one node", std::max(per_node, per_job), what);
  if (per_job > 0) return fmt::format("{} {} in all", per_job, what);
  return fmt::format("{} {} on each node", per_node, what);
}

// "2 sockets, 16 cores per socket"; what was not asked for is left out.
std::string sockets_detail(const Shape& shape) {
  std::string text;
  auto add = [&](std::uint32_t count, std::string_view noun, std::string_view of) {
    if (count == 0) return;
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", plural(count, noun), of);
  };
  add(shape.sockets, "socket", "");
  add(shape.cores_per_socket, "core", " per socket");
  add(shape.threads_per_core, "thread", " per core");
  return text;
}

std::string memory_detail(const Shape& shape) {
  switch (shape.memory_per) {
    case MemoryDemand::kWholeNode:
      return "all the memory of each node";
    case MemoryDemand::kPerCpu:
      return fmt::format("{} for each CPU, {} on each node at least", short_bytes(shape.memory),
                         short_bytes(shape.memory_on_node()));
    case MemoryDemand::kPerGpu:
      return fmt::format("{} for each GPU, {} on each node at least", short_bytes(shape.memory),
                         short_bytes(shape.memory_on_node()));
    case MemoryDemand::kPerNode:
      return fmt::format("{} on each node", short_bytes(shape.memory));
    case MemoryDemand::kNone:
      break;
  }
  return {};
}

std::string reservation_names(const model::Snapshot& snapshot, const Shape& shape) {
  std::string names;
  for (auto r : shape.closed_by) {
    if (!names.empty()) names += ", ";
    names += snapshot.reservations[r].name.view();
  }
  return names;
}

std::string detail(const model::Snapshot& snapshot, const Shape& shape, const model::Workload& w,
                   Test test) {
  const auto& queue = snapshot.queue(shape.queue);
  switch (test) {
    case Test::kPartition:
      return queue.name.str();
    case Test::kFeatures:
      return shape.features;
    case Test::kExcluded:
      return fmt::format("{} excluded", plural(w.request.excluded_nodes->size(), "node"));
    case Test::kRequired:
      return fmt::format("{} required", plural(w.request.required_nodes.size(), "node"));
    case Test::kState:
      return "in service";
    case Test::kCompleting:
      return "a job is still ending there";
    case Test::kPoweringDown:
      return "the scheduler can start it again once it is off";
    case Test::kReserved:
      return fmt::format("set aside by {}", reservation_names(snapshot, shape));
    case Test::kOwnReservation:
      return w.reservation.str();
    case Test::kOwner:
      return "no other user's nodes";
    case Test::kExclusive:
      return shape.whole_nodes ? "whole nodes that nobody uses" : "no node given whole to a job";
    case Test::kSharing:
      return shape.shares_cpus ? "no jobs that do not share their CPUs"
                               : "no jobs that share their CPUs";
    case Test::kCpus:
      return fmt::format("{} on {}", plural(shape.cpus_per_node, "CPU"),
                         shape.max_nodes == 1 ? "one node" : "each node");
    case Test::kMaxCpusPerNode:
      return fmt::format("at most {} of a node for the partition",
                         plural(queue.max_cpus_per_node.get().value_or(0), "CPU"));
    case Test::kMemory:
      return memory_detail(shape);
    case Test::kTmpDisk:
      return fmt::format("{} of temporary disk", short_bytes(shape.tmp_disk));
    case Test::kSockets:
      return sockets_detail(shape);
    case Test::kCoreSpec:
      return fmt::format("{} set aside", plural(shape.core_spec, "core"));
    case Test::kFirstDevice:
      break;
  }
  auto i = static_cast<std::size_t>(test) - static_cast<std::size_t>(Test::kFirstDevice);
  const auto& d = shape.devices[i];
  auto name = d.type.empty() ? d.name.str() : d.name.str() + ":" + d.type.str();
  return count_in_nodes(shape, d.per_node, d.per_job, name);
}

}  // namespace

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string describe(const Shape& shape) {
  bool spread = false;
  for (const auto& d : shape.devices) spread |= d.per_job > 0 && shape.max_nodes > 1;
  std::vector<std::string> parts;
  if (shape.wants_gpus()) {
    parts.push_back(plural(spread ? shape.gpus() : shape.gpus_per_node(), "GPU"));
  }
  if (!spread || parts.empty()) parts.push_back(plural(shape.cpus_per_node, "CPU"));
  auto memory = shape.memory_on_node();
  if (memory.value > 0 && !spread) parts.push_back(short_bytes(memory));
  auto what = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    what += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }

  std::string_view node = shape.whole_nodes ? "whole node" : "node";
  if (spread) {
    return shape.max_nodes == Shape::kAnyNumber
               ? fmt::format("{} over any number of nodes", what)
               : fmt::format("{} over {}", what, plural(shape.max_nodes, node));
  }
  if (shape.min_nodes > 1)
    return fmt::format("{} with {} each", plural(shape.min_nodes, node), what);
  if (shape.max_nodes > 1 && shape.cpus > shape.cpus_per_node) {
    return fmt::format("{} in all, {} on each node", plural(shape.cpus, "CPU"), what);
  }
  return fmt::format("{} on one {}", what, node);
}

std::vector<Constraint> constraint_list(const Evaluation& evaluation, const ShapeAnswer& answer,
                                        const model::Workload& w) {
  const auto& snapshot = evaluation.snapshot();
  std::map<std::string, Constraint> by_name;
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    auto failed = evaluation.all_failed_on(answer, w, {i});
    bool only = std::has_single_bit(failed.bits);
    const auto& view = evaluation.nodes().classes[evaluation.nodes().of_node[i]].view;
    for (auto bits = failed.bits; bits != 0; bits &= bits - 1) {
      auto test = static_cast<Test>(std::countr_zero(bits));
      auto& constraint = by_name[test_name(test, answer.shape, view)];
      if (constraint.ruled_out.empty()) constraint.detail = detail(snapshot, answer.shape, w, test);
      constraint.ruled_out.push_back({i});
      if (only) constraint.only.push_back({i});
    }
  }
  std::vector<Constraint> list;
  for (auto& [name, constraint] : by_name) {
    constraint.name = name;
    list.push_back(std::move(constraint));
  }
  std::stable_sort(list.begin(), list.end(), [](const Constraint& a, const Constraint& b) {
    return a.ruled_out.size() > b.ruled_out.size();
  });
  return list;
}

}  // namespace schedlens::diagnose
