// SPDX-License-Identifier: Apache-2.0
#include "baseline/buckets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "baseline/median.h"

namespace schedlens::baseline {
namespace {

constexpr std::int64_t kFullDay = 86400;
constexpr double kHour = 3600;
// A step of more cadences than this is a gap: nobody knows when a counter rose in it.
constexpr double kGapCadences = 2.5;
// A day with fewer samples does not show its own cadence.
constexpr std::size_t kCadenceSamples = 12;

double seconds(Seconds duration) {
  return static_cast<double>(duration.value);
}

std::size_t first_at(std::span<const Point> points, Timestamp moment) {
  auto found = std::lower_bound(points.begin(), points.end(), moment,
                                [](const Point& point, Timestamp at) { return point.at < at; });
  return static_cast<std::size_t>(found - points.begin());
}

std::span<const Point> between(std::span<const Point> points, Timestamp begin, Timestamp end) {
  auto first = first_at(points, begin);
  return points.subspan(first, first_at(points, end) - first);
}

const Mask* touching(std::span<const Mask> masks, const Span& window) {
  for (const auto& mask : masks) {
    bool moment = mask.end <= mask.begin;
    if (mask.begin < window.end && (moment ? mask.begin >= window.begin : mask.end > window.begin))
      return &mask;
  }
  return nullptr;
}

// Fills buckets one after the other; scratch_ is kept from one to the next.
class Cutter {
 public:
  Cutter(std::span<const Point> points, const BucketOptions& options)
      : points_(points), options_(options) {}

  void fill(Bucket& bucket, std::optional<Seconds> cadence) {
    auto inside = between(points_, bucket.begin, bucket.end);
    if (!cadence || inside.empty()) {
      leave_out(bucket, LeftOut::kTooFewSamples, "no samples");
    } else if (options_.kind == SeriesKind::kGauge) {
      fill_gauge(bucket, inside, seconds(*cadence));
    } else {
      fill_counter(bucket, inside, seconds(*cadence));
    }
  }

 private:
  // The first reason stays: a mask explains missing samples too.
  static void leave_out(Bucket& bucket, LeftOut why, std::string note) {
    if (bucket.left_out != LeftOut::kNot) return;
    bucket.left_out = why;
    bucket.note = std::move(note);
  }

  void fill_gauge(Bucket& bucket, std::span<const Point> inside, double cadence) {
    scratch_.clear();
    for (const auto& point : inside) scratch_.push_back(point.value);
    auto expected = std::max(1.0, std::round(seconds(bucket.end - bucket.begin) / cadence));
    if (static_cast<double>(scratch_.size()) < options_.least_share * expected) {
      leave_out(bucket, LeftOut::kTooFewSamples,
                fmt::format("{} of {:.0f} samples", scratch_.size(), expected));
    }
    bucket.value = median_of(scratch_);
  }

  // Adds up the rises between neighbouring samples, each for the part of it that lies in the
  // bucket, over the time that they cover. A fall and a gap cover nothing.
  void fill_counter(Bucket& bucket, std::span<const Point> inside, double cadence) {
    auto first = static_cast<std::size_t>(inside.data() - points_.data());
    auto last = std::min(first + inside.size(), points_.size() - 1);
    double risen = 0, covered = 0;
    bool reset = false;
    for (auto i = std::max<std::size_t>(first, 1); i <= last; ++i) {
      const auto &before = points_[i - 1], &after = points_[i];
      auto length = seconds(after.at - before.at);
      if (after.value < before.value) {
        reset = reset || after.at < bucket.end;
        continue;
      }
      if (length > kGapCadences * cadence) continue;
      auto part = seconds(std::min(after.at, bucket.end) - std::max(before.at, bucket.begin));
      risen += (after.value - before.value) * part / length;
      covered += part;
    }
    auto whole = seconds(bucket.end - bucket.begin);
    if (reset) leave_out(bucket, LeftOut::kCounterReset, "");
    if (covered < options_.least_share * whole) {
      leave_out(bucket, LeftOut::kTooFewSamples,
                fmt::format("{:.0f} % of the time seen", 100 * covered / whole));
    }
    if (covered > 0) bucket.value = risen / covered * kHour;
  }

  std::span<const Point> points_;
  const BucketOptions& options_;
  std::vector<double> scratch_;
};

void count_resets(std::span<const Point> points, Buckets& buckets) {
  int changes = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    changes += points[i].value != points[i - 1].value ? 1 : 0;
    buckets.resets += points[i].value < points[i - 1].value ? 1 : 0;
  }
  buckets.oscillates = buckets.resets >= 4 && buckets.resets * 4 > changes;
}

}  // namespace

std::string_view words(LeftOut why) {
  switch (why) {
    case LeftOut::kNot:
      return "used";
    case LeftOut::kTooFewSamples:
      return "too few samples";
    case LeftOut::kClockChange:
      return "clock moved";
    case LeftOut::kMaintenance:
      return "maintenance";
    case LeftOut::kReservation:
      return "reservation";
    case LeftOut::kControllerRestart:
      return "scheduler restarted";
    case LeftOut::kCounterReset:
      return "counter reset";
    case LeftOut::kIncident:
      return "incident";
    case LeftOut::kNothingHappened:
      return "nothing to measure";
  }
  return "";
}

std::string why_left_out(const Bucket& bucket) {
  if (bucket.left_out == LeftOut::kNot) return bucket.value ? "" : "no samples";
  if (bucket.left_out == LeftOut::kTooFewSamples && !bucket.note.empty()) return bucket.note;
  if (bucket.note.empty()) return std::string(words(bucket.left_out));
  return fmt::format("{}: {}", words(bucket.left_out), bucket.note);
}

std::vector<Mask> sdiag_resets(Timestamp from, Timestamp to) {
  std::vector<Mask> masks;
  auto first = (from.unix_seconds + kFullDay - 1) / kFullDay * kFullDay;
  for (auto t = first; t < to.unix_seconds; t += kFullDay) {
    masks.push_back({{t}, {t}, LeftOut::kCounterReset, "midnight UTC"});
  }
  return masks;
}

std::optional<Seconds> observed_cadence(std::span<const Point> points) {
  if (points.size() < 3) return std::nullopt;
  std::vector<double> steps;
  steps.reserve(points.size() - 1);
  for (std::size_t i = 1; i < points.size(); ++i) {
    steps.push_back(seconds(points[i].at - points[i - 1].at));
  }
  return Seconds{std::max<std::int64_t>(1, std::llround(median_of(steps)))};
}

Result<Buckets> into_buckets(std::span<const Point> points, std::span<const Mask> masks,
                             Timestamp from, Timestamp to, const BucketOptions& options) {
  if (auto width = check_width(options.width); !width) return fail(width.error());
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].at <= points[i - 1].at) {
      return fail("the points do not ascend: {} after {}", points[i].at.unix_seconds,
                  points[i - 1].at.unix_seconds);
    }
  }
  std::vector<Point> finite;
  if (!std::all_of(points.begin(), points.end(),
                   [](const Point& point) { return std::isfinite(point.value); })) {
    std::copy_if(points.begin(), points.end(), std::back_inserter(finite),
                 [](const Point& point) { return std::isfinite(point.value); });
    points = finite;
  }

  Buckets buckets;
  buckets.cadence = observed_cadence(points);
  if (options.kind == SeriesKind::kCounter) count_resets(points, buckets);
  Cutter cutter(points, options);
  for (auto day = local_day(from); day <= local_day(to); day = day + 1) {
    auto windows = windows_of(day, options.width);
    auto of_day = between(points, windows.front().begin, windows.back().end);
    auto cadence = of_day.size() >= kCadenceSamples ? observed_cadence(of_day) : buckets.cadence;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const auto& window = windows[i];
      if (window.begin < from || window.end > to) continue;
      Bucket bucket{day, static_cast<int>(i), window.begin, window.end, {}, LeftOut::kNot, {}};
      if (window.moved) {
        bucket.left_out = LeftOut::kClockChange;
      } else {
        if (const auto* mask = touching(masks, {window.begin, window.end})) {
          bucket.left_out = mask->why;
          bucket.note = mask->note;
        }
        cutter.fill(bucket, cadence);
      }
      buckets.list.push_back(std::move(bucket));
    }
  }
  return buckets;
}

Bucket bucket_over(std::span<const Point> points, std::span<const Mask> masks, Span span,
                   std::optional<Seconds> cadence, const BucketOptions& options) {
  Bucket bucket{{}, 0, span.begin, span.end, {}, LeftOut::kNot, {}};
  if (const auto* mask = touching(masks, span)) {
    bucket.left_out = mask->why;
    bucket.note = mask->note;
  }
  Cutter(points, options).fill(bucket, cadence);
  return bucket;
}

Bucket divided(const Bucket& above, const Bucket& below) {
  auto bucket = above;
  bucket.value.reset();
  if (above.value && below.value && *below.value != 0) bucket.value = *above.value / *below.value;
  if (above.left_out != LeftOut::kNot) return bucket;
  bucket.left_out = below.left_out;
  bucket.note = below.note;
  if (below.usable() && *below.value == 0) bucket.left_out = LeftOut::kNothingHappened;
  return bucket;
}

Result<Buckets> divided(const Buckets& above, const Buckets& below) {
  if (above.list.size() != below.list.size()) {
    return fail("{} buckets by {}", above.list.size(), below.list.size());
  }
  auto result = above;
  result.resets += below.resets;
  result.oscillates = above.oscillates || below.oscillates;
  for (std::size_t i = 0; i < above.list.size(); ++i) {
    if (above.list[i].begin != below.list[i].begin || above.list[i].end != below.list[i].end) {
      return fail("the buckets begin at {} and {}", above.list[i].begin.unix_seconds,
                  below.list[i].begin.unix_seconds);
    }
    result.list[i] = divided(above.list[i], below.list[i]);
  }
  return result;
}

bool is_stale(Timestamp newest, std::optional<Seconds> cadence, Timestamp now) {
  auto step = cadence ? cadence->value : 0;
  return (now - newest).value > std::max<std::int64_t>(300, 3 * step);
}

}  // namespace schedlens::baseline
