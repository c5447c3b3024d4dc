// SPDX-License-Identifier: Apache-2.0
#include "kube/spec_pool.h"

#include <algorithm>

#include "kube/content_hash.h"

namespace schedlens::kube {
std::size_t content_hash(const model::PodSpec& spec) {
  ContentHash hash;
  hash.add(spec.scheduler);
  hash.add(spec.priority_class);
  hash.add(spec.runtime_class);
  hash.number((spec.never_preempts ? 1 : 0) + (spec.host_network ? 2 : 0));
  hash.add(spec.node_selector);
  hash.add(spec.node_affinity);
  hash.add(spec.tolerations);
  hash.add(spec.affinity);
  hash.add(spec.anti_affinity);
  hash.add(spec.spread);
  hash.add(spec.host_ports);
  hash.add(spec.request.items());
  hash.add(spec.limit.items());
  for (const auto& time : {spec.run_limit, spec.grace}) {
    hash.number(static_cast<std::uint64_t>(time.value_or(Seconds{-1}).value));
  }
  return hash.value();
}

model::PodSpecPtr SpecPool::share(model::PodSpec spec) {
  const auto hash = content_hash(spec);
  const auto [begin, end] = specs_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    auto known = at->second.lock();
    if (known && *known == spec) return known;
  }
  if (specs_.size() >= sweep_at_) {
    sweep();
    sweep_at_ = std::max<std::size_t>(64, specs_.size() * 2);
  }
  auto made = std::make_shared<const model::PodSpec>(std::move(spec));
  specs_.emplace(hash, made);
  return made;
}

void SpecPool::share_parts(model::Pod& pod) {
  if (!pod.labels.empty()) labels_.share(pod.labels);
  if (pod.owner) owners_.share(pod.owner);
  for (auto& condition : pod.conditions) {
    if (!condition.message->empty()) messages_.share(condition.message);
  }
  if (pod.request == pod.spec->request) pod.request = pod.spec->request;
}

void SpecPool::sweep() {
  std::erase_if(specs_, [](const auto& entry) { return entry.second.expired(); });
}

}  // namespace schedlens::kube
