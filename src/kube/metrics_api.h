// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Metrics API (metrics.k8s.io), which metrics-server or another program answers behind the API
// server where a cluster has one.

#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/measured.h"

namespace schedlens::kube {

inline constexpr std::string_view kApiGroups = "/apis";  // who is behind the API server

// The group's newest version as a path, "/apis/metrics.k8s.io/v1beta1"; empty where the server has
// no such group.
Result<std::string> find_metrics_api(std::string_view groups);

// A PodMetricsList and a NodeMetricsList. A container of which nothing is known costs its pod
// nothing but its share; a pod without any such container is left out.
Status read_pod_metrics(std::string_view json, Measured& into);
Status read_node_metrics(std::string_view json, Measured& into);

}  // namespace schedlens::kube
