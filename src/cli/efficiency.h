// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens efficiency`: what every GPU is doing, and what is held or free and of no use; of a
// server also what it has counted.

#include <string>
#include <vector>

#include "cli/style.h"
#include "diagnose/efficiency.h"
#include "diagnose/gpu_ledger.h"
#include "metrics/efficiency_counts.h"
#include "model/snapshot.h"

namespace schedlens::cli {

std::string render_efficiency(const model::Snapshot& snapshot, const diagnose::GpuLedger& ledger,
                              const std::vector<diagnose::EfficiencyFinding>& findings,
                              const metrics::EfficiencyCounts* counts, const Style& style);

}  // namespace schedlens::cli
