// SPDX-License-Identifier: Apache-2.0
#pragma once
// Telling UTF-8 from bytes that are not.

#include <cstddef>
#include <string_view>

namespace schedlens {

// Bytes of the valid UTF-8 sequence at text[i] (1 to 4); 0 when the bytes there are not one:
// truncated, overlong, a surrogate or beyond U+10FFFF.
inline std::size_t utf8_length(std::string_view text, std::size_t i) {
  auto at = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  auto tail = [&](std::size_t k) { return (at(k) & 0xC0u) == 0x80u; };
  unsigned c = at(i);
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return tail(i + 1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) {
    if (!tail(i + 1) || !tail(i + 2)) return 0;
    bool overlong = c == 0xE0 && at(i + 1) < 0xA0;
    bool surrogate = c == 0xED && at(i + 1) >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (c >= 0xF0 && c <= 0xF4) {
    if (!tail(i + 1) || !tail(i + 2) || !tail(i + 3)) return 0;
    bool overlong = c == 0xF0 && at(i + 1) < 0x90;
    bool too_large = c == 0xF4 && at(i + 1) >= 0x90;
    return overlong || too_large ? 0 : 4;
  }
  return 0;
}

}  // namespace schedlens
