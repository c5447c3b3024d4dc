// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rules as Prometheus has them.
//
// What an expression cannot say alike: growth is extrapolated by Prometheus and not here; a rule on
// what is usual has no expression and is left out.

#include <string>
#include <vector>

#include "alert/rule.h"

namespace schedlens::alert {

// sum by (partition) (rate(name{labels}[5m]))
std::string term_promql(const Rule& rule, const Term& term);

// The whole rule: threshold and further conditions, the other threshold to end it, and that old
// sources neither begin nor end it. Empty for a rule on what is usual.
std::string rule_promql(const Rule& rule);

// A file of rules, and one of promtool's with the tests of them (trial.h).
std::string prometheus_rules(const std::vector<Rule>& rules);

}  // namespace schedlens::alert
