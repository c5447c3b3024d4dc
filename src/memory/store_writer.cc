// SPDX-License-Identifier: Apache-2.0
#include "memory/store_writer.h"

#include <algorithm>

#include "base/log.h"

namespace schedlens::memory {
namespace {

constexpr std::size_t kOpenDays = 3;

}  // namespace

StoreWriter::StoreWriter(std::filesystem::path directory, StoreOptions options,
                         const os::Clock& clock, SeriesRegistry& registry)
    : directory_(std::move(directory)), options_(options), clock_(clock), registry_(registry) {}

StoreFile StoreWriter::file(FileKind kind, Day day) const {
  return {kind, day, directory_ / file_name(kind, day), 0};
}

Status StoreWriter::prepare() {
  auto files = list_files(directory_);
  if (!files) return fail(files.error());
  const auto today = day_of(now());
  for (const auto& file : *files) {
    const bool in_use = file.day <= today && today < file.end();
    auto opened = counted([&] { return open_for_writing(file, in_use, clock_.now()); });
    if (!opened) return fail(opened.error());
  }
  auto state = open_counted(file(FileKind::kState, {}));
  if (!state) return fail(state.error());
  state_ = std::move(*state);
  return {};
}

Result<std::unique_ptr<Database>> StoreWriter::open_counted(const StoreFile& file) {
  return counted([&] { return open_for_writing(file, false, clock_.now()); });
}

Result<std::unique_ptr<RollupFile>> StoreWriter::open_rollup(Day day) {
  return counted([&] {
    return RollupFile::open(file(FileKind::kRollup, month_of(day)), clock_.now(), registry_);
  });
}

// The connection to it must be closed.
Status StoreWriter::give_up(const std::filesystem::path& path, const Error& why) {
  ++set_aside_;
  return set_aside(path, why.message(), clock_.now());
}

Status StoreWriter::commit(Batch& batch) {
  auto first = commit_states(batch.states);
  for (auto done : {commit_records(batch.records), commit_samples(batch.samples)}) {
    if (first && !done) first = std::move(done);
  }
  return first;
}

Status StoreWriter::commit_states(std::vector<StateChange>& states) {
  if (states.empty()) return {};
  for (bool again = false;; again = true) {
    if (!state_) {
      auto state = open_counted(file(FileKind::kState, {}));
      if (!state) return fail(state.error());
      state_ = std::move(*state);
    }
    auto done = state_->transaction("write the state", [&]() -> Status {
      auto set =
          state_->prepare("write the state",
                          "INSERT OR REPLACE INTO state(key, value, written) VALUES(?1, ?2, ?3)");
      if (!set) return fail(set.error());
      auto forget = state_->prepare("write the state", "DELETE FROM state WHERE key = ?1");
      if (!forget) return fail(forget.error());
      for (const auto& [key, value] : states) {
        auto one = value ? set->bind(key, *value, clock_.now()).run() : forget->bind(key).run();
        if (!one) return one;
      }
      return {};
    });
    if (done) {
      states.clear();
      return {};
    }
    if (!state_->broken() || again) return done;
    state_.reset();
    if (auto aside = give_up(file(FileKind::kState, {}).path, done.error()); !aside) return aside;
  }
}

Status StoreWriter::commit_records(std::vector<Record>& records) {
  std::map<Day, std::vector<const Record*>> by_month;
  for (const auto& record : records) {
    by_month[month_of(day_of(time_of(record)))].push_back(&record);
  }
  std::set<Day> done_months;
  Status first;
  for (const auto& [month, rows] : by_month) {
    Status done;
    for (bool again = false;; again = true) {
      auto& place = records_[month];
      if (!place) {
        auto database = open_counted(file(FileKind::kRecords, month));
        if (!database) {
          records_.erase(month);
          done = fail(database.error());
          break;
        }
        place = std::make_unique<RecordFile>(std::move(*database));
      }
      done = place->database->transaction("write records", [&, &list = rows]() -> Status {
        for (const auto* row : list) {
          if (auto one = place->writer.put(*row); !one) return one;
        }
        return {};
      });
      if (done || !place->database->broken() || again) break;
      records_.erase(month);
      if (auto aside = give_up(file(FileKind::kRecords, month).path, done.error()); !aside) {
        done = aside;
        break;
      }
    }
    if (done) {
      done_months.insert(month);
    } else if (first) {
      first = std::move(done);
    }
  }
  std::erase_if(records, [&](const Record& record) {
    return done_months.contains(month_of(day_of(time_of(record))));
  });
  // Mostly this month's; another's is not needed again soon.
  while (records_.size() > 2) records_.erase(records_.begin());
  return first;
}

Result<DayFile*> StoreWriter::day_file(Day day) {
  if (auto place = days_.find(day); place != days_.end()) return place->second.get();
  close_idle_days(day);
  auto opened =
      counted([&] { return DayFile::open(file(FileKind::kSeries, day), clock_.now(), registry_); });
  if (!opened) return fail(opened.error());
  return days_.emplace(day, std::move(*opened)).first->second.get();
}

// Keeps the newest open; of the others the oldest goes.
void StoreWriter::close_idle_days(Day wanted) {
  while (days_.size() >= kOpenDays) {
    auto oldest = days_.begin();
    if (oldest->first == wanted) ++oldest;
    days_.erase(oldest);
  }
}

// A day that was rolled up and dropped does not begin again: its hours would be overwritten.
Result<bool> StoreWriter::points_are_gone(Day day) {
  if (days_.contains(day)) return false;
  std::error_code error;
  if (std::filesystem::exists(file(FileKind::kSeries, day).path, error)) return false;
  return is_in_roll_up(day);
}

Result<bool> StoreWriter::is_in_roll_up(Day day) {
  std::error_code error;
  const auto rollup = file(FileKind::kRollup, month_of(day));
  if (!std::filesystem::exists(rollup.path, error)) return false;
  auto opened = open_rollup(day);
  if (!opened) return fail(opened.error());
  return (*opened)->has(day);
}

Status StoreWriter::commit_day(Day day, std::span<const Sample> samples) {
  auto gone = points_are_gone(day);
  if (!gone) return fail(gone.error());
  if (*gone) {
    refused_ += samples.size();
    return {};
  }
  for (bool again = false;; again = true) {
    auto file = day_file(day);
    if (!file) return fail(file.error());
    auto done = (*file)->append(samples, clock_.steady());
    if (done) {
      rolled_up_.erase(day);
      if (roll_up_ && roll_up_->day == day) roll_up_.reset();
      return {};
    }
    if (!(*file)->database().broken() || again) return done;
    const auto path = (*file)->database().file();
    days_.erase(day);
    if (auto aside = give_up(path, done.error()); !aside) return aside;
  }
}

Status StoreWriter::commit_samples(std::vector<Sample>& samples) {
  if (samples.empty()) return {};
  const auto by_day = [](const Sample& a, const Sample& b) {
    return day_of(a.time) < day_of(b.time);
  };
  if (!std::is_sorted(samples.begin(), samples.end(), by_day)) {
    std::stable_sort(samples.begin(), samples.end(), by_day);
  }
  std::vector<Sample> left;
  Status first;
  for (auto begin = samples.begin(); begin != samples.end();) {
    const auto end = std::upper_bound(begin, samples.end(), *begin, by_day);
    auto done = commit_day(day_of(begin->time), {begin, end});
    if (!done) {
      left.insert(left.end(), begin, end);
      if (first) first = std::move(done);
    }
    begin = end;
  }
  samples = std::move(left);
  return first;
}

}  // namespace schedlens::memory
