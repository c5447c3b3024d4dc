// SPDX-License-Identifier: Apache-2.0
#pragma once
// Silences and maintenance windows: alerts that are seen and that nobody is told of for a while.
// One thread at a time.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alert/labels.h"
#include "base/result.h"
#include "base/units.h"

namespace schedlens::alert {

// A maintenance window is one that begins later, or comes back.
struct Silence {
  std::string id;  // given by Silences
  std::vector<Matcher> matchers;
  Timestamp from, until;
  Seconds every{0};  // comes back after this; 0: once. Such a one stands until it is removed.
  std::string author, comment;

  bool active(Timestamp now) const;
  bool over(Timestamp now) const { return every.value == 0 && now >= until; }
};

// "partition=h100*"; the pattern is as in rules.
Result<Matcher> parse_matcher(std::string_view text);

class Silences {
 public:
  // The id of the new one. Fails, saying what to do, without matchers, author or comment, and when
  // it is over before it begins or already.
  Result<std::string> add(Silence silence, Timestamp now);
  Status remove(std::string_view id);
  const std::vector<Silence>& all() const { return silences_; }
  // The first that is in force for an alert of these labels.
  const Silence* covering(const Labels& labels, Timestamp now) const;
  // Those that are over stay to be seen for a day.
  void forget_old(Timestamp now);

  std::uint64_t next_id() const { return next_; }
  void restore(std::vector<Silence> silences, std::uint64_t next_id);

 private:
  std::vector<Silence> silences_;
  std::uint64_t next_ = 1;
};

}  // namespace schedlens::alert
