// SPDX-License-Identifier: Apache-2.0
#pragma once
// Waits of many runs in a few numbers, those counted that gave up before they started.

#include <cstddef>
#include <optional>
#include <vector>

#include "base/units.h"

namespace schedlens::report {

// A wait that ended with a start, or one that was given up (cancelled while pending): of that it is
// known only that it would have been longer.
struct Wait {
  double seconds = 0;
  bool started = true;
};

class Waits {
 public:
  void add(Wait wait) { all_.push_back(wait); }
  std::size_t started() const;
  std::size_t given_up() const { return all_.size() - started(); }
  // Of those that started. Nothing without any.
  std::optional<double> mean() const;
  // The wait within which this share had started (Kaplan and Meier): those that gave up count as
  // waiting until then. Nothing where too many gave up to say.
  std::optional<double> quantile(double share) const;

 private:
  std::vector<Wait> all_;
};

}  // namespace schedlens::report
