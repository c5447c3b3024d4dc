// SPDX-License-Identifier: Apache-2.0
#pragma once
// Labels of series and alerts, and the patterns that choose among them.
//
// A pattern is "down", "down|drain*" (either; * is anything) or "!idle|mixed" (neither). An absent
// label is an empty one. A backslash takes the special meaning from '|', '*', '!' and itself.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schedlens::alert {

using Labels = std::map<std::string, std::string, std::less<>>;

std::string_view label(const Labels& labels, std::string_view name);  // "" when absent
// Those of the names that are there.
Labels only(const Labels& labels, const std::vector<std::string>& names);
// Every label of small is in large with the same value.
bool within(const Labels& small, const Labels& large);

std::string quoted(std::string_view text);      // as in the text format: "a\"b"
std::string labels_text(const Labels& labels);  // {a="b",c="d"}; empty without labels

// What a pattern says, without a label.
class Pattern {
 public:
  Pattern() = default;
  explicit Pattern(std::string_view text);
  bool matches(std::string_view value) const;
  const std::string& text() const { return text_; }
  const std::vector<std::string>& choices() const { return choices_; }
  // The PromQL matcher of this label: state=~"down|drain.*".
  std::string promql(std::string_view label) const;

 private:
  std::string text_;
  bool negative_ = false;
  std::vector<std::string> choices_;  // with their escapes
};

struct Matcher {
  std::string label;
  Pattern pattern;
};
bool all_match(const std::vector<Matcher>& matchers, const Labels& labels);

// 'schedlens_nodes{state="down"}' apart; braces are optional. The error says what is wrong.
struct SeriesName {
  std::string name;
  Labels labels;
};
Result<SeriesName> parse_series(std::string_view text);

}  // namespace schedlens::alert
