// SPDX-License-Identifier: Apache-2.0
#include "diagnose/node_class.h"

#include <algorithm>
#include <unordered_map>

#include "diagnose/shape.h"

namespace schedlens::diagnose {

using model::NodeFlag;
using model::NodeId;
using model::NodeState;
using model::QueueId;

namespace {

// Appends numbers and lists to a byte string that is equal exactly when all of them are.
class Key {
 public:
  void add(std::uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add(Symbol s) { add(s.id()); }
  void add(QueueId q) { add(q.index); }
  void add(std::string_view text) {
    add(text.size());
    bytes_.append(text);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    add(list.size());
    for (const auto& item : list) add(item);
  }
  void add(const Devices& d) {
    add(d.name);
    add(d.type);
    add(d.total);
    add(d.used);
    add(d.per_gpu);
    add(std::uint64_t{d.use_known});
  }
  void add(std::uint32_t number) { add(std::uint64_t{number}); }
  void add(const CpuRows& r) {
    add(r.queue);
    add(r.used);
    add(r.others);
  }
  void add(const std::pair<QueueId, std::uint32_t>& p) {
    add(p.first);
    add(p.second);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

std::string key_of(const NodeView& v) {
  Key key;
  key.add(v.out_of_service);
  key.add(std::uint64_t{v.completing} | std::uint64_t{v.held_whole} << 1 |
          std::uint64_t{v.several_users} << 2 | std::uint64_t{v.powering_down} << 3 |
          std::uint64_t{v.unshared} << 4);
  key.add(std::uint64_t{v.cpus} << 32 | v.cpus_used);
  key.add(std::uint64_t{v.sockets} << 32 | v.cores_per_socket);
  key.add(v.threads_per_core);
  key.add(static_cast<std::uint64_t>(v.memory.value));
  key.add(static_cast<std::uint64_t>(v.memory_used.value));
  key.add(static_cast<std::uint64_t>(v.tmp_disk.value));
  key.add(v.devices);
  key.add(v.features);
  key.add(v.queues);
  key.add(v.reservations);
  key.add(v.owner);
  key.add(v.one_user);
  key.add(v.queue_cpus);
  key.add(v.rows);
  return key.take();
}

bool is_gpu_share(Symbol name) {
  return name.view() == "shard" || name.view() == "mps";
}

// A GPU of which shares are used is not there whole, and of one that is used whole no share is.
void settle_gpu_shares(const model::Node& node, std::vector<Devices>& devices) {
  std::uint64_t gpus = 0, whole = 0;
  for (const auto& d : devices) {
    if (d.name != model::names::kGpu) continue;
    gpus += d.total;
    whole += std::min(d.used, d.total);
  }
  if (gpus == 0) return;
  std::uint64_t shared = 0;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    auto& d = devices[i];
    if (!is_gpu_share(d.name)) continue;
    d.per_gpu = std::max<std::uint64_t>(1, d.total / gpus);
    auto counted = std::min(model::shared_gpus_counted(node, node.gres[i]), whole);
    // Where the scheduler does not say which GPUs, they count as filled one after the other.
    auto listed = node.gres[i].used_indexes.size();
    if (d.used > 0) shared += (listed ? listed : (d.used + d.per_gpu - 1) / d.per_gpu) - counted;
    d.used = std::min(d.total, d.used + (whole - counted) * d.per_gpu);
  }
  for (auto& d : devices) {
    if (d.name != model::names::kGpu) continue;
    auto here = std::min(shared, d.total - std::min(d.total, d.used));
    d.used += here;
    shared -= here;
  }
}

std::uint32_t cpus_on(const model::Workload& w, NodeId node) {
  for (const auto& part : w.allocation.per_node) {
    if (part.node == node && part.cpus) return *part.cpus;
  }
  // Without the detailed read the CPUs count as spread evenly.
  auto cpus = w.allocation.totals.get(model::names::kCpu).value_or(w.request.cpus);
  auto nodes = std::max<std::size_t>(1, w.allocation.nodes.size());
  return static_cast<std::uint32_t>(cpus / static_cast<double>(nodes));
}

}  // namespace

bool shares_with_nobody(const model::Snapshot& snapshot, const model::Workload& w) {
  if (w.request.sharing == model::Sharing::kWholeNode) return true;
  if (w.queues.empty()) return false;
  auto queue = snapshot.find_queue(w.queues.front());
  return queue && snapshot.queue(*queue).exclusive;
}

constexpr std::string_view kPoweringDown = "powering_down";

std::string out_of_service(const model::Node& node) {
  if (model::in_service(node)) return {};
  const auto& f = node.flags;
  if (f.has(NodeFlag::kInvalidRegistration)) return "invalid_registration";
  if (node.state == NodeState::kDown) return "down";
  if (f.has(NodeFlag::kDrain)) return "drain";
  if (f.has(NodeFlag::kFail)) return "fail";
  if (f.has(NodeFlag::kNotResponding)) return "not_responding";
  if (f.has(NodeFlag::kRebootIssued)) return "reboot";
  if (f.has(NodeFlag::kPoweringDown) || f.has(NodeFlag::kPowerDown))
    return std::string(kPoweringDown);
  if (node.state == NodeState::kFuture) return "future";
  if (node.state == NodeState::kError) return "error";
  return "unknown_state";
}

std::uint64_t NodeView::devices_total(Symbol name, Symbol type) const {
  std::uint64_t sum = 0;
  for (const auto& d : devices) {
    if (d.name != name || !(type.empty() || d.type == type)) continue;
    sum += d.per_gpu ? std::min(d.total, d.per_gpu) : d.total;
  }
  return sum;
}

std::uint64_t NodeView::devices_free(Symbol name, Symbol type) const {
  std::uint64_t sum = 0;
  for (const auto& d : devices) {
    if (d.name != name || !(type.empty() || d.type == type) || d.total <= d.used) continue;
    auto free = d.total - d.used;
    sum += d.per_gpu ? std::min(free, d.per_gpu) : free;
  }
  return sum;
}

bool NodeView::in_queue(QueueId queue) const {
  return std::binary_search(queues.begin(), queues.end(), queue);
}

NodeViews::NodeViews(const model::Snapshot& snapshot) : snapshot_(snapshot) {
  auto count = snapshot.nodes.size();
  queues_.resize(count);
  reservations_.resize(count);
  queue_cpus_.resize(count);
  for (std::uint32_t q = 0; q < snapshot.queues.size(); ++q) {
    for (auto node : snapshot.queues[q].nodes) queues_[node.index].push_back({q});
    users_matter_ |= snapshot.queues[q].exclusive_user;
    cpus_shared_ |= snapshot.queues[q].oversubscribe_force || snapshot.queues[q].jobs_per_cpu > 1;
  }
  for (auto id : snapshot.pending()) {
    users_matter_ |= snapshot.workload(id).request.sharing == model::Sharing::kUser;
  }
  index_reservations();
  index_use();
}

void NodeViews::index_reservations() {
  for (std::uint32_t r = 0; r < snapshot_.reservations.size(); ++r) {
    for (auto node : snapshot_.reservations[r].nodes) reservations_[node.index].push_back(r);
  }
}

void NodeViews::index_use() {
  for (const auto& w : snapshot_.workloads) {
    if (!holds_resources(w) || w.queues.empty()) continue;
    auto queue = snapshot_.find_queue(w.queues.front());
    if (!queue || !snapshot_.queue(*queue).max_cpus_per_node.has_value()) continue;
    for (auto node : w.allocation.nodes) {
      auto& used = queue_cpus_[node.index];
      auto it = std::find_if(used.begin(), used.end(), [&](auto& p) { return p.first == *queue; });
      if (it == used.end()) it = used.insert(used.end(), {*queue, 0});
      it->second += cpus_on(w, node);
    }
  }
  for (auto& used : queue_cpus_) std::sort(used.begin(), used.end());
}

void CpuRows::add(std::uint32_t cpus, std::uint32_t all) {
  auto row = std::find_if(used.begin(), used.end(), [&](auto u) { return u + cpus <= all; });
  if (row == used.end()) row = std::min_element(used.begin(), used.end());
  *row = std::min(all, *row + cpus);
}

std::uint32_t CpuRows::open(std::uint32_t all) const {
  auto least = *std::min_element(used.begin(), used.end()) + others;
  return all > least ? all - least : 0;
}

void NodeViews::add_rows(NodeId id, NodeView& v) const {
  std::vector<model::WorkloadId> here(snapshot_.workloads_on(id).begin(),
                                      snapshot_.workloads_on(id).end());
  std::sort(here.begin(), here.end(), [&](auto a, auto b) {
    const auto &x = snapshot_.workload(a), &y = snapshot_.workload(b);
    return std::pair(x.start, x.job_id) < std::pair(y.start, y.job_id);
  });
  for (auto w : here) {
    const auto& job = snapshot_.workload(w);
    auto queue = job.queues.empty() ? std::nullopt : snapshot_.find_queue(job.queues.front());
    if (!queue) continue;
    const auto& q = snapshot_.queue(*queue);
    v.unshared |= !shares_cpus(q, job);
    auto cpus = cpus_on(job, id);
    auto it =
        std::find_if(v.rows.begin(), v.rows.end(), [&](auto& r) { return r.queue == *queue; });
    if (it == v.rows.end() && (q.oversubscribe_force || q.jobs_per_cpu > 1)) {
      it = v.rows.insert(it, {*queue, std::vector<std::uint32_t>(q.jobs_per_cpu, 0), 0});
    }
    if (it != v.rows.end()) it->add(cpus, v.cpus);
  }
  for (auto& rows : v.rows) {
    for (auto w : here) {
      const auto& job = snapshot_.workload(w);
      auto queue = job.queues.empty() ? std::nullopt : snapshot_.find_queue(job.queues.front());
      if (queue && *queue != rows.queue) rows.others += cpus_on(job, id);
    }
  }
}

NodeView NodeViews::view(NodeId id) const {
  const auto& node = snapshot_.node(id);
  NodeView v;
  v.out_of_service = out_of_service(node);
  if (v.out_of_service == kPoweringDown) {
    v.powering_down = true;
    v.out_of_service.clear();
  }
  v.completing = node.flags.has(NodeFlag::kCompleting);
  v.cpus = node.cpus_effective.value_or(node.cpus);
  v.cpus_used = node.cpus_allocated;
  v.sockets = node.sockets;
  v.cores_per_socket = node.cores_per_socket;
  v.threads_per_core = std::max(1u, node.threads_per_core);
  v.memory = {std::max<std::int64_t>(0, (node.memory - node.memory_reserved).value)};
  v.memory_used = node.memory_allocated;
  v.tmp_disk = node.tmp_disk;
  // An idle node uses no devices even where the scheduler does not say so.
  bool idle = node.state == NodeState::kIdle && node.cpus_allocated == 0 && !v.completing;
  for (const auto& pool : node.gres) {
    bool known = pool.used.has_value() || idle;
    auto used = known ? pool.used.value_or(0) : pool.total;
    v.devices.push_back({pool.name, pool.type, pool.total, used, known});
  }
  settle_gpu_shares(node, v.devices);
  v.features = node.features;
  std::sort(v.features.begin(), v.features.end(),
            [](Symbol a, Symbol b) { return a.id() < b.id(); });
  v.queues = queues_[id.index];
  v.reservations = reservations_[id.index];
  v.owner = node.owner;
  v.queue_cpus = queue_cpus_[id.index];
  if (cpus_shared_) add_rows(id, v);
  for (auto w : snapshot_.workloads_on(id)) {
    const auto& job = snapshot_.workload(w);
    v.held_whole |= shares_with_nobody(snapshot_, job);
    if (!users_matter_) continue;
    v.several_users |= !v.one_user.empty() && v.one_user != job.user;
    v.one_user = job.user;
  }
  return v;
}

NodeClasses::NodeClasses(const model::Snapshot& snapshot) {
  NodeViews views(snapshot);
  std::unordered_map<std::string, std::uint32_t> by_key;
  of_node.reserve(snapshot.nodes.size());
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    auto view = views.view({i});
    auto [it, added] = by_key.emplace(key_of(view), static_cast<std::uint32_t>(classes.size()));
    if (added) classes.push_back({std::move(view), {}});
    classes[it->second].members.push_back({i});
    of_node.push_back(it->second);
  }
}

}  // namespace schedlens::diagnose
