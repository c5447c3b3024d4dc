// SPDX-License-Identifier: Apache-2.0
#include "baseline/baseline.h"

namespace schedlens::baseline {

Baseline::Baseline(const Watched& watched, const Calendar& calendar)
    : watched_(watched),
      calendar_(calendar),
      options_(options_of(watched)),
      history_(watched.width) {}

void Baseline::put(const Bucket& bucket) {
  history_.put(bucket);
  // A bucket of the day itself is no part of what is expected of the day.
  for (auto& kept : kept_) {
    if (bucket.day < kept.place.day) kept = {};
  }
}

void Baseline::put(const Buckets& buckets) {
  for (const auto& bucket : buckets.list) put(bucket);
}

const Baseline::Kept& Baseline::kept_for(Timestamp moment, const Kept* spared) {
  for (const auto& kept : kept_) {
    if (kept.holds(moment)) return kept;
  }
  auto& older = kept_[0].place.bounds.end <= kept_[1].place.bounds.end ? kept_[0] : kept_[1];
  auto& chosen = &older == spared ? kept_[&older == &kept_[0] ? 1 : 0] : older;
  chosen.place = place_of(moment, history_.width());
  chosen.expected = expectation(history_, calendar_, chosen.place, options_);
  return chosen;
}

const Expectation& Baseline::expected(const Bucket& now) {
  const auto& last = kept_for(now.end + Seconds{-1}, nullptr);
  auto edge = last.place.bounds.begin;
  last_ = &last.expected;
  if (now.begin >= edge) return *last_;
  const auto& first = kept_for(now.begin, &last);
  combined_ = combined(first.expected, last.expected, part_before({now.begin, now.end}, edge),
                       options_.kind);
  last_ = &combined_;
  return *last_;
}

Verdict Baseline::judge(const Bucket& now) {
  const auto& band = expected(now);
  auto alone = baseline::judge(now, band);
  bool like_other =
      (alone.state == State::kHigh || alone.state == State::kLow) && alone.value &&
      looks_like_other_class(history_, calendar_, kept_for(now.end + Seconds{-1}, nullptr).place,
                             *alone.value, options_);
  return baseline::judge(now, band, watched_.persistence, watched_.direction, streak_, like_other);
}

std::string Baseline::explain(const Verdict& verdict) const {
  return sentence(verdict, *last_, watched_.unit);
}

}  // namespace schedlens::baseline
