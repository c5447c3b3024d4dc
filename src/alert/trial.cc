// SPDX-License-Identifier: Apache-2.0
#include "alert/trial.h"

#include <algorithm>
#include <map>
#include <set>

#include "alert/amounts.h"
#include "alert/engine.h"
#include "alert/promql.h"
#include "base/text.h"

namespace schedlens::alert {
namespace {

constexpr std::int64_t kMostValues = 100'000;
constexpr Timestamp kBegin{0};  // as promtool's time, so that moments in series mean the same

struct Run {  // "a+bxn" apart
  std::optional<double> first;
  double step = 0;
  std::int64_t more = 0;
};

std::optional<Run> parse_run(std::string_view word) {
  Run run;
  auto x = word.rfind('x');
  auto head = word;
  if (x != std::string_view::npos) {
    auto more = parse_number<std::int64_t>(word.substr(x + 1));
    if (!more || *more < 0 || *more > kMostValues) return std::nullopt;
    run.more = *more;
    head = word.substr(0, x);
  }
  if (head == "_" || head == "stale") {
    if (head == "_" && x != std::string_view::npos) --run.more;  // _x3 is three, unlike 1x3
    return run.more < 0 ? std::nullopt : std::optional(run);
  }
  auto sign = head.find_first_of("+-", 1);
  if (sign != std::string_view::npos && head[sign - 1] != 'e') {
    auto step = parse_number<double>(head.substr(sign + 1));
    if (!step) return std::nullopt;
    run.step = head[sign] == '-' ? -*step : *step;
    head = head.substr(0, sign);
  }
  auto first = parse_number<double>(head);
  if (!first) return std::nullopt;
  run.first = *first;
  return run;
}

std::string alert_text(const std::string& rule, const Labels& group) {
  return rule + labels_text(group);
}

std::string listed(const std::set<std::string>& names) {
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

Input input_at(const RuleTest& test, std::size_t step) {
  Input input;
  input.time = kBegin + test.interval * static_cast<std::int64_t>(step);
  for (const auto& series : test.series) {
    if (step < series.values.size() && series.values[step]) {
      input.samples.push_back({series.series.name, series.series.labels, *series.values[step]});
    }
  }
  for (const auto& series : test.usual) {
    if (step >= series.values.size() || !series.values[step]) continue;
    const auto value = *series.values[step];
    input.verdicts.push_back({series.series.name, series.series.labels,
                              value > 0   ? Verdict::State::kHigh
                              : value < 0 ? Verdict::State::kLow
                                          : Verdict::State::kNormal,
                              value, ""});
  }
  input.sources = sources_of(input.samples);
  return input;
}

void read_series(YamlReader& reader, const std::string& field, const YAML::Node& node,
                 std::vector<RuleTest::Series>& list) {
  if (!node.IsMap()) {
    reader.complain(node, field + ": names with labels, each with its values, are wanted");
    return;
  }
  for (const auto& entry : node) {
    if (!entry.first.IsScalar() || !entry.second.IsScalar()) {
      reader.complain(entry.first, field + ": a name and its values are wanted");
      continue;
    }
    auto series = parse_series(entry.first.Scalar());
    auto values = parse_values(entry.second.Scalar());
    if (!series) reader.complain(entry.first, field + ": " + series.error().message());
    if (!values) reader.complain(entry.second, field + ": " + values.error().message());
    if (series && values) list.push_back({*series, entry.second.Scalar(), *values});
  }
}

void read_expectation(YamlReader& reader, const YAML::Node& node, RuleTest::Expectation& expected) {
  expected.place = {reader.file(), reader.line_of(node)};
  bool given = false;
  reader.each_entry(node, "expect", {"at", "firing", "inhibited"},
                    [&](const std::string& name, const YAML::Node& value) {
                      if (name == "at") return reader.read(value, name, expected.at);
                      std::vector<std::string> list;
                      reader.read(value, name, list);
                      if (name == "inhibited") {
                        expected.inhibited = std::move(list);
                        return;
                      }
                      given = true;
                      for (const auto& text : list) {
                        auto alert = parse_series(text);
                        if (alert) {
                          expected.firing.push_back(std::move(*alert));
                        } else {
                          reader.complain(value, fmt::format("firing: '{}': {}", printable(text),
                                                             alert.error().message()));
                        }
                      }
                    });
  if (!given && node.IsMap())
    reader.complain(node, "expect: the list 'firing' is missing; [] for none");
}

}  // namespace

Result<std::vector<std::optional<double>>> parse_values(std::string_view text) {
  std::vector<std::optional<double>> values;
  for (auto word : split(text, ' ')) {
    if (word.empty()) continue;
    auto run = parse_run(word);
    if (!run) return fail("'{}' is no value, such as 3, 3x4, 1+2x3, _ or stale", printable(word));
    for (std::int64_t i = 0; i <= run->more; ++i) {
      values.push_back(run->first ? std::optional(*run->first + run->step * static_cast<double>(i))
                                  : std::nullopt);
    }
    if (values.size() > kMostValues) return fail("there are more than {} values", kMostValues);
  }
  return values;
}

RuleTest read_test(YamlReader& reader, const YAML::Node& node) {
  RuleTest test;
  test.place = {reader.file(), reader.line_of(node)};
  reader.each_entry(node, "a test", {"name", "interval", "series", "usual", "expect"},
                    [&](const std::string& name, const YAML::Node& value) {
                      if (name == "name") {
                        reader.read(value, name, test.name);
                        reader.set_subject(fmt::format("test '{}': ", printable(test.name)));
                      } else if (name == "interval") {
                        reader.read(value, name, test.interval);
                        if (test.interval.value < 1) {
                          reader.complain(value, "interval: a second at least");
                          test.interval = Seconds{60};
                        }
                      } else if (name == "series" || name == "usual") {
                        read_series(reader, name, value,
                                    name == "series" ? test.series : test.usual);
                      } else if (!value.IsSequence()) {
                        reader.complain(value, "expect: a list is wanted");
                      } else {
                        for (const auto& item : value)
                          read_expectation(reader, item, test.expect.emplace_back());
                      }
                    });
  if (node.IsMap() && test.expect.empty())
    reader.complain(node, "it expects nothing: 'expect' is missing");
  return test;
}

std::vector<std::string> run_test(const RuleTest& test, const std::vector<Rule>& rules) {
  Engine engine(rules);
  std::vector<std::string> problems;
  auto pending = test.expect;
  std::stable_sort(pending.begin(), pending.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  std::size_t step = 0;
  for (const auto& expected : pending) {
    for (; test.interval * static_cast<std::int64_t>(step) <= expected.at; ++step) {
      engine.evaluate(input_at(test, step));
    }
    std::set<std::string> wanted, firing,
        hidden_wanted(expected.inhibited.begin(), expected.inhibited.end()), hidden;
    for (const auto& alert : expected.firing) wanted.insert(alert_text(alert.name, alert.labels));
    for (const auto* alert : engine.alerts()) {
      if (!alert->firing()) continue;
      firing.insert(alert_text(alert->rule, alert->group));
      if (!alert->inhibited_by.empty()) hidden.insert(alert->rule);
    }
    auto complain = [&](std::string_view what, const auto& want, const auto& got) {
      problems.push_back(fmt::format("{}:{}: test '{}': at {} {} is {}, expected {}",
                                     expected.place.file, expected.place.line, printable(test.name),
                                     span_text(expected.at), what, listed(got), listed(want)));
    };
    if (wanted != firing) complain("what fires", wanted, firing);
    if (!hidden_wanted.empty() && hidden_wanted != hidden) {
      complain("what is inhibited", hidden_wanted, hidden);
    }
  }
  return problems;
}

namespace {

std::string yaml_quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

void write_promtool_test(const RuleTest& test, const std::map<std::string, const Rule*>& rules,
                         std::string& out) {
  out += fmt::format("- name: {}\n  interval: {}\n  input_series:\n", yaml_quoted(test.name),
                     span_text(test.interval));
  for (const auto& series : test.series) {
    out += fmt::format("  - {{series: {}, values: {}}}\n",
                       yaml_quoted(series.series.name + labels_text(series.series.labels)),
                       yaml_quoted(series.text));
  }
  out += "  promql_expr_test:\n";
  for (const auto& expected : test.expect) {
    out += fmt::format(
        "  - expr: 'ALERTS{{alertstate=\"firing\",alertname!=\"SchedlensAbsent\"}}'\n"
        "    eval_time: {}\n    exp_samples:\n",
        span_text(expected.at));
    for (const auto& alert : expected.firing) {
      auto at = rules.find(alert.name);
      if (at == rules.end() || rule_promql(*at->second).empty()) continue;
      auto labels = alert.labels;
      labels["alertname"] = alert.name;
      labels["alertstate"] = "firing";
      labels["severity"] = severity_name(at->second->severity);
      labels["layer"] = layer_name(at->second->layer);
      out += fmt::format("    - {{labels: {}, value: 1}}\n",
                         yaml_quoted("ALERTS" + labels_text(labels)));
    }
  }
}

}  // namespace

std::string promtool_tests(const std::vector<RuleTest>& tests, const std::vector<Rule>& rules,
                           std::string_view rules_file) {
  std::map<std::string, const Rule*> by_name;
  for (const auto& rule : rules) by_name[rule.name] = &rule;
  auto out = fmt::format(
      "# Made by `schedlens alerts rules --tests`, for promtool test rules.\n"
      "rule_files: [{}]\nevaluation_interval: 1m\ntests:\n",
      yaml_quoted(rules_file));
  for (const auto& test : tests) {
    if (test.usual.empty()) write_promtool_test(test, by_name, out);
  }
  return out;
}

}  // namespace schedlens::alert
