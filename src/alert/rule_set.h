// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rules in force, from files: those that schedlens comes with, then an operator's, which may
// add rules, override fields of earlier ones and switch them off.
//
//   rules: [{name: ..., severity: ..., ...}]      rule_fields.cc declares the fields
//   override: {NodesOutOfService: {above: 0.2}}
//   disable: [SchedulerSlow]
//   tests: [...]                                  trial.h

#include <string>
#include <string_view>
#include <vector>

#include "alert/rule.h"
#include "alert/trial.h"
#include "base/result.h"

namespace schedlens::alert {

struct RuleText {
  std::string file;  // as errors name it
  std::string yaml;
};

// A metric that may be named, so that a misspelt one is found before it never fires.
struct KnownMetric {
  std::string_view name;
  std::vector<std::string_view> labels;
  bool histogram = false;
  bool watched = false;  // a series of which it is known what is usual, for baseline alone
};

struct RuleSet {
  std::vector<Rule> rules;  // also those that are switched off
  std::vector<RuleTest> tests;

  const Rule* find(std::string_view name) const;
};

// Every error is a line "file:line: rule NAME: what is wrong and what to do"; there may be several.
// Without known metrics their names are not checked. Tests are those of the files from first_tested
// on.
Result<RuleSet> load_rules(const std::vector<RuleText>& files,
                           const std::vector<KnownMetric>& metrics = {},
                           std::size_t first_tested = 0);

// The files that are part of the program (deploy/alerts), in order.
const std::vector<RuleText>& stock_rules();

// The stock files followed by all *.yaml of a directory, in the order of their names; "": none.
Result<std::vector<RuleText>> with_directory(const std::string& directory);
Result<RuleText> read_rule_file(const std::string& path);

}  // namespace schedlens::alert
