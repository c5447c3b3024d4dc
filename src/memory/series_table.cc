// SPDX-License-Identifier: Apache-2.0
#include "memory/series_table.h"

#include <fmt/format.h>

namespace schedlens::memory {

Status SeriesTable::load() {
  auto rows =
      database_.prepare("read the series", "SELECT id, name, labels FROM series ORDER BY id");
  if (!rows) return fail(rows.error());
  for (;;) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    const auto labels = parse_labels(rows->text(2));
    if (!labels || rows->integer(0) != std::int64_t{size()} + 1) {
      return fail(
          database_.damage(fmt::format("read the series: row {} is damaged", rows->integer(0))));
    }
    const auto id = registry_.intern(make_key(std::string(rows->text(1)), *labels));
    if (id.index >= numbers_.size()) numbers_.resize(id.index + 1);
    ids_.push_back(id);
    numbers_[id.index] = size();
  }
}

Result<std::uint32_t> SeriesTable::number(SeriesId id) {
  if (id.index < numbers_.size() && numbers_[id.index] != 0) return numbers_[id.index];
  if (!insert_) {
    auto insert = database_.prepare("add a series",
                                    "INSERT INTO series(id, name, labels) VALUES(?1, ?2, ?3)");
    if (!insert) return fail(insert.error());
    insert_ = std::move(*insert);
  }
  const auto& key = registry_.key(id);
  const auto number = size() + 1;
  if (auto done = insert_->bind(std::int64_t{number}, key.name, labels_text(key.labels)).run();
      !done) {
    return fail(done.error());
  }
  if (id.index >= numbers_.size()) numbers_.resize(id.index + 1);
  numbers_[id.index] = number;
  ids_.push_back(id);
  return number;
}

void SeriesTable::forget_since(std::uint32_t kept) {
  while (size() > kept) {
    numbers_[ids_.back().index] = 0;
    ids_.pop_back();
  }
}

}  // namespace schedlens::memory
