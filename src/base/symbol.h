// SPDX-License-Identifier: Apache-2.0
#pragma once
// An interned name: four bytes to copy and compare, one shared text.
//
// For names that administrators define (users, accounts, QOS, partitions, features, GRES types):
// few and repeated. Texts are kept for the life of the process, so free text that users write
// (job names, comments) is never made a Symbol.
// Any thread may call anything here.

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace schedlens {

class Symbol {
 public:
  // The empty name.
  constexpr Symbol() = default;
  explicit Symbol(std::string_view text);

  std::string_view view() const;
  std::string str() const { return std::string(view()); }
  bool empty() const { return id_ == 0; }
  std::uint32_t id() const { return id_; }

  friend bool operator==(Symbol, Symbol) = default;
  // Alphabetical, so that sorted output does not depend on the order of interning.
  friend std::strong_ordering operator<=>(Symbol a, Symbol b) { return a.view() <=> b.view(); }

 private:
  std::uint32_t id_ = 0;
};

}  // namespace schedlens

template <>
struct std::hash<schedlens::Symbol> {
  std::size_t operator()(schedlens::Symbol s) const noexcept {
    return s.id() * std::size_t{0x9E3779B97F4A7C15};
  }
};
