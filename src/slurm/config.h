// SPDX-License-Identifier: Apache-2.0
#pragma once
// `scontrol show config`

#include <optional>
#include <string_view>

#include "model/scheduler.h"
#include "slurm/parsed.h"

namespace schedlens::slurm {

// Keys whose values are secrets are left out; options that carry one ("password=...") are masked.
Result<model::SchedulerConfig> parse_config(std::string_view text);

// "22.05.8" as 2205, for comparing; 0 for other texts.
int version_number(std::string_view version);

}  // namespace schedlens::slurm
