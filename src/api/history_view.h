// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is remembered, as JSON documents: written by a server and by --json, and read back by the
// commands that ask a server.
//
// Times are seconds since 1970 (UTC). What is not known is null. A list holds the newest; `more`
// says that older ones of the time asked for are left out. `problems` names files that could not be
// read: what they hold is missing from the document.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "memory/reader.h"

namespace schedlens::api {

template <class Record>
struct HistoryOf {
  std::vector<Record> records;  // by time
  bool more = false;
  std::vector<std::string> problems;
};

// A configuration that came into force, and what changed with it.
struct ConfigChange {
  Timestamp time;
  std::string source;
  std::string hash;
  bool first = false;                // nothing is known of the one before
  std::vector<std::string> changes;  // lines: "- MaxNodes=2", "+ MaxNodes=4"
};

// Series in equal steps.
struct SeriesHistory {
  std::chrono::milliseconds step{};
  std::vector<memory::SeriesBuckets> series;  // sorted by name and labels
  std::vector<std::string> problems;
};

struct SeriesNames {
  std::vector<memory::SeriesKey> names;
  std::vector<std::string> problems;
};

void write_history(JsonWriter& json, const HistoryOf<memory::EndedWorkload>& runs);
void write_history(JsonWriter& json, const HistoryOf<memory::NodeChange>& changes);
void write_history(JsonWriter& json, const HistoryOf<memory::AlertRecord>& alerts);
void write_history(JsonWriter& json, const HistoryOf<ConfigChange>& changes);
void write_history(JsonWriter& json, const SeriesHistory& history);
void write_history(JsonWriter& json, const SeriesNames& names);

// Fail on what is no such document.
Result<HistoryOf<memory::EndedWorkload>> read_run_history(std::string_view document);
Result<HistoryOf<memory::NodeChange>> read_node_history(std::string_view document);
Result<HistoryOf<memory::AlertRecord>> read_alert_history(std::string_view document);
Result<HistoryOf<ConfigChange>> read_config_history(std::string_view document);
Result<SeriesHistory> read_series_history(std::string_view document);
Result<SeriesNames> read_series_names(std::string_view document);

}  // namespace schedlens::api
