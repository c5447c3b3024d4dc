// SPDX-License-Identifier: Apache-2.0
#pragma once
// The time, behind an interface so that tests can set it. Any thread may ask.

#include <chrono>

#include "base/units.h"

namespace schedlens::os {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp now() const = 0;
  // For measuring how long something takes; never goes back.
  virtual std::chrono::steady_clock::time_point steady() const {
    return std::chrono::steady_clock::now();
  }
};

class SystemClock final : public Clock {
 public:
  Timestamp now() const override {
    return {std::chrono::duration_cast<std::chrono::seconds>(
                std::chrono::system_clock::now().time_since_epoch())
                .count()};
  }
};

}  // namespace schedlens::os
