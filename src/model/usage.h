// SPDX-License-Identifier: Apache-2.0
#pragma once
// What pods, nodes and GPUs really use, as opposed to what pods request. Measured now and then by
// others, so every value carries the moment it is of; what nobody measured is absent.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/ids.h"

namespace schedlens::model {

// Who measured it.
enum class UsageView : std::uint8_t {
  kMetricsApi,       // metrics.k8s.io
  kKubeletResource,  // a kubelet's /metrics/resource
  kKubeletSummary,   // its /stats/summary
  kCadvisor          // its /metrics/cadvisor
};
std::string_view view_name(UsageView view);  // "metrics_api"

struct Use {
  std::optional<double> cpu;         // cores, the mean over the window
  std::optional<Bytes> memory;       // the working set: what the kernel could not take back
  std::optional<Timestamp> sampled;  // the end of the window
  std::optional<Seconds> window;
  UsageView view = UsageView::kMetricsApi;
};

struct PodUse {
  WorkloadId pod;
  Use use;
};
struct NodeUse {  // with all that is not in pods
  NodeId node;
  Use use;
};

// One GPU, or one MIG instance of one.
struct GpuUse {
  std::string uuid;  // of the whole device
  std::optional<NodeId> node;
  std::string index;         // on its node: "0"
  std::string type;          // "NVIDIA H100 80GB HBM3"
  Symbol mig_profile;        // "1g.10gb"; empty for a whole device
  std::string mig_instance;  // its number on the device

  // 0 to 1: the time in which something ran on it, or of a MIG instance the activity of its
  // engines, as nothing else is measured there.
  std::optional<double> busy;
  // The most that was seen of it, since then.
  std::optional<double> busiest;
  std::optional<Timestamp> watched_since;
  std::optional<Bytes> memory, memory_total;
  std::optional<std::uint32_t> last_xid;  // the last error the driver named; 0: none
  std::optional<Timestamp> sampled;

  // Whoever measured it knows which pods hold devices; otherwise pods says nothing.
  bool pods_known = false;
  // Several where they take turns: the values are of all of them together.
  std::vector<WorkloadId> pods;
};

struct Usage {
  // Absent where nobody was asked, or nobody ever answered. By pod, by node, by node and device.
  std::optional<std::vector<PodUse>> pods;
  std::optional<std::vector<NodeUse>> nodes;
  std::optional<std::vector<GpuUse>> gpus;
  // The cluster was asked for its Metrics API and has none.
  bool no_metrics_api = false;

  const Use* of_pod(WorkloadId pod) const;
  const Use* of_node(NodeId node) const;
};

}  // namespace schedlens::model
