// SPDX-License-Identifier: Apache-2.0
#pragma once
// Moments, durations and sizes as people read them.

#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace schedlens {

// "2026-11-30T03:39:21Z"
std::string iso8601(Timestamp moment);
// In the machine's time zone: "2026-11-30 04:39:21".
std::string local_time(Timestamp moment);
// The reverse of the form that Slurm prints, "2026-11-30T03:39:21", read in the machine's time
// zone; nothing for anything else.
std::optional<Timestamp> parse_local_time(std::string_view text);
// The reverse of iso8601(); nothing for anything else.
std::optional<Timestamp> parse_iso8601(std::string_view text);

// The two largest units: "42s", "5m10s", "3h12m", "6d4h"; negative durations keep their sign.
std::string short_duration(Seconds duration);

// Binary units, at most one decimal: "512 MiB", "1.5 TiB".
std::string short_bytes(Bytes bytes);

}  // namespace schedlens
