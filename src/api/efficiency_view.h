// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens efficiency` and /api/v1/efficiency as a document.

#include <vector>

#include "api/view.h"
#include "base/json_writer.h"
#include "diagnose/efficiency.h"
#include "diagnose/gpu_ledger.h"

namespace schedlens::api {

void write_efficiency(JsonWriter& json, const View& view, const diagnose::GpuLedger& ledger,
                      const std::vector<diagnose::EfficiencyFinding>& findings);

}  // namespace schedlens::api
