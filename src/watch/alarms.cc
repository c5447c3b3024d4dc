// SPDX-License-Identifier: Apache-2.0
#include "watch/alarms.h"

#include <fmt/format.h>

#include <algorithm>

#include "alert/notice.h"
#include "base/log.h"
#include "watch/silence_requests.h"

namespace schedlens::watch {

using alert::Alert;

namespace {

constexpr std::string_view kEngineState = "alerts/engine";
constexpr std::string_view kReceiverState = "alerts/receiver/";
// Without a change of the alerts: windows of rates move on all the time.
constexpr Seconds kKeepEvery{60};

alert::Verdict::State state_of(const baseline::Verdict& verdict) {
  using From = baseline::State;
  using To = alert::Verdict::State;
  if (verdict.state == From::kNoBaseline || verdict.state == From::kNotJudged) return To::kNone;
  if (!verdict.alarm) return To::kNormal;
  return verdict.spreads < 0 ? To::kLow : To::kHigh;
}

std::vector<alert::Verdict> verdicts_of(const std::vector<JudgedSeries>& judged) {
  std::vector<alert::Verdict> verdicts;
  for (const auto& one : judged) {
    alert::Verdict verdict;
    verdict.name = one.watched->name;
    if (!one.watched->per.empty()) verdict.labels.emplace(one.watched->per, one.of);
    verdict.state = state_of(one.judged.verdict);
    verdict.value = one.judged.verdict.value.value_or(0);
    verdict.sentence = one.judged.sentence;
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

// Silenced and inhibited ones fire and are told to nobody.
std::string_view shown_phase(const Alert& alert) {
  if (!alert.firing()) return alert::phase_name(alert.phase);
  if (!alert.silenced_by.empty()) return "silenced";
  if (!alert.inhibited_by.empty()) return "inhibited";
  return "firing";
}

std::string family_of(const std::string& metric) {
  for (std::string_view end : {"_bucket", "_sum", "_count"}) {
    if (metric.ends_with(end)) return metric.substr(0, metric.size() - end.size());
  }
  return metric;
}

}  // namespace

Alarms::Alarms(std::vector<alert::Rule> rules, alert::Labels labels, const os::Clock& clock)
    : clock_(clock), engine_(std::move(rules), std::move(labels)) {}

void Alarms::remember(memory::Store& store, memory::Reader& reader) {
  store_ = &store;
  auto states = reader.states("alerts/");
  if (!states) {
    log::warning("alerts begin anew: {}", states.error().message());
    return;
  }
  for (auto& entry : *states) kept_[entry.key] = std::move(entry.value);
  const auto engine = kept_.find(std::string(kEngineState));
  if (engine == kept_.end()) return;
  if (auto restored = engine_.restore(engine->second); !restored) {
    log::warning("alerts begin anew: {}", restored.error().message());
  }
}

void Alarms::add_receiver(const std::string& name, alert::Hearing hearing,
                          std::unique_ptr<alert::Receiver> receiver) {
  const auto state = kept_.find(std::string(kReceiverState) + name);
  receivers_.push_back(
      {name, std::make_unique<alert::Sender>(name, hearing, std::move(receiver), clock_,
                                             state == kept_.end() ? "" : state->second)});
}

std::vector<std::string> Alarms::families() const {
  std::set<std::string> families;
  for (const auto& metric : engine_.metrics()) families.insert(family_of(metric));
  // Of which the age of sources is read.
  families.insert("schedlens_source_state");
  families.insert("schedlens_source_age_seconds");
  return {families.begin(), families.end()};
}

void Alarms::evaluate(Timestamp now, std::string_view page,
                      const std::vector<JudgedSeries>& judged) {
  auto wanted = engine_.metrics();
  wanted.insert("schedlens_source_state");
  wanted.insert("schedlens_source_age_seconds");
  alert::Input input;
  input.time = now;
  input.samples = alert::parse_page(page, wanted);
  input.sources = alert::sources_of(input.samples);
  input.verdicts = verdicts_of(judged);
  engine_.evaluate(input);
  engine_.silences().forget_old(now);
  for (auto& to : receivers_) to.sender->update(engine_.alerts());
  publish(now);
  if (store_) keep(now);
}

void Alarms::publish(Timestamp now) {
  auto board = std::make_shared<alert::Board>();
  board->time = now;
  for (const auto* alert : engine_.alerts()) board->alerts.push_back(*alert);
  board->silences = engine_.silences().all();
  board->notes = engine_.notes();
  for (const auto& to : receivers_) {
    auto health = to.sender->health();
    board->receivers.push_back(
        {to.name, health.waiting, std::move(health.error), health.last_success});
  }
  const std::lock_guard lock(mutex_);
  board_ = std::move(board);
}

void Alarms::keep(Timestamp now) {
  std::set<std::pair<std::string, int>> seen;
  Recorded recorded;
  for (const auto* alert : engine_.alerts()) {
    const auto key = alert::fingerprint(alert->labels) + alert->silenced_by + alert->inhibited_by;
    seen.emplace(key, static_cast<int>(alert->phase));
    if (alert->firing_since) keep_record(*alert, recorded);
  }
  recorded_ = std::move(recorded);
  if (state_kept_ && now - *state_kept_ < kKeepEvery && seen == last_seen_) return;
  last_seen_ = std::move(seen);
  state_kept_ = now;
  store_->set_state(std::string(kEngineState), engine_.save());
  for (const auto& to : receivers_) {
    store_->set_state(std::string(kReceiverState) + to.name, to.sender->save());
  }
}

void Alarms::keep_record(const Alert& alert, Recorded& now) {
  memory::AlertRecord record;
  record.starts = *alert.firing_since;
  record.ends = alert.ended_at;
  record.fingerprint = alert::fingerprint(alert.labels);
  record.rule = alert.rule;
  record.severity = alert::severity_name(alert.severity);
  record.labels = memory::labels_text({alert.labels.begin(), alert.labels.end()});
  record.summary = alert.summary;
  // A summary has the value of the moment: it is kept as it was when it began and ended.
  const auto key = fmt::format("{} {}", record.fingerprint, record.starts.unix_seconds);
  const auto text = fmt::format("{}", record.ends ? record.ends->unix_seconds : 0);
  now[key] = text;
  const auto before = recorded_.find(key);
  if (before != recorded_.end() && before->second == text) return;
  store_->put(std::move(record));
}

void Alarms::take_requests(const std::filesystem::path& directory, Timestamp now) {
  if (watch::take_requests(directory, engine_.silences(), now) > 0) state_kept_.reset();
}

std::shared_ptr<const alert::Board> Alarms::board() const {
  const std::lock_guard lock(mutex_);
  return board_;
}

void Alarms::fill(metrics::WatchRows& rows) const {
  const auto now = board();
  if (!now) return;
  std::map<std::pair<std::string, std::string_view>, metrics::AlertCount> counts;
  for (const auto& alert : now->alerts) {
    if (alert.phase == alert::Phase::kEnded) continue;
    const auto phase = shown_phase(alert);
    auto& count = counts[{alert.rule, phase}];
    count = {alert.rule, alert::severity_name(alert.severity), phase, count.count + 1};
  }
  for (auto& [key, count] : counts) rows.alerts.push_back(std::move(count));
  for (const auto& receiver : now->receivers) {
    rows.receivers.push_back(
        {receiver.name, receiver.error.empty(), receiver.waiting, receiver.last_success});
  }
}

}  // namespace schedlens::watch
