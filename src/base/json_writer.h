// SPDX-License-Identifier: Apache-2.0
#pragma once
// Appends one JSON document to a string, without building a tree first.
//
//   JsonWriter w;
//   w.object([&] {
//     w.field("name", "n1");
//     w.key("gpus"); w.array([&] { w.value(8); });
//   });
//
// Text that is not UTF-8 has its broken bytes replaced by U+FFFD: the output is always valid JSON.
// Numbers that JSON cannot say (NaN, infinity) become null. One thread at a time.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/symbol.h"
#include "base/units.h"

namespace schedlens {

class JsonWriter {
 public:
  // Spaces per level; 0 writes everything on one line.
  explicit JsonWriter(int indent = 0) : indent_(indent) {}

  template <class Body>
  void object(Body&& body) {
    open('{');
    body();
    close('}');
  }
  template <class Body>
  void array(Body&& body) {
    open('[');
    body();
    close(']');
  }

  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(Symbol symbol) { value(symbol.view()); }
  void value(bool b);
  void value(double number);
  template <std::integral Int>
  void value(Int number) {
    if constexpr (std::is_signed_v<Int>) {
      signed_value(number);
    } else {
      unsigned_value(number);
    }
  }
  void value(Bytes b) { value(b.value); }
  void value(Seconds s) { value(s.value); }
  void value(Timestamp t) { value(t.unix_seconds); }
  void null();
  // What is not known is written as null, never as zero.
  template <class T>
  void value(const std::optional<T>& maybe) {
    if (maybe) {
      value(*maybe);
    } else {
      null();
    }
  }

  template <class T>
  void field(std::string_view name, const T& v) {
    key(name);
    value(v);
  }

  const std::string& str() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();
  void new_line();
  void signed_value(std::int64_t number);
  void unsigned_value(std::uint64_t number);
  void quoted(std::string_view text);

  std::string out_;
  int indent_;
  int depth_ = 0;
  bool first_ = true;
  bool after_key_ = false;
};

}  // namespace schedlens
