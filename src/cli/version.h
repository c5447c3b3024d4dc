// SPDX-License-Identifier: Apache-2.0
#pragma once
// The version of this program; the build sets it.

#include <string_view>

namespace schedlens::cli {

extern const std::string_view kVersion;

}  // namespace schedlens::cli
