// SPDX-License-Identifier: Apache-2.0
#pragma once
// Brings a data directory in order while no server writes to it: files of older formats to this
// one, points of days that are over into chunks and hours, small chunks into larger ones, old files
// away, and what is left without empty pages. A server does all of it but the last by itself.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/store.h"

namespace schedlens::memory {

struct CompactedFile {
  std::filesystem::path path;
  std::uint64_t before = 0, after = 0;  // bytes; `after` is 0 for one that was dropped
  bool dropped = false;
  std::string problem;  // why it is as it was; names the file
};

struct Compaction {
  std::vector<CompactedFile> files;  // by kind and day
  std::vector<std::filesystem::path> set_aside;
};

// Of the options the limits count; a limit of 0 drops nothing. A file that is being rewritten needs
// its size again on the disk for a moment. Fails when there is no such directory, when a server
// writes to it, and on a file of a newer schedlens.
Result<Compaction> compact(const std::filesystem::path& directory, StoreOptions options,
                           const os::Clock& clock);

}  // namespace schedlens::memory
