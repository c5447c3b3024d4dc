// SPDX-License-Identifier: Apache-2.0
#include "api/alerts_view.h"

#include <fmt/format.h>

#include "api/json_parts.h"

namespace schedlens::api {
namespace {

constexpr int kVersion = 1;

void write_labels(JsonWriter& json, const alert::Labels& labels) {
  json.key("labels");
  json.object([&] {
    for (const auto& [name, value] : labels) json.field(name, value);
  });
}

void write_alert(JsonWriter& json, const alert::Alert& a) {
  json.object([&] {
    json.field("rule", a.rule);
    json.field("severity", alert::severity_name(a.severity));
    json.field("phase", alert::phase_name(a.phase));
    write_labels(json, a.labels);
    json.field("active_since", a.active_since);
    json.field("firing_since", a.firing_since);
    json.field("ended_at", a.ended_at);
    json.key("ending");
    if (a.phase == alert::Phase::kEnded) {
      json.value(alert::ending_name(a.ending));
    } else {
      json.null();
    }
    json.field("value", a.value);
    json.field("summary", a.summary);
    write_text(json, "meaning", a.meaning);
    write_text(json, "remedy", a.remedy);
    write_list(json, "names", a.names.first);
    json.field("name_count", a.names.count);
    write_text(json, "usual", a.usual);
    json.field("unknown_since", a.unknown_since);
    write_text(json, "unknown_why", a.unknown_why);
    write_text(json, "inhibited_by", a.inhibited_by);
    write_text(json, "silenced_by", a.silenced_by);
  });
}

void write_silence(JsonWriter& json, const alert::Silence& s, Timestamp now) {
  json.object([&] {
    json.field("id", s.id);
    json.key("matchers");
    json.array([&] {
      for (const auto& m : s.matchers) json.value(fmt::format("{}={}", m.label, m.pattern.text()));
    });
    json.field("from", s.from);
    json.field("until", s.until);
    json.key("every");
    if (s.every.value > 0) {
      json.value(s.every);
    } else {
      json.null();
    }
    json.field("active", s.active(now));
    json.field("author", s.author);
    json.field("comment", s.comment);
  });
}

}  // namespace

void write_alerts(JsonWriter& json, const alert::Board& board) {
  json.object([&] {
    json.field("version", kVersion);
    json.field("time", board.time);
    json.key("alerts");
    json.array([&] {
      for (const auto& a : board.alerts) write_alert(json, a);
    });
    json.key("silences");
    json.array([&] {
      for (const auto& s : board.silences) write_silence(json, s, board.time);
    });
    json.key("receivers");
    json.array([&] {
      for (const auto& r : board.receivers) {
        json.object([&] {
          json.field("name", r.name);
          json.field("waiting", r.waiting);
          write_text(json, "error", r.error);
          json.field("last_success", r.last_success);
        });
      }
    });
    write_list(json, "notes", board.notes);
  });
}

}  // namespace schedlens::api
