// SPDX-License-Identifier: Apache-2.0
#pragma once
// Single values as Slurm prints them: words for "nothing", moments, durations, sizes, counts.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"

namespace schedlens::slurm {

// "", "(null)", "N/A", "n/a", "None", "NONE", "Unknown", "NOT_SET", "INVALID", "*", ...
bool says_nothing(std::string_view text);

// The text, or "" where it says nothing.
inline std::string_view text_or_empty(std::string_view text) {
  return says_nothing(text) ? std::string_view() : text;
}
inline Symbol symbol_or_empty(std::string_view text) {
  return Symbol(text_or_empty(text));
}

// "a,b" as names; none where the text says nothing.
std::vector<Symbol> symbol_list(std::string_view text);

// Moments like "2026-11-30T03:39:21" in the machine's time zone. Keeps the hours it has seen:
// outputs have hundreds of thousands of moments in few hours. One thread at a time.
class TimeReader {
 public:
  std::optional<Timestamp> operator()(std::string_view text);

 private:
  struct Hour {
    std::array<char, 13> text{};
    std::int64_t unix_seconds = 0;
  };
  std::array<Hour, 256> hours_{};
};

// "1-02:03:04", "02:03:04", "03:04", "03:04.5" (fractions are dropped); nothing for other texts.
std::optional<Seconds> parse_duration(std::string_view text);
// The same where "UNLIMITED" and "INFINITE" are possible; other words leave the bound unknown.
Bound<Seconds> parse_time_limit(std::string_view text);

// "4000", "4K", "1.5T": a number and a binary unit.
std::optional<double> parse_scaled(std::string_view text);
// The same for memory and disk, where a number without a unit is in MiB.
std::optional<Bytes> parse_mebibytes(std::string_view text);
// Whole and not negative, "4", "2K"; nothing for words and for Slurm's "no value" numbers.
std::optional<std::uint64_t> parse_count(std::string_view text);
std::optional<std::uint32_t> parse_count32(std::string_view text);
Bound<std::uint32_t> parse_count_limit(std::string_view text);

}  // namespace schedlens::slurm
