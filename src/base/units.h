// SPDX-License-Identifier: Apache-2.0
#pragma once
// Quantities as types, so that MiB never meet bytes and a moment never meets a duration.

#include <compare>
#include <cstdint>
#include <optional>

namespace schedlens {

// A whole number of one unit; Tag tells units apart.
template <class Tag>
struct Quantity {
  std::int64_t value = 0;

  friend auto operator<=>(const Quantity&, const Quantity&) = default;
  friend Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend Quantity operator*(Quantity a, std::int64_t n) { return {a.value * n}; }
  Quantity& operator+=(Quantity b) {
    value += b.value;
    return *this;
  }
};

using Bytes = Quantity<struct BytesTag>;
using Seconds = Quantity<struct SecondsTag>;

constexpr Bytes mebibytes(std::int64_t n) {
  return {n * 1024 * 1024};
}

// A moment, in whole seconds since 1970-01-01T00:00:00Z.
struct Timestamp {
  std::int64_t unix_seconds = 0;

  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
  friend Seconds operator-(Timestamp a, Timestamp b) { return {a.unix_seconds - b.unix_seconds}; }
  friend Timestamp operator+(Timestamp a, Seconds s) { return {a.unix_seconds + s.value}; }
};

// A bound somebody may have set: unknown (not read), unlimited, or a value.
template <class T>
struct Bound {
  enum class Kind : std::uint8_t { kUnknown, kUnlimited, kValue };

  Kind kind = Kind::kUnknown;
  T value{};

  static Bound unlimited() { return {Kind::kUnlimited, {}}; }
  static Bound of(T v) { return {Kind::kValue, v}; }

  bool known() const { return kind != Kind::kUnknown; }
  bool has_value() const { return kind == Kind::kValue; }
  std::optional<T> get() const { return has_value() ? std::optional<T>(value) : std::nullopt; }

  friend bool operator==(const Bound&, const Bound&) = default;
};

}  // namespace schedlens
