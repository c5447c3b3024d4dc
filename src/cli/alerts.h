// SPDX-License-Identifier: Apache-2.0
#pragma once
// The commands on alert rules. Each returns the exit code of the program.

#include <string>
#include <vector>

#include "alert/rule_set.h"
#include "cli/commands.h"

namespace schedlens::cli {

struct AlertRuleOptions {
  std::string directory;       // of an operator's rule files; empty: the stock rules alone
  std::string promtool_tests;  // print promtool's tests instead, of this file of rules
  bool markdown = false;       // print docs/alerts.md instead
};

// The metrics that a rule can name, with their labels, and the watched series.
std::vector<alert::KnownMetric> known_metrics();

int run_alert_rules(Context& context, const AlertRuleOptions& options);
// Reads the files as if they stood in the rule directory, and runs their tests.
int run_alert_check(Context& context, const std::vector<std::string>& files);

}  // namespace schedlens::cli
