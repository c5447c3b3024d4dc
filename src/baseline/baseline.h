// SPDX-License-Identifier: Apache-2.0
#pragma once
// One watched series: its history, and its values judged as they come. What is expected is found
// once a window and kept, so that judging each minute costs next to nothing. One thread at a time;
// the calendar outlives it.

#include <array>

#include "baseline/expectation.h"
#include "baseline/verdict.h"
#include "baseline/watched.h"

namespace schedlens::baseline {

class Baseline {
 public:
  Baseline(const Watched& watched, const Calendar& calendar);
  Baseline(const Baseline&) = delete;
  Baseline& operator=(const Baseline&) = delete;

  // A complete bucket. History that was read anew comes in the same way.
  void put(const Bucket& bucket);
  void put(const Buckets& buckets);

  // Of the time of the bucket.
  const Expectation& expected(const Bucket& now);
  // What the value of now is worth: call it once for each value, in order of time.
  Verdict judge(const Bucket& now);
  // Of the last verdict, before another bucket is put in.
  std::string explain(const Verdict& verdict) const;

  const History& history() const { return history_; }
  const ExpectationOptions& options() const { return options_; }
  const Watched& watched() const { return watched_; }

 private:
  const Watched& watched_;
  const Calendar& calendar_;
  ExpectationOptions options_;
  History history_;
  Streak streak_;
  // Of the two windows that the values of now touch; one that holds no time is empty.
  struct Kept {
    Place place;
    Expectation expected;
    bool holds(Timestamp moment) const {
      return place.bounds.begin <= moment && moment < place.bounds.end;
    }
  };
  const Kept& kept_for(Timestamp moment, const Kept* spared);

  std::array<Kept, 2> kept_;
  // Where a value touches both.
  Expectation combined_;
  const Expectation* last_ = &combined_;
};

}  // namespace schedlens::baseline
