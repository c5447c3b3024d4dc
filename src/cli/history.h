// SPDX-License-Identifier: Apache-2.0
#pragma once
// The screens of `schedlens history`.

#include <string>

#include "api/history_view.h"
#include "cli/style.h"

namespace schedlens::cli {

std::string render_runs(const api::HistoryOf<memory::EndedWorkload>& runs, const Style& style);
// What became of one run, line by line.
std::string render_run(const memory::EndedWorkload& run, const Style& style);
// until: the end of the time asked for, up to which the last state of each node lasts.
std::string render_node_changes(const api::HistoryOf<memory::NodeChange>& changes, Timestamp until,
                                const Style& style);
std::string render_fired_alerts(const api::HistoryOf<memory::AlertRecord>& alerts,
                                const Style& style);
std::string render_config_changes(const api::HistoryOf<api::ConfigChange>& changes,
                                  const Style& style);
std::string render_series(const api::SeriesHistory& history, memory::TimeRange time,
                          const Style& style);
std::string render_series_names(const api::SeriesNames& names, const Style& style);

// Values over time in so many characters, low to high between the least and the most; a blank where
// nothing is known.
std::string spark_line(const std::vector<memory::Bucket>& buckets, memory::TimeRange time,
                       std::size_t width);

}  // namespace schedlens::cli
