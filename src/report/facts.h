// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a report is made from: all that is remembered of some time, and of as much time before.

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/reader.h"

namespace schedlens::report {

struct Period {
  Timestamp from, to;
  Seconds length() const { return to - from; }
  Period before() const { return {from + Seconds{-length().value}, from}; }
  memory::TimeRange range() const { return {memory::moment_of(from), memory::moment_of(to)}; }
};

// A series in hours of the period; absent where there are no values.
struct Hourly {
  memory::SeriesKey key;
  std::vector<std::optional<double>> mean, last;  // by hour
};

struct Facts {
  Period period;
  // Runs that held resources or waited in the period, whenever they ended.
  std::vector<memory::EndedWorkload> runs;
  // Of the period, and of each node the last before it.
  std::vector<memory::NodeChange> node_changes;
  std::vector<memory::ConfigVersion> configs;  // all until its end
  std::vector<memory::AlertRecord> alerts;
  std::map<std::string, std::vector<Hourly>> series;  // by metric
  std::vector<std::string> problems;                  // files that could not be read

  std::size_t hours() const { return static_cast<std::size_t>(period.length().value / 3600); }
  // By hour, the sum over the metric's series with this label, or all; absent where none has one.
  std::vector<std::optional<double>> sum_of(const std::string& metric, std::string_view label = {},
                                            std::string_view value = {}) const;
  // What a counter rose by in the period, by the value of a label. Falls are restarts.
  std::map<std::string, double> increases(const std::string& metric, std::string_view label) const;
  // Hours in which a server looked.
  std::size_t hours_seen() const;
};

// The metrics that a report reads.
const std::vector<std::string>& metrics_read();

Result<Facts> gather(memory::Reader& reader, Period period);

}  // namespace schedlens::report
