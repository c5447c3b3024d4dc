// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kubelet's /metrics/resource, or /metrics/cadvisor, which has the same families with more
// labels and more series: what containers, pods and the node have used of CPU since they began, and
// their working set now.
//
// cAdvisor shows the whole tree of control groups. A pod's own group, its parents and its pause
// container come under the names of the families too; whoever adds them all up counts everything
// twice. Only series that name a container are added up. Where a page names none for a pod, the
// pod's own group stands for it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schedlens::kube {

struct Counters {
  std::optional<double> cpu_seconds;  // since it began
  std::optional<double> memory;       // bytes
  std::optional<double> started;      // seconds since 1970
  std::optional<std::int64_t> at_ms;  // when cpu_seconds was measured
};

struct ContainerCounters {
  std::string name;
  std::string id;  // of the control group, on cAdvisor's page
  Counters counters;
};

struct PodCounters {
  std::string ns, name;
  std::vector<ContainerCounters> containers;
  Counters whole;  // of its own group
};

struct ResourcePage {
  std::vector<PodCounters> pods;
  Counters node;
  bool scrape_failed = false;  // the kubelet itself could not measure all
  std::uint64_t unreadable = 0;
};

// Fails when the page has none of the families.
Result<ResourcePage> read_resource_page(std::string_view text);

}  // namespace schedlens::kube
