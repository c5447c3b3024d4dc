// SPDX-License-Identifier: Apache-2.0
#pragma once
// The files of a data directory: their names, the lock that lets one process write, and how a file
// is set aside or dropped. docs/store.md describes all of it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "memory/moment.h"

namespace schedlens::memory {

enum class FileKind : std::uint8_t { kState, kRecords, kRollup, kSeries };

struct StoreFile {
  FileKind kind = FileKind::kState;
  Day day;  // its first; 1970-01-01 for the state
  std::filesystem::path path;
  std::uint64_t bytes = 0;  // with its log
  // The first moment that is not filed in it.
  Day end() const;
};

std::string file_name(FileKind kind, Day day);
std::optional<StoreFile> parse_file_name(std::string_view name);

// By kind, then by day. Fails when there is no such directory.
Result<std::vector<StoreFile>> list_files(const std::filesystem::path& directory);

// Files that were set aside because they were damaged.
std::vector<std::filesystem::path> set_aside_files(const std::filesystem::path& directory);

// Renames a damaged file, and its log with it, so that nobody meets it again; logs that it did.
Status set_aside(const std::filesystem::path& file, std::string_view why, Timestamp now);

// The file and its log.
Status drop_file(const std::filesystem::path& file);

// Held by whoever writes, as long as this lives.
class DirectoryLock {
 public:
  // Makes the directory where there is none. Fails at once when another process has the lock.
  static Result<DirectoryLock> take(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

 private:
  explicit DirectoryLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace schedlens::memory
