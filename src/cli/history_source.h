// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where history comes from: a running server, the data directory of one, running or not, or, of
// series alone, a Prometheus that they were sent to.

#include <optional>
#include <string>
#include <string_view>

#include "api/history_query.h"
#include "base/result.h"
#include "base/units.h"

namespace schedlens::cli {

struct HistoryWhere {
  std::string server;  // "http://host:port"
  std::string data_dir;
  std::string prometheus;  // "http://host:port"; one of the three is set
  std::string token_file;  // that the Prometheus asks for; may be empty
};

// "7d" and "90m" are so long ago; "2026-11-30", "2026-11-30T14:05" and "2026-11-30T14:05:00" are in
// this machine's time zone, with a Z behind in UTC.
Result<Timestamp> parse_when(std::string_view text, Timestamp now);

Result<api::HistoryOf<memory::EndedWorkload>> ask(const HistoryWhere& where,
                                                  const api::RunQuestion& question);
Result<api::HistoryOf<memory::NodeChange>> ask(const HistoryWhere& where,
                                               const api::NodeQuestion& question);
Result<api::HistoryOf<memory::AlertRecord>> ask(const HistoryWhere& where,
                                                const api::AlertQuestion& question);
Result<api::HistoryOf<api::ConfigChange>> ask_config(const HistoryWhere& where,
                                                     memory::TimeRange time);
Result<api::SeriesHistory> ask(const HistoryWhere& where, const api::SeriesQuestion& question);
Result<api::SeriesNames> ask_names(const HistoryWhere& where, const memory::SeriesMatch& match,
                                   memory::TimeRange time);

}  // namespace schedlens::cli
