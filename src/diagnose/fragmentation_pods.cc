// SPDX-License-Identifier: Apache-2.0
#include "diagnose/fragmentation_pods.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time_text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/pod_text.h"
#include "model/pod.h"

namespace schedlens::diagnose::fitting {

using model::NodeId;
using model::Pod;
using model::PodSpec;
using model::Snapshot;
using model::Workload;
using model::WorkloadId;

namespace {

bool is_extended(Symbol name) {
  return name.view().find('/') != std::string_view::npos;
}

// Devices that are no GPUs keep their full name in the request.
bool is_gpu_of(const Workload& w, Symbol resource) {
  const auto& devices = w.request.gres_per_node;
  return is_extended(resource) &&
         std::none_of(devices.begin(), devices.end(),
                      [&](const model::GresCount& g) { return g.name == resource; });
}

// "mig", "gpu.shared": a part of a GPU, not the device.
bool is_part(Symbol pool) {
  return pool != model::names::kGpu && !is_extended(pool);
}

std::int64_t free_of(const PodCluster::Column* column, std::uint32_t node) {
  return column ? column->allocatable[node] - column->used[node] : 0;
}

bool counts_beside(const model::Quantities::Item& item) {
  return item.amount > 0 && item.name != model::names::kKubeCpu &&
         item.name != model::names::kKubeMemory && is_scheduled_resource(item.name);
}

}  // namespace

PodWishes::PodWishes(const Snapshot& snapshot)
    : snapshot_(snapshot), evaluation_(snapshot), messages_(snapshot), gates_(snapshot) {
  std::unordered_set<const PodSpec*> seen;
  for (auto id : snapshot.pending()) {
    const auto& w = snapshot.workload(id);
    if (!w.pod || model::gpus_requested(w) == 0 || !seen.insert(w.pod->spec.get()).second) continue;
    for (const auto& item : w.pod->spec->request.items()) {
      if (!counts_beside(item)) continue;
      resources_.insert(item.name);
      if (is_gpu_of(w, item.name)) gpu_resources_.insert(item.name);
    }
  }
}

void PodWishes::fill(Rooms& rooms) const {
  const auto& cluster = evaluation_.cluster();
  rooms.cpu_parts = 1000;
  rooms.extras = {model::names::kKubePods};
  rooms.extras.insert(rooms.extras.end(), resources_.begin(), resources_.end());
  const auto* cpus = cluster.column(model::names::kKubeCpu);
  const auto* memory = cluster.column(model::names::kKubeMemory);
  std::vector<const PodCluster::Column*> extras;
  for (Symbol name : resources_) extras.push_back(cluster.column(name));
  for (std::uint32_t i = 0; i < rooms.nodes.size(); ++i) {
    auto& room = rooms.nodes[i];
    room.cpus = free_of(cpus, i);
    room.memory = free_of(memory, i);
    const auto most = cluster.object({i}).allocatable.get(model::names::kKubePods);
    room.extra = {most - std::int64_t{cluster.pods_on({i})}};
    for (const auto* column : extras) room.extra.push_back(free_of(column, i));
  }
}

// Two pods with the same host port never share a node; nor do those that repel their like.
bool PodWishes::once_per_node(const Pod& pod) {
  if (!pod.spec->host_ports.empty()) return true;
  for (const auto& term : pod.spec->anti_affinity) {
    const auto selection = evaluation_.match().selection(term, pod.ns);
    if (selection.selects(pod.ns, pod.labels) != Answer::kYes) continue;
    const auto& topology = evaluation_.cluster().topology(term.topology_key);
    const auto labelled = std::count_if(topology.of_node.begin(), topology.of_node.end(),
                                        [](std::int32_t value) { return value >= 0; });
    if (labelled == std::ssize(topology.values)) return true;
  }
  return false;
}

std::string PodWishes::likeness(WorkloadId id) {
  return evaluation_.likeness(id) + (once_per_node(*snapshot_.workload(id).pod) ? "/o" : "");
}

Share PodWishes::share(const Workload& w, const Rooms& rooms) const {
  Share share;
  share.gpu_sum = static_cast<std::int64_t>(model::gpus_requested(w));
  share.gpus = {{kAnyType, share.gpu_sum}};
  share.cpus = w.pod->spec->request.get(model::names::kKubeCpu);
  share.memory = w.pod->spec->request.get(model::names::kKubeMemory);
  share.extra = {{0, 1}};
  for (const auto& item : w.pod->spec->request.items()) {
    if (!counts_beside(item)) continue;
    const auto place = std::find(rooms.extras.begin(), rooms.extras.end(), item.name);
    share.extra.emplace_back(place - rooms.extras.begin(), item.amount);
  }
  return share;
}

std::string PodWishes::describe(const Workload& w) const {
  const auto& spec = *w.pod->spec;
  std::vector<std::string> parts;
  const bool one_kind = gpu_resources_.size() == 1;
  if (one_kind) parts.push_back(fmt::format("{} gpu", model::gpus_requested(w)));
  std::vector<std::string> others;
  for (const auto& item : spec.request.items()) {
    if (!counts_beside(item)) continue;
    const bool gpu = gpu_resources_.contains(item.name);
    if (gpu && one_kind) continue;
    (gpu ? parts : others).push_back(amount_text(item.name, item.amount));
  }
  const auto cpus = spec.request.get(model::names::kKubeCpu);
  if (cpus > 0) parts.push_back(amount_text(model::names::kKubeCpu, cpus));
  const auto memory = spec.request.get(model::names::kKubeMemory);
  if (memory > 0) parts.push_back(short_bytes({memory}));
  std::move(others.begin(), others.end(), std::back_inserter(parts));
  for (const auto& label : spec.node_selector) {
    parts.push_back(fmt::format("{}={}", label.key.view(), label.value));
  }
  if (spec.node_affinity) parts.emplace_back("node affinity");
  if (!spec.affinity.empty()) parts.emplace_back("pod affinity");
  if (!spec.anti_affinity.empty()) parts.emplace_back("pod anti-affinity");
  if (!spec.spread.empty()) parts.emplace_back("spread");
  if (!spec.host_ports.empty()) parts.emplace_back("host ports");
  if (!w.pod->volumes.empty()) parts.emplace_back("volumes");
  if (!w.pod->resource_claims.empty()) parts.emplace_back("resource claims");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void PodWishes::note_limits(const Pod& pod, const PodAnswer& answer) {
  const auto& spec = *pod.spec;
  for (const auto& why : answer.unknown_why) unsure_.insert("of a waiting pod: " + why);
  if (!spec.spread.empty()) {
    unsure_.insert(
        "spread constraints are tested as for the next pod alone: of several like it fewer, or on "
        "other nodes more, may fit");
  }
  if (answer.affinity && !spec.affinity.empty()) {
    unsure_.insert(
        "pod affinity is tested against pods that run: where the first of several lands decides "
        "for the others");
  }
  const bool repels = !spec.anti_affinity.empty() && !once_per_node(pod);
  if (repels) {
    unsure_.insert(
        "pod anti-affinity is tested against pods that run: waiting pods that repel each other may "
        "be counted too often");
  }
  if (!spec.host_ports.empty()) {
    unsure_.insert("host ports of waiting pods that differ are not compared with each other");
  }
  if (!pod.volumes.empty()) {
    unsure_.insert("how many volumes a node can still attach is not evaluated");
  }
}

PodWishes::Wish PodWishes::wish(WorkloadId id, const Rooms& rooms) {
  const auto& w = snapshot_.workload(id);
  const auto answer = evaluation_.evaluate(id);
  Wish wish;
  wish.share = share(w, rooms);
  wish.share.once_per_node = once_per_node(*w.pod);
  wish.text = describe(w);
  wish.member.resize(rooms.nodes.size());
  note_limits(*w.pod, answer);
  if (!answer.whole_pod.empty()) return wish;
  const auto room = reasons_of(PodFilter::kNodeResourcesFit);
  for (std::uint32_t i = 0; i < rooms.nodes.size(); ++i) {
    wish.member[i] = rooms.nodes[i].open && answer.failed[i].without(room).empty();
  }
  // The free room there is promised to others.
  for (auto node : answer.taken_by_nominees) wish.member[node.index] = false;
  return wish;
}

bool PodWishes::waits_for_room(WorkloadId id) {
  const auto& pod = *snapshot_.workload(id).pod;
  if (gates_.gate(id, messages_.of(id))) return false;
  if (!pod.group.empty()) {
    ++in_groups_;
    return false;
  }
  const auto name = pod.spec->scheduler;
  if (!name.empty() && name.view() != "default-scheduler") other_schedulers_.insert(name);
  return true;
}

std::vector<std::string> PodWishes::unsure() const {
  std::vector<std::string> list(unsure_.begin(), unsure_.end());
  if (in_groups_ > 0) {
    list.push_back(fmt::format("{} of groups that start together {} not counted as startable",
                               plural(in_groups_, "waiting GPU pod"),
                               in_groups_ == 1 ? "is" : "are"));
  }
  for (Symbol name : other_schedulers_) {
    list.push_back(fmt::format(
        "pods of the scheduler {} are taken to be placed by kube-scheduler's own filters",
        name.view()));
  }
  const auto nominees = evaluation_.cluster().nominees().size();
  if (nominees > 0 && !resources_.empty()) {
    list.push_back(
        fmt::format("{} nominated to a node: what of the room promised to {} is free already "
                    "counts as free",
                    plural(nominees, "waiting pod") + (nominees == 1 ? " is" : " are"),
                    nominees == 1 ? "it" : "them"));
  }
  return list;
}

std::vector<std::string> parts_left_out(const Snapshot& snapshot) {
  std::uint64_t nodes = 0, pods = 0;
  std::set<std::string> names;
  for (const auto& node : snapshot.nodes) {
    bool any = false;
    for (const auto& pool : node.gres) {
      if (!is_part(pool.name) || pool.total == 0) continue;
      any = true;
      names.insert(pool.name.str());
    }
    nodes += any;
  }
  for (auto id : snapshot.pending()) {
    const auto& w = snapshot.workload(id);
    const auto& devices = w.request.gres_per_node;
    pods += model::gpus_requested(w) == 0 &&
            std::any_of(devices.begin(), devices.end(),
                        [](const model::GresCount& g) { return is_part(g.name); });
  }
  std::vector<std::string> list;
  if (nodes > 0) {
    list.push_back(fmt::format("{} {} parts of GPUs ({}): only whole GPUs are counted here",
                               plural(nodes, "node"), nodes == 1 ? "offers" : "offer",
                               fmt::join(names, ", ")));
  }
  if (pods > 0) {
    list.push_back(fmt::format("{} for parts of GPUs only {} not counted",
                               plural(pods, "pod") + (pods == 1 ? " that asks" : " that ask"),
                               pods == 1 ? "is" : "are"));
  }
  return list;
}

}  // namespace schedlens::diagnose::fitting
