// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers for the series that one process writes, so that a point is sixteen bytes and not a name.
// Any thread may call anything here. A series stays registered as long as the process runs.

#include <compare>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

#include "memory/series_key.h"

namespace schedlens::memory {

// Means nothing in another process, or in a file.
struct SeriesId {
  std::uint32_t index = 0;
  friend auto operator<=>(const SeriesId&, const SeriesId&) = default;
};

class SeriesRegistry {
 public:
  SeriesId intern(const SeriesKey& key);
  // Keys never move once they are there.
  const SeriesKey& key(SeriesId id) const;
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::deque<SeriesKey> keys_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

}  // namespace schedlens::memory
