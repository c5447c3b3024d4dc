// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records as rows of their tables.

#include <span>
#include <string>
#include <vector>

#include "memory/record_fields.h"
#include "memory/sqlite.h"

namespace schedlens::memory {

// The steps by which the tables of each format are made of the one before (schema.h).
std::span<const char* const> record_steps();

// One text for what makes a record one of its kind.
std::string key_of(const EndedWorkload& record);
std::string key_of(const NodeChange& record);
std::string key_of(const Finding& record);
std::string key_of(const AlertRecord& record);
std::string key_of(const ConfigVersion& record);

// Writes records to one file. Statements are kept.
class RecordWriter {
 public:
  explicit RecordWriter(Database& database) : database_(database) {}
  Status put(const Record& record);

 private:
  template <class R>
  Status put_one(const R& record, std::optional<Statement>& statement);

  Database& database_;
  std::optional<Statement> workload_, node_change_, finding_, alert_, config_;
};

// Nodes and the like: names hold no comma.
std::string join_names(const std::vector<std::string>& names);
std::vector<std::string> split_names(std::string_view text);

// "SELECT <columns> FROM <table> "
template <class R>
std::string select_text() {
  std::string sql = "SELECT ";
  R record;
  bool first = true;
  RecordTable<R>::each_field(record, [&](std::string_view name, const auto&) {
    if (!first) sql += ", ";
    first = false;
    sql += name;
  });
  return sql + " FROM " + std::string(RecordTable<R>::kName) + ' ';
}

// The row on which the statement of select_text stands.
struct ColumnReader {
  const Statement& row;
  int at = 0;

  void operator()(std::string_view, std::string& v) { v = row.text(at++); }
  void operator()(std::string_view, Timestamp& v) { v = {row.integer(at++)}; }
  void operator()(std::string_view, std::vector<std::string>& v) {
    v = split_names(row.text(at++));
  }
  template <class T>
  void operator()(std::string_view, std::optional<T>& v) {
    if (row.is_null(at)) {
      v = std::nullopt;
    } else if constexpr (std::is_same_v<T, double>) {
      v = row.real(at);
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      v = row.integer(at);
    } else {
      v = T{row.integer(at)};
    }
    ++at;
  }
};

template <class R>
R read_row(const Statement& row) {
  R record;
  RecordTable<R>::each_field(record, ColumnReader{row});
  return record;
}

}  // namespace schedlens::memory
