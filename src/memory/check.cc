// SPDX-License-Identifier: Apache-2.0
// First SQLite looks whether its pages are whole; then everything in them is decoded, and held
// against what is kept beside it: numbers of points, times, sums.
#include "memory/check.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "memory/chunk.h"
#include "memory/day_file.h"
#include "memory/reader_files.h"
#include "memory/record_table.h"
#include "memory/rollup_file.h"
#include "memory/schema.h"

namespace schedlens::memory {
namespace {

constexpr std::size_t kMostProblems = 5;

bool same(double a, double b) {
  return a == b || (a != a && b != b);
}

class Checking {
 public:
  Checking(OpenFile& file, CheckedFile& result) : file_(file), result_(result) {}

  void run() {
    auto done = database().reading("check", [&]() -> Status {
      if (auto pages = pages_are_whole(); !pages) return pages;
      switch (file_.file.kind) {
        case FileKind::kSeries:
          return series_file();
        case FileKind::kRollup:
          return rollup_file();
        case FileKind::kRecords:
          return record_file();
        case FileKind::kState:
          return count("state");
      }
      return {};
    });
    if (!done && result_.problems.size() < kMostProblems) {
      result_.problems.push_back(done.error().message());
    }
  }

 private:
  Database& database() { return *file_.database; }

  void wrong(const std::string& what) {
    if (result_.problems.size() == kMostProblems) return;
    result_.problems.push_back(fmt::format("{}: {}", file_.file.path.string(), what));
  }

  Status pages_are_whole() {
    auto rows = database().prepare("check", fmt::format("PRAGMA integrity_check({})",
                                                        kMostProblems - result_.problems.size()));
    if (!rows) return fail(rows.error());
    for (;;) {
      auto row = rows->step();
      if (!row) return fail(row.error());
      if (!*row) break;
      std::string found(rows->text(0));
      if (found == "ok") continue;
      std::replace(found.begin(), found.end(), '\n', ' ');
      wrong(found);
    }
    return {};
  }

  Status count(std::string_view table) {
    auto n = database().integer("count", fmt::format("SELECT count(*) FROM {}", table));
    if (!n) return fail(n.error());
    result_.entries += static_cast<std::uint64_t>(*n);
    return {};
  }

  bool is_known(std::uint32_t number) const { return number >= 1 && number <= file_.series.size(); }

  Status series_file() {
    if (auto read = file_.read_series(); !read) return read;
    result_.series = file_.series.size();
    if (auto done = chunks(); !done) return done;
    return blocks();
  }

  // In the order of the keys: all chunks of a series in a slot follow one another.
  Status chunks() {
    auto rows = database().prepare("check chunks",
                                   "SELECT key, start, until, n, sum, min, max, first, last, points"
                                   " FROM chunk ORDER BY key");
    if (!rows) return fail(rows.error());
    std::vector<std::pair<Moment, Moment>> together;
    std::int64_t before = -1;
    for (;;) {
      auto row = rows->step();
      if (!row) return fail(row.error());
      const std::int64_t place = *row ? rows->integer(0) >> 16 : -1;
      if (place != before) {
        expect_apart(together, before);
        together.clear();
        before = place;
      }
      if (!*row) return {};
      chunk(*rows, together);
    }
  }

  void chunk(const Statement& row, std::vector<std::pair<Moment, Moment>>& together) {
    const auto key = row.integer(0);
    const auto begin = begin_of(file_.file.day).unix_ms;
    const Moment start{begin + row.integer(1)}, until{begin + row.integer(2)};
    std::vector<Point> points;
    if (auto decoded = decode_chunk(row.text(9), start, points); !decoded) {
      wrong(fmt::format("chunk {}: {}", key, decoded.error().message()));
      return;
    }
    result_.entries += points.size();
    if (!is_known(series_of_chunk(key))) wrong(fmt::format("chunk {}: no such series", key));
    if (points.empty() || points.back().time != until || !is_in_slot(start, slot_of_chunk(key)) ||
        !is_in_slot(until, slot_of_chunk(key))) {
      wrong(fmt::format("chunk {}: its times are not those of its points", key));
      return;
    }
    together.emplace_back(start, until);
    const auto sum = summarise(points);
    if (sum.n != static_cast<std::uint64_t>(row.integer(3)) || !same(sum.sum, row.real(4)) ||
        !same(sum.min, row.real(5)) || !same(sum.max, row.real(6)) ||
        !same(sum.first, row.real(7)) || !same(sum.last, row.real(8))) {
      wrong(fmt::format("chunk {}: its sums are not those of its points", key));
    }
  }

  bool is_in_slot(Moment m, int slot) const {
    return day_of(m) == file_.file.day && slot_of(m) == slot;
  }

  void expect_apart(std::vector<std::pair<Moment, Moment>>& ranges, std::int64_t place) {
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t i = 1; i < ranges.size(); ++i) {
      if (ranges[i].first <= ranges[i - 1].second)
        wrong(fmt::format("chunks of {} overlap", place));
    }
  }

  Status blocks() {
    auto rows = database().prepare("check points", "SELECT seq, slot, n, points FROM head");
    if (!rows) return fail(rows.error());
    for (;;) {
      auto row = rows->step();
      if (!row) return fail(row.error());
      if (!*row) return {};
      const auto slot = static_cast<int>(rows->integer(1));
      std::int64_t n = 0;
      bool placed = true;
      auto decoded = decode_block(
          rows->text(3), [](auto) { return true; },
          [&](const BlockPoint& point) {
            ++n;
            placed = placed && is_known(point.series) && is_in_slot(point.time, slot);
          });
      result_.entries += static_cast<std::uint64_t>(n);
      if (!decoded) {
        wrong(fmt::format("block {}: {}", rows->integer(0), decoded.error().message()));
      } else if (n != rows->integer(2) || !placed) {
        wrong(fmt::format("block {}: its points do not belong there", rows->integer(0)));
      }
    }
  }

  Status rollup_file() {
    if (auto read = file_.read_series(); !read) return read;
    result_.series = file_.series.size();
    auto rows = database().prepare("check hours", "SELECT key, points FROM hours");
    if (!rows) return fail(rows.error());
    for (;;) {
      auto row = rows->step();
      if (!row) return fail(row.error());
      if (!*row) return {};
      ++result_.entries;
      const auto key = rows->integer(0);
      const Day day{static_cast<std::int32_t>(key >> 32)};
      if (auto hours = decode_hours(rows->text(1)); !hours) {
        wrong(fmt::format("hours {}: {}", key, hours.error().message()));
      } else if (!is_known(series_of_hours(key)) || day < file_.file.day ||
                 day >= file_.file.end()) {
        wrong(fmt::format("hours {}: they do not belong there", key));
      }
    }
  }

  template <class R>
  Status table() {
    using Table = RecordTable<R>;
    const auto second = [](Day day) { return begin_of(day).unix_ms / 1000; };
    auto strangers = database().integer(
        "check records",
        fmt::format("SELECT count(*) FROM {0} WHERE {1} < {2} OR {1} >= {3}", Table::kName,
                    Table::kTime, second(file_.file.day), second(file_.file.end())));
    if (!strangers) return fail(strangers.error());
    if (*strangers > 0)
      wrong(fmt::format("{} {} records are of another month", *strangers, Table::kName));
    return count(Table::kName);
  }

  Status record_file() {
    for (auto done : {table<EndedWorkload>(), table<NodeChange>(), table<Finding>(),
                      table<AlertRecord>(), table<ConfigVersion>()}) {
      if (!done) return done;
    }
    return {};
  }

  OpenFile& file_;
  CheckedFile& result_;
};

}  // namespace

Status check_files(const std::filesystem::path& directory,
                   const std::function<void(const CheckedFile&)>& take) {
  auto files = list_files(directory);
  if (!files) return fail(files.error());
  for (const auto& file : *files) {
    CheckedFile result{file, 0, 0, {}};
    auto database = open_for_reading(file);
    if (!database) {
      result.problems.push_back(database.error().message());
    } else if (*database) {
      OpenFile opened{file, std::move(*database), 0, {}};
      Checking(opened, result).run();
    }
    take(result);
  }
  return {};
}

}  // namespace schedlens::memory
