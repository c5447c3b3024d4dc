// SPDX-License-Identifier: Apache-2.0
#include "memory/compact.h"

#include <algorithm>

#include "memory/schema.h"
#include "memory/store_writer.h"

namespace schedlens::memory {
namespace {

// Without empty pages, in the order of the keys.
Status rewrite(Database& database) {
  return database.execute("rewrite", "VACUUM");
}

Status rewrite_points(const StoreFile& file, Moment now, SeriesRegistry& registry) {
  auto opened = DayFile::open(file, {now.unix_ms / 1000}, registry);
  if (!opened) return fail(opened.error());
  auto& day = **opened;
  std::vector<int> over;
  for (const auto& [slot, open] : day.open_slots()) {
    if (file.day != day_of(now) || slot != slot_of(now)) over.push_back(slot);
  }
  for (const auto slot : over) {
    if (auto sealed = day.seal(slot); !sealed) return sealed;
  }
  if (auto merged = day.merge_small_chunks(); !merged) return fail(merged.error());
  return rewrite(day.database());
}

Status rewrite_file(const StoreFile& file, Moment now, SeriesRegistry& registry) {
  if (file.kind == FileKind::kSeries) return rewrite_points(file, now, registry);
  auto opened = open_for_writing(file, false, {now.unix_ms / 1000});
  return opened ? rewrite(**opened) : fail(opened.error());
}

// What the writer does between batches, until nothing of it is left.
Status tend_all(const std::filesystem::path& directory, StoreOptions options,
                const os::Clock& clock) {
  options.tend_interval = std::chrono::milliseconds(0);
  // No more comes: what is opened from now on counts as idle, too.
  options.seal_after = -std::chrono::hours(1);
  SeriesRegistry registry;
  StoreWriter writer(directory, options, clock, registry);
  if (auto ready = writer.prepare(); !ready) return ready;
  for (bool more = true; more;) {
    auto tended = writer.tend();
    if (!tended) return fail(tended.error());
    more = *tended;
  }
  return {};
}

}  // namespace

Result<Compaction> compact(const std::filesystem::path& directory, StoreOptions options,
                           const os::Clock& clock) {
  // Before the lock, which makes a directory where there is none.
  auto before = list_files(directory);
  if (!before) return fail(before.error());
  auto lock = DirectoryLock::take(directory);
  if (!lock) return fail(lock.error());
  const auto aside_before = set_aside_files(directory);
  if (auto tended = tend_all(directory, options, clock); !tended) return fail(tended.error());

  auto files = list_files(directory);
  if (!files) return fail(files.error());
  Compaction result;
  const auto now = moment_of(clock.now());
  for (const auto& file : *files) {
    SeriesRegistry registry;
    CompactedFile one{file.path, 0, 0, false, ""};
    if (auto done = rewrite_file(file, now, registry); !done) one.problem = done.error().message();
    result.files.push_back(std::move(one));
  }
  files = list_files(directory);
  if (!files) return fail(files.error());
  const auto bytes_in = [](const std::vector<StoreFile>& list, const std::filesystem::path& path) {
    const auto place = std::find_if(list.begin(), list.end(),
                                    [&](const StoreFile& file) { return file.path == path; });
    return place == list.end() ? 0 : place->bytes;
  };
  for (auto& file : result.files) {
    file.before = bytes_in(*before, file.path);
    file.after = bytes_in(*files, file.path);
  }
  const auto aside = set_aside_files(directory);
  std::set_difference(aside.begin(), aside.end(), aside_before.begin(), aside_before.end(),
                      std::back_inserter(result.set_aside));
  for (const auto& file : *before) {
    if (bytes_in(*files, file.path) == 0) {
      result.files.push_back({file.path, file.bytes, 0, true, ""});
    }
  }
  return result;
}

}  // namespace schedlens::memory
