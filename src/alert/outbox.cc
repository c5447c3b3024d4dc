// SPDX-License-Identifier: Apache-2.0
#include "alert/outbox.h"

#include <simdjson.h>

#include <algorithm>
#include <set>

#include "base/json_writer.h"

namespace schedlens::alert {

Hearing Hearing::alertmanager() {
  return {Seconds{60}, Seconds{15 * 60}, true, Seconds{5 * 60}};
}

Seconds Outbox::pause_after(int failures) {
  return Seconds{std::min<std::int64_t>(std::int64_t{5} << std::clamp(failures - 1, 0, 10), 300)};
}

void Outbox::update(const std::vector<const Alert*>& alerts, Timestamp now) {
  std::set<std::string> told;
  for (const auto* alert : alerts) {
    if (!alert->tells()) continue;
    told.insert(fingerprint(alert->labels));
    take(*alert, now);
  }
  for (const auto* alert : alerts) {
    auto at = entries_.find(fingerprint(alert->labels));
    if (alert->tells() || at == entries_.end() || at->second.ended) continue;
    at->second.notice.annotations = annotations(*alert);
    if (!alert->inhibited_by.empty()) {
      at->second.notice.annotations["withdrawn"] = "follows from " + alert->inhibited_by;
    } else if (!alert->silenced_by.empty()) {
      at->second.notice.annotations["withdrawn"] = "silenced by " + alert->silenced_by;
    }
    end(at->second, alert->ended_at.value_or(now));
  }
  for (auto at = entries_.begin(); at != entries_.end();) {
    auto& entry = at->second;
    if (!told.contains(at->first) && !entry.ended) end(entry, now);
    const bool never_mattered =
        entry.ended && entry.told == Told::kNothing && hearing_.only_told_ends;
    const bool over =
        entry.ended && entry.told == Told::kEnd && now - *entry.ended > hearing_.repeat_end;
    const bool given_up = entry.ended && now - *entry.ended > kGivenUp;
    at = never_mattered || over || given_up ? entries_.erase(at) : std::next(at);
  }
}

void Outbox::take(const Alert& alert, Timestamp now) {
  auto notice = notice_of(alert);
  if (hearing_.believed_for.value > 0) notice.ends_at = now + hearing_.believed_for;
  auto& entry = entries_[notice.fingerprint];
  // One that was taken back, and one that fires anew, is told as new.
  if (entry.ended || entry.notice.starts_at != notice.starts_at) entry = {};
  entry.notice = std::move(notice);
}

void Outbox::end(Entry& entry, Timestamp now) const {
  entry.notice.firing = false;
  // Alertmanager takes what ends when it starts for ended; no end lies before its begin.
  entry.notice.ends_at = std::max(now, entry.notice.starts_at);
  entry.ended = entry.notice.ends_at;
}

bool Outbox::unknown_to_receiver(const Entry& entry) const {
  return entry.told != (entry.notice.firing ? Told::kFiring : Told::kEnd);
}

std::optional<Timestamp> Outbox::due_at(const Entry& entry) const {
  if (unknown_to_receiver(entry) || !entry.last) return Timestamp{0};
  if (entry.notice.firing) {
    if (hearing_.repeat.value == 0) return std::nullopt;
    return *entry.last + hearing_.repeat;
  }
  // An end is told again only where what fires is.
  if (hearing_.repeat.value == 0 || hearing_.repeat_end.value == 0) return std::nullopt;
  auto again = *entry.last + hearing_.repeat;
  return again - *entry.ended > hearing_.repeat_end ? std::nullopt : std::optional(again);
}

std::vector<Notice> Outbox::due(Timestamp now, std::size_t most) {
  if (failed_at_ && now < *failed_at_ + pause_after(failures_)) return {};
  std::vector<Notice> notices;
  for (auto& [key, entry] : entries_) {
    auto at = due_at(entry);
    if (!at || *at > now || notices.size() == most) continue;
    // The time to repeat an end may have passed while nobody could be told.
    if (entry.told == Told::kEnd && now - *entry.ended > hearing_.repeat_end) continue;
    // The end that is believed counts from when it is told.
    if (entry.notice.firing && hearing_.believed_for.value > 0) {
      entry.notice.ends_at = now + hearing_.believed_for;
    }
    notices.push_back(entry.notice);
  }
  return notices;
}

void Outbox::sent(const std::vector<Notice>& notices, Timestamp now) {
  failures_ = 0;
  failed_at_.reset();
  for (const auto& notice : notices) {
    auto at = entries_.find(notice.fingerprint);
    // It may have begun anew in the meantime.
    if (at == entries_.end() || at->second.notice.starts_at != notice.starts_at) continue;
    at->second.told = notice.firing ? Told::kFiring : Told::kEnd;
    at->second.last = now;
  }
}

void Outbox::failed(Timestamp now) {
  ++failures_;
  failed_at_ = now;
}

std::optional<Timestamp> Outbox::next() const {
  std::optional<Timestamp> first;
  for (const auto& entry : entries_) {
    auto at = due_at(entry.second);
    if (at && (!first || *at < *first)) first = at;
  }
  if (first && failed_at_) first = std::max(*first, *failed_at_ + pause_after(failures_));
  return first;
}

std::size_t Outbox::waiting() const {
  return static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(),
                    [&](const auto& entry) { return unknown_to_receiver(entry.second); }));
}

namespace {

void write_labels(JsonWriter& json, std::string_view key, const Labels& labels) {
  json.key(key);
  json.object([&] {
    for (const auto& [name, value] : labels) json.field(name, value);
  });
}

Labels labels_at(simdjson::dom::object object, std::string_view key) {
  Labels labels;
  for (auto field : simdjson::dom::object(object[key])) {
    labels[std::string(field.key)] = std::string(std::string_view(field.value));
  }
  return labels;
}

std::optional<Timestamp> maybe_time(simdjson::dom::object object, std::string_view key) {
  simdjson::dom::element element = object[key];
  if (element.is_null()) return std::nullopt;
  return Timestamp{std::int64_t(element)};
}

}  // namespace

std::string Outbox::save() const {
  JsonWriter json;
  json.array([&] {
    for (const auto& item : entries_) {
      const auto& entry = item.second;
      json.object([&] {
        json.field("firing", entry.notice.firing);
        write_labels(json, "labels", entry.notice.labels);
        write_labels(json, "annotations", entry.notice.annotations);
        json.field("starts_at", entry.notice.starts_at);
        json.field("ends_at", entry.notice.ends_at);
        json.field("told", static_cast<int>(entry.told));
        json.field("ended", entry.ended);
      });
    }
  });
  return json.take();
}

Status Outbox::restore(std::string_view text) {
  entries_.clear();
  try {
    std::map<std::string, Entry> entries;
    simdjson::dom::parser parser;
    for (simdjson::dom::object object :
         simdjson::dom::array(parser.parse(text.data(), text.size()))) {
      Entry entry;
      entry.notice.firing = bool(object["firing"]);
      entry.notice.labels = labels_at(object, "labels");
      entry.notice.annotations = labels_at(object, "annotations");
      entry.notice.starts_at = {std::int64_t(object["starts_at"])};
      entry.notice.ends_at = maybe_time(object, "ends_at");
      entry.ended = maybe_time(object, "ended");
      auto told = std::int64_t(object["told"]);
      if (told < 0 || told > 2) return fail("what was told cannot be read; alerts are told again");
      entry.told = static_cast<Told>(told);
      // When it was told is not kept: what is repeated is repeated at once, what is told once is
      // not.
      if (entry.told != Told::kNothing && hearing_.repeat.value == 0) entry.last = Timestamp{0};
      entry.notice.fingerprint = fingerprint(entry.notice.labels);
      auto key = entry.notice.fingerprint;
      entries[std::move(key)] = std::move(entry);
    }
    entries_ = std::move(entries);
    return {};
  } catch (const simdjson::simdjson_error& e) {
    return fail("what was told cannot be read: {}; alerts are told again", e.what());
  }
}

}  // namespace schedlens::alert
