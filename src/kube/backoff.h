// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long to wait before trying again: longer after each failure, and not all at the same moment.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

namespace schedlens::kube {

class Backoff {
 public:
  using Duration = std::chrono::milliseconds;
  static constexpr Duration kLeast{500};
  static constexpr Duration kMost{30'000};

  explicit Backoff(std::uint32_t seed) : random_(seed) {}

  // Between half and all of 0.5 s, 1 s, 2 s ... 30 s.
  Duration after_failures(unsigned failures) {
    auto whole = kLeast * (std::int64_t{1} << std::min(failures, 7u));
    whole = std::min(whole, kMost);
    return std::max(kLeast, whole / 2 + up_to(whole / 2));
  }
  Duration up_to(Duration most) {
    return Duration(std::uniform_int_distribution<std::int64_t>(0, most.count())(random_));
  }

 private:
  std::minstd_rand random_;
};

}  // namespace schedlens::kube
