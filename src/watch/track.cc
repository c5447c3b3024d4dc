// SPDX-License-Identifier: Apache-2.0
#include "watch/track.h"

#include <algorithm>

#include "base/log.h"

namespace schedlens::watch {

using baseline::Bucket;

namespace {

// Before the first window, for the rise of a counter.
constexpr Seconds kLead{3600};

}  // namespace

Track::Track(const baseline::Watched& watched, std::string of, const baseline::Calendar& calendar)
    : baseline_(watched, calendar), of_(std::move(of)) {}

void Track::add(Point point, std::vector<Point>& to) {
  if (to.empty() || to.back().at < point.at) {
    to.push_back(point);
  } else if (to.back().at == point.at) {
    to.back() = point;
  }
}

baseline::BucketOptions Track::bucket_options() const {
  baseline::BucketOptions options;
  options.kind = watched().kind;
  options.width = watched().width;
  return options;
}

void Track::roll_up(std::span<const Mask> masks, Timestamp now) {
  const auto current = baseline::place_of(now, watched().width).bounds.begin;
  if (!rolled_) {
    if (above_.empty()) return;
    rolled_ = baseline::place_of(above_.front().at, watched().width).bounds.begin;
  }
  if (current <= *rolled_) return;
  auto buckets = baseline::into_buckets(above_, masks, *rolled_, current, bucket_options());
  if (buckets && !watched().divisor.empty()) {
    const auto below = baseline::into_buckets(below_, masks, *rolled_, current, bucket_options());
    buckets = below ? baseline::divided(*buckets, *below) : below;
  }
  if (buckets) {
    baseline_.put(*buckets);
  } else {
    log::warning("no baseline of series={} of={}: {}", watched().name, of_,
                 buckets.error().message());
  }
  rolled_ = current;
  forget_before(current + Seconds{-kLead.value - watched().recent.value});
}

Track::Judged Track::judge(std::span<const Mask> masks, Timestamp now) {
  // The moment itself is the last of the span.
  const auto end = now + Seconds{1};
  const baseline::Span span{end + Seconds{-watched().recent.value}, end};
  auto value = [&](const std::vector<Point>& points) {
    return baseline::bucket_over(points, masks, span, baseline::observed_cadence(points),
                                 bucket_options());
  };
  auto bucket = value(above_);
  if (!watched().divisor.empty()) bucket = baseline::divided(bucket, value(below_));
  Judged judged;
  judged.verdict = baseline_.judge(bucket);
  judged.band = baseline_.expected(bucket).band;
  judged.sentence = baseline_.explain(judged.verdict);
  return judged;
}

void Track::forget_before(Timestamp moment) {
  auto forget = [&](std::vector<Point>& points) {
    points.erase(points.begin(),
                 std::find_if(points.begin(), points.end(),
                              [&](const Point& point) { return point.at >= moment; }));
  };
  forget(above_);
  forget(below_);
}

}  // namespace schedlens::watch
