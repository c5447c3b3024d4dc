// SPDX-License-Identifier: Apache-2.0
#pragma once
// Labels of Kubernetes objects and what selects by them, with the API's own rules
// (k8s.io/apimachinery/pkg/labels, k8s.io/component-helpers/scheduling/corev1/nodeaffinity).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "model/shared.h"

namespace schedlens::model {

// Keys are few and repeated; values (a job's name, a replica's index) are not, so they are text.
struct Label {
  Symbol key;
  std::string value;
  friend bool operator==(const Label&, const Label&) = default;
};

// Sorted by key's id, each key once. Copies share them.
class Labels {
 public:
  Labels() = default;
  explicit Labels(std::vector<Label> labels);
  // Null when the key is absent; an empty value is a value.
  const std::string* find(Symbol key) const;
  const std::vector<Label>& items() const { return *items_; }
  bool empty() const { return items_->empty(); }
  // No copy shares them.
  bool alone() const { return items_.alone(); }
  friend bool operator==(const Labels&, const Labels&) = default;

 private:
  Shared<std::vector<Label>> items_;
};

enum class LabelOperator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt, kUnknown };

struct LabelExpression {
  Symbol key;
  LabelOperator op = LabelOperator::kUnknown;
  std::vector<std::string> values;
  friend bool operator==(const LabelExpression&, const LabelExpression&) = default;
};

// One expression against one value (null: the label is absent). NotIn holds for an absent label;
// Gt and Lt only where both sides are whole numbers.
bool matches(const LabelExpression& expression, const std::string* value);
std::string to_text(const LabelExpression& expression);  // "zone in (a, b)", "!gpu", "rank > 3"

// As strconv.ParseInt reads it, which takes a leading plus sign.
std::optional<std::int64_t> whole_number(std::string_view text);

// All expressions must hold, so an empty selector selects everything. A selector that is absent
// selects nothing or everything depending on where it stands: hence std::optional at the places.
struct LabelSelector {
  std::vector<LabelExpression> all;  // matchLabels are In with one value
  bool selects(const Labels& labels) const;
  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;
};
std::string to_text(const LabelSelector& selector);  // "app=x, tier in (a, b)"; "everything"

// One alternative of a required node affinity. Fields know metadata.name only. A term without any
// expression selects no node.
struct NodeSelectorTerm {
  std::vector<LabelExpression> labels;
  std::vector<LabelExpression> fields;
  bool selects(const Labels& node_labels, std::string_view node_name) const;
  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

}  // namespace schedlens::model
