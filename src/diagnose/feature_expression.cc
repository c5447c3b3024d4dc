// SPDX-License-Identifier: Apache-2.0
#include "diagnose/feature_expression.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"

namespace schedlens::diagnose {
namespace {

constexpr std::size_t kMostAlternatives = 32;

bool feature_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':' || c == '=' || c == '/' || c == '+' || c == '%';
}

}  // namespace

// Recursive descent over one expression. A bracket group is first replaced by each of its
// alternatives in turn, so that what is parsed knows no brackets.
class FeatureParser {
 public:
  explicit FeatureParser(FeatureExpression& out) : out_(out) {}

  bool parse(std::string_view text) {
    auto open = text.find('[');
    if (open == std::string_view::npos) return add_alternative(text);
    auto close = text.find(']', open);
    if (close == std::string_view::npos) return false;
    auto inside = text.substr(open + 1, close - open - 1);
    auto before = std::string(text.substr(0, open)), after = std::string(text.substr(close + 1));
    if (after.find_first_of("[*") != std::string::npos) return false;
    // With counts the group names the parts of one job, not choices between jobs.
    if (inside.find('*') != std::string_view::npos) {
      if (!before.empty() || !after.empty()) return false;
      return add_alternative(inside);
    }
    for (auto choice : split(inside, '|')) {
      if (choice.empty()) return false;
      if (!add_alternative(before + "(" + std::string(choice) + ")" + after)) return false;
    }
    return !inside.empty();
  }

 private:
  using Step = FeatureExpression::Step;

  bool add_alternative(std::string_view text) {
    text_ = text;
    at_ = 0;
    program_.clear();
    counted_ = false;
    if (!expression(0) || at_ != text_.size()) return false;
    if (counted_) make_any_of_features();
    out_.alternatives_.push_back(program_);
    return out_.alternatives_.size() <= kMostAlternatives;
  }

  bool expression(int depth) {
    if (depth > 8 || !item(depth)) return false;
    while (at_ < text_.size() && (text_[at_] == '&' || text_[at_] == '|')) {
      auto kind = text_[at_] == '&' ? Step::Kind::kAnd : Step::Kind::kOr;
      ++at_;
      if (!item(depth)) return false;
      program_.push_back({kind, {}});
    }
    return true;
  }

  bool item(int depth) {
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      if (!expression(depth + 1) || at_ >= text_.size() || text_[at_] != ')') return false;
      ++at_;
      return at_ >= text_.size() || text_[at_] != '*';  // a counted group is not modelled
    }
    auto start = at_;
    while (at_ < text_.size() && feature_character(text_[at_])) ++at_;
    if (at_ == start) return false;
    Symbol feature(text_.substr(start, at_ - start));
    program_.push_back({Step::Kind::kFeature, feature});
    return count(feature);
  }

  bool count(Symbol feature) {
    if (at_ >= text_.size() || text_[at_] != '*') return true;
    auto start = ++at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    auto nodes = parse_number<std::uint32_t>(text_.substr(start, at_ - start));
    if (!nodes) return false;
    out_.counts_.push_back({feature, *nodes});
    counted_ = true;
    return true;
  }

  // "a*2&b*4" asks for nodes with a and for nodes with b, not for nodes with both.
  void make_any_of_features() {
    for (auto& step : program_) {
      if (step.kind == Step::Kind::kAnd) step.kind = Step::Kind::kOr;
    }
  }

  FeatureExpression& out_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool counted_ = false;
  FeatureExpression::Program program_;
};

FeatureExpression FeatureExpression::parse(std::string_view text) {
  FeatureExpression expression;
  text = trim(text);
  if (text.empty()) return expression;
  if (!FeatureParser(expression).parse(text)) {
    expression = {};
    expression.understood_ = false;
  }
  return expression;
}

bool FeatureExpression::run(const Program& program, const std::vector<Symbol>& features) {
  // Expressions are short; the parser bounds their depth but not their length.
  std::vector<bool> stack;
  for (const auto& step : program) {
    if (step.kind == Step::Kind::kFeature) {
      stack.push_back(std::find(features.begin(), features.end(), step.feature) != features.end());
      continue;
    }
    bool right = stack.back();
    stack.pop_back();
    stack.back() = step.kind == Step::Kind::kAnd ? stack.back() && right : stack.back() || right;
  }
  return stack.back();
}

std::uint32_t FeatureExpression::matches(const std::vector<Symbol>& features) const {
  if (alternatives_.empty()) return ~std::uint32_t{0};
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < alternatives_.size(); ++i) {
    if (run(alternatives_[i], features)) mask |= std::uint32_t{1} << i;
  }
  return mask;
}

}  // namespace schedlens::diagnose
