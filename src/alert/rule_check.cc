// SPDX-License-Identifier: Apache-2.0
#include "alert/rule_check.h"

#include <algorithm>
#include <optional>

#include "alert/summary.h"
#include "base/text.h"

namespace schedlens::alert {
namespace {

bool word(std::string_view text) {
  return !text.empty() && text.size() <= 100 && text[0] >= 'A' && text[0] <= 'Z' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

bool label_name(std::string_view text) {
  auto series = parse_series(text);
  return series && series->name == text && text.find(':') == std::string_view::npos;
}

class Checker {
 public:
  Checker(const std::vector<Rule>& rules, const std::vector<KnownMetric>& metrics)
      : rules_(rules), metrics_(metrics) {}

  std::vector<std::string> run() {
    for (const auto& rule : rules_) {
      rule_ = &rule;
      // One whose name is missing has been complained of.
      if (!rule.name.empty()) check();
    }
    return std::move(problems_);
  }

 private:
  void complain(std::string_view what) {
    problems_.push_back(fmt::format("{}:{}: rule {}: {}", rule_->place.file, rule_->place.line,
                                    printable(rule_->name), what));
  }

  void check() {
    const auto& rule = *rule_;
    if (!word(rule.name))
      complain("name: letters and digits, with a capital first: NodesOutOfService");
    if (auto problem = summary_problem(rule); !problem.empty()) complain("summary: " + problem);
    for (const auto& name : rule.by) check_by(name);
    check_clear();
    for (const auto& what : rule.inhibits) check_inhibits(what);
    check_condition(rule.when, "value");
    for (const auto& condition : rule.also) check_condition(condition, "while");
    check_names();
  }

  void check_by(const std::string& name) {
    if (!label_name(name)) {
      complain(fmt::format("by: '{}' is no name of a label", printable(name)));
    } else if (name == "alertname" || name == "severity" || name == "layer" || name == "le") {
      complain(fmt::format("by: every alert has its own label '{}'", name));
    } else if (name == "value" || name == "names" || name == "count") {
      complain(fmt::format("by: '{}' has another meaning in the summary", name));
    }
  }

  void check_clear() {
    const auto& rule = *rule_;
    if (!rule.clear) return;
    if (rule.when.baseline || rule.when.comparison == Comparison::kEquals) {
      complain("clear: it goes with above and below alone");
    } else if (rule.when.comparison == Comparison::kAbove ? *rule.clear > rule.when.threshold
                                                          : *rule.clear < rule.when.threshold) {
      complain(
          fmt::format("clear: {} lies on the wrong side of {}, so that it would end before it "
                      "begins",
                      *rule.clear, rule.when.threshold));
    }
  }

  void check_inhibits(const std::string& what) {
    if (auto layer = layer_named(what)) {
      if (*layer <= rule_->layer) {
        complain(fmt::format("inhibits: layer {} is not below its own, {}", what,
                             layer_name(rule_->layer)));
      }
      return;
    }
    auto other =
        std::find_if(rules_.begin(), rules_.end(), [&](const Rule& r) { return r.name == what; });
    if (other == rules_.end()) {
      complain(fmt::format("inhibits: '{}' is neither a layer nor a rule", printable(what)));
    } else if (what == rule_->name || inhibits(*other, *rule_)) {
      complain(fmt::format("inhibits: {} and {} would inhibit each other", rule_->name, what));
    }
  }

  void check_condition(const Condition& condition, std::string_view field) {
    check_term(condition.of, field, condition.baseline.has_value());
    if (condition.baseline && (condition.per || condition.of.windowed())) {
      complain(fmt::format("{}: a baseline is of a watched series as it is", field));
    }
    if (condition.per) check_term(*condition.per, "per");
    if (condition.per && !condition.per->whole && condition.of.whole && !rule_->by.empty()) {
      complain("per: it is by labels, and what it divides is over everything");
    }
    if (field == "value" && condition.of.whole && !rule_->by.empty()) {
      complain("value: 'whole' and 'by' contradict each other");
    }
  }

  const KnownMetric* metric(const std::string& name, std::string_view field, bool watched = false) {
    if (metrics_.empty() || name.empty()) return nullptr;
    std::vector<std::string> names;
    for (const auto& known : metrics_) {
      if (known.watched != watched) continue;
      if (known.name == name) return &known;
      names.emplace_back(known.name);
    }
    auto near = nearest(name, names);
    if (watched) {
      complain(fmt::format("{}: what is usual is not known of '{}', but of: {}", field,
                           printable(name), fmt::join(names, ", ")));
      return nullptr;
    }
    complain(fmt::format(
        "{}: no metric is called '{}'{}", field, printable(name),
        near ? fmt::format(", did you mean '{}'?", *near) : "; docs/metrics.md lists them"));
    return nullptr;
  }

  void check_label(const KnownMetric& known, std::string_view name, std::string_view field) {
    if (std::find(known.labels.begin(), known.labels.end(), name) != known.labels.end()) return;
    if (known.histogram && name == "le") return;
    complain(fmt::format(
        "{}: {} has no label '{}'; it has: {}", field, known.name, printable(name),
        known.labels.empty() ? "none" : fmt::format("{}", fmt::join(known.labels, ", "))));
  }

  void check_term(const Term& term, std::string_view field, bool watched = false) {
    auto name = term.metric;
    // Of a histogram's parts other than by a quantile.
    for (std::string_view part : {"_bucket", "_sum", "_count"}) {
      if (term.quantile || !name.ends_with(part)) continue;
      auto whole = name.substr(0, name.size() - part.size());
      for (const auto& known : metrics_) {
        if (known.histogram && known.name == whole) name = whole;
      }
    }
    const auto* known = metric(name, field, watched);
    if (!known) return;
    if (term.quantile && !known->histogram)
      complain(fmt::format("quantile: {} is no histogram", name));
    if (known->histogram && name == term.metric && !term.quantile) {
      complain(fmt::format("{}: {} is a histogram: take a quantile of it, or its _sum or _count",
                           field, name));
    }
    for (const auto& matcher : term.matchers) check_label(*known, matcher.label, field);
    if (term.whole) return;
    for (const auto& by : rule_->by) check_label(*known, by, fmt::format("by, for {}", field));
  }

  void check_names() {
    if (!rule_->names) return;
    const auto& names = *rule_->names;
    const auto name = names.metric.empty() ? rule_->when.of.metric : names.metric;
    for (const auto& known : metrics_) {
      if (known.name != name) continue;
      check_label(known, names.label, "names");
      for (const auto& matcher : names.matchers) check_label(known, matcher.label, "names");
    }
    if (!names.metric.empty()) (void)metric(names.metric, "names");
  }

  const std::vector<Rule>& rules_;
  const std::vector<KnownMetric>& metrics_;
  const Rule* rule_ = nullptr;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> rule_problems(const std::vector<Rule>& rules,
                                       const std::vector<KnownMetric>& metrics) {
  return Checker(rules, metrics).run();
}

}  // namespace schedlens::alert
