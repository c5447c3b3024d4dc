// SPDX-License-Identifier: Apache-2.0
#pragma once
// Questions to what is remembered: the same for a server's routes and for commands beside a
// stopped one.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "api/history_view.h"
#include "base/result.h"
#include "memory/reader.h"

namespace schedlens::api {

inline constexpr std::size_t kHistoryRecords = 1000;  // of an answer, unless more are asked for
inline constexpr std::size_t kMostHistoryRecords = 100'000;
inline constexpr std::size_t kHistorySeries = 500;   // more are refused: the question is too wide
inline constexpr std::size_t kHistoryBuckets = 240;  // about so many, unless a step is asked for

// Empty texts hold for all.
struct RunQuestion {
  memory::TimeRange time{};  // of the end
  // A job's id finds its runs; that of an array or het job those of all its parts.
  std::string id{}, user{}, account{}, queue{}, state{};
  std::size_t limit = kHistoryRecords;
};
struct NodeQuestion {
  memory::TimeRange time{};
  std::string node{};
  std::size_t limit = kHistoryRecords;
};
// Those that fired at any moment of the time.
struct AlertQuestion {
  memory::TimeRange time{};
  std::string rule{};
  std::size_t limit = kHistoryRecords;
};
struct SeriesQuestion {
  memory::TimeRange time{};
  memory::SeriesMatch match{};
  std::optional<std::chrono::milliseconds> step{};
};

Result<HistoryOf<memory::EndedWorkload>> ask(memory::Reader& reader, const RunQuestion& question);
Result<HistoryOf<memory::NodeChange>> ask(memory::Reader& reader, const NodeQuestion& question);
Result<HistoryOf<memory::AlertRecord>> ask(memory::Reader& reader, const AlertQuestion& question);
Result<HistoryOf<ConfigChange>> config_history(memory::Reader& reader, memory::TimeRange time);
// Fails when more series match than one can look at.
Result<SeriesHistory> ask(memory::Reader& reader, const SeriesQuestion& question);
Result<SeriesNames> series_names(memory::Reader& reader, const memory::SeriesMatch& match,
                                 memory::TimeRange time);

// `name`, `name{a="x",b="y"}` or `{a="x"}`.
Result<memory::SeriesMatch> parse_series(std::string_view text);
// The step in which so long a time has about kHistoryBuckets of them: a minute, five, an hour, ...
std::chrono::milliseconds step_for(memory::TimeRange time);

}  // namespace schedlens::api
