// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the thread of a Store does with the files.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "memory/day_file.h"
#include "memory/record_table.h"
#include "memory/rollup_file.h"
#include "memory/store.h"

namespace schedlens::memory {

struct StateChange {
  std::string key;
  std::optional<std::string> value;
};

struct Batch {
  std::vector<Sample> samples;
  std::vector<Record> records;
  std::vector<StateChange> states;
  bool empty() const { return samples.empty() && records.empty() && states.empty(); }
};

class StoreWriter {
 public:
  StoreWriter(std::filesystem::path directory, StoreOptions options, const os::Clock& clock,
              SeriesRegistry& registry);

  // Every file once: to the current format, and those in use are looked through.
  Status prepare();

  // Each file in a transaction of its own. What is on the disk is taken out of the batch; the rest
  // stays in it, and the first error is returned.
  Status commit(Batch& batch);

  // One piece of what is to be done now and then: seals, rolls up, drops. True when there is more
  // to do at once.
  Result<bool> tend();

  // Points of days whose points have been dropped, since the last call.
  std::size_t take_refused() { return std::exchange(refused_, 0); }
  std::uint64_t set_aside_count() const { return set_aside_; }

 private:
  struct RecordFile {
    std::unique_ptr<Database> database;
    RecordWriter writer;
    explicit RecordFile(std::unique_ptr<Database> opened)
        : database(std::move(opened)), writer(*database) {}
  };
  // Hours of a day on their way into the roll-up.
  struct RollUp {
    Day day;
    std::uint32_t next = 1;
  };

  Moment now() const { return moment_of(clock_.now()); }
  StoreFile file(FileKind kind, Day day) const;
  Result<DayFile*> day_file(Day day);
  // Opens something, and counts the files that were set aside by it.
  template <class Open>
  auto counted(Open&& open) {
    const auto before = set_aside_files(directory_).size();
    auto opened = open();
    set_aside_ += set_aside_files(directory_).size() - before;
    return opened;
  }
  Result<std::unique_ptr<Database>> open_counted(const StoreFile& file);
  Result<std::unique_ptr<RollupFile>> open_rollup(Day day);
  void close_idle_days(Day wanted);
  Status give_up(const std::filesystem::path& path, const Error& why);

  Status commit_states(std::vector<StateChange>& states);
  Status commit_records(std::vector<Record>& records);
  Status commit_samples(std::vector<Sample>& samples);
  Status commit_day(Day day, std::span<const Sample> samples);
  Result<bool> points_are_gone(Day day);
  Result<bool> is_in_roll_up(Day day);

  Status seal_days(std::chrono::steady_clock::time_point steady);
  Status find_roll_up(const std::vector<StoreFile>& files);
  Status roll_up_some();
  Status drop_old(std::vector<StoreFile> files);
  Status drop(const StoreFile& file, std::string_view why);

  std::filesystem::path directory_;
  StoreOptions options_;
  const os::Clock& clock_;
  SeriesRegistry& registry_;
  std::unique_ptr<Database> state_;
  std::map<Day, std::unique_ptr<RecordFile>> records_;
  std::map<Day, std::unique_ptr<DayFile>> days_;
  std::set<Day> rolled_up_;  // known to be
  std::optional<RollUp> roll_up_;
  std::optional<std::chrono::steady_clock::time_point> last_tended_;
  std::size_t refused_ = 0;
  std::uint64_t set_aside_ = 0;
};

}  // namespace schedlens::memory
