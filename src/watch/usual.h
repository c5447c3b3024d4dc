// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is usual at this time of the day for the watched series (baseline/watched.h), and how the
// values of now stand to it. Its past is what the memory holds; without one it learns from now on.
// One thread at a time; rows() and judged() are as of the last feed().

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "baseline/calendar.h"
#include "memory/reader.h"
#include "metrics/samples.h"
#include "metrics/watch_rows.h"
#include "watch/disturbances.h"
#include "watch/track.h"

namespace schedlens::watch {

struct JudgedSeries {
  const baseline::Watched* watched = nullptr;
  std::string of;  // value of the label `per`
  Track::Judged judged;
};

class Usual {
 public:
  explicit Usual(baseline::Calendar calendar);
  Usual(const Usual&) = delete;

  // The last four weeks, as far as they are kept. Before the first feed().
  Status read_back(memory::Reader& reader, Timestamp now);

  // The values of the cluster's metrics at a moment, once a minute.
  void feed(Timestamp now, const std::vector<metrics::Sample>& samples);

  const std::vector<JudgedSeries>& judged() const { return judged_; }
  std::vector<metrics::BaselineRow> rows() const;

 private:
  using Key = std::pair<const baseline::Watched*, std::string>;
  Track& track(const baseline::Watched& watched, const std::string& of);
  Status read_back(memory::Reader& reader, const baseline::Watched& watched, bool divisor,
                   memory::TimeRange time);

  const baseline::Calendar calendar_;
  std::map<Key, std::unique_ptr<Track>> tracks_;
  Disturbances disturbances_;
  std::vector<JudgedSeries> judged_;
};

}  // namespace schedlens::watch
