// SPDX-License-Identifier: Apache-2.0
#include "diagnose/node_tests.h"

#include <fmt/format.h>

#include <algorithm>

namespace schedlens::diagnose {

std::uint32_t cpus_open(const Shape& shape, const NodeView& node) {
  auto open = node.cpus_free();
  if (!shape.shares_cpus) return open;
  for (const auto& r : node.rows) {
    if (r.queue == shape.queue) open = std::max(open, r.open(node.cpus));
  }
  return open;
}

namespace {

constexpr std::uint32_t kUnbounded = Shape::kAnyNumber;

// CPUs that the shape can use of so many on the node: with fewer threads per core than the node
// has, the others stay idle; cores set aside for the system are gone.
std::uint32_t usable_cpus(const Shape& shape, const NodeView& node, std::uint32_t cpus) {
  auto threads = node.threads_per_core;
  auto aside = shape.core_spec * threads;
  cpus = cpus > aside ? cpus - aside : 0;
  if (shape.threads_per_core > 0 && shape.threads_per_core < threads) {
    cpus = cpus / threads * shape.threads_per_core;
  }
  return cpus;
}

std::uint32_t cpus_available(const Shape& shape, const NodeView& node, Use use) {
  return usable_cpus(shape, node, use == Use::kNow ? cpus_open(shape, node) : node.cpus);
}

// A node is used either by jobs that share CPUs or by jobs that do not.
bool shared_otherwise(const Shape& shape, const NodeView& node) {
  if (shape.shares_cpus) return node.unshared;
  if (node.unshared) return false;
  return std::any_of(node.rows.begin(), node.rows.end(),
                     [&](const CpuRows& r) { return r.queue != shape.queue && r.used.size() > 1; });
}

Bytes memory_available(const NodeView& node, Use use) {
  return use == Use::kNow ? node.memory_free() : node.memory;
}

std::uint64_t devices_available(const DeviceDemand& d, const NodeView& node, Use use) {
  return use == Use::kNow ? node.devices_free(d.name, d.type) : node.devices_total(d.name, d.type);
}

// What the queue's MaxCPUsPerNode leaves to its further jobs on this node.
std::uint32_t queue_cpus_left(const Shape& shape, const model::Queue& queue, const NodeView& node,
                              Use use) {
  auto most = queue.max_cpus_per_node.get();
  if (!most) return kUnbounded;
  if (use == Use::kNothing) return *most;
  for (const auto& [q, used] : node.queue_cpus) {
    if (q == shape.queue) return *most > used ? *most - used : 0;
  }
  return *most;
}

bool shape_of_sockets_fits(const Shape& shape, const NodeView& node) {
  return shape.sockets <= node.sockets && shape.cores_per_socket <= node.cores_per_socket &&
         shape.threads_per_core <= node.threads_per_core;
}

bool in_use(const NodeView& node) {
  return node.cpus_used > 0 || std::any_of(node.devices.begin(), node.devices.end(),
                                           [](const Devices& d) { return d.used > 0; });
}

bool belongs_to_another(const Shape& shape, const NodeView& node) {
  if (!node.owner.empty() && node.owner != shape.user) return true;
  if (!shape.one_user) return false;
  return node.several_users || (!node.one_user.empty() && node.one_user != shape.user);
}

bool closed(const Shape& shape, const NodeView& node) {
  return std::any_of(node.reservations.begin(), node.reservations.end(), [&](std::uint32_t r) {
    return std::binary_search(shape.closed_by.begin(), shape.closed_by.end(), r);
  });
}

bool outside_own_reservation(const Shape& shape, const NodeView& node) {
  if (!shape.own_reservation || shape.leaves_own_reservation) return false;
  return std::find(node.reservations.begin(), node.reservations.end(), *shape.own_reservation) ==
         node.reservations.end();
}

// Tests of what is true now only.
Tests passing_conditions(const Shape& shape, const NodeView& node) {
  Tests failed;
  if (!node.out_of_service.empty()) failed |= Tests::of(Test::kState);
  if (node.completing) failed |= Tests::of(Test::kCompleting);
  if (node.powering_down) failed |= Tests::of(Test::kPoweringDown);
  if (closed(shape, node)) failed |= Tests::of(Test::kReserved);
  if (belongs_to_another(shape, node)) failed |= Tests::of(Test::kOwner);
  if (node.held_whole || (shape.whole_nodes && in_use(node))) {
    failed |= Tests::of(Test::kExclusive);
  }
  if (shared_otherwise(shape, node)) failed |= Tests::of(Test::kSharing);
  if (shape.memory_per == MemoryDemand::kWholeNode && node.memory_used.value > 0) {
    failed |= Tests::of(Test::kMemory);
  }
  return failed;
}

}  // namespace

Tests failed_tests(const Shape& shape, const model::Queue& queue, const NodeView& node,
                   std::uint32_t features, Use use) {
  Tests failed;
  if (use == Use::kNow) failed = passing_conditions(shape, node);
  if (!node.in_queue(shape.queue)) failed |= Tests::of(Test::kPartition);
  if (features == 0) failed |= Tests::of(Test::kFeatures);
  if (outside_own_reservation(shape, node)) failed |= Tests::of(Test::kOwnReservation);
  if (cpus_available(shape, node, use) < shape.cpus_per_node) failed |= Tests::of(Test::kCpus);
  auto left = queue_cpus_left(shape, queue, node, use);
  if (left < shape.cpus_per_node || (shape.whole_nodes && left < node.cpus)) {
    failed |= Tests::of(Test::kMaxCpusPerNode);
  }
  if (memory_available(node, use) < shape.memory_on_node()) failed |= Tests::of(Test::kMemory);
  if (node.tmp_disk < shape.tmp_disk) failed |= Tests::of(Test::kTmpDisk);
  if (!shape_of_sockets_fits(shape, node)) failed |= Tests::of(Test::kSockets);
  if (shape.core_spec > 0 && shape.core_spec * node.threads_per_core >= node.cpus) {
    failed |= Tests::of(Test::kCoreSpec);
  }
  auto kinds = std::min(shape.devices.size(), kMostDeviceKinds);
  for (std::size_t i = 0; i < kinds; ++i) {
    const auto& d = shape.devices[i];
    if (devices_available(d, node, use) < d.per_node) failed |= Tests::device(i);
  }
  return failed;
}

Share share_of(const Shape& shape, const model::Queue& queue, const NodeView& node, Use use) {
  Share share;
  share.cpus = std::min(cpus_available(shape, node, use), queue_cpus_left(shape, queue, node, use));
  auto memory = memory_available(node, use);
  if (shape.memory_per == MemoryDemand::kPerCpu && shape.memory.value > 0) {
    auto with_memory = static_cast<std::uint64_t>(memory.value / shape.memory.value);
    share.cpus = static_cast<std::uint32_t>(std::min<std::uint64_t>(share.cpus, with_memory));
  }
  share.tasks = share.cpus / shape.cpus_per_task;
  if (!shape.whole_nodes) share.cpus = share.tasks * shape.cpus_per_task;
  auto kinds = std::min(shape.devices.size(), kMostDeviceKinds);
  for (std::size_t i = 0; i < kinds; ++i) {
    const auto& d = shape.devices[i];
    auto amount = devices_available(d, node, use);
    if (d.name == model::names::kGpu) {
      if (shape.cpus_per_gpu > 0) {
        amount = std::min<std::uint64_t>(amount, share.cpus / shape.cpus_per_gpu);
      }
      if (shape.memory_per == MemoryDemand::kPerGpu && shape.memory.value > 0) {
        amount = std::min<std::uint64_t>(
            amount, static_cast<std::uint64_t>(memory.value / shape.memory.value));
      }
    }
    if (d.per_task > 0) {
      share.tasks = std::min(share.tasks, static_cast<std::uint32_t>(amount / d.per_task));
    }
    share.devices[i] = static_cast<std::uint32_t>(amount);
  }
  return share;
}

FreeGpus free_gpus(const Shape& shape, const model::Queue& queue, const NodeView& node) {
  FreeGpus gpus;
  auto share = share_of(shape, queue, node, Use::kNow);
  auto cpus = std::min(cpus_available(shape, node, Use::kNow),
                       queue_cpus_left(shape, queue, node, Use::kNow));
  bool beside = cpus >= shape.cpus_per_node && node.memory_free() >= shape.memory_on_node();
  for (std::size_t i = 0; i < shape.devices.size() && i < kMostDeviceKinds; ++i) {
    const auto& d = shape.devices[i];
    if (d.name != model::names::kGpu) continue;
    auto free = node.devices_free(d.name, d.type);
    gpus.free += free;
    // Where the number on a node is open, those with CPUs and memory count one by one.
    if (d.per_job > 0 && d.per_node <= 1) {
      gpus.allocatable += std::min<std::uint64_t>(free, share.devices[i]) * (beside ? 1 : 0);
    } else if (beside) {
      gpus.allocatable += free;
    }
  }
  return gpus;
}

std::string test_name(Test test, const Shape& shape, const NodeView& node) {
  switch (test) {
    case Test::kPartition:
      return "partition";
    case Test::kFeatures:
      return "features";
    case Test::kExcluded:
      return "excluded_nodes";
    case Test::kRequired:
      return "required_nodes";
    case Test::kState:
      return node.out_of_service;
    case Test::kCompleting:
      return "completing";
    case Test::kPoweringDown:
      return "powering_down";
    case Test::kReserved:
      return "reservation";
    case Test::kOwnReservation:
      return "own_reservation";
    case Test::kOwner:
      return "owner";
    case Test::kExclusive:
      return "exclusive";
    case Test::kSharing:
      return "oversubscribe";
    case Test::kCpus:
      return "cpus";
    case Test::kMaxCpusPerNode:
      return "MaxCPUsPerNode";
    case Test::kMemory:
      return "memory";
    case Test::kTmpDisk:
      return "tmp_disk";
    case Test::kSockets:
      return "sockets";
    case Test::kCoreSpec:
      return "core_spec";
    case Test::kFirstDevice:
      break;
  }
  auto place = static_cast<std::size_t>(test) - static_cast<std::size_t>(Test::kFirstDevice);
  if (place >= shape.devices.size()) return "gres";
  const auto& d = shape.devices[place];
  return d.type.empty() ? fmt::format("gres/{}", d.name.view())
                        : fmt::format("gres/{}:{}", d.name.view(), d.type.view());
}

}  // namespace schedlens::diagnose
