// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small Kubernetes clusters whose GPUs are counted, for tests.

#include <cstdint>
#include <string_view>

#include "diagnose/fragmentation.h"
#include "diagnose/test_pods.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::diagnose::testing {

inline const Symbol kAmdName{"amd.com/gpu"};

// The nodes' device pools and the pods' requests as the Kubernetes source fills them.
struct Fleet : Pods {
  using Pods::Pods;

  static Draft gpus(std::int64_t n) {
    return draft().gpu(n).cpu(n).ask(model::names::kKubeMemory, n * kGiB);
  }
  static Draft tolerating(Draft d, std::string_view key) {
    d.spec.tolerations.push_back(
        {Symbol(key), model::TolerationOperator::kExists, "", model::TaintEffect::kNone});
    return d;
  }

  Fragmentation measure() {
    model::Queue queue;
    queue.name = Symbol("default-scheduler");
    queue.state = model::QueueState::kUp;
    for (std::uint32_t i = 0; i < s.nodes.size(); ++i) {
      auto& node = s.nodes[i];
      queue.nodes.push_back({i});
      const auto& has = node.object->allocatable;
      const auto total = has.get(kGpuName) + has.get(kAmdName);
      if (total > 0)
        node.gres.push_back({model::names::kGpu, {}, static_cast<std::uint64_t>(total), 0, {}, ""});
      if (node.object->unschedulable) node.flags.set(model::NodeFlag::kDrain);
    }
    s.queues = {queue};
    for (auto& w : s.workloads) {
      w.queues = {queue.name};
      auto& r = w.request;
      for (const auto& item : w.pod->request.items()) {
        if (item.name.view().find('/') == std::string_view::npos) continue;
        auto name = item.name.view().ends_with("/gpu") ? model::names::kGpu : item.name;
        r.gres_per_node.push_back({name, {}, static_cast<std::uint64_t>(item.amount)});
      }
      const auto gpus = w.pod->request.get(kGpuName) + w.pod->request.get(kAmdName);
      r.totals.set(model::names::kCpu,
                   static_cast<double>(w.pod->request.get(model::names::kKubeCpu)) / 1000);
      r.totals.set(model::names::kMemory,
                   static_cast<double>(w.pod->request.get(model::names::kKubeMemory)));
      r.totals.set(model::names::kGresGpu, static_cast<double>(gpus));
      if (w.allocation.nodes.empty()) continue;
      w.allocation.totals = r.totals;
      auto& node = s.nodes[w.allocation.nodes.front().index];
      if (gpus > 0) *node.gres.front().used += static_cast<std::uint64_t>(gpus);
    }
    ready();
    return fragmentation(s);
  }
};

}  // namespace schedlens::diagnose::testing
