// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers as few bytes. Whole numbers are Rice coded around their median; doubles that are decimal
// fractions (gauges mostly are: 93.4, 512, 0.25) are whole numbers times a power of ten; all others
// are XORed with the one before, their bytes regrouped by place, and deflated. Every double comes
// back with the same bits: NaN, infinity, -0 and denormal ones, too. docs/store.md has the layout.
//
// Decoders take outside bytes: they fail, and never read past the end. Any thread.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedlens::memory {

void put_varint(std::uint64_t value, std::string& out);
bool take_varint(std::string_view& in, std::uint64_t& value);
// Small for small numbers of either sign.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

void encode_integers(std::span<const std::int64_t> values, std::string& out);
// Takes `count` of them from the front of `in` and appends them.
bool decode_integers(std::string_view& in, std::size_t count, std::vector<std::int64_t>& out);

void encode_doubles(std::span<const double> values, std::string& out);
bool decode_doubles(std::string_view& in, std::size_t count, std::vector<double>& out);

// The power of ten (0 to 6) by which all values are whole numbers, exactly; -1 when there is none.
// The whole numbers are left in `scaled`.
int decimal_places(std::span<const double> values, std::vector<std::int64_t>& scaled);
double power_of_ten(int exponent);

}  // namespace schedlens::memory
