// SPDX-License-Identifier: Apache-2.0
#include "alert/rule_fields.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/text.h"

namespace schedlens::alert {
namespace {

constexpr std::array kTermFields = {
    TermField{"metric", "name of a metric of [metrics](metrics.md); of a histogram for `quantile`"},
    TermField{"labels", "which of its series: a pattern for each label, as below"},
    TermField{"aggregate",
              "how series of a group become one value: `sum` (default), `max`, `min`, `avg`, "
              "`count`"},
    TermField{"age", "`true`: the time since the moment that the metric is"},
    TermField{"rate", "growth of a counter a second, over this duration"},
    TermField{"increase", "growth of a counter over this duration"},
    TermField{"changes", "how often the value changed over this duration"},
    TermField{"quantile", "of a histogram, with `rate` or `increase`: 0.99"},
    TermField{"each_above", "only series above this, before they are put together"},
    TermField{"each_below", "only series below this"},
    TermField{"whole", "`true`: over all series, not by the labels of `by`"},
    TermField{"per", "what the value is divided by, with these same keys; nothing where it is 0"}};

constexpr std::array<std::string_view, 4> kComparisons = {"above", "below", "equals", "baseline"};

void compare(YamlReader& reader, const YAML::Node& node, std::string_view field, Condition& c) {
  if (field == "baseline") {
    std::string side;
    reader.read(node, field, side);
    if (side != "high" && side != "low") {
      reader.complain(node, "baseline: it is high or low");
      return;
    }
    c.baseline = side == "high" ? Side::kHigh : Side::kLow;
    return;
  }
  c.baseline.reset();
  c.comparison = field == "above"   ? Comparison::kAbove
                 : field == "below" ? Comparison::kBelow
                                    : Comparison::kEquals;
  reader.read(node, field, c.threshold);
}

void read_aggregate(YamlReader& reader, const YAML::Node& node, Term& term) {
  std::string word;
  reader.read(node, "aggregate", word);
  for (auto a :
       {Aggregate::kSum, Aggregate::kMax, Aggregate::kMin, Aggregate::kMean, Aggregate::kCount}) {
    if (word == aggregate_name(a)) {
      term.aggregate = a;
      return;
    }
  }
  reader.complain(node, "aggregate: it is one of sum, max, min, avg, count");
}

void read_function(YamlReader& reader, const YAML::Node& node, const std::string& name,
                   Term& term) {
  if (term.function != Function::kNow) {
    reader.complain(node, fmt::format("{}: only one of age, rate, increase and changes", name));
    return;
  }
  if (name == "age") {
    bool wanted = false;
    reader.read(node, name, wanted);
    if (wanted) term.function = Function::kAge;
    return;
  }
  term.function = name == "rate"       ? Function::kRate
                  : name == "increase" ? Function::kIncrease
                                       : Function::kChanges;
  reader.read(node, name, term.window);
  if (term.window.value < 60) reader.complain(node, fmt::format("{}: a minute at least", name));
}

void check_term(YamlReader& reader, const YAML::Node& node, const Term& term) {
  if (term.metric.empty()) reader.complain(node, "metric: the name of a metric is missing");
  if ((term.each_above || term.each_below) && term.windowed()) {
    reader.complain(node, "each_above and each_below do not go with rate, increase and changes");
  }
  if (term.windowed() && term.aggregate != Aggregate::kSum) {
    reader.complain(node, "aggregate: growth of several series is always added up");
  }
  if (!term.quantile) return;
  if (*term.quantile <= 0 || *term.quantile >= 1) {
    reader.complain(node, "quantile: it lies between 0 and 1");
  }
  if (term.function != Function::kRate && term.function != Function::kIncrease) {
    reader.complain(node, "quantile: it needs rate or increase");
  }
}

// Reads what kTermFields names; other keys are given to extra.
template <class Extra>
void read_term(YamlReader& reader, const YAML::Node& node, std::string_view what, Term& term,
               const std::vector<std::string>& more, Extra&& extra) {
  term = {};
  std::vector<std::string> known;
  for (const auto& field : kTermFields) {
    if (field.name != "per") known.emplace_back(field.name);
  }
  known.insert(known.end(), more.begin(), more.end());
  reader.each_entry(node, what, known, [&](const std::string& name, const YAML::Node& value) {
    if (name == "metric") {
      reader.read(value, name, term.metric);
    } else if (name == "labels") {
      reader.read(value, name, term.matchers);
    } else if (name == "aggregate") {
      read_aggregate(reader, value, term);
    } else if (name == "age" || name == "rate" || name == "increase" || name == "changes") {
      read_function(reader, value, name, term);
    } else if (name == "quantile") {
      reader.read(value, name, term.quantile.emplace());
    } else if (name == "each_above") {
      reader.read(value, name, term.each_above.emplace());
    } else if (name == "each_below") {
      reader.read(value, name, term.each_below.emplace());
    } else if (name == "whole") {
      reader.read(value, name, term.whole);
    } else {
      extra(name, value);
    }
  });
  if (node.IsMap()) check_term(reader, node, term);
}

void read_per(YamlReader& reader, const YAML::Node& node, Condition& condition) {
  read_term(reader, node, "per", condition.per.emplace(), {},
            [](const std::string&, const YAML::Node&) {});
}

void put_value(YamlReader& reader, const YAML::Node& node, Rule& rule) {
  rule.when.per.reset();
  read_term(
      reader, node, "value", rule.when.of, {"per"},
      [&](const std::string&, const YAML::Node& value) { read_per(reader, value, rule.when); });
}

void put_while(YamlReader& reader, const YAML::Node& node, Rule& rule) {
  rule.also.clear();
  if (!node.IsSequence()) return reader.complain(node, "while: a list of conditions is wanted");
  std::vector<std::string> more(kComparisons.begin(), kComparisons.end());
  more.emplace_back("per");
  for (const auto& item : node) {
    auto& condition = rule.also.emplace_back();
    int given = 0;
    read_term(reader, item, "while", condition.of, more,
              [&](const std::string& name, const YAML::Node& value) {
                if (name == "per") return read_per(reader, value, condition);
                ++given;
                compare(reader, value, name, condition);
              });
    if (given != 1) reader.complain(item, "while: one of above, below, equals, baseline is wanted");
  }
}

void put_names(YamlReader& reader, const YAML::Node& node, Rule& rule) {
  auto& names = rule.names.emplace();
  reader.each_entry(node, "names", {"label", "metric", "labels"},
                    [&](const std::string& name, const YAML::Node& value) {
                      if (name == "label") reader.read(value, name, names.label);
                      if (name == "metric") reader.read(value, name, names.metric);
                      if (name == "labels") reader.read(value, name, names.matchers);
                    });
  if (names.label.empty()) reader.complain(node, "names: the key 'label' is missing");
  if (names.metric.empty() && !names.matchers.empty()) {
    reader.complain(node, "names: 'labels' go with 'metric'");
  }
}

void put_severity(YamlReader& reader, const YAML::Node& node, Rule& rule) {
  std::string word;
  reader.read(node, "severity", word);
  if (word != "critical" && word != "warning") {
    reader.complain(node, "severity: it is critical or warning");
  }
  rule.severity = word == "critical" ? Severity::kCritical : Severity::kWarning;
}

void put_layer(YamlReader& reader, const YAML::Node& node, Rule& rule) {
  std::string word;
  reader.read(node, "layer", word);
  if (auto layer = layer_named(word)) {
    rule.layer = *layer;
  } else {
    reader.complain(node, "layer: it is one of collector, controller, fabric, node, gpu, job");
  }
}

void put_unit(YamlReader& reader, const YAML::Node& node, Rule& rule) {
  std::string word;
  reader.read(node, "unit", word);
  constexpr std::array<std::string_view, 4> kUnits = {"number", "percent", "seconds", "bytes"};
  auto at = std::find(kUnits.begin(), kUnits.end(), word);
  if (at == kUnits.end()) {
    reader.complain(node, "unit: it is number, percent, seconds or bytes");
  } else {
    rule.unit = static_cast<Unit>(at - kUnits.begin());
  }
}

void put_sources(YamlReader& reader, const YAML::Node& node, Rule& rule) {
  std::vector<std::string> list;
  reader.read(node, "sources", list);
  rule.sources.clear();
  for (const auto& text : list) rule.sources.emplace_back(text);
}

void put_absent(YamlReader& reader, const YAML::Node& node, Rule& rule) {
  std::string word;
  reader.read(node, "absent", word);
  if (word != "zero" && word != "gone") reader.complain(node, "absent: it is zero or gone");
  rule.absent_is_zero = word == "zero";
}

#define TEXT(name, member, help)                                                             \
  RuleField {                                                                                \
    name, help,                                                                              \
        [](YamlReader& r, const YAML::Node& n, Rule& rule) { r.read(n, name, rule.member); } \
  }
#define COMPARISON(name, help)                                                                 \
  RuleField {                                                                                  \
    name, help,                                                                                \
        [](YamlReader& r, const YAML::Node& n, Rule& rule) { compare(r, n, name, rule.when); } \
  }

constexpr std::array kRuleFields = {
    TEXT("name", name, "its name, which is the alert's label `alertname`; words written together"),
    RuleField{"severity", "`critical`: somebody is needed now; or `warning`", put_severity},
    RuleField{"layer",
              "`collector`, `controller`, `fabric`, `node`, `gpu` or `job`, from cause to effect",
              put_layer},
    TEXT("summary", summary,
         "one sentence, in which `{value}`, `{names}`, `{count}` and the labels of `by` are filled "
         "in"),
    TEXT("meaning", meaning, "what it means when it fires"),
    TEXT("remedy", remedy, "what to do first"),
    RuleField{"value", "what is looked at, see below", put_value},
    COMPARISON("above", "fires above this; a number, a share (`15%`) or a duration (`10m`)"),
    COMPARISON("below", "or below this"),
    COMPARISON("equals", "or at this"),
    COMPARISON("baseline",
               "or when a watched series, whose name stands as `metric`, is unusually `high` or "
               "`low` for the hour"),
    RuleField{
        "while",
        "a list of further values with `above`, `below`, `equals` or `baseline`; all must hold",
        put_while},
    RuleField{"clear", "the other threshold: firing ends only beyond it",
              [](YamlReader& r, const YAML::Node& n, Rule& rule) {
                r.read(n, "clear", rule.clear.emplace());
              }},
    TEXT("for", for_time, "how long it must hold before it fires"),
    TEXT("keep_firing_for", keep_firing_for, "how long it fires on after it held last"),
    TEXT("by", by, "labels: one alert for each group of series that have the same"),
    RuleField{"names",
              "whose names the alert tells, ten at most: `label`, of the series of the value, or "
              "of `metric` with `labels`",
              put_names},
    RuleField{"unit", "how the value is written: `number` (default), `percent`, `seconds`, `bytes`",
              put_unit},
    TEXT("inhibits", inhibits, "layers below its own, or rules, that are not told while it fires"),
    RuleField{"sources",
              "patterns of sources of data; while all sources of one are old, nothing is known: "
              "alerts stay as they are",
              put_sources},
    RuleField{"absent",
              "what it means when series are gone: `gone` (default), the thing itself is, and its "
              "alert ends so after a quarter of an hour; `zero`, nothing is wrong any more",
              put_absent},
    TEXT("enabled", enabled, "`false` switches it off")};

#undef TEXT
#undef COMPARISON

}  // namespace

std::span<const RuleField> rule_fields() {
  return kRuleFields;
}

std::span<const TermField> term_fields() {
  return kTermFields;
}

}  // namespace schedlens::alert
