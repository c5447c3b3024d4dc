// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table in which one file numbers the series it knows, as its writer uses it. The numbers start
// at 1 and have no gaps. The writer's thread.

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/series_registry.h"
#include "memory/sqlite.h"

namespace schedlens::memory {

class SeriesTable {
 public:
  SeriesTable(Database& database, SeriesRegistry& registry)
      : database_(database), registry_(registry) {}

  Status load();
  // Its number in the file, given to it now where it has none. In a transaction; when that is
  // rolled back, forget_since() with the size() from before.
  Result<std::uint32_t> number(SeriesId id);
  SeriesId series(std::uint32_t number) const { return ids_[number - 1]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ids_.size()); }
  void forget_since(std::uint32_t size);

 private:
  Database& database_;
  SeriesRegistry& registry_;
  std::vector<SeriesId> ids_;           // by number
  std::vector<std::uint32_t> numbers_;  // by SeriesId; 0: none
  std::optional<Statement> insert_;
};

}  // namespace schedlens::memory
