// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who is asked what pods and nodes use.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "kube/kubelet_options.h"

namespace schedlens::kube {

enum class KubeletPage : std::uint8_t {
  kNone,
  kResource,  // /metrics/resource: small; CPU is known from the second look on
  kSummary,   // /stats/summary: larger; CPU is known at once
  kCadvisor   // /metrics/cadvisor: the largest
};

struct UsageOptions {
  bool metrics_api = false;
  KubeletPage page = KubeletPage::kNone;
  KubeletOptions kubelets;  // how those are reached
  std::vector<std::string>
      gpus;  // dcgm-exporters; one with {node} or {address} stands for one on each node
  Seconds interval{30};
  friend bool operator==(const UsageOptions&, const UsageOptions&) = default;
  bool any() const { return metrics_api || page != KubeletPage::kNone || !gpus.empty(); }
};

}  // namespace schedlens::kube
