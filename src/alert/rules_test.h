// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rules, moments and series for tests, with little to write.

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "alert/engine.h"
#include "alert/rule_set.h"

namespace schedlens::alert::test {

// Rules given as "name: fields of YAML"; what a rule must have and the test does not care for is
// added.
inline std::vector<Rule> rules(const std::vector<std::string>& texts) {
  std::string yaml = "rules:\n";
  for (const auto& text : texts) {
    yaml += "  - {severity: critical, meaning: m, remedy: r, ";
    if (text.find("summary:") == std::string::npos) yaml += "summary: s, ";
    if (text.find("layer:") == std::string::npos) yaml += "layer: node, ";
    yaml += text + "}\n";
  }
  auto set = load_rules({{"test.yaml", yaml}});
  EXPECT_TRUE(set.has_value()) << (set ? "" : set.error().message());
  return set ? set->rules : std::vector<Rule>();
}

// Series as "name{label=\"x\"} 7" at so many minutes.
inline Input at(std::int64_t minute, const std::vector<std::string>& lines) {
  Input input;
  input.time = {1'700'000'000 + minute * 60};
  for (const auto& line : lines) {
    auto space = line.rfind(' ');
    auto series = parse_series(line.substr(0, space));
    EXPECT_TRUE(series.has_value()) << line;
    if (series)
      input.samples.push_back({series->name, series->labels, std::stod(line.substr(space))});
  }
  input.sources = sources_of(input.samples);
  return input;
}

// "Name{group} phase" of every alert.
inline std::vector<std::string> told(const Engine& engine) {
  std::vector<std::string> list;
  for (const auto* alert : engine.alerts()) {
    list.push_back(alert->rule + labels_text(alert->group) + " " +
                   std::string(phase_name(alert->phase)));
  }
  return list;
}

// The same engine in another process.
inline Engine restarted(const Engine& engine) {
  Engine next(engine.rules());
  auto status = next.restore(engine.save());
  EXPECT_TRUE(status.has_value()) << (status ? "" : status.error().message());
  return next;
}

}  // namespace schedlens::alert::test
