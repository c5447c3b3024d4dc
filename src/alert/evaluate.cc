// SPDX-License-Identifier: Apache-2.0
#include "alert/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "alert/promql.h"
#include "base/text.h"

namespace schedlens::alert {
namespace {

constexpr std::size_t kFirstNames = 10;

std::vector<std::string> group_labels(const Rule& rule, const Term& term) {
  auto by = term.whole ? std::vector<std::string>() : rule.by;
  if (term.quantile) by.emplace_back("le");
  return by;
}

bool passes(const Term& term, double value) {
  return (!term.each_above || value > *term.each_above) &&
         (!term.each_below || value < *term.each_below);
}

double of_series(const Term& term, double value, Timestamp now) {
  return term.function == Function::kAge ? static_cast<double>(now.unix_seconds) - value : value;
}

struct Gathered {
  double sum = 0, min = std::numeric_limits<double>::infinity(), max = -min;
  std::size_t count = 0;

  void add(double value) {
    sum += value;
    min = std::min(min, value);
    max = std::max(max, value);
    ++count;
  }
  double as(Aggregate aggregate) const {
    switch (aggregate) {
      case Aggregate::kSum:
        return sum;
      case Aggregate::kMax:
        return max;
      case Aggregate::kMin:
        return min;
      case Aggregate::kMean:
        return sum / static_cast<double>(count);
      case Aggregate::kCount:
        return static_cast<double>(count);
    }
    return sum;
  }
};

Values present_values(const Rule& rule, const Term& term, const Samples& samples, Timestamp now) {
  std::map<Labels, Gathered> groups;
  const auto by = group_labels(rule, term);
  for (const auto* sample : samples.of(term.series_metric())) {
    if (std::isnan(sample->value) || !all_match(term.matchers, sample->labels)) continue;
    auto value = of_series(term, sample->value, now);
    if (passes(term, value)) groups[only(sample->labels, by)].add(value);
  }
  Values values;
  for (const auto& [group, gathered] : groups) values[group] = gathered.as(term.aggregate);
  return values;
}

// Between the bounds of the bucket that it falls in, as Prometheus does it.
std::optional<double> quantile_of(std::vector<std::pair<double, double>> buckets, double q) {
  std::sort(buckets.begin(), buckets.end());
  if (buckets.size() < 2 || !std::isinf(buckets.back().first)) return std::nullopt;
  const auto total = buckets.back().second;
  if (total <= 0) return std::nullopt;
  const auto rank = q * total;
  std::size_t i = 0;
  while (i + 1 < buckets.size() && buckets[i].second < rank) ++i;
  if (i + 1 == buckets.size()) return buckets[i - 1].first;
  const auto low = i == 0 ? 0 : buckets[i - 1].first;
  const auto below = i == 0 ? 0 : buckets[i - 1].second;
  const auto inside = buckets[i].second - below;
  return inside <= 0 ? buckets[i].first : low + (buckets[i].first - low) * (rank - below) / inside;
}

Values quantiles(const Values& by_bound, double q) {
  std::map<Labels, std::vector<std::pair<double, double>>> groups;
  for (const auto& [labels, value] : by_bound) {
    auto group = labels;
    group.erase("le");
    auto text = label(labels, "le");
    auto bound = text == "+Inf" ? std::numeric_limits<double>::infinity()
                                : parse_number<double>(text).value_or(std::nan(""));
    if (!std::isnan(bound)) groups[group].emplace_back(bound, value);
  }
  Values values;
  for (const auto& [group, buckets] : groups) {
    if (auto value = quantile_of(buckets, q)) values[group] = *value;
  }
  return values;
}

Values term_values(const Rule& rule, const Term& term, const Samples& samples, Timestamp now,
                   Windows& windows, bool whole_window) {
  if (!term.windowed()) return present_values(rule, term, samples, now);
  Values values;
  const auto& window = windows.of(rule, term);
  for (const auto& group : window.groups()) {
    auto growth = window.growth(group, now);
    if (!growth || growth->covered.value <= 0 || (whole_window && !growth->full)) continue;
    auto seconds = static_cast<double>(growth->covered.value);
    values[group] =
        term.function == Function::kRate ? growth->increase / seconds : growth->increase;
  }
  return term.quantile ? quantiles(values, *term.quantile) : values;
}

Values divide(const Values& above, const Values& below, bool whole) {
  Values values;
  for (const auto& [group, value] : above) {
    auto at = below.find(whole ? Labels() : group);
    if (at != below.end() && at->second != 0) values[group] = value / at->second;
  }
  return values;
}

bool says(const Condition& condition, const Verdict& verdict) {
  return verdict.state ==
         (*condition.baseline == Side::kHigh ? Verdict::State::kHigh : Verdict::State::kLow);
}

bool about(const Condition& condition, const Verdict& verdict) {
  return verdict.name == condition.of.metric && all_match(condition.of.matchers, verdict.labels);
}

// 1 where a verdict says so, 0 where all say that it is usual. Nobody knowing is no value.
Values baseline_values(const Rule& rule, const Condition& condition, const Input& input) {
  Values values;
  for (const auto& verdict : input.verdicts) {
    if (!about(condition, verdict) || verdict.state == Verdict::State::kNone) continue;
    auto& value = values[condition.of.whole ? Labels() : only(verdict.labels, rule.by)];
    if (says(condition, verdict)) value = 1;
  }
  return values;
}

// All terms of a rule.
template <class Do>
void each_term(const Rule& rule, Do&& act) {
  auto one = [&](const Condition& condition) {
    if (condition.baseline) return;
    act(condition.of);
    if (condition.per) act(*condition.per);
  };
  one(rule.when);
  for (const auto& condition : rule.also) one(condition);
}

}  // namespace

Samples::Samples(const Input& input) {
  for (const auto& sample : input.samples) by_name_[sample.name].push_back(&sample);
}

const std::vector<const Sample*>& Samples::of(std::string_view metric) const {
  static const std::vector<const Sample*> kNone;
  auto at = by_name_.find(metric);
  return at == by_name_.end() ? kNone : at->second;
}

std::string Windows::key(const Rule& rule, const Term& term) {
  return rule.name + ": " + term_promql(rule, term);
}

Window& Windows::of(const Rule& rule, const Term& term) {
  return windows_.try_emplace(key(rule, term), term.window, term.function == Function::kChanges)
      .first->second;
}

void feed(const Rule& rule, const Samples& samples, Timestamp now, Windows& windows) {
  std::set<std::string> done;
  each_term(rule, [&](const Term& term) {
    if (!term.windowed() || !done.insert(Windows::key(rule, term)).second) return;
    auto& window = windows.of(rule, term);
    const auto by = group_labels(rule, term);
    for (const auto* sample : samples.of(term.series_metric())) {
      if (std::isnan(sample->value) || !all_match(term.matchers, sample->labels)) continue;
      window.take(only(sample->labels, by), sample->labels, sample->value, now);
    }
    window.close(now);
  });
}

void restore_windows(const std::vector<Rule>& rules, Windows& windows,
                     const std::function<void(const std::string&, Window&)>& fill) {
  for (const auto& rule : rules) {
    each_term(rule, [&](const Term& term) {
      if (term.windowed()) fill(Windows::key(rule, term), windows.of(rule, term));
    });
  }
}

Values evaluate(const Rule& rule, const Condition& condition, const Input& input,
                const Samples& samples, Windows& windows) {
  if (condition.baseline) return baseline_values(rule, condition, input);
  const bool whole_window = condition.comparison != Comparison::kAbove;
  auto values = term_values(rule, condition.of, samples, input.time, windows, whole_window);
  if (!condition.per) return values;
  return divide(values,
                term_values(rule, *condition.per, samples, input.time, windows, whole_window),
                condition.per->whole);
}

std::string usual_sentence(const Rule& rule, const Condition& condition, const Input& input,
                           const Labels& group) {
  for (const auto& verdict : input.verdicts) {
    if (about(condition, verdict) && says(condition, verdict) &&
        only(verdict.labels, rule.by) == group) {
      return verdict.sentence;
    }
  }
  return "";
}

bool zero_counts(const Rule& rule) {
  return rule.when.of.each_below || rule.when.comparison != Comparison::kAbove;
}

NameList names_of(const Rule& rule, const Labels& group, const Samples& samples, Timestamp now) {
  if (!rule.names) return {};
  const auto& names = *rule.names;
  const bool own = names.metric.empty();
  std::set<std::string> found;
  for (const auto* sample : samples.of(own ? rule.when.of.series_metric() : names.metric)) {
    if (!all_match(own ? rule.when.of.matchers : names.matchers, sample->labels)) continue;
    auto value = own ? of_series(rule.when.of, sample->value, now) : sample->value;
    if (own && !passes(rule.when.of, value)) continue;
    if (value == 0 && !(own && zero_counts(rule))) continue;
    const bool other_group = std::any_of(group.begin(), group.end(), [&](const auto& entry) {
      auto at = sample->labels.find(entry.first);
      return at != sample->labels.end() && at->second != entry.second;
    });
    auto name = label(sample->labels, names.label);
    if (!other_group && !name.empty()) found.emplace(name);
  }
  NameList list;
  list.count = found.size();
  for (const auto& name : found) {
    if (list.first.size() == kFirstNames) break;
    list.first.push_back(name);
  }
  return list;
}

}  // namespace schedlens::alert
