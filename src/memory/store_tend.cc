// SPDX-License-Identifier: Apache-2.0
// What the writer does between batches: chunks of what is over, hours of days that are over, and
// the end of old files.

#include <algorithm>

#include "base/log.h"
#include "memory/store_writer.h"

namespace schedlens::memory {
namespace {

// Points that are not yet chunks: of slots that are not written to now, and in all. Only who stores
// the past (an import) or very much gets there.
constexpr std::size_t kMostIdlePoints = 500'000;
constexpr std::size_t kMostOpenPoints = 6'000'000;
// Series whose hours are made in one step, so that no batch waits long.
constexpr std::uint32_t kRollUpAtOnce = 500;

}  // namespace

Status StoreWriter::seal_days(std::chrono::steady_clock::time_point steady) {
  const auto moment = now();
  struct Candidate {
    Day day;
    int slot;
    DayFile::OpenSlot open;
  };
  std::vector<Candidate> all;
  for (const auto& [day, file] : days_) {
    for (const auto& [slot, open] : file->open_slots()) all.push_back({day, slot, open});
  }
  // The one that is written to now comes last.
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.open.touched < b.open.touched; });
  std::size_t points = 0;
  for (const auto& slot : all) points += slot.open.points;
  const auto newest = all.empty() ? 0 : all.back().open.points;
  const bool too_many_idle = points - newest > kMostIdlePoints;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [day, slot, open] = all[i];
    const bool current = day == day_of(moment) && slot == slot_of(moment);
    const bool over = !current && steady - open.touched >= options_.seal_after;
    const bool last = i + 1 == all.size();
    if (!over && !(too_many_idle && !last) && !(open.points > kMostOpenPoints)) continue;
    auto& file = *days_.at(day);
    if (auto sealed = file.seal(slot); !sealed) {
      if (!file.database().broken()) return sealed;
      const auto path = file.database().file();
      days_.erase(day);
      if (auto aside = give_up(path, sealed.error()); !aside) return aside;
      return {};  // the list is out of date
    }
  }
  return {};
}

// The oldest day that is over and whose hours are not in the roll-up.
Status StoreWriter::find_roll_up(const std::vector<StoreFile>& files) {
  const auto steady = clock_.steady();
  const auto today = day_of(now());
  for (const auto& file : files) {
    if (file.kind != FileKind::kSeries || file.day >= today || rolled_up_.contains(file.day))
      continue;
    auto day = day_file(file.day);
    if (!day) return fail(day.error());
    if ((*day)->rolled_up() && (*day)->open_slots().empty()) {
      // The roll-up may have been set aside since.
      auto there = is_in_roll_up(file.day);
      if (!there) return fail(there.error());
      if (*there) {
        rolled_up_.insert(file.day);
        continue;
      }
    }
    const auto& slots = (*day)->open_slots();
    const bool idle = std::all_of(slots.begin(), slots.end(), [&](const auto& slot) {
      return steady - slot.second.touched >= options_.seal_after;
    });
    if (!idle) continue;
    roll_up_ = RollUp{file.day, 1};
    return {};
  }
  return {};
}

Status StoreWriter::roll_up_some() {
  const auto day = roll_up_->day;
  auto file = day_file(day);
  if (!file) return fail(file.error());
  auto& points = **file;
  const auto step = [&]() -> Status {
    while (!points.open_slots().empty()) {
      if (auto sealed = points.seal(points.open_slots().begin()->first); !sealed) return sealed;
    }
    const auto& series = points.series();
    const auto end = std::min(series.size() + 1, roll_up_->next + kRollUpAtOnce);
    std::vector<std::pair<SeriesId, Hours>> hours;
    for (auto number = roll_up_->next; number < end; ++number) {
      auto one = points.hours_of(number);
      if (!one) return fail(one.error());
      hours.emplace_back(series.series(number), *one);
    }
    auto rollup = open_rollup(day);
    if (!rollup) return fail(rollup.error());
    const bool complete = end > series.size();
    if (auto written = (*rollup)->write(day, hours, complete); !written) {
      if (!(*rollup)->database().broken()) return written;
      const auto path = (*rollup)->database().file();
      rollup->reset();
      roll_up_.reset();
      rolled_up_.clear();  // the days that are still there have to go into a new one
      return give_up(path, written.error());
    }
    roll_up_->next = end;
    if (!complete) return {};
    roll_up_.reset();
    if (auto marked = points.set_rolled_up(); !marked) return marked;
    rolled_up_.insert(day);
    return points.shrink();
  };
  auto done = step();
  if (done || !points.database().broken()) return done;
  const auto path = points.database().file();
  roll_up_.reset();
  days_.erase(day);
  return give_up(path, done.error());
}

Status StoreWriter::drop(const StoreFile& file, std::string_view why) {
  switch (file.kind) {
    case FileKind::kSeries:
      days_.erase(file.day);
      if (roll_up_ && roll_up_->day == file.day) roll_up_.reset();
      break;
    case FileKind::kRecords:
      records_.erase(file.day);
      break;
    default:
      break;
  }
  log::info("dropping a file of the data directory file={} bytes={} why={}", file.path.string(),
            file.bytes, why);
  return drop_file(file.path);
}

// Only as many files go as there are newer ones to take their place: a clock that jumps ahead, or a
// server that was off for a month, must not cost all that is remembered.
Status StoreWriter::drop_old(std::vector<StoreFile> files) {
  const auto today = day_of(now());
  const auto keep = [&](FileKind kind) {
    switch (kind) {
      case FileKind::kSeries:
        return options_.raw_days;
      case FileKind::kRollup:
        return options_.rollup_months;
      case FileKind::kRecords:
        return options_.record_months;
      case FileKind::kState:
        break;
    }
    return 0;
  };
  const auto oldest_kept = [&](FileKind kind) {
    if (kind == FileKind::kSeries) return Day{today.number - keep(kind) + 1};
    auto month = month_of(today);
    for (int i = 1; i < keep(kind); ++i) month = month_of(Day{month.number - 1});
    return month;
  };
  const auto newer = [&](const StoreFile& file) {
    return std::count_if(files.begin(), files.end(), [&](const StoreFile& other) {
      return other.kind == file.kind && other.day > file.day;
    });
  };
  for (std::size_t i = 0; i < files.size();) {
    const auto file = files[i];
    const int kept = keep(file.kind);
    const bool hours_kept = file.kind != FileKind::kSeries || rolled_up_.contains(file.day);
    if (kept > 0 && file.day < oldest_kept(file.kind) && newer(file) >= kept && hours_kept) {
      if (auto dropped = drop(file, "age"); !dropped) return dropped;
      files.erase(files.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  if (options_.max_bytes == 0) return {};
  std::uint64_t bytes = 0;
  for (const auto& file : files) bytes += file.bytes;
  for (const auto kind : {FileKind::kSeries, FileKind::kRollup, FileKind::kRecords}) {
    for (const auto& file : files) {
      if (bytes <= options_.max_bytes) return {};
      if (file.kind != kind || newer(file) == 0) continue;
      if (auto dropped = drop(file, "size"); !dropped) return dropped;
      bytes -= file.bytes;
    }
  }
  return {};
}

Result<bool> StoreWriter::tend() {
  const auto steady = clock_.steady();
  if (auto sealed = seal_days(steady); !sealed) return fail(sealed.error());
  if (roll_up_) {
    if (auto some = roll_up_some(); !some) return fail(some.error());
    return true;
  }
  if (last_tended_ && steady - *last_tended_ < options_.tend_interval) return false;
  auto files = list_files(directory_);
  if (!files) return fail(files.error());
  if (auto found = find_roll_up(*files); !found) return fail(found.error());
  if (roll_up_) return true;
  last_tended_ = steady;
  if (auto dropped = drop_old(std::move(*files)); !dropped) return fail(dropped.error());
  return false;
}

}  // namespace schedlens::memory
