// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sentence that an alert begins with: the rule's words with their placeholders filled in.

#include <string>
#include <string_view>

#include "alert/evaluate.h"
#include "alert/rule.h"

namespace schedlens::alert {

std::string value_text(Unit unit, double value);  // "15 %", "3h12m"

// {value}, {count}, {names} and the labels of the group.
std::string summary(const Rule& rule, const Labels& group, double value, const NameList& names);

// The same as a template of Prometheus; names and count are templates themselves.
std::string prometheus_summary(const Rule& rule, std::string_view names, std::string_view count);

// What is wrong with the rule's summary, or nothing: a placeholder that nothing fills.
std::string summary_problem(const Rule& rule);

}  // namespace schedlens::alert
