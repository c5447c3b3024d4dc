// SPDX-License-Identifier: Apache-2.0
#pragma once
// /api/v1/observed: what a server has seen over time, so that a command can make forecasts and
// comparisons from it.

#include <string_view>

#include "base/json_writer.h"
#include "base/result.h"
#include "diagnose/observed.h"

namespace schedlens::api {

void write_observed(JsonWriter& json, const diagnose::Observed& observed);
Result<diagnose::Observed> read_observed(std::string_view document);

}  // namespace schedlens::api
