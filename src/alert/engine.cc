// SPDX-License-Identifier: Apache-2.0
#include "alert/engine.h"

#include <algorithm>
#include <tuple>

#include "alert/summary.h"
#include "base/text.h"
#include "base/time_text.h"

namespace schedlens::alert {
namespace {

// The first of the rule's sources of which nothing new is read: all that its pattern takes in are
// old. A pattern that takes in none is of another kind of scheduler.
const SourceAge* old_source(const Rule& rule, const std::vector<SourceAge>& sources) {
  for (const auto& pattern : rule.sources) {
    const SourceAge* old = nullptr;
    bool fresh = false;
    for (const auto& source : sources) {
      if (!pattern.matches(source.name)) continue;
      if (!source.stale) {
        fresh = true;
      } else if (!old || (source.age && (!old->age || *source.age < *old->age))) {
        old = &source;
      }
    }
    if (old && !fresh) return old;
  }
  return nullptr;
}

}  // namespace

Engine::Engine(std::vector<Rule> rules, Labels common) : common_(std::move(common)) {
  set_rules(std::move(rules));
}

void Engine::set_rules(std::vector<Rule> rules) {
  rules_.clear();
  metrics_ = {"schedlens_source_state", "schedlens_source_age_seconds"};
  for (auto& rule : rules) {
    if (find(rule.name)) continue;
    if (rule.enabled) {
      for (auto& metric : metrics_of(rule)) metrics_.insert(std::move(metric));
    }
    rules_.push_back(std::move(rule));
  }
}

const Rule* Engine::find(std::string_view name) const {
  auto at =
      std::find_if(rules_.begin(), rules_.end(), [&](const Rule& r) { return r.name == name; });
  return at == rules_.end() ? nullptr : &*at;
}

std::vector<Engine::Key> Engine::keys_of(const Rule& rule) const {
  std::vector<Key> keys;
  for (auto at = alerts_.lower_bound({rule.name, {}});
       at != alerts_.end() && at->first.first == rule.name; ++at) {
    keys.push_back(at->first);
  }
  return keys;
}

void Engine::evaluate(const Input& given) {
  Input moved;
  const Input* input = &given;
  if (given.time < last_) {  // the machine's clock was set back
    moved = given;
    moved.time = last_;
    input = &moved;
  }
  last_ = input->time;
  const Samples samples(*input);
  left_out_.clear();
  for (const auto& rule : rules_) {
    if (rule.enabled) evaluate_rule(rule, *input, samples);
  }
  end_those_without_rule(last_);
  std::erase_if(alerts_, [&](const auto& entry) {
    return entry.second.ended_at && last_ - *entry.second.ended_at > kKept;
  });
  silences_.forget_old(last_);
  inhibit();
  silence(last_);
  notes_.clear();
  for (const auto& [rule, count] : left_out_) {
    notes_.push_back(
        fmt::format("rule {}: {} more groups hold than the {} whose alerts are kept; "
                    "give it fewer labels in 'by'",
                    rule, count, kMostAlertsOfRule));
  }
}

void Engine::evaluate_rule(const Rule& rule, const Input& input, const Samples& samples) {
  if (const auto* source = old_source(rule, input.sources)) {
    keep_as_it_was(rule, *source, input.time);
    return;
  }
  feed(rule, samples, input.time, windows_);
  const auto values = alert::evaluate(rule, rule.when, input, samples, windows_);
  std::vector<Values> also;
  for (const auto& condition : rule.also) {
    also.push_back(alert::evaluate(rule, condition, input, samples, windows_));
  }
  for (const auto& key : keys_of(rule)) {
    advance(rule, key.second, found(rule, key.second, values, also, true), input, samples);
  }
  for (const auto& entry : values) {
    if (alerts_.contains({rule.name, entry.first})) continue;
    advance(rule, entry.first, found(rule, entry.first, values, also, false), input, samples);
  }
}

void Engine::keep_as_it_was(const Rule& rule, const SourceAge& source, Timestamp now) {
  for (const auto& key : keys_of(rule)) {
    auto& alert = alerts_.at(key);
    if (alert.phase == Phase::kEnded) continue;
    if (!alert.unknown_since)
      alert.unknown_since = source.age ? now + Seconds{-source.age->value} : now;
    alert.unknown_why = source.age ? fmt::format("{} was last read {} ago", source.name,
                                                 short_duration(*source.age))
                                   : fmt::format("{} could not be read yet", source.name);
  }
}

Engine::Found Engine::found(const Rule& rule, const Labels& group, const Values& values,
                            const std::vector<Values>& also, bool exists) const {
  Found result;
  if (auto at = values.find(group); at != values.end()) {
    result.value = at->second;
  } else if (exists && rule.absent_is_zero) {
    result.value = 0;
  } else {
    return result;
  }
  bool beside = true;
  for (std::size_t i = 0; i < also.size(); ++i) {
    const auto& condition = rule.also[i];
    auto at = also[i].find(condition.of.whole ? Labels() : group);
    beside = beside && at != also[i].end() &&
             (condition.baseline ? at->second == 1 : condition.holds(at->second));
  }
  result.holds =
      beside && (rule.when.baseline ? *result.value == 1 : rule.when.holds(*result.value));
  result.holds_on = result.holds;
  if (rule.clear) {
    auto ending = rule.when;
    ending.threshold = *rule.clear;
    result.holds_on = beside && ending.holds(*result.value);
  }
  return result;
}

Alert* Engine::begin(const Rule& rule, const Labels& group, Timestamp now) {
  const auto held = keys_of(rule);
  const auto active = std::count_if(held.begin(), held.end(), [&](const Key& key) {
    return alerts_.at(key).phase != Phase::kEnded;
  });
  if (static_cast<std::size_t>(active) >= kMostAlertsOfRule) {
    ++left_out_[rule.name];
    return nullptr;
  }
  Alert alert;
  alert.rule = rule.name;
  alert.group = group;
  alert.active_since = now;
  alert.last_known = now;
  return &(alerts_[{rule.name, group}] = std::move(alert));
}

void Engine::advance(const Rule& rule, const Labels& group, const Found& now_found,
                     const Input& input, const Samples& samples) {
  const Key key{rule.name, group};
  auto at = alerts_.find(key);
  Alert* alert = at == alerts_.end() || at->second.phase == Phase::kEnded ? nullptr : &at->second;
  if (!alert) {
    if (!now_found.value || !now_found.holds) return;
    alert = begin(rule, group, input.time);
    if (!alert) return;
  }
  if (!now_found.value) {
    advance_absent(key, *alert, input.time);
    return;
  }
  alert->value = *now_found.value;
  advance_known(rule, *alert, now_found, input.time);
  if (alert->phase == Phase::kPending && !now_found.holds) {
    alerts_.erase(key);
  } else if (alert->phase != Phase::kEnded) {
    describe(rule, *alert, input, samples);
  }
}

void Engine::advance_known(const Rule& rule, Alert& alert, const Found& now_found, Timestamp now) {
  alert.unknown_since.reset();
  alert.unknown_why.clear();
  if (alert.phase == Phase::kPending) {
    if (now - alert.last_known > kPause) alert.active_since = now;
    if (now_found.holds && now - alert.active_since >= rule.for_time) {
      alert.phase = Phase::kFiring;
      alert.firing_since = now;
    }
  } else if (now_found.holds || now_found.holds_on) {
    alert.false_since.reset();
  } else {
    if (!alert.false_since) alert.false_since = now;
    if (now - *alert.false_since >= rule.keep_firing_for) {
      alert.phase = Phase::kEnded;
      alert.ended_at = now;
      alert.ending = Ending::kResolved;
    }
  }
  alert.last_known = now;
}

void Engine::advance_absent(const Key& key, Alert& alert, Timestamp now) {
  if (alert.phase == Phase::kPending) {
    alerts_.erase(key);
    return;
  }
  if (!alert.unknown_since) alert.unknown_since = alert.last_known;
  alert.unknown_why = "its series are gone";
  if (now - alert.last_known >= kGoneAfter) {
    alert.phase = Phase::kEnded;
    alert.ended_at = now;
    alert.ending = Ending::kGone;
  }
}

void Engine::describe(const Rule& rule, Alert& alert, const Input& input,
                      const Samples& samples) const {
  alert.severity = rule.severity;
  alert.labels = common_;
  for (const auto& [name, value] : alert.group) alert.labels[name] = value;
  alert.labels["alertname"] = rule.name;
  alert.labels["severity"] = severity_name(rule.severity);
  alert.labels["layer"] = layer_name(rule.layer);
  alert.names = names_of(rule, alert.group, samples, input.time);
  alert.summary = summary(rule, alert.group, alert.value, alert.names);
  alert.meaning = rule.meaning;
  alert.remedy = rule.remedy;
  if (rule.when.baseline) alert.usual = usual_sentence(rule, rule.when, input, alert.group);
}

void Engine::end_those_without_rule(Timestamp now) {
  for (auto at = alerts_.begin(); at != alerts_.end();) {
    auto& alert = at->second;
    const auto* rule = find(alert.rule);
    if ((rule && rule->enabled) || alert.phase == Phase::kEnded) {
      ++at;
    } else if (alert.phase == Phase::kPending) {
      at = alerts_.erase(at);
    } else {
      alert.phase = Phase::kEnded;
      alert.ended_at = now;
      alert.ending = Ending::kRuleGone;
      ++at;
    }
  }
}

// An alert stands behind another when all labels of the other's group are its own: a node's alert
// hides those of the node's jobs, and nothing that tells of no node.
void Engine::inhibit() {
  for (auto& entry : alerts_) entry.second.inhibited_by.clear();
  for (const auto& entry : alerts_) {
    const auto& source = entry.second;
    const auto* rule = find(source.rule);
    if (!rule || !source.firing() || rule->inhibits.empty()) continue;
    for (auto& other : alerts_) {
      auto& target = other.second;
      const auto* below = find(target.rule);
      if (!below || target.phase == Phase::kEnded || !target.inhibited_by.empty()) continue;
      if (inhibits(*rule, *below) && within(source.group, target.group)) {
        target.inhibited_by = rule->name;
      }
    }
  }
}

void Engine::silence(Timestamp now) {
  for (auto& entry : alerts_) {
    const auto* covering = silences_.covering(entry.second.labels, now);
    entry.second.silenced_by = covering ? covering->id : "";
  }
}

std::vector<const Alert*> Engine::alerts() const {
  std::vector<const Alert*> list;
  for (const auto& entry : alerts_) list.push_back(&entry.second);
  auto rank = [](const Alert* alert) {
    static constexpr int kOrder[] = {1, 0, 2};  // pending, firing, ended
    return std::tuple(kOrder[static_cast<int>(alert->phase)], alert->severity);
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Alert* a, const Alert* b) { return rank(a) < rank(b); });
  return list;
}

}  // namespace schedlens::alert
