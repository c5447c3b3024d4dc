// SPDX-License-Identifier: Apache-2.0
#include "diagnose/shape.h"

#include <algorithm>

#include "base/text.h"

namespace schedlens::diagnose {

using model::GresCount;
using model::MemoryPer;
using model::Request;
using model::Sharing;

namespace {

DeviceDemand& demand_for(Shape& shape, const GresCount& gres) {
  for (auto& d : shape.devices) {
    if (d.name == gres.name && d.type == gres.type) return d;
  }
  shape.devices.push_back({gres.name, gres.type});
  return shape.devices.back();
}

void set_nodes(Shape& shape, const Request& r, const model::Queue& queue) {
  shape.min_nodes = std::max(1u, r.min_nodes);
  // Without a range the scheduler shows the node count of its last attempt; the job's own least
  // number is then in its totals.
  if (!r.max_nodes) {
    if (auto nodes = r.totals.get(model::names::kNode); nodes && *nodes >= 1) {
      shape.min_nodes = std::min(shape.min_nodes, static_cast<std::uint32_t>(*nodes));
    }
  }
  shape.min_nodes = std::max(shape.min_nodes, queue.min_nodes);
  shape.max_nodes = r.max_nodes.value_or(Shape::kAnyNumber);
  if (auto most = queue.max_nodes.get()) shape.max_nodes = std::min(shape.max_nodes, *most);
  // Every node runs at least one task. A request for GPUs in all does not say how many tasks.
  if (r.tasks && *r.tasks > 0 && r.gres_per_job.empty()) {
    shape.max_nodes = std::min(shape.max_nodes, std::max(shape.min_nodes, *r.tasks));
  }
  shape.max_nodes = std::max(shape.max_nodes, shape.min_nodes);
}

void set_cpus(Shape& shape, const Request& r) {
  shape.cpus = std::max(1u, r.cpus);
  shape.tasks = r.tasks.value_or(0);
  if (r.cpus_per_task) {
    shape.cpus_per_task = std::max(1u, *r.cpus_per_task);
  } else if (shape.tasks > 0 && shape.cpus % shape.tasks == 0) {
    shape.cpus_per_task = shape.cpus / shape.tasks;
  }
  auto tasks_here = r.tasks_per_node.value_or(0) > 0 ? *r.tasks_per_node : 1;
  shape.cpus_per_node = std::max(tasks_here * shape.cpus_per_task, r.min_cpus_per_node.value_or(0));
  if (shape.max_nodes == 1) shape.cpus_per_node = std::max(shape.cpus_per_node, shape.cpus);
  shape.sockets = r.sockets_per_node.value_or(0);
  shape.cores_per_socket = r.cores_per_socket.value_or(0);
  shape.threads_per_core = r.threads_per_core.value_or(0);
  shape.core_spec = r.core_spec.value_or(0);
}

void set_devices(Shape& shape, const Request& r) {
  for (const auto& g : r.gres_per_node) demand_for(shape, g).per_node += g.count;
  for (const auto& g : r.gres_per_socket) {
    demand_for(shape, g).per_node += g.count * std::max(1u, r.sockets_per_node.value_or(1));
  }
  for (const auto& g : r.gres_per_task) {
    auto& d = demand_for(shape, g);
    std::uint64_t tasks_here = 1;
    if (r.tasks_per_node.value_or(0) > 0) {
      tasks_here = *r.tasks_per_node;
    } else if (shape.max_nodes == 1) {
      tasks_here = std::max(1u, shape.tasks);
    }
    d.per_task = g.count;
    d.per_node = std::max(d.per_node, g.count * tasks_here);
    d.per_job = std::max<std::uint64_t>(d.per_job, g.count * std::max(1u, shape.tasks));
  }
  for (const auto& g : r.gres_per_job) {
    auto& d = demand_for(shape, g);
    d.per_job = std::max(d.per_job, g.count);
    d.per_node = std::max<std::uint64_t>(d.per_node, shape.max_nodes == 1 ? g.count : 1);
  }
  std::sort(shape.devices.begin(), shape.devices.end(), [](const auto& a, const auto& b) {
    return std::pair(a.name.id(), a.type.id()) < std::pair(b.name.id(), b.type.id());
  });
  shape.cpus_per_gpu = r.cpus_per_gpu.value_or(0);
  auto for_gpus = shape.gpus_per_node() * shape.cpus_per_gpu;
  shape.cpus_per_node = std::max(shape.cpus_per_node, static_cast<std::uint32_t>(for_gpus));
}

void set_memory(Shape& shape, const Request& r, bool counted) {
  shape.tmp_disk = r.tmp_disk;
  if (r.memory_per_gpu && shape.wants_gpus()) {
    shape.memory_per = MemoryDemand::kPerGpu;
    shape.memory = *r.memory_per_gpu;
    return;
  }
  shape.memory = r.memory;
  switch (r.memory_per) {
    case MemoryPer::kUnspecified:
      shape.memory = {};
      break;
    case MemoryPer::kNode:
      shape.memory_per = r.memory.value == 0 ? MemoryDemand::kWholeNode : MemoryDemand::kPerNode;
      break;
    case MemoryPer::kCpu:
      shape.memory_per = MemoryDemand::kPerCpu;
      break;
    case MemoryPer::kGpu:
      shape.memory_per = MemoryDemand::kPerGpu;
      break;
  }
  if (shape.memory_per == MemoryDemand::kWholeNode && !counted) {
    shape.memory_per = MemoryDemand::kNone;
  }
}

// What squeue prints for a whole node of one CPU per node asked for can be meant per CPU or per
// node, which differ by all the CPUs that come with the node. The default of the queue is meant per
// CPU.
void default_memory_is_per_cpu(Shape& shape, const model::Snapshot& snapshot,
                               const model::Queue& queue) {
  if (!shape.whole_nodes || shape.memory_per != MemoryDemand::kPerNode) return;
  if (shape.cpus != shape.min_nodes) return;
  auto by_default = queue.default_memory_per_cpu;
  if (!by_default && !queue.default_memory_per_node && snapshot.config) {
    auto text = snapshot.config->get("DefMemPerCPU");
    auto megabytes = text ? parse_number<std::int64_t>(*text) : std::nullopt;
    if (megabytes && *megabytes > 0) by_default = mebibytes(*megabytes);
  }
  if (by_default && *by_default == shape.memory) shape.memory_per = MemoryDemand::kPerCpu;
}

// Each partition that the scheduler tries a job in gives it its own default of memory where the
// user named none. That he named none is only likely where the amount is the default of one of the
// job's partitions, so a larger default counts and a smaller one does not.
void default_memory_of_queue(Shape& shape, const model::Snapshot& snapshot,
                             const model::Workload& w, const model::Queue& queue) {
  const auto here = queue.default_memory_per_cpu;
  if (shape.memory_per != MemoryDemand::kPerCpu || !here || *here <= shape.memory) return;
  const bool by_default = std::any_of(w.queues.begin(), w.queues.end(), [&](Symbol name) {
    const auto id = snapshot.find_queue(name);
    return id && snapshot.queue(*id).default_memory_per_cpu == shape.memory;
  });
  if (by_default) shape.memory = *here;
}

}  // namespace

bool shares_cpus(const model::Queue& queue, const model::Workload& w) {
  if (queue.exclusive) return false;
  return queue.oversubscribe_force ||
         (queue.jobs_per_cpu > 1 && w.request.sharing == Sharing::kOversubscribe);
}

std::optional<bool> memory_is_counted(const model::Snapshot& snapshot) {
  if (!snapshot.config || !snapshot.config->get("SelectTypeParameters")) return std::nullopt;
  return snapshot.config->has_word("SelectTypeParameters", "MEMORY");
}

std::uint64_t Shape::gpus_per_node() const {
  std::uint64_t sum = 0;
  for (const auto& d : devices) {
    if (d.name == model::names::kGpu) sum += d.per_node;
  }
  return sum;
}

std::uint64_t Shape::gpus() const {
  std::uint64_t sum = 0;
  for (const auto& d : devices) {
    if (d.name == model::names::kGpu) sum += std::max(d.per_job, d.per_node * min_nodes);
  }
  return sum;
}

Bytes Shape::memory_on_node() const {
  switch (memory_per) {
    case MemoryDemand::kPerNode:
      return memory;
    case MemoryDemand::kPerCpu:
      return memory * cpus_per_node;
    case MemoryDemand::kPerGpu:
      return memory * static_cast<std::int64_t>(gpus_per_node());
    case MemoryDemand::kNone:
    case MemoryDemand::kWholeNode:
      break;
  }
  return {};
}

std::string Shape::key() const {
  std::string bytes;
  auto add = [&](std::uint64_t n) { bytes.append(reinterpret_cast<const char*>(&n), sizeof n); };
  add(std::uint64_t{min_nodes} << 32 | max_nodes);
  add(std::uint64_t{cpus_per_node} << 32 | cpus_per_task);
  add(std::uint64_t{cpus} << 32 | tasks);
  add(std::uint64_t{sockets} << 32 | cores_per_socket);
  add(std::uint64_t{threads_per_core} << 32 | core_spec);
  add(static_cast<std::uint64_t>(memory.value));
  add(static_cast<std::uint64_t>(tmp_disk.value));
  add(std::uint64_t{queue.index} << 32 | cpus_per_gpu);
  add(std::uint64_t{user.id()} << 32 | static_cast<std::uint64_t>(memory_per) << 8 |
      std::uint64_t{whole_nodes} | std::uint64_t{one_user} << 1 |
      std::uint64_t{leaves_own_reservation} << 2 | std::uint64_t{own_reservation.has_value()} << 3 |
      std::uint64_t{shares_cpus} << 4);
  add(own_reservation.value_or(0));
  add(std::uint64_t{devices.size()} << 32 | closed_by.size());
  for (const auto& d : devices) {
    add(std::uint64_t{d.name.id()} << 32 | d.type.id());
    add(d.per_node);
    add(d.per_job);
    add(d.per_task);
  }
  for (auto r : closed_by) add(r);
  bytes.append(features);
  return bytes;
}

Shape make_shape(const model::Snapshot& snapshot, const model::Workload& w, model::QueueId queue,
                 ReservationView reservations, bool nodes_have_owners) {
  const auto& r = w.request;
  const auto& q = snapshot.queue(queue);
  Shape shape;
  shape.queue = queue;
  set_nodes(shape, r, q);
  set_cpus(shape, r);
  set_devices(shape, r);
  set_memory(shape, r, memory_is_counted(snapshot).value_or(true));
  shape.whole_nodes = r.sharing == Sharing::kWholeNode || q.exclusive || shape.core_spec > 0;
  default_memory_is_per_cpu(shape, snapshot, q);
  default_memory_of_queue(shape, snapshot, w, q);
  shape.shares_cpus = shares_cpus(q, w);
  shape.one_user = r.sharing == Sharing::kUser || q.exclusive_user;
  if (nodes_have_owners || shape.one_user) shape.user = w.user;
  shape.features = r.features;
  shape.closed_by = std::move(reservations.closed_by);
  shape.own_reservation = reservations.own;
  shape.leaves_own_reservation = reservations.leaves_own;
  return shape;
}

}  // namespace schedlens::diagnose
