// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small files, whole. The errors name the file.

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace schedlens {

Result<std::string> read_file(const std::filesystem::path& path);

// Under its name only once it is whole: whoever reads it sees all of it, or what was there before.
Status write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace schedlens
