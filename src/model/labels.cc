// SPDX-License-Identifier: Apache-2.0
#include "model/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace schedlens::model {
namespace {

bool compares(const LabelExpression& expression, const std::string& value) {
  if (expression.values.size() != 1) return false;
  const auto have = whole_number(value);
  const auto bound = whole_number(expression.values[0]);
  if (!have || !bound) return false;
  return expression.op == LabelOperator::kGt ? *have > *bound : *have < *bound;
}

bool is_among(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
  // strconv.ParseInt takes a leading plus sign, std::from_chars does not.
  if (text.starts_with('+') && !text.substr(1).starts_with('-')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Labels::Labels(std::vector<Label> labels) {
  if (labels.empty()) return;
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Label& a, const Label& b) { return a.key.id() < b.key.id(); });
  // The last of equal keys counts, as in a JSON object.
  const auto last = std::unique(labels.rbegin(), labels.rend(),
                                [](const Label& a, const Label& b) { return a.key == b.key; });
  labels.erase(labels.begin(), last.base());
  labels.shrink_to_fit();
  items_ = std::move(labels);
}

const std::string* Labels::find(Symbol key) const {
  const auto at = std::lower_bound(items().begin(), items().end(), key,
                                   [](const Label& l, Symbol k) { return l.key.id() < k.id(); });
  return at != items().end() && at->key == key ? &at->value : nullptr;
}

bool matches(const LabelExpression& expression, const std::string* value) {
  switch (expression.op) {
    case LabelOperator::kIn:
      return value && is_among(expression.values, *value);
    case LabelOperator::kNotIn:
      return !value || !is_among(expression.values, *value);
    case LabelOperator::kExists:
      return value != nullptr;
    case LabelOperator::kDoesNotExist:
      return value == nullptr;
    case LabelOperator::kGt:
    case LabelOperator::kLt:
      return value && compares(expression, *value);
    case LabelOperator::kUnknown:
      return false;
  }
  return false;
}

std::string to_text(const LabelExpression& expression) {
  const auto key = expression.key.view();
  const std::string values = fmt::format("{}", fmt::join(expression.values, ", "));
  switch (expression.op) {
    case LabelOperator::kIn:
      if (expression.values.size() == 1) return fmt::format("{}={}", key, values);
      return fmt::format("{} in ({})", key, values);
    case LabelOperator::kNotIn:
      if (expression.values.size() == 1) return fmt::format("{}!={}", key, values);
      return fmt::format("{} notin ({})", key, values);
    case LabelOperator::kExists:
      return std::string(key);
    case LabelOperator::kDoesNotExist:
      return fmt::format("!{}", key);
    case LabelOperator::kGt:
      return fmt::format("{}>{}", key, values);
    case LabelOperator::kLt:
      return fmt::format("{}<{}", key, values);
    case LabelOperator::kUnknown:
      break;
  }
  return fmt::format("{} (unknown operator)", key);
}

bool LabelSelector::selects(const Labels& labels) const {
  return std::all_of(all.begin(), all.end(), [&](const LabelExpression& expression) {
    return matches(expression, labels.find(expression.key));
  });
}

std::string to_text(const LabelSelector& selector) {
  if (selector.all.empty()) return "everything";
  std::string text;
  for (const auto& expression : selector.all) {
    if (!text.empty()) text += ", ";
    text += to_text(expression);
  }
  return text;
}

bool NodeSelectorTerm::selects(const Labels& node_labels, std::string_view node_name) const {
  if (labels.empty() && fields.empty()) return false;
  const std::string name(node_name);
  static const Symbol name_field{"metadata.name"};
  return std::all_of(labels.begin(), labels.end(),
                     [&](const LabelExpression& expression) {
                       return matches(expression, node_labels.find(expression.key));
                     }) &&
         std::all_of(fields.begin(), fields.end(), [&](const LabelExpression& expression) {
           return expression.key == name_field && matches(expression, &name);
         });
}

}  // namespace schedlens::model
