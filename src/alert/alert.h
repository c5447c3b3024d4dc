// SPDX-License-Identifier: Apache-2.0
#pragma once
// One alert: a rule that holds for one group of series.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "alert/evaluate.h"
#include "alert/labels.h"
#include "alert/rule.h"
#include "base/units.h"

namespace schedlens::alert {

enum class Phase : std::uint8_t { kPending, kFiring, kEnded };
std::string_view phase_name(Phase phase);  // "firing"

// Why an alert has ended. Only the first says that all is well.
enum class Ending : std::uint8_t { kResolved, kGone, kRuleGone };
std::string_view ending_name(Ending ending);  // "resolved", "gone", "rule removed"

struct Alert {
  std::string rule;
  Severity severity = Severity::kWarning;
  Labels group;   // labels of the rule's by
  Labels labels;  // those with alertname, severity, layer and the labels that all alerts have
  Phase phase = Phase::kPending;
  Timestamp active_since;  // it has held without a break since
  std::optional<Timestamp> firing_since;
  std::optional<Timestamp> ended_at;
  Ending ending = Ending::kResolved;
  Timestamp last_known;                  // when there last was a value
  std::optional<Timestamp> false_since;  // fires on though it does not hold any more
  double value = 0;
  NameList names;
  std::string summary, meaning, remedy;
  std::string usual;                       // what is usual, for a rule on that
  std::optional<Timestamp> unknown_since;  // nothing is known any more: as it was then
  std::string unknown_why;
  std::string inhibited_by;  // the rule
  std::string silenced_by;   // the silence's id

  bool firing() const { return phase == Phase::kFiring; }
  // Somebody is to be told of it.
  bool tells() const { return firing() && inhibited_by.empty() && silenced_by.empty(); }
};

// What an alert says beside its labels, by the usual names: summary, meaning, remedy, value,
// names...
Labels annotations(const Alert& alert);

}  // namespace schedlens::alert
