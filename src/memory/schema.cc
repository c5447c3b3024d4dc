// SPDX-License-Identifier: Apache-2.0
#include "memory/schema.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/log.h"
#include "memory/record_table.h"

namespace schedlens::memory {
namespace {

constexpr std::int64_t kApplicationId = 0x534c7300;  // "SLs" and the kind

// Each step makes a format of the one before; the first makes format 1 of an empty file.
constexpr std::array kStateSteps = {
    "CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT NOT NULL, written INTEGER NOT NULL)"
    " WITHOUT ROWID;"};

constexpr std::array kSeriesSteps = {
    "CREATE TABLE series(id INTEGER PRIMARY KEY, name TEXT NOT NULL, labels TEXT NOT NULL);"
    "CREATE TABLE head(seq INTEGER PRIMARY KEY, slot INTEGER NOT NULL, n INTEGER NOT NULL,"
    " points BLOB NOT NULL);"
    "CREATE TABLE chunk(key INTEGER PRIMARY KEY, start INTEGER NOT NULL, until INTEGER NOT NULL,"
    " n INTEGER NOT NULL, sum REAL, min REAL, max REAL, first REAL, last REAL,"
    " points BLOB NOT NULL);"
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"};

constexpr std::array kRollupSteps = {
    "CREATE TABLE series(id INTEGER PRIMARY KEY, name TEXT NOT NULL, labels TEXT NOT NULL);"
    "CREATE TABLE hours(key INTEGER PRIMARY KEY, points BLOB NOT NULL);"
    "CREATE TABLE days(day INTEGER PRIMARY KEY);"};

std::span<const char* const> steps_of(FileKind kind) {
  switch (kind) {
    case FileKind::kState:
      return kStateSteps;
    case FileKind::kSeries:
      return kSeriesSteps;
    case FileKind::kRollup:
      return kRollupSteps;
    case FileKind::kRecords:
      break;
  }
  return record_steps();
}

struct Format {
  bool empty = false;
  int number = 0;
};

std::int64_t id_of(FileKind kind) {
  return kApplicationId + static_cast<int>(kind);
}

Status read_format(Database& database, std::int64_t id, int current, Format& format) {
  auto found = database.integer("read the format", "PRAGMA application_id");
  if (!found) return fail(found.error());
  auto number = database.integer("read the format", "PRAGMA user_version");
  if (!number) return fail(number.error());
  if (*found == 0 && *number == 0) {
    auto tables = database.integer("read the format", "SELECT count(*) FROM sqlite_schema");
    if (!tables) return fail(tables.error());
    if (*tables == 0) {
      format = {true, 0};
      return {};
    }
  }
  if (*found != id) {
    return fail("{}: is not a file of this kind of schedlens", database.file().string());
  }
  if (*number > current) {
    return fail("{}: was written by a newer schedlens (format {}, this one knows up to {})",
                database.file().string(), *number, current);
  }
  format = {false, static_cast<int>(*number)};
  return {};
}

// All of it at one moment: a writer may just be making the file.
Result<Format> format_of(Database& database, std::int64_t id, int current) {
  Format format;
  auto read = database.reading("read the format",
                               [&] { return read_format(database, id, current, format); });
  if (!read) return fail(read.error());
  return format;
}

Result<std::unique_ptr<Database>> open_whole(const StoreFile& file, bool check, bool& damaged) {
  auto database = Database::open(file.path, Database::Access::kWrite);
  if (!database) return database;
  Status whole = check && !(*database)->broken() ? check_pages(**database) : Status{};
  if (whole) whole = apply_steps(**database, id_of(file.kind), steps_of(file.kind));
  damaged = (*database)->broken();
  if (!whole) return fail(whole.error());
  return database;
}

}  // namespace

int current_format(FileKind kind) {
  return static_cast<int>(steps_of(kind).size());
}

Status apply_steps(Database& database, std::int64_t id, std::span<const char* const> steps) {
  const int current = static_cast<int>(steps.size());
  auto format = format_of(database, id, current);
  if (!format) return fail(format.error());
  if (format->number == current) return {};
  if (!format->empty) {
    log::info("bringing a file of the data directory to the current format file={} from={} to={}",
              database.file().string(), format->number, current);
  }
  const auto* purpose = format->empty ? "create" : "bring to a newer format";
  return database.transaction(purpose, [&]() -> Status {
    for (const auto* step : steps.subspan(static_cast<std::size_t>(format->number))) {
      if (auto done = database.execute(purpose, step); !done) return done;
    }
    return database.execute(
        purpose, fmt::format("PRAGMA application_id={}; PRAGMA user_version={};", id, current));
  });
}

Status check_pages(Database& database) {
  auto check = database.prepare("check", "PRAGMA quick_check(1)");
  if (!check) return fail(check.error());
  auto row = check->step();
  if (!row) return fail(row.error());
  if (*row && check->text(0) != "ok") {
    // Several lines, of which the first only names the database.
    std::string found(check->text(0));
    if (found.starts_with("***")) found.erase(0, found.find('\n') + 1);
    std::replace(found.begin(), found.end(), '\n', ';');
    return fail(database.damage("check: " + found));
  }
  return {};
}

Result<std::unique_ptr<Database>> open_for_writing(const StoreFile& file, bool check,
                                                   Timestamp now) {
  bool damaged = false;
  auto database = open_whole(file, check, damaged);
  if (database || !damaged) return database;
  // Its connection is closed by now: the file can move.
  if (auto aside = set_aside(file.path, database.error().message(), now); !aside) {
    return fail(aside.error());
  }
  return open_whole(file, false, damaged);
}

Result<std::unique_ptr<Database>> open_for_reading(const StoreFile& file) {
  std::error_code error;
  if (!std::filesystem::exists(file.path, error)) return nullptr;
  auto opened = Database::open(file.path, Database::Access::kRead);
  auto format = opened ? format_of(**opened, id_of(file.kind), current_format(file.kind))
                       : fail(opened.error());
  if (!format && !(opened && (*opened)->broken())) {
    // SQLite wants to write beside a file with a log even to read it. Without a log nothing is
    // missing from the file itself.
    const auto log = std::filesystem::path(file.path.string() + "-wal");
    const bool no_log =
        !std::filesystem::exists(log, error) || std::filesystem::file_size(log, error) == 0;
    if (!std::filesystem::exists(file.path, error)) return nullptr;  // dropped meanwhile
    if (no_log) {
      auto immutable = Database::open(file.path, Database::Access::kImmutable);
      if (immutable) {
        if (auto again = format_of(**immutable, id_of(file.kind), current_format(file.kind))) {
          opened = std::move(immutable);
          format = again;
        }
      }
    }
  }
  if (!format) return fail(format.error());
  if (format->empty) return nullptr;
  if (format->number < current_format(file.kind)) {
    return fail(
        "{}: was written by an older schedlens (format {}); the next start of the server, or "
        "schedlens store compact, brings it to format {}",
        file.path.string(), format->number, current_format(file.kind));
  }
  return opened;
}

}  // namespace schedlens::memory
