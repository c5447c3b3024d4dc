// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens usage` and /api/v1/usage: which rows are shown, and as what document.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/view.h"
#include "base/json_writer.h"
#include "base/result.h"
#include "diagnose/usage.h"

namespace schedlens::api {

enum class UsageBy : std::uint8_t { kPod, kOwner, kNamespace, kNode };

struct UsageChoice {
  UsageBy by = UsageBy::kOwner;
  std::vector<std::string> namespaces = {};  // empty: all
};

// "pod", "owner", "namespace" or "node"; the error names them.
Result<UsageBy> parse_usage_by(std::string_view word);

struct ChosenUsage {
  UsageBy by = UsageBy::kOwner;
  std::vector<diagnose::UsageRow> rows;
  std::vector<diagnose::UsageFinding> findings;
};
// Fails for nodes of a namespace, as nodes have none, and for a scheduler that is not Kubernetes.
Result<ChosenUsage> choose_usage(const model::Snapshot& snapshot,
                                 const diagnose::UsageReport& report, const UsageChoice& choice);

void write_usage(JsonWriter& json, const View& view, const diagnose::UsageReport& report,
                 const ChosenUsage& chosen);

// What one pod or one node uses, and its devices; null and empty where that is not known.
void write_pod_use(JsonWriter& json, const View& view, model::WorkloadId pod);
void write_node_use(JsonWriter& json, const View& view, model::NodeId node);

}  // namespace schedlens::api
