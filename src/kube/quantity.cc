// SPDX-License-Identifier: Apache-2.0
#include "kube/quantity.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>

#include "base/text.h"

namespace schedlens::kube {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr int kNanoDigits = 9;
constexpr __int128 kMostNano = static_cast<__int128>(kMost) * 1'000'000'000;
// A number with this many digits before the point is larger than kMost.
constexpr std::int64_t kTooManyDigits = 20;

struct Suffix {
  std::string_view text;
  int decimal = 0;  // power of ten
  int binary = 0;   // power of 1024
};

constexpr std::array<Suffix, 16> kSuffixes = {{{"", 0, 0},
                                               {"m", -3, 0},
                                               {"Mi", 0, 2},
                                               {"Gi", 0, 3},
                                               {"Ki", 0, 1},
                                               {"Ti", 0, 4},
                                               {"k", 3, 0},
                                               {"M", 6, 0},
                                               {"G", 9, 0},
                                               {"T", 12, 0},
                                               {"P", 15, 0},
                                               {"E", 18, 0},
                                               {"Pi", 0, 5},
                                               {"Ei", 0, 6},
                                               {"u", -6, 0},
                                               {"n", -9, 0}}};

struct Scale {
  std::int64_t decimal = 0;
  int binary = 0;
};

std::optional<Scale> parse_suffix(std::string_view text) {
  for (const auto& suffix : kSuffixes) {
    if (suffix.text == text) return Scale{suffix.decimal, suffix.binary};
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  text.remove_prefix(1);
  if (text[0] == '+' && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  // Larger exponents used to go round at 32 bits; now they are errors.
  const auto exponent = parse_number<std::int32_t>(text);
  if (!exponent) return std::nullopt;
  return Scale{*exponent, 0};
}

std::string_view take_digits(std::string_view& text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

// Decimal digits, most significant first, times 1024.
void multiply(std::string& digits) {
  unsigned carry = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    carry += static_cast<unsigned>(*digit - '0') * 1024;
    *digit = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  std::string front;
  for (; carry > 0; carry /= 10) front.insert(front.begin(), static_cast<char>('0' + carry % 10));
  digits.insert(0, front);
}

// digits * 10^scale in billionths, rounded up; digits do not start with 0.
__int128 to_nano(std::string_view digits, std::int64_t scale) {
  if (digits.empty()) return 0;
  const auto before_point = static_cast<std::int64_t>(digits.size()) + scale;
  if (before_point >= kTooManyDigits) return kMostNano;
  const std::int64_t wanted = before_point + kNanoDigits;
  if (wanted <= 0) return 1;
  __int128 nano = 0;
  for (std::int64_t i = 0; i < wanted; ++i) {
    const auto at = static_cast<std::size_t>(i);
    nano = nano * 10 + (at < digits.size() ? digits[at] - '0' : 0);
  }
  const auto rest = digits.substr(std::min(digits.size(), static_cast<std::size_t>(wanted)));
  if (rest.find_first_not_of('0') != std::string_view::npos) ++nano;
  return std::min(nano, kMostNano);
}

__int128 magnitude(std::string_view whole, std::string_view fraction, Scale scale) {
  if (fraction.empty() && whole.size() <= 18) {
    // Nearly all amounts there are.
    __int128 value = 0;
    for (const char c : whole) value = value * 10 + (c - '0');
    for (int i = 0; i < scale.binary; ++i) value = std::min<__int128>(value * 1024, kMost);
    if (scale.decimal == 0) return value * 1'000'000'000;
  }
  std::string digits(whole);
  digits += fraction;
  for (int i = 0; i < scale.binary; ++i) multiply(digits);
  const auto zeros = std::min(digits.find_first_not_of('0'), digits.size());
  return to_nano(std::string_view(digits).substr(zeros),
                 scale.decimal - static_cast<std::int64_t>(fraction.size()));
}

}  // namespace

Amount Amount::of_nano(__int128 nano) {
  return Amount(std::clamp(nano, -kMostNano, kMostNano));
}

Amount& Amount::operator+=(Amount other) {
  *this = of_nano(nano_ + other.nano_);
  return *this;
}

std::int64_t Amount::rounded(std::int64_t unit) const {
  const __int128 magnitude = nano_ < 0 ? -nano_ : nano_;
  const __int128 up = std::min<__int128>((magnitude + unit - 1) / unit, kMost);
  return static_cast<std::int64_t>(nano_ < 0 ? -up : up);
}

Result<Amount> parse_quantity(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  const auto whole = take_digits(rest);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  // The API server's parser takes some bare suffixes for 0, but never stores them.
  if (whole.empty() && fraction.empty()) return fail("\"{}\" is no quantity", printable(text));
  const auto scale = parse_suffix(rest);
  if (!scale) return fail("\"{}\" is no quantity", printable(text));
  const auto nano = magnitude(whole, fraction, *scale);
  return Amount::of_nano(negative ? -nano : nano);
}

}  // namespace schedlens::kube
