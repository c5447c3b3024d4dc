// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value held against its expectation: usual, too high, too low, or not to be told; whether it has
// been so for long enough to say it aloud; and the sentence that shows how that was found.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "baseline/expectation.h"

namespace schedlens::baseline {

enum class State : std::uint8_t {
  kNormal,
  kHigh,
  kLow,
  kNoBaseline,  // too few days to compare with
  kNotJudged,   // no value, or one that a maintenance window or the like touches
};

// "normal", "high", "low", "no_baseline", "not_judged"
std::string_view name(State state);

// The side on which a value is worth an alarm. On the other one it is still shown as high or low.
enum class Direction : std::uint8_t { kHigh, kLow, kBoth };

// An alarm begins when outside of the last `of` values lie outside on one side, and ends when as
// many lie within clear_share of the limit again. Values that cannot be judged count for neither;
// after `of` of them in a row a standing alarm ends, since nobody knows any more.
struct Persistence {
  int outside = 3;
  int of = 5;
  double clear_share = 0.5;
};

struct Verdict {
  State state = State::kNoBaseline;  // of this value alone
  bool alarm = false;
  // The day so far looks like one of the other class, as on a holiday that is in no file: worth a
  // note, not an alarm.
  bool like_other_class = false;
  std::optional<double> value;
  // From the centre, in spreads; below it negative.
  double spreads = 0;
  // The oldest of the values outside that the alarm stands on.
  std::optional<Timestamp> since;
  Timestamp at;
  std::string not_judged_because;
};

// What went before, of one series; one thread at a time.
class Streak {
 public:
  // Counts the verdict's state in, and sets alarm and since.
  void add(Verdict& verdict, const Expectation& expected, const Persistence& persistence,
           Direction direction);

 private:
  enum class Mark : std::uint8_t { kBetween, kInside, kHigh, kLow };
  struct Seen {
    Mark mark;
    Timestamp at;
  };
  int count(Mark mark) const;

  std::vector<Seen> seen_;  // the last ones that could be judged, newest last
  Mark alarm_ = Mark::kInside;
  Timestamp since_;
  int unjudged_ = 0;
};

// The state of one value. The bucket is that of now: bucket_over(), or a complete one.
Verdict judge(const Bucket& now, const Expectation& expected);
// The same, with what went before. A value that is as on a day of the other class
// (looks_like_other_class()) is outside, and begins no alarm.
Verdict judge(const Bucket& now, const Expectation& expected, const Persistence& persistence,
              Direction direction, Streak& streak, bool like_other_class = false);

// "412" with "" or "jobs"; unit "share" is shown in per cent, "s" as a duration, "bytes" binary.
std::string shown(double value, std::string_view unit);

// "412 jobs, 7.3 spreads above the usual 199 (140 to 282) for 15m0s; the same time on Mon 23 Nov
// 180, ...; left out Sat 28 Nov (weekend)".
std::string sentence(const Verdict& verdict, const Expectation& expected, std::string_view unit);

}  // namespace schedlens::baseline
