// SPDX-License-Identifier: Apache-2.0
#pragma once
// docs/alerts.md.

#include <string>
#include <vector>

#include "alert/rule.h"

namespace schedlens::alert {

// The rules with what they mean and what to do, and how one writes a rule: from the rules and from
// the declaration of their fields.
std::string markdown(const std::vector<Rule>& rules);

// "above 15% for 5m, until below 10%": when the rule fires, in words.
std::string when_text(const Rule& rule);

}  // namespace schedlens::alert
