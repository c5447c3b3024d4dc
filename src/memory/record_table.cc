// SPDX-License-Identifier: Apache-2.0
#include "memory/record_table.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace schedlens::memory {
namespace {

constexpr std::array kSteps = {
    "CREATE TABLE workload(key TEXT NOT NULL UNIQUE, scheduler TEXT NOT NULL, id TEXT NOT NULL,"
    " ended INTEGER NOT NULL, array_job INTEGER, name TEXT NOT NULL, user TEXT NOT NULL,"
    " account TEXT NOT NULL, queue TEXT NOT NULL, qos TEXT NOT NULL, submitted INTEGER,"
    " eligible INTEGER, started INTEGER, time_limit INTEGER, state TEXT NOT NULL,"
    " exit_code INTEGER, exit_signal INTEGER, restarts INTEGER, nodes_count INTEGER,"
    " cpus INTEGER, gpus INTEGER, nodes TEXT NOT NULL, gpu_seconds REAL,"
    " last_reason TEXT NOT NULL, last_cause TEXT NOT NULL);"
    "CREATE INDEX workload_time ON workload(ended);"
    "CREATE TABLE node_change(key TEXT NOT NULL UNIQUE, time INTEGER NOT NULL,"
    " node TEXT NOT NULL, from_state TEXT NOT NULL, to_state TEXT NOT NULL,"
    " reason TEXT NOT NULL, author TEXT NOT NULL, reason_since INTEGER, gpus INTEGER);"
    "CREATE INDEX node_change_time ON node_change(time);"
    "CREATE TABLE finding(key TEXT NOT NULL UNIQUE, begins INTEGER NOT NULL, ends INTEGER,"
    " kind TEXT NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL);"
    "CREATE INDEX finding_time ON finding(begins);"
    "CREATE TABLE alert(key TEXT NOT NULL UNIQUE, starts INTEGER NOT NULL, ends INTEGER,"
    " fingerprint TEXT NOT NULL, rule TEXT NOT NULL, severity TEXT NOT NULL,"
    " labels TEXT NOT NULL, summary TEXT NOT NULL);"
    "CREATE INDEX alert_time ON alert(starts);"
    "CREATE TABLE config(key TEXT NOT NULL UNIQUE, time INTEGER NOT NULL, source TEXT NOT NULL,"
    " hash TEXT NOT NULL, text TEXT NOT NULL);"
    "CREATE INDEX config_time ON config(time);"};

struct ColumnBinder {
  Statement& statement;
  int at = 1;  // ?1 is the key

  void operator()(std::string_view, const std::vector<std::string>& v) {
    statement.bind_at(++at, join_names(v));
  }
  template <class T>
  void operator()(std::string_view, const std::optional<T>& v) {
    if constexpr (std::is_same_v<T, Seconds>) {
      statement.bind_at(++at, v ? std::optional<std::int64_t>(v->value) : std::nullopt);
    } else {
      statement.bind_at(++at, v);
    }
  }
  template <class T>
  void operator()(std::string_view, const T& v) {
    statement.bind_at(++at, v);
  }
};

template <class R>
std::string insert_text() {
  std::string columns = "key", values = "?1";
  R record;
  int at = 1;
  RecordTable<R>::each_field(record, [&](std::string_view name, const auto&) {
    columns += fmt::format(", {}", name);
    values += fmt::format(", ?{}", ++at);
  });
  return fmt::format("INSERT OR REPLACE INTO {}({}) VALUES({})", RecordTable<R>::kName, columns,
                     values);
}

// A byte that no name holds stands between the parts.
template <class... Parts>
std::string joined(const Parts&... parts) {
  return fmt::format("{}", fmt::join(std::array{fmt::format("{}", parts)...}, "\x1f"));
}

}  // namespace

std::span<const char* const> record_steps() {
  return kSteps;
}

std::string key_of(const EndedWorkload& record) {
  const auto since = record.started ? record.started : record.submitted;
  return joined(record.scheduler, record.id, since ? std::to_string(since->unix_seconds) : "");
}
std::string key_of(const NodeChange& record) {
  return joined(record.node, record.time.unix_seconds);
}
std::string key_of(const Finding& record) {
  return joined(record.kind, record.subject, record.from.unix_seconds);
}
std::string key_of(const AlertRecord& record) {
  return joined(record.fingerprint, record.starts.unix_seconds);
}
std::string key_of(const ConfigVersion& record) {
  return joined(record.source, record.hash, record.time.unix_seconds);
}

Timestamp time_of(const Record& record) {
  struct Visitor {
    Timestamp operator()(const EndedWorkload& r) const { return r.ended; }
    Timestamp operator()(const NodeChange& r) const { return r.time; }
    Timestamp operator()(const Finding& r) const { return r.from; }
    Timestamp operator()(const AlertRecord& r) const { return r.starts; }
    Timestamp operator()(const ConfigVersion& r) const { return r.time; }
  };
  return std::visit(Visitor(), record);
}

std::string join_names(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ","));
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  for (const auto name : split(text, ',')) names.emplace_back(name);
  return names;
}

template <class R>
Status RecordWriter::put_one(const R& record, std::optional<Statement>& statement) {
  if (!statement) {
    auto prepared =
        database_.prepare(fmt::format("write a {}", RecordTable<R>::kName), insert_text<R>());
    if (!prepared) return fail(prepared.error());
    statement = std::move(*prepared);
  }
  statement->reset();
  statement->bind_at(1, key_of(record));
  RecordTable<R>::each_field(record, ColumnBinder{*statement});
  return statement->run();
}

Status RecordWriter::put(const Record& record) {
  if (const auto* r = std::get_if<EndedWorkload>(&record)) return put_one(*r, workload_);
  if (const auto* r = std::get_if<NodeChange>(&record)) return put_one(*r, node_change_);
  if (const auto* r = std::get_if<Finding>(&record)) return put_one(*r, finding_);
  if (const auto* r = std::get_if<AlertRecord>(&record)) return put_one(*r, alert_);
  return put_one(std::get<ConfigVersion>(record), config_);
}

}  // namespace schedlens::memory
