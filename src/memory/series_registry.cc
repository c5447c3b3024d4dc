// SPDX-License-Identifier: Apache-2.0
#include "memory/series_registry.h"

namespace schedlens::memory {

SeriesId SeriesRegistry::intern(const SeriesKey& key) {
  const std::lock_guard lock(mutex_);
  const auto [place, added] =
      index_.try_emplace(series_text(key), static_cast<std::uint32_t>(keys_.size()));
  if (added) keys_.push_back(key);
  return {place->second};
}

const SeriesKey& SeriesRegistry::key(SeriesId id) const {
  const std::lock_guard lock(mutex_);
  return keys_[id.index];
}

std::size_t SeriesRegistry::size() const {
  const std::lock_guard lock(mutex_);
  return keys_.size();
}

}  // namespace schedlens::memory
