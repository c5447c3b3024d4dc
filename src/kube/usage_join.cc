// SPDX-License-Identifier: Apache-2.0
#include "kube/usage_join.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "model/pod.h"

namespace schedlens::kube {
namespace {

using model::GpuUse;
using model::NodeId;
using model::Use;
using model::WorkloadId;

// kubelets know a static pod by a uid of their own.
bool is_static(const model::Pod& pod) {
  static const Symbol kNode{"Node"};
  return pod.owner && pod.owner->kind == kNode;
}

// A pod that holds devices asked for them, by a name with a domain or by a claim.
bool asks_for_devices(const model::Pod& pod) {
  if (!pod.resource_claims.empty()) return true;
  return std::any_of(pod.request.items().begin(), pod.request.items().end(), [](const auto& item) {
    return item.amount > 0 && item.name.view().find('/') != std::string_view::npos;
  });
}

int completeness(const Use& use) {
  return use.cpu.has_value() + use.memory.has_value();
}

bool better(const Use& a, const Use& b) {
  if (completeness(a) != completeness(b)) return completeness(a) > completeness(b);
  return a.sampled > b.sampled;
}

class Joiner {
 public:
  explicit Joiner(const model::Snapshot& snapshot) : s_(snapshot) {
    pods_.reserve(s_.workloads.size());
    for (std::uint32_t i = 0; i < s_.workloads.size(); ++i) {
      const auto& w = s_.workloads[i];
      if (w.pod) pods_.emplace(w.pod->ns.str() + '/' + w.name, WorkloadId{i});
    }
    for (std::uint32_t i = 0; i < s_.nodes.size(); ++i) {
      nodes_.emplace(s_.nodes[i].name.view(), NodeId{i});
    }
  }

  void add(const Measured& measured) {
    for (const auto& pod : measured.pods) add_pod(pod);
    for (const auto& node : measured.nodes) {
      const auto at = nodes_.find(node.name);
      if (at != nodes_.end()) keep(node_uses_, at->second, node.use);
    }
  }

  void add(const GpuPage& page) {
    for (const auto& measured : page.gpus) {
      GpuUse gpu = measured.gpu;
      // Two addresses may lead to one exporter.
      if (!gpu.uuid.empty() && !seen_.insert(gpu.uuid + '/' + gpu.mig_instance).second) continue;
      gpu.node = node_of(page, measured);
      gpu.pods.clear();
      for (const auto& holder : measured.holders) add_holder(gpu, holder);
      if (!gpu.node && !gpu.pods.empty()) gpu.node = first_node(gpu.pods.front());
      std::sort(gpu.pods.begin(), gpu.pods.end());
      gpus_.push_back(std::move(gpu));
    }
  }

  std::vector<model::PodUse> pods() const {
    std::vector<model::PodUse> list;
    for (const auto& [id, use] : pod_uses_) list.push_back({id, use});
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.pod < b.pod; });
    return list;
  }
  std::vector<model::NodeUse> nodes() const {
    std::vector<model::NodeUse> list;
    for (const auto& [id, use] : node_uses_) list.push_back({id, use});
    std::sort(list.begin(), list.end(),
              [](const auto& a, const auto& b) { return a.node < b.node; });
    return list;
  }
  std::vector<GpuUse> gpus() {
    std::sort(gpus_.begin(), gpus_.end(), [](const GpuUse& a, const GpuUse& b) {
      if (a.node != b.node) return a.node < b.node;
      if (a.index.size() != b.index.size()) return a.index.size() < b.index.size();
      if (a.index != b.index) return a.index < b.index;
      if (a.uuid != b.uuid) return a.uuid < b.uuid;
      return a.mig_instance < b.mig_instance;
    });
    return std::move(gpus_);
  }

 private:
  void add_pod(const MeasuredPod& pod) {
    const auto at = pods_.find(pod.ns + '/' + pod.name);
    if (at == pods_.end()) return;
    const auto& w = s_.workload(at->second);
    if (!model::holds_resources(w)) return;
    // Its predecessor of the same name.
    if (!pod.uid.empty() && pod.uid != w.pod->uid && !is_static(*w.pod)) return;
    if (pod.use.sampled && w.start && *pod.use.sampled < *w.start) return;
    keep(pod_uses_, at->second, pod.use);
  }

  template <class Id>
  static void keep(std::unordered_map<Id, Use>& uses, Id id, const Use& use) {
    const auto [at, is_new] = uses.try_emplace(id, use);
    if (!is_new && better(use, at->second)) at->second = use;
  }

  // A pod that is over, is somewhere else or is not in the Snapshot (that may be of one namespace)
  // is none that we know to hold the device, and leaves open who does. One that asks for no devices
  // is the exporter itself, as Prometheus names it.
  void add_holder(GpuUse& gpu, const std::string& holder) const {
    const auto at = pods_.find(holder);
    if (at == pods_.end()) {
      gpu.pods_known = false;
      return;
    }
    const auto& w = s_.workload(at->second);
    if (!asks_for_devices(*w.pod)) return;
    const auto& nodes = w.allocation.nodes;
    const bool is_here =
        !gpu.node || std::find(nodes.begin(), nodes.end(), *gpu.node) != nodes.end();
    if (model::holds_resources(w) && is_here) {
      gpu.pods.push_back(at->second);
    } else {
      gpu.pods_known = false;
    }
  }

  std::optional<NodeId> first_node(WorkloadId id) const {
    const auto& nodes = s_.workload(id).allocation.nodes;
    return nodes.empty() ? std::nullopt : std::optional(nodes.front());
  }

  std::optional<NodeId> node_of(const GpuPage& page, const MeasuredGpu& gpu) const {
    const auto at = nodes_.find(page.node.empty() ? gpu.host : page.node);
    return at == nodes_.end() ? std::nullopt : std::optional(at->second);
  }

  const model::Snapshot& s_;
  std::unordered_map<std::string, WorkloadId> pods_;
  std::unordered_map<std::string_view, NodeId> nodes_;
  std::unordered_map<WorkloadId, Use> pod_uses_;
  std::unordered_map<NodeId, Use> node_uses_;
  std::vector<GpuUse> gpus_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::shared_ptr<const model::Usage> join_usage(const LastMeasured& last,
                                               const model::Snapshot& snapshot) {
  auto usage = std::make_shared<model::Usage>();
  usage->no_metrics_api = last.no_metrics_api;
  if (!last.metrics_api && !last.kubelets && !last.gpus) return usage;
  Joiner joiner(snapshot);
  if (last.metrics_api) joiner.add(*last.metrics_api);
  if (last.kubelets) {
    for (const auto& measured : *last.kubelets) joiner.add(measured);
  }
  if (last.gpus) {
    for (const auto& page : *last.gpus) joiner.add(page);
    usage->gpus = joiner.gpus();
  }
  if (last.metrics_api || last.kubelets) {
    usage->pods = joiner.pods();
    usage->nodes = joiner.nodes();
  }
  return usage;
}

}  // namespace schedlens::kube
