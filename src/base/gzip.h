// SPDX-License-Identifier: Apache-2.0
#pragma once
// gzip, as files and HTTP bodies use it. Any thread.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace schedlens {

bool is_gzip(std::string_view data);

// level 1 (fast) to 9 (small)
std::string gzip(std::string_view data, int level);

// Fails on damaged or truncated data and when the result would be larger than max_size.
Result<std::string> gunzip(std::string_view data, std::size_t max_size);

}  // namespace schedlens
