// SPDX-License-Identifier: Apache-2.0
#include "memory/rollup_file.h"

namespace schedlens::memory {

Result<std::unique_ptr<RollupFile>> RollupFile::open(const StoreFile& file, Timestamp now,
                                                     SeriesRegistry& registry) {
  for (bool again = false;; again = true) {
    auto database = open_for_writing(file, false, now);
    if (!database) return fail(database.error());
    std::unique_ptr<RollupFile> rollup(new RollupFile(std::move(*database), registry));
    auto loaded = rollup->series_.load();
    if (loaded) return rollup;
    if (again || !rollup->database_->broken()) return fail(loaded.error());
    rollup.reset();
    if (auto aside = set_aside(file.path, loaded.error().message(), now); !aside) {
      return fail(aside.error());
    }
  }
}

Status RollupFile::write(Day day, std::span<const std::pair<SeriesId, Hours>> series,
                         bool complete) {
  const auto known = series_.size();
  auto done = database_->transaction("roll up", [&]() -> Status {
    auto insert =
        database_->prepare("roll up", "INSERT OR REPLACE INTO hours(key, points) VALUES(?1, ?2)");
    if (!insert) return fail(insert.error());
    for (const auto& [id, hours] : series) {
      auto number = series_.number(id);
      if (!number) return fail(number.error());
      auto written = insert->bind(hours_key(day, *number), Blob{encode_hours(hours)}).run();
      if (!written) return written;
    }
    if (!complete) return {};
    return database_->execute(
        "roll up", fmt::format("INSERT OR REPLACE INTO days(day) VALUES({})", day.number));
  });
  if (!done) series_.forget_since(known);
  return done;
}

Result<bool> RollupFile::has(Day day) {
  auto count = database_->integer(
      "read the days", fmt::format("SELECT count(*) FROM days WHERE day = {}", day.number));
  if (!count) return fail(count.error());
  return *count > 0;
}

}  // namespace schedlens::memory
