// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers and durations as they stand in rule files.

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace schedlens::alert {

// "90s", "5m", "2h", "7d", "1h30m"; the error says only what is wrong with the text.
Result<Seconds> parse_span(std::string_view text);
std::string span_text(Seconds span);  // "1h30m", as Prometheus reads it too

// "0.15", "15%" (0.15), "10m" (600): what a value is held against.
Result<double> parse_amount(std::string_view text);

}  // namespace schedlens::alert
