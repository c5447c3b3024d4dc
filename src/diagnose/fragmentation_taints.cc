// SPDX-License-Identifier: Apache-2.0
#include "diagnose/fragmentation_taints.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "diagnose/constraint_list.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::diagnose::fitting {

using model::Snapshot;
using model::Taint;
using model::TaintEffect;

UsualTolerations::UsualTolerations(const Snapshot& snapshot) {
  find_taints(snapshot);
  cluster_.tolerate.resize(taints_.size());
  queues_.resize(snapshot.queues.size(), cluster_);
  std::unordered_map<const model::PodSpec*, std::vector<std::size_t>> known;
  for (const auto& w : snapshot.workloads) {
    const bool held = model::holds_resources(w);
    if (!w.pod || (!held && !model::is_pending(w)) || model::gpus_requested(w) == 0) continue;
    auto [at, is_new] = known.try_emplace(w.pod->spec.get());
    for (std::size_t t = 0; is_new && t < taints_.size(); ++t) {
      if (model::tolerates(w.pod->spec->tolerations, taints_[t])) at->second.push_back(t);
    }
    const auto& tolerated = at->second;
    auto add = [&](Habit& habit) {
      ++habit.pods;
      for (auto t : tolerated) ++habit.tolerate[t];
    };
    add(cluster_);
    for (Symbol name : w.queues) {
      if (auto id = snapshot.find_queue(name)) add(queues_[id->index]);
    }
  }
}

void UsualTolerations::find_taints(const Snapshot& snapshot) {
  of_node_.resize(snapshot.nodes.size());
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    const auto& node = snapshot.nodes[i];
    if (!node.object || model::gpus_total(node) == 0 || !model::in_service(node)) continue;
    for (const auto& taint : node.object->taints) {
      if (taint.effect == TaintEffect::kPreferNoSchedule) continue;
      auto same = std::find_if(taints_.begin(), taints_.end(), [&](const Taint& t) {
        return t.key == taint.key && t.value == taint.value && t.effect == taint.effect;
      });
      const auto place = static_cast<std::uint32_t>(same - taints_.begin());
      if (same == taints_.end()) {
        taints_.push_back(taint);
        nodes_with_.push_back(0);
        names_resource_.push_back(true);
      }
      of_node_[i].push_back(place);
      ++nodes_with_[place];
      if (!node.object->allocatable.find(taint.key)) names_resource_[place] = false;
    }
  }
}

bool UsualTolerations::usual(const Habit& habit, std::size_t taint) const {
  return habit.pods > 0 ? 2 * habit.tolerate[taint] >= habit.pods : names_resource_[taint];
}

const UsualTolerations::Habit& UsualTolerations::habit(std::uint32_t queue) const {
  return queues_[queue].pods > 0 ? queues_[queue] : cluster_;
}

bool UsualTolerations::barred(std::uint32_t queue, std::uint32_t node) const {
  const auto& list = of_node_[node];
  return std::any_of(list.begin(), list.end(),
                     [&](std::uint32_t taint) { return !usual(habit(queue), taint); });
}

std::string UsualTolerations::text(std::uint32_t queue) const {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < taints_.size(); ++t) {
    if (usual(habit(queue), t)) names.push_back(model::to_text(taints_[t]));
  }
  return names.empty() ? "" : fmt::format("tolerates {}", fmt::join(names, ", "));
}

std::vector<std::string> UsualTolerations::unsure() const {
  std::vector<std::string> list;
  for (std::size_t t = 0; t < taints_.size(); ++t) {
    if (usual(cluster_, t) || cluster_.tolerate[t] == 0) continue;
    list.push_back(fmt::format(
        "{} of {} GPU pods tolerate the taint {} of {}; free GPUs behind it count as stranded, "
        "since most do not",
        cluster_.tolerate[t], cluster_.pods, model::to_text(taints_[t]),
        plural(nodes_with_[t], "node")));
  }
  return list;
}

}  // namespace schedlens::diagnose::fitting
