// SPDX-License-Identifier: Apache-2.0
#include "baseline/history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace schedlens::baseline {

History::History(Seconds width) : width_(width), windows_(static_cast<int>(86400 / width.value)) {
  days_.fill({INT32_MIN});
}

std::size_t History::row(Day day) const {
  return static_cast<std::size_t>((day.number % kDays + kDays) % kDays);
}

void History::begin_day(Day day) {
  auto per_day = static_cast<std::size_t>(windows_);
  if (values_.empty()) {
    values_.resize(per_day * kDays);
    left_out_.resize(per_day * kDays);
  }
  auto first = row(day) * per_day;
  std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(first), per_day,
              std::numeric_limits<float>::quiet_NaN());
  std::fill_n(left_out_.begin() + static_cast<std::ptrdiff_t>(first), per_day, LeftOut::kNot);
  days_[row(day)] = day;
  newest_ = std::max(newest_, day);
  std::erase_if(notes_, [&](const Note& note) { return note.day <= newest_ - kDays; });
}

void History::put(const Bucket& bucket) {
  if (bucket.window < 0 || bucket.window >= windows_) return;
  if (newest_.number != INT32_MIN && bucket.day <= newest_ - kDays) return;
  if (days_[row(bucket.day)] != bucket.day) begin_day(bucket.day);
  auto at = row(bucket.day) * static_cast<std::size_t>(windows_) +
            static_cast<std::size_t>(bucket.window);
  values_[at] =
      bucket.value ? static_cast<float>(*bucket.value) : std::numeric_limits<float>::quiet_NaN();
  left_out_[at] = bucket.left_out;
  std::erase_if(notes_, [&](const Note& note) {
    return note.day == bucket.day && note.window == bucket.window;
  });
  if (!bucket.note.empty()) notes_.push_back({bucket.day, bucket.window, bucket.note});
}

void History::put(const Buckets& buckets) {
  for (const auto& bucket : buckets.list) put(bucket);
}

std::optional<double> History::usable(Day day, int window) const {
  if (days_[row(day)] != day || values_.empty()) return std::nullopt;
  auto at = row(day) * static_cast<std::size_t>(windows_) + static_cast<std::size_t>(window);
  if (left_out_[at] != LeftOut::kNot || std::isnan(values_[at])) return std::nullopt;
  return values_[at];
}

std::string History::why_not(Day day, int window) const {
  if (usable(day, window)) return "";
  if (days_[row(day)] != day || values_.empty()) return "no data";
  auto at = row(day) * static_cast<std::size_t>(windows_) + static_cast<std::size_t>(window);
  Bucket bucket;
  bucket.left_out = left_out_[at];
  for (const auto& note : notes_) {
    if (note.day == day && note.window == window) bucket.note = note.text;
  }
  return bucket.left_out == LeftOut::kNot ? "no data" : why_left_out(bucket);
}

}  // namespace schedlens::baseline
