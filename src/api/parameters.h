// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parameters of a request, read as what they are. What is wrong fails with the parameter's
// name.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/filter.h"
#include "base/result.h"
#include "base/units.h"
#include "http/message.h"

namespace schedlens::api {

// "state=pending,running" and "state=pending&state=running" are the same.
Words list_of(const http::Request& request, std::string_view name);
Result<std::optional<std::uint64_t>> number_of(const http::Request& request, std::string_view name);
// Absent is absent; anything but true and false is refused.
Result<std::optional<bool>> switch_of(const http::Request& request, std::string_view name);
// Seconds since 1970, or 2026-11-30T03:39:21Z.
Result<std::optional<Timestamp>> time_of(const http::Request& request, std::string_view name);

}  // namespace schedlens::api
