// SPDX-License-Identifier: Apache-2.0
#pragma once
// An amount as Kubernetes writes it (resource.Quantity: "100m", "1.5Gi", "1e3"), exact to the
// billionth part; finer is rounded up, away from zero, as the API server does. What is larger than
// 2^63-1 stays there, for sums too.

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace schedlens::kube {

class Amount {
 public:
  constexpr Amount() = default;
  static Amount of_nano(__int128 nano);  // cut off at the largest number

  // Rounded up, away from zero.
  std::int64_t value() const { return rounded(1'000'000'000); }
  std::int64_t milli_value() const { return rounded(1'000'000); }
  std::int64_t nano_value() const { return rounded(1); }

  bool is_zero() const { return nano_ == 0; }
  Amount& operator+=(Amount other);
  friend auto operator<=>(Amount, Amount) = default;

 private:
  explicit constexpr Amount(__int128 nano) : nano_(nano) {}
  std::int64_t rounded(std::int64_t unit) const;

  __int128 nano_ = 0;
};

// Takes time linear in the text, whatever its exponent.
Result<Amount> parse_quantity(std::string_view text);

}  // namespace schedlens::kube
