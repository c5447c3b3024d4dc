// SPDX-License-Identifier: Apache-2.0
#pragma once
// Looks through every file of a data directory, to the last point. Beside a server that writes, or
// without one; nothing is changed.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/directory.h"

namespace schedlens::memory {

struct CheckedFile {
  StoreFile file;
  std::uint64_t series = 0;
  std::uint64_t entries = 0;  // points, days of hours of a series, records or keys, by its kind
  // What is wrong with it, the first few; each names the file. Empty: it is whole.
  std::vector<std::string> problems;
};

// Hands on the files one by one, by kind and day. Fails only when there is no such directory.
Status check_files(const std::filesystem::path& directory,
                   const std::function<void(const CheckedFile&)>& take);

}  // namespace schedlens::memory
