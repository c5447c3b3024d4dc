// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is wrong with rules that can be read. Not seen outside the folder.

#include <string>
#include <vector>

#include "alert/rule.h"
#include "alert/rule_set.h"

namespace schedlens::alert {

// Lines "file:line: rule NAME: ...".
std::vector<std::string> rule_problems(const std::vector<Rule>& rules,
                                       const std::vector<KnownMetric>& metrics);

}  // namespace schedlens::alert
