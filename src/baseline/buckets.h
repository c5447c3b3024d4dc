// SPDX-License-Identifier: Apache-2.0
#pragma once
// One series, cut into one value per local day and window of its clock: the median of a gauge, the
// rate of a counter. A bucket that something unusual touches says so, and is then no part of what
// is usual. Pure; any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "baseline/day.h"

namespace schedlens::baseline {

struct Point {
  Timestamp at;
  double value = 0;
};

enum class SeriesKind : std::uint8_t { kGauge, kCounter };

// From begin up to, not including, end.
struct Span {
  Timestamp begin;
  Timestamp end;
};

// Why a bucket says nothing about what is usual.
enum class LeftOut : std::uint8_t {
  kNot,
  kTooFewSamples,
  kClockChange,
  kMaintenance,
  kReservation,
  kControllerRestart,
  kCounterReset,
  kIncident,
  kNothingHappened,
};

// "maintenance"
std::string_view words(LeftOut why);

// From begin up to, not including, end; or the one moment begin, when end is not later. Every
// bucket it touches is left out. note is shown: the name of a reservation, for example.
struct Mask {
  Timestamp begin;
  Timestamp end;
  LeftOut why = LeftOut::kMaintenance;
  std::string note;
};

// Midnights in UTC, from from to to: the counters of Slurm's sdiag start again from 0 then.
std::vector<Mask> sdiag_resets(Timestamp from, Timestamp to);

struct Bucket {
  Day day;
  int window = 0;  // of the day, from 00:00 on
  Timestamp begin;
  Timestamp end;
  // Of a counter: per hour. Also there when the bucket is left out, as far as it is known.
  std::optional<double> value;
  LeftOut left_out = LeftOut::kNot;
  std::string note;  // more on why: "3 of 60 samples", the note of the mask

  bool usable() const { return left_out == LeftOut::kNot && value.has_value(); }
};

// "maintenance: firmware of rack 7"; empty for a usable one.
std::string why_left_out(const Bucket& bucket);

struct BucketOptions {
  SeriesKind kind = SeriesKind::kGauge;
  Seconds width{3600};
  // Of the samples, or of a counter of the time, that have to be there.
  double least_share = 0.5;
};

struct Buckets {
  std::vector<Bucket> list;  // ascending, without holes
  // Median time from one sample to the next; nothing with fewer than three.
  std::optional<Seconds> cadence;
  // How often a counter fell; when that is often, it is no counter, or two sources write to it.
  int resets = 0;
  bool oscillates = false;
};

std::optional<Seconds> observed_cadence(std::span<const Point> points);

// The buckets of all windows that lie wholly between from and to. Points ascend; points of the hour
// before from help a counter. Values that are no number count as missing. Expected samples come
// from the cadence seen on the day, of days with few samples from that of all. A fall of a counter
// leaves out the bucket in which it is seen. Fails for a width that does not divide a day and for
// points that do not ascend.
Result<Buckets> into_buckets(std::span<const Point> points, std::span<const Mask> masks,
                             Timestamp from, Timestamp to, const BucketOptions& options);

// One bucket over any span, which is how a value of now is made: the same rules, without a place in
// the calendar. The cadence is the usual one of the series: without it (a new series) nothing is
// known of missing samples, and the bucket is left out.
Bucket bucket_over(std::span<const Point> points, std::span<const Mask> masks, Span span,
                   std::optional<Seconds> cadence, const BucketOptions& options);

// Every bucket of above by that of below: the share of two gauges, the mean of the sum and the
// count of a histogram. Left out with either, and where below is 0: nothing happened that could be
// measured.
Bucket divided(const Bucket& above, const Bucket& below);
// Fails when the two do not stand at the same places.
Result<Buckets> divided(const Buckets& above, const Buckets& below);

// Whether the newest sample is older than three steps of the series' own cadence, and five minutes.
bool is_stale(Timestamp newest, std::optional<Seconds> cadence, Timestamp now);

}  // namespace schedlens::baseline
