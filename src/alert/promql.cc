// SPDX-License-Identifier: Apache-2.0
#include "alert/promql.h"

#include <algorithm>
#include <map>

#include "alert/amounts.h"
#include "alert/evaluate.h"
#include "alert/summary.h"

namespace schedlens::alert {
namespace {

std::string selector(std::string_view metric, const std::vector<Matcher>& matchers) {
  std::string inner;
  for (const auto& m : matchers) inner += (inner.empty() ? "" : ",") + m.pattern.promql(m.label);
  return std::string(metric) + (inner.empty() ? "" : "{" + inner + "}");
}

std::string list(const std::vector<std::string>& names) {
  return fmt::format("({})", fmt::join(names, ", "));
}

std::string by_text(const Rule& rule, const Term& term) {
  auto by = term.whole ? std::vector<std::string>() : rule.by;
  if (term.quantile) by.insert(by.begin(), "le");
  return by.empty() ? "" : " by " + list(by);
}

std::string series_promql(const Term& term) {
  auto text = selector(term.series_metric(), term.matchers);
  auto window = "[" + span_text(term.window) + "]";
  switch (term.function) {
    case Function::kNow:
      break;
    case Function::kAge:
      text = "time() - " + text;
      break;
    case Function::kRate:
      text = "rate(" + text + window + ")";
      break;
    case Function::kIncrease:
      text = "increase(" + text + window + ")";
      break;
    case Function::kChanges:
      text = "changes(" + text + window + ")";
      break;
  }
  const bool bounded = term.each_above || term.each_below;
  if (bounded && term.function == Function::kAge) text = "(" + text + ")";
  if (term.each_above) text += fmt::format(" > {}", *term.each_above);
  if (term.each_below) text += fmt::format(" < {}", *term.each_below);
  return text;
}

std::string value_promql(const Rule& rule, const Condition& condition) {
  auto of = term_promql(rule, condition.of);
  if (!condition.per) return of;
  auto per = "(" + term_promql(rule, *condition.per) + " != 0)";
  return condition.per->whole && !condition.of.whole && !rule.by.empty()
             ? of + " / on() group_left() " + per
             : of + " / " + per;
}

std::string compared(const Rule& rule, const Condition& condition, double threshold) {
  static constexpr std::string_view kSigns[] = {">", "<", "=="};
  return fmt::format("{} {} {}", value_promql(rule, condition),
                     kSigns[static_cast<int>(condition.comparison)], threshold);
}

std::string on(const Rule& rule, bool whole) {
  return "on" + (whole ? "()" : list(rule.by));
}

// The condition at this threshold with those beside it.
std::string together(const Rule& rule, double threshold) {
  auto text = "(" + compared(rule, rule.when, threshold) + ")";
  for (const auto& condition : rule.also) {
    if (condition.baseline) continue;
    text += fmt::format(" and {} ({})", on(rule, condition.of.whole),
                        compared(rule, condition, condition.threshold));
  }
  return text;
}

// 1 where all sources that the pattern takes in are old.
std::string stale(const Pattern& source) {
  return fmt::format(
      "(min(max by (source) "
      "(schedlens_source_state{{{},state=~\"never|stale|failed\"}})) == 1)",
      source.promql("source"));
}

bool on_usual(const Rule& rule) {
  return rule.when.baseline || std::any_of(rule.also.begin(), rule.also.end(),
                                           [](const auto& c) { return c.baseline.has_value(); });
}

std::string yaml(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

// The series that carry the names of an alert, and what stands behind a format for them.
struct NameSeries {
  std::string series, arguments;
};

NameSeries name_series(const Rule& rule) {
  const auto& names = *rule.names;
  if (!names.metric.empty()) return {selector(names.metric, names.matchers) + " != 0", ""};
  auto term = rule.when.of;
  // The group's own series alone; what is between the quotes is filled in by printf.
  NameSeries result;
  for (const auto& by : rule.by) {
    term.matchers.push_back({by, Pattern("%s")});
    result.arguments += " $labels." + by;
  }
  result.series = series_promql(term);
  if (!zero_counts(rule) && !term.each_above) result.series += " != 0";
  return result;
}

std::string asked(const NameSeries& names, const std::string& query) {
  return names.arguments.empty() ? fmt::format("query `{}`", query)
                                 : fmt::format("printf `{}`{} | query", query, names.arguments);
}

std::string template_text(const Rule& rule) {
  std::string names, count;
  if (rule.names) {
    const auto series = name_series(rule);
    const auto each = fmt::format("count by ({}) ({})", rule.names->label, series.series);
    names = fmt::format("{{{{ range {} }}}}{{{{ .Labels.{} }}}} {{{{ end }}}}",
                        asked(series, "topk(10, " + each + ")"), rule.names->label);
    count = fmt::format("{{{{ with {} }}}}{{{{ . | first | value }}}}{{{{ end }}}}",
                        asked(series, "count(" + each + ")"));
  }
  return prometheus_summary(rule, names, count);
}

void write_rule(const Rule& rule, std::string& out) {
  out += fmt::format("  - alert: {}\n    expr: |-\n", rule.name);
  auto expression = rule_promql(rule);
  std::size_t begin = 0;
  while (begin <= expression.size()) {
    auto end = std::min(expression.find('\n', begin), expression.size());
    out += "      " + expression.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  if (rule.for_time.value > 0) out += fmt::format("    for: {}\n", span_text(rule.for_time));
  if (rule.keep_firing_for.value > 0) {
    out += fmt::format("    keep_firing_for: {}\n", span_text(rule.keep_firing_for));
  }
  out += fmt::format("    labels: {{severity: {}, layer: {}}}\n", severity_name(rule.severity),
                     layer_name(rule.layer));
  out += fmt::format("    annotations:\n      summary: {}\n      meaning: {}\n      remedy: {}\n",
                     yaml(template_text(rule)), yaml(rule.meaning), yaml(rule.remedy));
}

}  // namespace

std::string term_promql(const Rule& rule, const Term& term) {
  auto text = fmt::format("{}{} ({})", term.quantile ? "sum" : aggregate_name(term.aggregate),
                          by_text(rule, term), series_promql(term));
  return term.quantile ? fmt::format("histogram_quantile({}, {})", *term.quantile, text) : text;
}

std::string rule_promql(const Rule& rule) {
  if (on_usual(rule)) return "";
  auto text = together(rule, rule.when.threshold);
  const auto firing = fmt::format("max{} (ALERTS{{alertname=\"{}\",alertstate=\"firing\"}})",
                                  rule.by.empty() ? "" : " by " + list(rule.by), rule.name);
  if (rule.clear) {
    text = fmt::format("(\n  {}\n  or\n  ({}) and {} {}\n)", text, together(rule, *rule.clear),
                       on(rule, false), firing);
  }
  if (rule.sources.empty()) return text;
  std::string old;
  for (const auto& source : rule.sources) old += (old.empty() ? "" : " or ") + stale(source);
  if (!rule.clear) text = "(" + text + ")";
  return fmt::format("(\n{}\nunless on()\n  ({})\n)\nor\n({} and on() ({}))", text, old, firing,
                     old);
}

std::string prometheus_rules(const std::vector<Rule>& rules) {
  std::string out =
      "# Made by `schedlens alerts rules` of the same rules that schedlens serve evaluates "
      "itself.\n"
      "groups:\n";
  std::string left_out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Layer::kCount); ++i) {
    std::string group;
    for (const auto& rule : rules) {
      if (!rule.enabled || static_cast<std::size_t>(rule.layer) != i) continue;
      if (on_usual(rule)) {
        left_out += fmt::format("# {} compares with what is usual, which Prometheus is not told.\n",
                                rule.name);
      } else {
        write_rule(rule, group);
      }
    }
    if (group.empty()) continue;
    out +=
        fmt::format("- name: schedlens-{}\n  rules:\n{}", layer_name(static_cast<Layer>(i)), group);
  }
  // Prometheus alone can tell that schedlens itself is gone.
  out +=
      "- name: schedlens-itself\n  rules:\n"
      "  - alert: SchedlensAbsent\n    expr: |-\n      absent(schedlens_build_info)\n    for: 5m\n"
      "    labels: {severity: critical, layer: collector}\n"
      "    annotations:\n      summary: 'schedlens gives no metrics'\n"
      "      meaning: 'Nothing is known of the cluster, and no other of these alerts can fire.'\n"
      "      remedy: 'See that schedlens serve runs and that Prometheus reaches its port.'\n";
  return out + left_out;
}

}  // namespace schedlens::alert
