// SPDX-License-Identifier: Apache-2.0
#pragma once
// The open files of a Reader, and the series each of them knows.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "memory/reader.h"
#include "memory/sqlite.h"

namespace schedlens::memory {

struct OpenFile {
  StoreFile file;
  std::unique_ptr<Database> database;
  std::uint64_t inode = 0;
  std::vector<SeriesKey> series;  // by their number in the file, from 1
  // Reads those that were added since.
  Status read_series();
};

struct Reader::Files {
  std::filesystem::path directory;
  std::map<std::string, OpenFile> open;  // by name
  std::set<std::string> problems;

  // Those of a kind that may hold something of the time.
  Result<std::vector<StoreFile>> of_kind(FileKind kind, TimeRange time) const;
  // Null when there is nothing to read, or it cannot be read: then it is a problem.
  OpenFile* get(const StoreFile& file);
  void problem(OpenFile& file, const Error& error);
};

}  // namespace schedlens::memory
