// SPDX-License-Identifier: Apache-2.0
#pragma once
// `sdiag`: the scheduler's vitals. Sections that a version lacks leave their values absent.

#include <string_view>

#include "base/result.h"
#include "model/scheduler.h"

namespace schedlens::slurm {

Result<model::SchedulerVitals> parse_sdiag(std::string_view text);

}  // namespace schedlens::slurm
