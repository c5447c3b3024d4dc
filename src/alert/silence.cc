// SPDX-License-Identifier: Apache-2.0
#include "alert/silence.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace schedlens::alert {
namespace {

constexpr Seconds kSeenAfter{86'400};

}  // namespace

bool Silence::active(Timestamp now) const {
  if (now < from) return false;
  if (every.value == 0) return now < until;
  return (now - from).value % every.value < (until - from).value;
}

Result<Matcher> parse_matcher(std::string_view text) {
  auto parts = cut(text, '=');
  auto series = parts ? parse_series(parts->first) : Result<SeriesName>(SeriesName{});
  if (!parts || !series || series->name != trim(parts->first)) {
    return fail("'{}' is no matcher, such as partition=h100*", printable(text));
  }
  return Matcher{series->name, Pattern(trim(parts->second))};
}

Result<std::string> Silences::add(Silence silence, Timestamp now) {
  if (silence.matchers.empty()) {
    return fail("a silence needs a matcher, or it would take in everything: alertname=* for that");
  }
  if (trim(silence.author).empty()) return fail("a silence needs an author: who is asked about it");
  if (trim(silence.comment).empty()) return fail("a silence needs a comment: why it is there");
  if (silence.until <= silence.from) return fail("the silence ends before it begins");
  if (silence.over(now)) return fail("the silence is over already");
  if (silence.every.value != 0 && silence.every < silence.until - silence.from) {
    return fail("the window comes back before it is over");
  }
  silence.id = std::to_string(next_++);
  silences_.push_back(std::move(silence));
  return silences_.back().id;
}

Status Silences::remove(std::string_view id) {
  auto at = std::find_if(silences_.begin(), silences_.end(),
                         [&](const Silence& silence) { return silence.id == id; });
  if (at == silences_.end()) return fail("there is no silence {}", printable(id));
  silences_.erase(at);
  return {};
}

const Silence* Silences::covering(const Labels& labels, Timestamp now) const {
  auto at = std::find_if(silences_.begin(), silences_.end(), [&](const Silence& silence) {
    return silence.active(now) && all_match(silence.matchers, labels);
  });
  return at == silences_.end() ? nullptr : &*at;
}

void Silences::forget_old(Timestamp now) {
  std::erase_if(silences_, [&](const Silence& silence) {
    return silence.over(now) && now - silence.until > kSeenAfter;
  });
}

void Silences::restore(std::vector<Silence> silences, std::uint64_t next_id) {
  silences_ = std::move(silences);
  next_ = std::max<std::uint64_t>(next_id, 1);
}

}  // namespace schedlens::alert
