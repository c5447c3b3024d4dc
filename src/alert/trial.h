// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tests of rules, which stand in the rule files: series over time and the alerts that must fire.
//
//   tests:
//     - name: a quarter of the nodes goes down
//       interval: 1m                               # between values, and between evaluations
//       series:
//         schedlens_nodes{state="down"}: 0x10 5x30   # eleven times 0, then 5 thirty-one times
//         schedlens_cluster_nodes: 20x41
//       expect:
//         - {at: 10m, firing: []}
//         - {at: 26m, firing: [NodesOutOfService]}
//
// "usual" stands beside "series", for rules with a baseline: names of watched series with values
// that are 0 (as usual), 1 (high) and -1 (low).
//
// Values are written as promtool does: "3", "3x4" (five times 3), "1+2x3" (1 3 5 7), "9-2x3", "_"
// (no value yet) and "stale" (gone). "firing" names every alert that fires, with its labels where
// it has some: JobsStarve{partition="a"}; the alertname, severity and layer are left out.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/labels.h"
#include "alert/rule.h"
#include "alert/yaml_reader.h"
#include "base/units.h"

namespace schedlens::alert {

struct RuleTest {
  struct Series {
    SeriesName series;
    std::string text;                           // as it is written
    std::vector<std::optional<double>> values;  // nothing: no sample at that moment
  };
  struct Expectation {
    Seconds at{0};
    std::vector<SeriesName> firing;
    std::vector<std::string> inhibited;  // names of rules, of those that fire
    Place place;
  };
  std::string name;
  Seconds interval{60};
  std::vector<Series> series;
  std::vector<Series> usual;  // of watched series: 0 as usual, 1 high, -1 low
  std::vector<Expectation> expect;
  Place place;
};

Result<std::vector<std::optional<double>>> parse_values(std::string_view text);

RuleTest read_test(YamlReader& reader, const YAML::Node& node);

// What does not come out as expected, a line "file:line: test NAME: ..." each.
std::vector<std::string> run_test(const RuleTest& test, const std::vector<Rule>& rules);

// The same tests for promtool; rules_file is where it finds the rules.
std::string promtool_tests(const std::vector<RuleTest>& tests, const std::vector<Rule>& rules,
                           std::string_view rules_file);

}  // namespace schedlens::alert
