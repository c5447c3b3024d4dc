// SPDX-License-Identifier: Apache-2.0
// The state as a JSON document. A rule's text is not part of it: an alert gets that of the rule in
// force at the next evaluation.
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "alert/engine.h"
#include "base/json_writer.h"

namespace schedlens::alert {
namespace {

namespace dom = simdjson::dom;

constexpr std::int64_t kVersion = 1;

void write_labels(JsonWriter& json, std::string_view key, const Labels& labels) {
  json.key(key);
  json.object([&] {
    for (const auto& [name, value] : labels) json.field(name, value);
  });
}

void write_alert(JsonWriter& json, const Alert& alert) {
  json.object([&] {
    json.field("rule", alert.rule);
    json.field("severity", severity_name(alert.severity));
    write_labels(json, "group", alert.group);
    write_labels(json, "labels", alert.labels);
    json.field("phase", phase_name(alert.phase));
    json.field("ending", ending_name(alert.ending));
    json.field("active_since", alert.active_since);
    json.field("firing_since", alert.firing_since);
    json.field("ended_at", alert.ended_at);
    json.field("last_known", alert.last_known);
    json.field("false_since", alert.false_since);
    json.field("value", alert.value);
    json.key("names");
    json.array([&] {
      for (const auto& name : alert.names.first) json.value(name);
    });
    json.field("name_count", alert.names.count);
    json.field("summary", alert.summary);
    json.field("meaning", alert.meaning);
    json.field("remedy", alert.remedy);
    json.field("usual", alert.usual);
    json.field("unknown_since", alert.unknown_since);
    json.field("unknown_why", alert.unknown_why);
    json.field("inhibited_by", alert.inhibited_by);
    json.field("silenced_by", alert.silenced_by);
  });
}

void write_window(JsonWriter& json, const std::string& key, const Window& window) {
  json.object([&] {
    json.field("term", key);
    json.key("series");
    json.array([&] {
      for (const auto& entry : window.all_series()) {
        json.array([&] {
          json.value(entry.first);
          json.value(entry.second.last);
          json.value(entry.second.seen);
        });
      }
    });
    json.key("groups");
    json.array([&] {
      for (const auto& entry : window.all_groups()) {
        json.object([&] {
          write_labels(json, "labels", entry.first);
          json.key("points");
          json.array([&] {
            for (const auto& point : entry.second.points) {
              json.array([&] {
                json.value(point.time);
                json.value(point.total);
              });
            }
          });
        });
      }
    });
  });
}

void write_silence(JsonWriter& json, const Silence& silence) {
  json.object([&] {
    json.field("id", silence.id);
    json.key("matchers");
    json.object([&] {
      for (const auto& m : silence.matchers) json.field(m.label, m.pattern.text());
    });
    json.field("from", silence.from);
    json.field("until", silence.until);
    json.field("every", silence.every);
    json.field("author", silence.author);
    json.field("comment", silence.comment);
  });
}

// simdjson's exceptions end at restore().
std::string text_at(dom::object object, std::string_view key) {
  return std::string(std::string_view(object[key]));
}
Timestamp time_at(dom::object object, std::string_view key) {
  return {std::int64_t(object[key])};
}
std::optional<Timestamp> maybe_time(dom::object object, std::string_view key) {
  dom::element element = object[key];
  if (element.is_null()) return std::nullopt;
  return Timestamp{std::int64_t(element)};
}
// A number that is whole is written without its point; null is one that JSON cannot say.
double number(dom::element element) {
  return element.is_null() ? 0 : double(element);
}
Labels labels_at(dom::object object, std::string_view key) {
  Labels labels;
  for (auto field : dom::object(object[key])) {
    labels[std::string(field.key)] = std::string(std::string_view(field.value));
  }
  return labels;
}

Phase phase_named(std::string_view name) {
  for (auto phase : {Phase::kPending, Phase::kFiring, Phase::kEnded}) {
    if (phase_name(phase) == name) return phase;
  }
  throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
}
Ending ending_named(std::string_view name) {
  for (auto ending : {Ending::kResolved, Ending::kGone, Ending::kRuleGone}) {
    if (ending_name(ending) == name) return ending;
  }
  throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
}

Alert read_alert(dom::object object) {
  Alert alert;
  alert.rule = text_at(object, "rule");
  alert.severity =
      text_at(object, "severity") == "critical" ? Severity::kCritical : Severity::kWarning;
  alert.group = labels_at(object, "group");
  alert.labels = labels_at(object, "labels");
  alert.phase = phase_named(text_at(object, "phase"));
  alert.ending = ending_named(text_at(object, "ending"));
  alert.active_since = time_at(object, "active_since");
  alert.firing_since = maybe_time(object, "firing_since");
  alert.ended_at = maybe_time(object, "ended_at");
  alert.last_known = time_at(object, "last_known");
  alert.false_since = maybe_time(object, "false_since");
  alert.value = number(object["value"]);
  for (auto name : dom::array(object["names"])) {
    alert.names.first.emplace_back(std::string_view(name));
  }
  alert.names.count = std::uint64_t(object["name_count"]);
  alert.summary = text_at(object, "summary");
  alert.meaning = text_at(object, "meaning");
  alert.remedy = text_at(object, "remedy");
  alert.usual = text_at(object, "usual");
  alert.unknown_since = maybe_time(object, "unknown_since");
  alert.unknown_why = text_at(object, "unknown_why");
  alert.inhibited_by = text_at(object, "inhibited_by");
  alert.silenced_by = text_at(object, "silenced_by");
  return alert;
}

void read_window(dom::object object, Window& window) {
  std::map<std::string, Window::Series> series;
  for (dom::array entry : dom::array(object["series"])) {
    series[std::string(std::string_view(entry.at(0)))] = {number(entry.at(1)),
                                                          {std::int64_t(entry.at(2))}};
  }
  std::map<Labels, Window::Group> groups;
  for (dom::object entry : dom::array(object["groups"])) {
    auto& group = groups[labels_at(entry, "labels")];
    for (dom::array point : dom::array(entry["points"])) {
      group.points.push_back({{std::int64_t(point.at(0))}, number(point.at(1))});
    }
    if (!group.points.empty()) group.total = group.points.back().total;
  }
  window.restore(std::move(series), std::move(groups));
}

Silence read_silence(dom::object object) {
  Silence silence;
  silence.id = text_at(object, "id");
  for (const auto& [name, pattern] : labels_at(object, "matchers")) {
    silence.matchers.push_back({name, Pattern(pattern)});
  }
  silence.from = time_at(object, "from");
  silence.until = time_at(object, "until");
  silence.every = {std::int64_t(object["every"])};
  silence.author = text_at(object, "author");
  silence.comment = text_at(object, "comment");
  return silence;
}

}  // namespace

std::string Engine::save() const {
  JsonWriter json;
  json.object([&] {
    json.field("version", kVersion);
    json.field("time", last_);
    json.key("alerts");
    json.array([&] {
      for (const auto& entry : alerts_) write_alert(json, entry.second);
    });
    json.key("windows");
    json.array([&] {
      for (const auto& [key, window] : windows_.all()) write_window(json, key, window);
    });
    json.field("next_silence", silences_.next_id());
    json.key("silences");
    json.array([&] {
      for (const auto& silence : silences_.all()) write_silence(json, silence);
    });
  });
  return json.take();
}

Status Engine::restore(std::string_view text) {
  try {
    dom::parser parser;
    dom::object document = parser.parse(text.data(), text.size());
    if (std::int64_t(document["version"]) != kVersion) {
      return fail("the state of the alerts is of another version; it is begun anew");
    }
    std::map<Key, Alert> alerts;
    for (dom::object entry : dom::array(document["alerts"])) {
      auto alert = read_alert(entry);
      Key key{alert.rule, alert.group};
      alerts[std::move(key)] = std::move(alert);
    }
    std::map<std::string, dom::object> saved;
    for (dom::object entry : dom::array(document["windows"])) saved[text_at(entry, "term")] = entry;
    Windows windows;
    restore_windows(rules_, windows, [&](const std::string& key, Window& window) {
      if (auto at = saved.find(key); at != saved.end()) read_window(at->second, window);
    });
    std::vector<Silence> silences;
    for (dom::object entry : dom::array(document["silences"])) {
      silences.push_back(read_silence(entry));
    }
    silences_.restore(std::move(silences), std::uint64_t(document["next_silence"]));
    last_ = time_at(document, "time");
    alerts_ = std::move(alerts);
    windows_ = std::move(windows);
    return {};
  } catch (const simdjson::simdjson_error& e) {
    return fail("the state of the alerts cannot be read: {}; it is begun anew", e.what());
  }
}

}  // namespace schedlens::alert
