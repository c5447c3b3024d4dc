// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a rule says: which value is held against what, for how long, and what an operator is told.
// Rules come from files (rule_file.h); nothing here is computed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/labels.h"
#include "base/units.h"

namespace schedlens::alert {

enum class Severity : std::uint8_t { kCritical, kWarning };
std::string_view severity_name(Severity severity);  // "critical"

// From the cause down to the effect. A rule may only inhibit layers below its own.
enum class Layer : std::uint8_t { kCollector, kController, kFabric, kNode, kGpu, kJob, kCount };
std::string_view layer_name(Layer layer);  // "controller"
std::optional<Layer> layer_named(std::string_view name);

// How the value is written.
enum class Unit : std::uint8_t { kNumber, kPercent, kSeconds, kBytes };

// What is made of each series before series are put together.
enum class Function : std::uint8_t {
  kNow,       // its value
  kAge,       // the time since the moment that it is
  kRate,      // of a counter, a second
  kIncrease,  // of a counter
  kChanges    // how often it was another than before
};
enum class Aggregate : std::uint8_t { kSum, kMax, kMin, kMean, kCount };
std::string_view aggregate_name(Aggregate aggregate);  // "avg" for the mean, as in PromQL

// Series of one metric, put together by the labels of the rule.
struct Term {
  std::string metric;
  std::vector<Matcher> matchers;
  Function function = Function::kNow;
  Seconds window{0};               // of rate, increase and changes
  std::optional<double> quantile;  // of a histogram; metric is then its name without _bucket
  std::optional<double> each_above, each_below;  // of single series: others are left out
  Aggregate aggregate = Aggregate::kSum;
  bool whole = false;  // over everything, not by the labels of the rule

  bool windowed() const { return function != Function::kNow && function != Function::kAge; }
  // The metric whose series are read: with "_bucket" for a quantile.
  std::string series_metric() const { return quantile ? metric + "_bucket" : metric; }
};

enum class Comparison : std::uint8_t { kAbove, kBelow, kEquals };
enum class Side : std::uint8_t { kHigh, kLow };

// A value and what it is held against; or, with baseline, what is usual for it.
struct Condition {
  Term of;
  std::optional<Term> per;  // divided by this; nothing where it is 0
  std::optional<Side> baseline;
  Comparison comparison = Comparison::kAbove;
  double threshold = 0;

  bool holds(double value) const;
};

// Names that an alert tells, such as those of nodes: values of a label of series that are not 0.
struct Names {
  std::string label;
  std::string metric;  // empty: the series of the rule's own value
  std::vector<Matcher> matchers;
};

struct Place {
  std::string file;
  int line = 0;  // from 1
};

struct Rule {
  std::string name;
  Severity severity = Severity::kWarning;
  Layer layer = Layer::kJob;
  std::string summary;  // with {value}, {names}, {count} and {label} of each label of by
  std::string meaning, remedy;
  Unit unit = Unit::kNumber;
  Condition when;
  std::vector<Condition> also;  // must hold as well ("while")
  std::optional<double> clear;  // firing ends only beyond this
  Seconds for_time{0}, keep_firing_for{0};
  std::vector<std::string> by;
  std::optional<Names> names;
  std::vector<std::string> inhibits;  // layers, and names of rules
  // Each of names of sources. Where all sources of one are old or unread, nothing is known.
  std::vector<Pattern> sources;
  bool absent_is_zero = false;  // series that are gone are 0; else the thing itself is gone
  bool enabled = true;
  Place place;
};

bool inhibits(const Rule& source, const Rule& target);

// Every metric that the rule reads, of all its terms and names.
std::vector<std::string> metrics_of(const Rule& rule);

}  // namespace schedlens::alert
