// SPDX-License-Identifier: Apache-2.0
#pragma once
// Builds small Kubernetes clusters of which something is measured.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnose/test_pods.h"
#include "diagnose/usage.h"

namespace schedlens::diagnose::testing {

// A cluster of which something is measured.
struct Measured : Pods {
  model::Usage usage;

  Measured() : Pods(2) {}

  model::WorkloadId pod(std::string_view ns, std::int64_t cores, std::int64_t gpus, int node = 0) {
    auto d = draft();
    d.in(ns).cpu(cores).gpu(gpus).ask(model::names::kKubeMemory, cores * kGiB);
    const auto id = run(node, d);
    auto& totals = s.workloads[id.index].allocation.totals;
    totals.set(model::names::kGresGpu, static_cast<double>(gpus));
    return id;
  }
  void uses(model::WorkloadId id, double cpu, std::int64_t age = 10) {
    if (!usage.pods) usage.pods.emplace();
    model::Use use;
    use.cpu = cpu;
    use.memory = Bytes{kGiB};
    use.sampled = Timestamp{kNow - age};
    usage.pods->push_back({id, use});
  }
  model::GpuUse& device(double busy, std::vector<model::WorkloadId> pods, double memory = 0.1) {
    if (!usage.gpus) usage.gpus.emplace();
    auto& gpu = usage.gpus->emplace_back();
    gpu.index = std::to_string(usage.gpus->size() - 1);
    gpu.uuid = "GPU-" + gpu.index;
    gpu.node = model::NodeId{0};
    gpu.busy = busy;
    gpu.memory = Bytes{static_cast<std::int64_t>(memory * 100) * kGiB};
    gpu.memory_total = Bytes{100 * kGiB};
    gpu.sampled = Timestamp{kNow - 10};
    gpu.pods_known = true;
    gpu.pods = std::move(pods);
    return gpu;
  }
  UsageReport report() {
    k.usage = std::make_shared<model::Usage>(usage);
    ready();
    return compare_usage(s);
  }
};

// Two nodes with all there is to show: a busy and an idle owner, one of whose pods nobody measured,
// a shared device, one that no pod holds, and a MIG instance.
inline Measured sample_usage() {
  Measured c;
  const auto owned = [&](model::WorkloadId id, std::string_view name) {
    c.change_pod(id, [&](model::Pod& pod) {
      pod.owner = model::OwnerReference{Symbol("Job"), std::string(name), "u"};
    });
    return id;
  };
  const auto busy = owned(c.pod("train", 8, 2), "resnet"),
             idle = owned(c.pod("train", 16, 4), "llm");
  const auto infer = c.pod("infer", 2, 1, 1);
  const auto unseen = owned(c.pod("train", 16, 4, 1), "llm");
  c.uses(busy, 6.5);
  c.uses(idle, 0.25, 40);
  c.uses(infer, 1);
  for (int i = 0; i < 2; ++i) c.device(0.9, {busy}, 0.5);
  for (int i = 0; i < 4; ++i) {
    auto& gpu = c.device(0.0, {idle}, 0.9);
    gpu.busiest = 0.01;
    gpu.watched_since = Timestamp{Measured::kNow - 400};
  }
  c.device(0.5, {infer, unseen}).node = model::NodeId{1};
  auto& stray = c.device(0.7, {});
  stray.node = model::NodeId{1};
  stray.last_xid = 31;
  auto& part = c.device(0.3, {infer});
  part.node = model::NodeId{1};
  part.mig_instance = "7";
  part.mig_profile = Symbol("1g.10gb");
  c.usage.nodes.emplace();
  model::Use whole;
  whole.cpu = 7.5;
  whole.memory = Bytes{20 * kGiB};
  whole.sampled = Timestamp{Measured::kNow - 12};
  whole.window = Seconds{15};
  c.usage.nodes->push_back({model::NodeId{0}, whole});
  return c;
}

}  // namespace schedlens::diagnose::testing
