// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `schedlens history ...` does once its options are read. Each returns the exit code.

#include <cstddef>
#include <string>

#include "api/history_query.h"
#include "cli/history_source.h"

namespace schedlens::cli {

struct Context;

struct HistoryOptions {
  HistoryWhere where;
  std::string since = "7d", until;  // of parse_when(); no end: now
  std::string name;                 // of a job, a node or a series
  std::string user, account, queue, state;
  std::string step;  // a duration; empty: as fits
  std::size_t limit = api::kHistoryRecords;
};

int run_history_job(Context& context, const HistoryOptions& options);
int run_history_node(Context& context, const HistoryOptions& options);
int run_history_alerts(Context& context, const HistoryOptions& options);
int run_history_config(Context& context, const HistoryOptions& options);
// Without a name: which series there are.
int run_history_series(Context& context, const HistoryOptions& options);

}  // namespace schedlens::cli
