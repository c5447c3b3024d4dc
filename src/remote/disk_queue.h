// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is to be sent, in files of a directory of its own: first in, first out, bounded, and there
// again after the process ended in any way. docs/remote-write.md describes the files.
//
// What was appended is in the files when append() returns, so that no end of the process takes it;
// the end of the machine may take the last half minute. Entries may be met again after a crash that
// came between a success and pop(): whoever gets them must bear that. What is damaged is left out.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schedlens::remote {

struct QueueOptions {
  std::uint64_t max_bytes = 256'000'000;  // the oldest files go beyond that
  std::uint64_t file_bytes = 1'000'000;   // a new file is begun after so many
};

struct QueueEntry {
  std::uint64_t file = 0, end = 0;  // where it ends
  std::uint32_t items = 0;          // what whoever appended it counts in it
  std::string bytes;
};

// One process and, unless said otherwise, one thread at a time.
class DiskQueue {
 public:
  // Makes the directory where there is none.
  static Result<DiskQueue> open(const std::filesystem::path& directory, QueueOptions options);
  DiskQueue(DiskQueue&& other) noexcept;
  DiskQueue& operator=(DiskQueue&&) = delete;
  ~DiskQueue();

  // Fails when it cannot be written; nothing of it is in the queue then.
  Status append(std::string_view bytes, std::uint32_t items);

  // The oldest entries, at most so many and so many bytes, but one at least; empty when there are
  // none. They stay until pop().
  std::vector<QueueEntry> peek(std::size_t most_entries, std::size_t most_bytes);
  // All up to the end of this one. That it is gone survives the process.
  Status pop(const QueueEntry& last);

  std::uint64_t pending() const { return pending_; }  // items
  std::uint64_t bytes() const;                        // of all files
  // Items that went because the queue was full.
  std::uint64_t dropped() const { return dropped_; }
  // Bytes that could not be understood, in files that were cut off or damaged.
  std::uint64_t damaged_bytes() const { return damaged_bytes_; }

 private:
  struct File {
    std::uint64_t number = 0, bytes = 0;
    std::uint64_t items = 0;  // not popped yet
  };

  DiskQueue(std::filesystem::path directory, QueueOptions options)
      : directory_(std::move(directory)), options_(options) {}
  std::filesystem::path path(std::uint64_t number) const;
  Status scan();
  void scan_file(File& file, std::uint64_t from);
  Status begin_file();
  void remove_front();
  void make_room();
  Status save_position() const;

  std::filesystem::path directory_;
  QueueOptions options_;
  std::deque<File> files_;  // by number; the last one is written to when descriptor_ is open
  int descriptor_ = -1;
  std::uint64_t next_number_ = 1;
  std::uint64_t position_ = 0;  // in the first file: what comes next
  std::uint64_t pending_ = 0, dropped_ = 0, damaged_bytes_ = 0;
};

}  // namespace schedlens::remote
