// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pods and Kubernetes nodes in the words of kubectl.

#include <string>
#include <utility>
#include <vector>

#include "cli/style.h"
#include "diagnose/owner_chain.h"
#include "model/quantities.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// "cpu 4, memory 16 GiB, nvidia.com/gpu 8"
std::string quantities(const model::Quantities& q);

// "owner Job/train, priority 1000 (high), scheduler default-scheduler"
std::string who_sentence(const model::Workload& pod);
// "Job/train"; "-" for a pod without a controller.
std::string owner_of(const model::Workload& pod);
// "Job/train, group ring 2/4": of at least four pods two exist.
std::string owner_and_group(const model::Workload& pod, const diagnose::GroupCounts& groups);

// Label and text of each line that tells of a pod beyond what every workload has.
std::vector<std::pair<std::string, std::string>> pod_facts(const model::Snapshot& snapshot,
                                                           const model::Workload& pod);
// The same of a node: taints, conditions that are not as they should be, unhealthy devices.
std::vector<std::pair<std::string, std::string>> node_facts(const model::Node& node, Timestamp now);

// Pods that wait without existing, because their owner was not allowed to make them; "" for none.
std::string withheld_lines(const model::Snapshot& snapshot, const Style& style);

// `schedlens queue` over pods.
std::string pod_table(const model::Snapshot& snapshot,
                      const std::vector<std::string>& causes_by_row,
                      const std::vector<model::WorkloadId>& shown, const Style& style);

}  // namespace schedlens::cli
