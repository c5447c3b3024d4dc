// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of a server: one data directory, written by one thread about once a second.
//
//   auto store = memory::Store::open(dir, {}, clock);
//   auto series = store->series(make_key("gpus_allocated", {{"partition", "train"}}));
//   store->append({{series, now, 412}});
//   store->put(NodeChange{...});
//   store->flush(5s);  // only where it matters: what was handed over before is on the disk then
//
// append(), put() and set_state() only hand over, and never wait for the disk. While it cannot be
// written to (full, an error) what was handed over is kept, up to a bound, and tried again;
// health() says so. Reading is memory/reader.h, in this process or another. Any thread may call
// anything. docs/store.md describes the files, and what survives what.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/day_file.h"
#include "memory/records.h"
#include "os/clock.h"

namespace schedlens::memory {

struct StoreOptions {
  // How much is kept at least, in files: the newest so many days of points, months of hourly sums
  // and months of records. Older files are dropped, but only for as many newer ones.
  int raw_days = 15;
  int rollup_months = 13;
  int record_months = 13;
  // The oldest files go as long as all together are larger; 0: no limit. The newest of each kind
  // stays.
  std::uint64_t max_bytes = 0;

  std::chrono::milliseconds batch_interval{1000};
  // What is kept in memory while it cannot be written; what comes beyond is dropped, and counted.
  std::size_t max_pending_points = 2'000'000;
  std::size_t max_pending_records = 200'000;
  // Points of two hours that are over are made into chunks when none has come for so long.
  std::chrono::milliseconds seal_after{60'000};
  // How often days that are over are rolled up, and old files dropped.
  std::chrono::milliseconds tend_interval{60'000};
};

struct StoreHealth {
  bool ok = true;
  std::optional<Timestamp> failing_since;
  std::string error;  // the last one, also when it is over
  std::optional<Timestamp> last_written;
  std::size_t pending_points = 0, pending_records = 0;  // handed over and not yet on the disk
  std::uint64_t written_points = 0, written_records = 0;
  // Lost: too many were pending; or of a day whose points are gone; or no moment that can be filed.
  std::uint64_t dropped_points = 0, dropped_records = 0;
  std::uint64_t files_set_aside = 0;  // damaged, since this process began
};

class Store {
 public:
  // Makes the directory where there is none, brings files of older formats to this one and looks
  // through the pages of the files in use. Fails when another process writes to it or a file was
  // written by a newer schedlens. The clock must outlive the store.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& directory,
                                             StoreOptions options, const os::Clock& clock);
  // Writes what was handed over, tries it once, and ends.
  ~Store();

  // Its number while this process runs. Ask once, keep it.
  SeriesId series(const SeriesKey& key);

  // False when some of it had to be dropped. Of several points of a series at one time the last one
  // counts; they may come in any order.
  bool append(std::vector<Sample> samples);
  bool put(Record record);
  bool put(std::vector<Record> records);
  // Small texts that survive a restart. Without a value the key is forgotten.
  bool set_state(std::string key, std::optional<std::string> value);

  // Returns when everything that was handed over before is on the disk, where neither the end of
  // the process nor of the machine takes it away. Fails when that takes longer, with the reason.
  Status flush(std::chrono::milliseconds timeout);

  StoreHealth health() const;

 private:
  struct Shared;
  explicit Store(std::unique_ptr<Shared> shared);
  std::unique_ptr<Shared> shared_;
};

}  // namespace schedlens::memory
