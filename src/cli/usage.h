// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens usage`: what pods request against what they use; and the same of one pod or node as
// lines of their screens.

#include <string>
#include <utility>
#include <vector>

#include "api/usage_view.h"
#include "cli/style.h"
#include "diagnose/usage.h"
#include "model/snapshot.h"

namespace schedlens::cli {

std::string render_usage(const model::Snapshot& snapshot, const diagnose::UsageReport& report,
                         const api::ChosenUsage& chosen, const Style& style);

// Label and text of each line.
std::vector<std::pair<std::string, std::string>> pod_use_facts(const model::Snapshot& snapshot,
                                                               model::WorkloadId pod);
std::vector<std::pair<std::string, std::string>> node_use_facts(const model::Snapshot& snapshot,
                                                                model::NodeId node);

}  // namespace schedlens::cli
