// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes the Prometheus text format (0.0.4), or the same as JSON, piece by piece.
//
// Samples go straight from the model to text: no series objects, no copies of labels. All samples
// of a family must come one after the other, as the format wants; its HELP and TYPE precede the
// first, so a family without samples leaves no trace. One thread at a time.
//
// As JSON: {"version": 1, "families": [{"name", "type", "unit" (if it has one), "help", "samples":
// [{"labels": {}, "value"}]}]}, a sample a line. A histogram's has "buckets" of cumulated counts,
// "sum" and "count" instead of a value. Numbers that JSON cannot say are text: "NaN", "+Inf",
// "-Inf".

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "metrics/families.h"
#include "metrics/histogram.h"

namespace schedlens::metrics {

enum class Form : std::uint8_t { kText, kJson };

class Exposition {
 public:
  using Sink = std::function<void(std::string_view)>;

  // Text goes to the sink in pieces of some 64 KiB, the last one in finish(). Only families whose
  // name starts with one of the prefixes are written; none means all. A limit stands in for the
  // declared ones.
  explicit Exposition(Sink sink, const std::vector<std::string>& prefixes = {},
                      std::optional<std::uint32_t> limit = std::nullopt, Form form = Form::kText);

  bool wants(FamilyRef f) const { return wanted_[f.index]; }

  // One sample; as many labels as the family declares, in that order. An absent value writes
  // nothing.
  template <class Value, class... Labels>
  void sample(FamilyRef f, const Value& value, const Labels&... labels) {
    static_assert(sizeof...(labels) <= kMaxLabels);
    if (!open(f, sizeof...(labels))) return;
    std::size_t i = 0;
    (put_label(i++, view(labels)), ...);
    text_ += i > 0 ? close_ : bare_;
    put(value);
    end_sample();
  }
  template <class Value, class... Labels>
  void sample(FamilyRef f, const std::optional<Value>& value, const Labels&... labels) {
    if (value) sample(f, *value, labels...);
  }
  template <class... Labels>
  void histogram(FamilyRef f, const Histogram& h, const Labels&... labels) {
    if (open(f, sizeof...(labels))) put_histogram(h, {view(labels)...});
  }

  void finish();

  std::uint64_t series() const { return series_; }
  std::uint64_t bytes() const { return flushed_ + text_.size(); }
  // Series of the family that were left out because of its limit.
  std::uint64_t dropped(FamilyRef f) const { return dropped_[f.index]; }

 private:
  static std::string_view view(std::string_view text) { return text; }
  static std::string_view view(Symbol symbol) { return symbol.view(); }

  bool open(FamilyRef f, std::size_t labels);
  void start_family(FamilyRef f);
  void start_text_family();
  void start_json_family();
  void end_json_family();
  void put_label(std::size_t i, std::string_view value) {
    text_ += before_label_[i];
    put_escaped(value);
  }
  void put_escaped(std::string_view value);
  void put_special(char c);
  void put_histogram(const Histogram& h, std::initializer_list<std::string_view> labels);
  void put_json_histogram(const Histogram& h, std::initializer_list<std::string_view> labels);
  template <std::integral Int>
  void put(Int number) {
    if constexpr (std::is_signed_v<Int>) {
      put_signed(number);
    } else {
      put_unsigned(number);
    }
  }
  void put(double number);
  void put(Bytes b) { put_signed(b.value); }
  void put(Seconds s) { put_signed(s.value); }
  void put(Timestamp t) { put_signed(t.unix_seconds); }
  void put_signed(std::int64_t number);
  void put_unsigned(std::uint64_t number);
  void end_sample();
  void end_line();
  void flush();

  Sink sink_;
  Form form_;
  std::optional<std::uint32_t> limit_;
  std::string text_;
  std::uint64_t flushed_ = 0;
  std::uint64_t series_ = 0;
  std::array<bool, kFamilyCount> wanted_{};
  std::array<bool, kFamilyCount> started_{};
  std::array<std::uint64_t, kFamilyCount> dropped_{};
  // Of the family being written: how many samples, and the text around label values; here as it is
  // in the text format.
  std::optional<FamilyRef> current_;
  std::uint32_t samples_ = 0;
  std::array<std::string, kMaxLabels> before_label_;  // `name{first="`, `",second="`
  std::string bare_;                                  // `name `
  std::string_view close_ = "\"} ";
};

}  // namespace schedlens::metrics
