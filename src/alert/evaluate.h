// SPDX-License-Identifier: Apache-2.0
#pragma once
// The values of a rule's conditions, by group, from one Input and the windows kept so far.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/input.h"
#include "alert/rule.h"
#include "alert/window.h"

namespace schedlens::alert {

// The samples of an Input by the name of their metric.
class Samples {
 public:
  explicit Samples(const Input& input);
  const std::vector<const Sample*>& of(std::string_view metric) const;

 private:
  std::map<std::string_view, std::vector<const Sample*>> by_name_;
};

using Values = std::map<Labels, double>;  // by the labels of the group

// The windows of all terms, by the rule's name and what the term says, so that a term that was
// changed begins anew.
class Windows {
 public:
  Window& of(const Rule& rule, const Term& term);
  std::map<std::string, Window>& all() { return windows_; }
  const std::map<std::string, Window>& all() const { return windows_; }
  static std::string key(const Rule& rule, const Term& term);

 private:
  std::map<std::string, Window> windows_;
};

// Puts the counters of this moment into the windows: once an evaluation, and not while the rule's
// sources are old.
void feed(const Rule& rule, const Samples& samples, Timestamp now, Windows& windows);

// Makes the window of every term of the rules and lets fill do what it wants with each.
void restore_windows(const std::vector<Rule>& rules, Windows& windows,
                     const std::function<void(const std::string& key, Window& window)>& fill);

// A group without a value has no entry. Growth is told only of whole windows where that of a part
// would be misleading: when it is held against a lower bound.
Values evaluate(const Rule& rule, const Condition& condition, const Input& input,
                const Samples& samples, Windows& windows);

// The sentence of the first verdict that makes the condition hold for the group.
std::string usual_sentence(const Rule& rule, const Condition& condition, const Input& input,
                           const Labels& group);

// Whether a series that is 0 is one that the rule is about.
bool zero_counts(const Rule& rule);

struct NameList {
  std::vector<std::string> first;  // in order, ten at most
  std::size_t count = 0;
};
NameList names_of(const Rule& rule, const Labels& group, const Samples& samples, Timestamp now);

}  // namespace schedlens::alert
