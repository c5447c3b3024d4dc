// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens efficiency` and /api/v1/efficiency as a document.

#include <optional>
#include <string_view>
#include <vector>

#include "api/view.h"
#include "base/json_writer.h"
#include "base/result.h"
#include "diagnose/efficiency.h"
#include "diagnose/gpu_ledger.h"
#include "metrics/efficiency_counts.h"

namespace schedlens::api {

// counts: null where nobody counts, as no server answers.
void write_efficiency(JsonWriter& json, const View& view, const diagnose::GpuLedger& ledger,
                      const std::vector<diagnose::EfficiencyFinding>& findings,
                      const metrics::EfficiencyCounts* counts);

// The counts of such a document of a server; nothing where it has none.
Result<std::optional<metrics::EfficiencyCounts>> read_counts(std::string_view document);

}  // namespace schedlens::api
