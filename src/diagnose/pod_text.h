// SPDX-License-Identifier: Apache-2.0
#pragma once
// Short phrases for what pods ask and for lists that may be long.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/pod_evaluation.h"

namespace schedlens::diagnose {

std::string amount_text(Symbol resource, std::int64_t amount);  // "0.5 cpu", "8 nvidia.com/gpu"
std::string asks_text(const PodAnswer& answer);                 // "64 cpu and 8 nvidia.com/gpu"
// What decides a request: "cpu: init container load asks for more than the containers together".
// Empty where it is the plain sum of the containers.
std::string term_text(const model::RequestTerm& term);
// What counts against the node beyond what the spec asks for; empty where nothing does.
std::string beyond_spec_text(const model::Pod& pod);
// "a, b, c and 4 more"
std::string some_of(const std::vector<std::string>& names, std::size_t most = 3);
std::string some_nodes(const PodCluster& cluster, const std::vector<model::NodeId>& nodes,
                       std::size_t most = 3);
// A resource of the pod's request of which a unit is a GPU or a part of one.
bool is_gpu_resource(const model::Workload& pod, Symbol resource);

}  // namespace schedlens::diagnose
