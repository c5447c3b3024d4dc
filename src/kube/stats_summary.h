// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kubelet's /stats/summary. It has taken the differences itself, so that one look is enough.

#include <string_view>

#include "base/result.h"
#include "kube/measured.h"

namespace schedlens::kube {

Result<Measured> read_stats_summary(std::string_view json);

}  // namespace schedlens::kube
