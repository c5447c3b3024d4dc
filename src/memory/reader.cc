// SPDX-License-Identifier: Apache-2.0
#include "memory/reader.h"

#include <sys/stat.h>

#include <algorithm>

#include "memory/reader_files.h"
#include "memory/record_table.h"
#include "memory/schema.h"

namespace schedlens::memory {
namespace {

// A file is found again by its name as long as it is the same file.
std::optional<std::uint64_t> inode_of(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_ino;
}

// The first whole second not before it.
std::int64_t seconds_from(Moment m) {
  return (m.unix_ms + 999) / 1000;
}

struct Where {
  std::string text;
  std::vector<std::string> values;
  void equals(std::string_view column, const std::string& value) {
    if (value.empty()) return;
    values.push_back(value);
    text += fmt::format(" AND {} = ?{}", column, values.size() + 2);
  }
};

}  // namespace

Status OpenFile::read_series() {
  auto rows = database->prepare("read the series",
                                "SELECT id, name, labels FROM series WHERE id > ?1 ORDER BY id");
  if (!rows) return fail(rows.error());
  rows->bind(static_cast<std::int64_t>(series.size()));
  for (;;) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    auto labels = parse_labels(rows->text(2));
    if (!labels || rows->integer(0) != static_cast<std::int64_t>(series.size()) + 1) {
      return fail(database->damage("read the series: a row is damaged"));
    }
    series.push_back(make_key(std::string(rows->text(1)), std::move(*labels)));
  }
}

Result<std::vector<StoreFile>> Reader::Files::of_kind(FileKind kind, TimeRange time) const {
  auto files = list_files(directory);
  if (!files) return files;
  std::erase_if(*files, [&](const StoreFile& file) {
    return file.kind != kind || !time.overlaps(begin_of(file.day), begin_of(file.end()));
  });
  return files;
}

OpenFile* Reader::Files::get(const StoreFile& file) {
  const auto name = file.path.filename().string();
  const auto inode = inode_of(file.path);
  auto place = open.find(name);
  if (place != open.end()) {
    // A file that is read without its log may have changed.
    const bool same = inode == place->second.inode &&
                      place->second.database->access() == Database::Access::kRead &&
                      !place->second.database->broken();
    if (same) return &place->second;
    open.erase(place);
  }
  if (!inode) return nullptr;
  auto database = open_for_reading(file);
  if (!database) {
    problems.insert(database.error().message());
    return nullptr;
  }
  if (!*database) return nullptr;
  return &open.emplace(name, OpenFile{file, std::move(*database), *inode, {}}).first->second;
}

void Reader::Files::problem(OpenFile& file, const Error& error) {
  problems.insert(error.message());
  open.erase(file.file.path.filename().string());
}

Reader::Reader(std::unique_ptr<Files> files) : files_(std::move(files)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<Reader> Reader::open(const std::filesystem::path& directory) {
  if (auto files = list_files(directory); !files) return fail(files.error());
  auto files = std::make_unique<Files>();
  files->directory = directory;
  return Reader(std::move(files));
}

std::vector<std::string> Reader::take_problems() {
  std::vector<std::string> problems(files_->problems.begin(), files_->problems.end());
  files_->problems.clear();
  return problems;
}

namespace {

// Rows of one table, of the files that may hold them, in the order of time. ?1 and ?2 of the
// condition are the time, in seconds.
template <class R, class Files>
Status each_row(Files& files, TimeRange filed, TimeRange asked, const std::string& condition,
                const Where& where, const std::function<bool(const R&)>& take) {
  auto list = files.of_kind(FileKind::kRecords, filed);
  if (!list) return fail(list.error());
  for (const auto& file : *list) {
    auto* opened = files.get(file);
    if (!opened) continue;
    bool go_on = true;
    const auto purpose = fmt::format("read {} records", RecordTable<R>::kName);
    auto done = opened->database->reading(purpose, [&]() -> Status {
      auto rows = opened->database->prepare(
          purpose, fmt::format("{}WHERE {}{} ORDER BY {}, key", select_text<R>(), condition,
                               where.text, RecordTable<R>::kTime));
      if (!rows) return fail(rows.error());
      rows->bind(seconds_from(asked.from), seconds_from(asked.to));
      int at = 2;
      for (const auto& value : where.values) rows->bind_at(++at, value);
      while (go_on) {
        auto row = rows->step();
        if (!row) return fail(row.error());
        if (!*row) break;
        go_on = take(read_row<R>(*rows));
      }
      return {};
    });
    if (!done) files.problem(*opened, done.error());
    if (!go_on) break;
  }
  return {};
}

template <class R, class Files>
Result<std::vector<R>> all_rows(Files& files, TimeRange filed, TimeRange asked,
                                const std::string& condition, const Where& where) {
  std::vector<R> records;
  auto done =
      each_row<R>(files, filed, asked, condition, where, std::function([&](const R& record) {
                    records.push_back(record);
                    return true;
                  }));
  if (!done) return fail(done.error());
  return records;
}

std::string in_time(std::string_view column) {
  return fmt::format("{0} >= ?1 AND {0} < ?2", column);
}
std::string held_in_time(std::string_view begins) {
  return fmt::format("{} < ?2 AND (ends IS NULL OR ends >= ?1)", begins);
}
// What is filed by its begin may still have held much later.
TimeRange any_begin_before(Moment to) {
  return {kFirstMoment, to};
}

}  // namespace

Status Reader::each_workload(const WorkloadQuery& query,
                             const std::function<bool(const EndedWorkload&)>& take) {
  Where where;
  where.equals("id", query.id);
  where.equals("user", query.user);
  where.equals("account", query.account);
  where.equals("queue", query.queue);
  if (!query.overlaps) {
    return each_row<EndedWorkload>(*files_, query.time, query.time, in_time("ended"), where, take);
  }
  const TimeRange filed{query.time.from, kEndOfTime};
  return each_row<EndedWorkload>(*files_, filed, query.time,
                                 "ended >= ?1 AND coalesce(started, ended) < ?2", where, take);
}

Result<std::vector<EndedWorkload>> Reader::workloads(const WorkloadQuery& query) {
  std::vector<EndedWorkload> records;
  auto done = each_workload(query, [&](const EndedWorkload& record) {
    records.push_back(record);
    return true;
  });
  if (!done) return fail(done.error());
  return records;
}

Result<std::vector<NodeChange>> Reader::node_changes(const NodeChangeQuery& query) {
  Where where;
  where.equals("node", query.node);
  return all_rows<NodeChange>(*files_, query.time, query.time, in_time("time"), where);
}

Result<std::vector<Finding>> Reader::findings(const FindingQuery& query) {
  Where where;
  where.equals("kind", query.kind);
  where.equals("subject", query.subject);
  return all_rows<Finding>(*files_, any_begin_before(query.time.to), query.time,
                           held_in_time("begins"), where);
}

Result<std::vector<AlertRecord>> Reader::alerts(const AlertQuery& query) {
  Where where;
  where.equals("rule", query.rule);
  where.equals("fingerprint", query.fingerprint);
  return all_rows<AlertRecord>(*files_, any_begin_before(query.time.to), query.time,
                               held_in_time("starts"), where);
}

Result<std::vector<ConfigVersion>> Reader::configs(const ConfigQuery& query) {
  Where where;
  where.equals("source", query.source);
  return all_rows<ConfigVersion>(*files_, query.time, query.time, in_time("time"), where);
}

Result<std::vector<StateEntry>> Reader::states(const std::string& prefix) {
  std::vector<StateEntry> entries;
  auto* opened = files_->get({FileKind::kState, {}, files_->directory / "state.db", 0});
  if (!opened) return entries;
  auto done = opened->database->reading("read the state", [&]() -> Status {
    auto rows = opened->database->prepare(
        "read the state",
        "SELECT key, value, written FROM state WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key");
    if (!rows) return fail(rows.error());
    rows->bind(prefix);
    for (;;) {
      auto row = rows->step();
      if (!row) return fail(row.error());
      if (!*row) return {};
      entries.push_back(
          {std::string(rows->text(0)), std::string(rows->text(1)), {rows->integer(2)}});
    }
  });
  if (!done) files_->problem(*opened, done.error());
  return entries;
}

Result<std::optional<std::string>> Reader::state(const std::string& key) {
  auto entries = states(key);
  if (!entries) return fail(entries.error());
  for (auto& entry : *entries) {
    if (entry.key == key) return std::move(entry.value);
  }
  return std::nullopt;
}

}  // namespace schedlens::memory
