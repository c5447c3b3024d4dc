// SPDX-License-Identifier: Apache-2.0
#include "diagnose/fragmentation_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "base/time_text.h"
#include "diagnose/fragmentation_pods.h"

namespace schedlens::diagnose::fitting {

using model::MemoryPer;
using model::Snapshot;
using model::Workload;

namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

void append(std::string& key, std::uint64_t number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append(std::string& key, const std::vector<model::GresCount>& list) {
  append(key, list.size());
  for (const auto& g : list) {
    append(key, g.name.id());
    append(key, g.type.id());
    append(key, g.count);
  }
}

void append(std::string& key, const std::vector<model::NodeId>& list) {
  append(key, list.size());
  for (auto n : list) append(key, n.index);
}

// Left to right without precedence, as Slurm reads "a&b|c". Anything with brackets or counts
// passes every node, and is said to.
bool has_features(const model::Node& node, std::string_view text) {
  bool result = true;
  char operation = '&';
  while (!text.empty()) {
    auto end = text.find_first_of("&|,");
    Symbol name(trim(text.substr(0, end)));
    bool has = std::find(node.features.begin(), node.features.end(), name) != node.features.end();
    result = operation == '|' ? result || has : result && has;
    if (end == std::string_view::npos) break;
    operation = text[end] == '|' ? '|' : '&';
    text.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace

// Places for a share in a room. CPUs are given in whole cores.
std::int64_t places(const Room& room, const Share& share) {
  if (share.whole_memory && !room.memory_untouched) return 0;
  if (share.whole_node && !room.idle) return 0;
  if (share.gpu_sum > room.gpu_sum) return 0;
  auto cpus = divide_up(share.cpus, room.threads) * room.threads;
  // A pod that asks for no CPU gets on a node where too many have been given away.
  auto k = cpus > 0 ? room.cpus / cpus : std::numeric_limits<std::int64_t>::max();
  if (share.gpu_sum > 0) k = std::min(k, room.gpu_sum / share.gpu_sum);
  for (const auto& g : share.gpus) {
    if (g.type == kAnyType || g.count == 0) continue;
    k = std::min(k, g.type < room.gpus.size() ? room.gpus[g.type] / g.count : 0);
  }
  auto memory = share.memory + share.fixed_memory;
  if (memory > 0) k = std::min(k, room.memory / memory);
  for (auto [place, amount] : share.extra) k = std::min(k, room.extra[place] / amount);
  if (share.whole_node || share.whole_memory || share.once_per_node)
    k = std::min<std::int64_t>(k, 1);
  return std::max<std::int64_t>(k, 0);
}

void take(Room& room, const Share& share) {
  if (share.whole_node) {
    room.gpu_sum = room.cpus = 0;
    std::fill(room.gpus.begin(), room.gpus.end(), 0);
  }
  room.idle = false;
  room.cpus -= divide_up(share.cpus, room.threads) * room.threads;
  auto memory = share.memory + share.fixed_memory;
  room.memory = share.whole_memory ? 0 : room.memory - memory;
  if (share.whole_memory || memory > 0) room.memory_untouched = false;
  room.gpu_sum = std::max<std::int64_t>(room.gpu_sum - share.gpu_sum, 0);
  for (auto [place, amount] : share.extra) room.extra[place] -= amount;
  for (const auto& g : share.gpus) {
    auto left = g.count;
    for (std::size_t t = 0; t < room.gpus.size() && left > 0; ++t) {
      if (g.type != kAnyType && g.type != t) continue;
      auto n = std::min(left, room.gpus[t]);
      room.gpus[t] -= n;
      left -= n;
    }
  }
}

// The part of a spread job's share that goes with some of its GPUs.
Share part(const Share& whole, std::int64_t gpus) {
  Share share = whole;
  share.gpu_sum = gpus;
  share.gpus = {{whole.gpus.empty() ? kAnyType : whole.gpus.front().type, gpus}};
  share.cpus = std::max<std::int64_t>(1, divide_up(whole.cpus * gpus, whole.gpu_sum));
  share.memory = divide_up(whole.memory * gpus, whole.gpu_sum);
  return share;
}

ShapeBook::ShapeBook(const Snapshot& snapshot, const Rooms& rooms, PodWishes* pods)
    : s_(snapshot), rooms_(rooms), pods_(pods) {
  classify_rooms();
  for (const auto& r : s_.reservations) {
    if (!r.active && r.start && *r.start > s_.time) future_.push_back(&r);
  }
  std::sort(future_.begin(), future_.end(),
            [](const auto* a, const auto* b) { return *a->start < *b->start; });
}

void ShapeBook::classify_rooms() {
  std::map<std::vector<std::int64_t>, std::uint32_t> known;
  class_of_.resize(rooms_.nodes.size());
  for (std::uint32_t i = 0; i < rooms_.nodes.size(); ++i) {
    const auto& r = rooms_.nodes[i];
    std::vector<std::int64_t> key = {
        r.open, r.reserved, r.idle, std::int64_t{r.threads}, r.cpus, r.memory, r.memory_untouched};
    key.insert(key.end(), r.gpus.begin(), r.gpus.end());
    key.insert(key.end(), r.extra.begin(), r.extra.end());
    auto [it, fresh] = known.emplace(std::move(key), class_room_.size());
    if (fresh) class_room_.push_back(i);
    class_of_[i] = it->second;
  }
}

// How many of the reservations to come a workload that starts now would run into.
std::size_t ShapeBook::horizon(const Workload& w) const {
  auto limit = w.time_limit.get();
  if (!limit && !w.queues.empty()) {
    if (auto q = s_.find_queue(w.queues.front())) limit = s_.queue(*q).max_time.get();
  }
  std::size_t n = 0;
  while (n < future_.size() && (!limit || s_.time + *limit > *future_[n]->start)) ++n;
  return n;
}

// Pods that the filters treat alike are one shape; so are those of different templates that ask for
// the same and may use the same nodes.
std::uint32_t ShapeBook::pod_shape(model::WorkloadId id) {
  auto [known, is_new] = shape_by_key_.emplace(pods_->likeness(id), 0);
  if (!is_new) return known->second;
  auto wish = pods_->wish(id, rooms_);
  std::string nodes(wish.member.begin(), wish.member.end());
  auto [pool, new_pool] = pool_by_key_.emplace(std::move(nodes), pools.size());
  if (new_pool) pools.push_back(sum_up(std::move(wish.member)));
  const auto place = pool->second;
  const auto& queues = s_.workload(id).queues;
  const auto queue = queues.empty() ? std::string() : queues.front().str();
  auto same = std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) {
    return s.text == wish.text && s.queue == queue && s.share == wish.share &&
           s.pools.front() == place;
  });
  known->second = static_cast<std::uint32_t>(same - shapes.begin());
  if (same != shapes.end()) return known->second;
  Shape shape;
  shape.share = std::move(wish.share);
  shape.max_nodes = 1;
  shape.pools = {place};
  shape.text = std::move(wish.text);
  shape.queue = queue;
  shape.gpus = static_cast<std::uint64_t>(shape.share.gpu_sum);
  shapes.push_back(std::move(shape));
  return known->second;
}

std::uint32_t ShapeBook::shape_of(model::WorkloadId id) {
  const auto& w = s_.workload(id);
  if (w.pod && pods_) return pod_shape(id);
  const auto& r = w.request;
  std::string key;
  append(key, w.queues.size());
  for (auto q : w.queues) append(key, q.id());
  append(key, w.reservation.id());
  append(key, horizon(w));
  append(key, r.min_nodes);
  append(key, r.max_nodes.value_or(0));
  append(key, r.cpus);
  append(key, r.tasks.value_or(0));
  append(key, r.tasks_per_node.value_or(0));
  append(key, r.min_cpus_per_node.value_or(0));
  append(key, r.sockets_per_node.value_or(0));
  append(key, r.cpus_per_gpu.value_or(0));
  append(key, static_cast<std::uint64_t>(r.memory_per));
  append(key, static_cast<std::uint64_t>(r.memory.value));
  append(key, static_cast<std::uint64_t>(r.memory_per_gpu.value_or(Bytes{-1}).value));
  append(key, static_cast<std::uint64_t>(r.sharing));
  append(key, r.gres_per_job);
  append(key, r.gres_per_node);
  append(key, r.gres_per_socket);
  append(key, r.gres_per_task);
  append(key, r.required_nodes);
  if (r.excluded_nodes) append(key, *r.excluded_nodes);
  for (Symbol name : {model::names::kCpu, model::names::kMemory, model::names::kGresGpu}) {
    append(key, static_cast<std::uint64_t>(r.totals.get(name).value_or(-1)));
  }
  key += r.features;
  auto [it, fresh] = shape_by_key_.emplace(std::move(key), shapes.size());
  if (fresh) shapes.push_back(make_shape(w));
  return it->second;
}

Shape ShapeBook::make_shape(const Workload& w) {
  const auto& r = w.request;
  Shape shape;
  shape.nodes = std::max(1u, r.min_nodes);
  shape.max_nodes = r.max_nodes.value_or(0);
  shape.gpus = model::gpus_requested(w);
  shape.required = r.required_nodes;
  auto& share = shape.share;
  fill_gpus(w, shape);
  bool exclusive = r.sharing == model::Sharing::kWholeNode;
  for (auto name : w.queues) {
    auto q = s_.find_queue(name);
    exclusive |= q && s_.queue(*q).exclusive;
    if (!shape.queue.empty()) shape.queue += ',';
    shape.queue += name.view();
  }
  share.whole_node = exclusive;
  std::int64_t n = shape.spread ? 1 : shape.nodes;
  auto cpus = std::max<std::int64_t>(
      r.cpus, static_cast<std::int64_t>(r.totals.get(model::names::kCpu).value_or(0)));
  share.cpus = std::max<std::int64_t>({1, divide_up(cpus, n), r.min_cpus_per_node.value_or(0),
                                       r.cpus_per_gpu.value_or(0) * share.gpu_sum});
  fill_memory(w, shape);
  shape.text = describe(shape, w);
  add_pools(w, shape);
  return shape;
}

void ShapeBook::add_gpus(Share& share, const std::vector<model::GresCount>& list,
                         std::int64_t times) const {
  for (const auto& g : list) {
    if (g.name != model::names::kGpu) continue;
    std::size_t type = kAnyType;
    if (!g.type.empty()) {
      auto it = std::find(rooms_.types.begin(), rooms_.types.end(), g.type);
      type = static_cast<std::size_t>(it - rooms_.types.begin());  // one past: a type nobody has
    }
    auto count = static_cast<std::int64_t>(g.count) * times;
    share.gpus.push_back({type, count});
    share.gpu_sum += count;
  }
}

void ShapeBook::fill_gpus(const Workload& w, Shape& shape) const {
  const auto& r = w.request;
  auto& share = shape.share;
  auto n = std::int64_t{shape.nodes};
  add_gpus(share, r.gres_per_node, 1);
  if (share.gpu_sum == 0 && model::gpu_count(r.gres_per_socket) > 0) {
    add_gpus(share, r.gres_per_socket, r.sockets_per_node.value_or(1));
  }
  if (share.gpu_sum == 0 && model::gpu_count(r.gres_per_task) > 0) {
    // Without a number of tasks per node the tasks go wherever there is room.
    auto tasks = std::int64_t{r.tasks.value_or(shape.nodes)};
    shape.spread = !r.tasks_per_node && tasks > 1 && shape.max_nodes != 1;
    auto on_node = r.tasks_per_node ? std::int64_t{*r.tasks_per_node} : divide_up(tasks, n);
    add_gpus(share, r.gres_per_task, shape.spread ? tasks : on_node);
  }
  if (share.gpu_sum == 0 && model::gpu_count(r.gres_per_job) > 0) {
    add_gpus(share, r.gres_per_job, 1);
    shape.spread = shape.max_nodes != 1;
  }
  if (share.gpu_sum == 0) {
    share.gpu_sum = divide_up(static_cast<std::int64_t>(shape.gpus), n);
    share.gpus = {{kAnyType, share.gpu_sum}};
  }
}

void ShapeBook::fill_memory(const Workload& w, Shape& shape) const {
  if (!rooms_.memory_counts) return;
  const auto& r = w.request;
  auto& share = shape.share;
  auto total = static_cast<std::int64_t>(r.totals.get(model::names::kMemory).value_or(0));
  if (r.memory_per_gpu) {
    share.memory = r.memory_per_gpu->value * share.gpu_sum;
  } else if (r.memory_per == MemoryPer::kGpu) {
    share.memory = r.memory.value * share.gpu_sum;
  } else if (r.memory_per == MemoryPer::kCpu) {
    share.memory = r.memory.value * share.cpus;
  } else if (r.memory_per == MemoryPer::kNode && r.memory.value > 0) {
    (shape.spread ? share.fixed_memory : share.memory) = r.memory.value;
  } else if (r.memory_per == MemoryPer::kNode && s_.config) {
    share.whole_memory = true;
  } else {
    share.memory = divide_up(total, shape.spread ? 1 : shape.nodes);
  }
}

std::string ShapeBook::describe(const Shape& shape, const Workload& w) const {
  const auto& share = shape.share;
  std::string text;
  if (!shape.spread && shape.nodes > 1) text = fmt::format("{} nodes x ", shape.nodes);
  for (const auto& g : share.gpus) {
    if (&g != share.gpus.data()) text += " + ";
    bool typed = g.type < rooms_.types.size() && !rooms_.types[g.type].empty();
    text += fmt::format("{} gpu", g.count);
    if (typed) text.append(":").append(rooms_.types[g.type].view());
    if (g.type != kAnyType && g.type >= rooms_.types.size()) text += " of a type no node has";
  }
  if (shape.spread) {
    text += shape.max_nodes == 0             ? std::string(" on any nodes")
            : shape.max_nodes == shape.nodes ? fmt::format(" on {} nodes", shape.nodes)
                                             : fmt::format(" on at most {} nodes", shape.max_nodes);
  }
  if (share.whole_node) {
    text += ", whole nodes";
  } else {
    text += fmt::format(", {} cpu", share.cpus);
  }
  if (share.whole_memory) text += ", all memory";
  auto memory = share.memory + share.fixed_memory;
  if (memory > 0) text.append(", ").append(short_bytes({memory}));
  if (!w.request.features.empty()) text.append(", ").append(w.request.features);
  if (!w.reservation.empty()) text.append(", in ").append(w.reservation.view());
  return text;
}

void ShapeBook::add_pools(const Workload& w, Shape& shape) {
  std::vector<std::vector<Symbol>> choices;
  if (shape.nodes == 1 && !shape.spread) {
    choices.push_back(w.queues);
  } else {
    for (auto q : w.queues) choices.push_back({q});
  }
  for (const auto& queues : choices) {
    std::string key;
    for (auto q : queues) append(key, q.id());
    append(key, w.reservation.id());
    append(key, horizon(w));
    if (w.request.excluded_nodes) append(key, *w.request.excluded_nodes);
    key += w.request.features;
    auto [it, fresh] = pool_by_key_.emplace(std::move(key), pools.size());
    if (fresh) pools.push_back(make_pool(w, queues));
    shape.pools.push_back(it->second);
  }
}

Pool ShapeBook::make_pool(const Workload& w, const std::vector<Symbol>& queues) {
  std::vector<bool> member(s_.nodes.size());
  for (auto name : queues) {
    auto id = s_.find_queue(name);
    if (!id) continue;
    const auto& q = s_.queue(*id);
    if (q.state == model::QueueState::kDown || q.state == model::QueueState::kInactive) continue;
    for (auto n : q.nodes) member[n.index] = true;
  }
  const auto* own = w.reservation.empty() ? nullptr : s_.find_reservation(w.reservation);
  std::vector<bool> own_nodes(s_.nodes.size());
  if (own && own->active) {
    for (auto n : own->nodes) own_nodes[n.index] = true;
  }
  for (std::size_t i = 0; i < horizon(w); ++i) {
    if (future_[i] == own) continue;
    for (auto n : future_[i]->nodes) member[n.index] = false;
  }
  if (w.request.excluded_nodes) {
    for (auto n : *w.request.excluded_nodes) member[n.index] = false;
  }
  const auto& features = w.request.features;
  bool simple = features.find_first_of("[](){}*!") == std::string::npos;
  if (!simple) unread_features.insert(features);
  for (std::uint32_t i = 0; i < member.size(); ++i) {
    if (!member[i]) continue;
    const auto& room = rooms_.nodes[i];
    bool allowed = w.reservation.empty() ? !room.reserved : bool{own_nodes[i]};
    member[i] = room.open && allowed && (!simple || has_features(s_.nodes[i], features));
  }
  return sum_up(std::move(member));
}

Pool ShapeBook::sum_up(std::vector<bool> member) const {
  Pool pool;
  pool.extra.resize(rooms_.extras.size());
  std::vector<std::int64_t> count(class_room_.size());
  for (std::uint32_t i = 0; i < member.size(); ++i) {
    if (!member[i]) continue;
    ++count[class_of_[i]];
    pool.gpus += rooms_.nodes[i].gpu_sum;
    pool.cpus += rooms_.nodes[i].cpus;
    pool.memory += rooms_.nodes[i].memory;
    for (std::size_t e = 0; e < pool.extra.size(); ++e) pool.extra[e] += rooms_.nodes[i].extra[e];
  }
  for (std::uint32_t c = 0; c < count.size(); ++c) {
    if (count[c] > 0) pool.classes.emplace_back(class_room_[c], count[c]);
  }
  pool.member = std::move(member);
  return pool;
}

}  // namespace schedlens::diagnose::fitting
