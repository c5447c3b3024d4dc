// SPDX-License-Identifier: Apache-2.0
#pragma once
// Waiting for signals in a loop instead of being interrupted by them.
//
// Made before the program's first thread: the threads inherit that the signals are blocked. Child
// processes do not (see SystemProcessRunner).

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <optional>

namespace schedlens::os {

class Signals {
 public:
  explicit Signals(std::initializer_list<int> numbers);
  ~Signals();
  Signals(const Signals&) = delete;

  // The next of the signals, or nothing when none comes for that long.
  std::optional<int> wait(std::chrono::milliseconds patience);

 private:
  sigset_t set_;
  sigset_t before_;
};

}  // namespace schedlens::os
