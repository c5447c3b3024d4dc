// SPDX-License-Identifier: Apache-2.0
#pragma once
// The alert engine: from what is known at each moment and the rules, which alerts there are.
//
// An alert is pending until its rule has held for long enough, fires, and ends. What is not known
// changes nothing: while the sources of a rule are old its alerts stay as they were and say since
// when nobody knows. A pause of up to an hour, in the data or of the program, does not break the
// time that a rule has held; a longer one does. Everything survives a restart through save() and
// restore(). One thread at a time.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alert/alert.h"
#include "alert/evaluate.h"
#include "alert/input.h"
#include "alert/rule.h"
#include "alert/silence.h"
#include "base/result.h"

namespace schedlens::alert {

class Engine {
 public:
  // common: labels of every alert, such as the cluster. Rules whose name occurs twice count once.
  explicit Engine(std::vector<Rule> rules, Labels common = {});

  // Alerts of rules that are gone end at the next evaluation.
  void set_rules(std::vector<Rule> rules);
  const std::vector<Rule>& rules() const { return rules_; }

  // Samples of other metrics are of no use to it.
  const std::set<std::string, std::less<>>& metrics() const { return metrics_; }

  // Moments must not go back; one that does is taken for the last one.
  void evaluate(const Input& input);

  // Pending, firing and for a quarter of an hour ended ones: firing first, critical first.
  std::vector<const Alert*> alerts() const;
  // What could not be told in full: "rule X: 12 more groups than the 200 that are kept".
  const std::vector<std::string>& notes() const { return notes_; }

  Silences& silences() { return silences_; }
  const Silences& silences() const { return silences_; }

  // A text for a file, and back. After a failure the engine is as new.
  std::string save() const;
  Status restore(std::string_view text);

  static constexpr std::size_t kMostAlertsOfRule = 200;
  static constexpr Seconds kKept{15 * 60};       // how long an ended alert is shown
  static constexpr Seconds kGoneAfter{15 * 60};  // without series
  static constexpr Seconds kPause{3600};         // that does not break the time a rule has held

 private:
  using Key = std::pair<std::string, Labels>;  // rule, group
  struct Found {
    std::optional<double> value;
    bool holds = false, holds_on = false;  // beyond the threshold; beyond that to end it
  };

  void evaluate_rule(const Rule& rule, const Input& input, const Samples& samples);
  Found found(const Rule& rule, const Labels& group, const Values& values,
              const std::vector<Values>& also, bool exists) const;
  void advance(const Rule& rule, const Labels& group, const Found& now_found, const Input& input,
               const Samples& samples);
  void advance_known(const Rule& rule, Alert& alert, const Found& now_found, Timestamp now);
  void advance_absent(const Key& key, Alert& alert, Timestamp now);
  void describe(const Rule& rule, Alert& alert, const Input& input, const Samples& samples) const;
  Alert* begin(const Rule& rule, const Labels& group, Timestamp now);
  void keep_as_it_was(const Rule& rule, const SourceAge& source, Timestamp now);
  void end_those_without_rule(Timestamp now);
  void inhibit();
  void silence(Timestamp now);
  const Rule* find(std::string_view name) const;
  std::vector<Key> keys_of(const Rule& rule) const;

  std::vector<Rule> rules_;
  Labels common_;
  std::set<std::string, std::less<>> metrics_;
  std::map<Key, Alert> alerts_;
  Windows windows_;
  Silences silences_;
  std::map<std::string, std::size_t> left_out_;  // groups, by rule
  std::vector<std::string> notes_;
  Timestamp last_;
};

}  // namespace schedlens::alert
