// SPDX-License-Identifier: Apache-2.0
#include "alert/notice.h"

#include <cstdint>

#include "base/json_writer.h"
#include "base/time_text.h"

namespace schedlens::alert {
namespace {

void write_labels(JsonWriter& json, std::string_view key, const Labels& labels) {
  json.key(key);
  json.object([&] {
    for (const auto& [name, value] : labels) json.field(name, value);
  });
}

}  // namespace

std::string fingerprint(const Labels& labels) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (unsigned char c : labels_text(labels)) hash = (hash ^ c) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

Notice notice_of(const Alert& alert) {
  Notice notice;
  notice.fingerprint = fingerprint(alert.labels);
  notice.firing = alert.firing();
  notice.labels = alert.labels;
  notice.annotations = annotations(alert);
  notice.starts_at = alert.firing_since.value_or(alert.active_since);
  notice.ends_at = alert.ended_at;
  return notice;
}

std::string alertmanager_json(const std::vector<Notice>& notices, std::string_view link) {
  JsonWriter json;
  json.array([&] {
    for (const auto& notice : notices) {
      json.object([&] {
        write_labels(json, "labels", notice.labels);
        write_labels(json, "annotations", notice.annotations);
        json.field("startsAt", iso8601(notice.starts_at));
        if (notice.ends_at) json.field("endsAt", iso8601(*notice.ends_at));
        if (!link.empty()) json.field("generatorURL", link);
      });
    }
  });
  return json.take();
}

std::string notices_json(const std::vector<Notice>& notices, std::string_view link) {
  JsonWriter json;
  json.object([&] {
    json.field("version", 1);
    json.field("sender", "schedlens");
    if (!link.empty()) json.field("link", link);
    json.key("alerts");
    json.array([&] {
      for (const auto& notice : notices) {
        json.object([&] {
          json.field("status", notice.firing ? "firing" : "resolved");
          json.field("fingerprint", notice.fingerprint);
          write_labels(json, "labels", notice.labels);
          write_labels(json, "annotations", notice.annotations);
          json.field("starts_at", iso8601(notice.starts_at));
          json.key("ends_at");
          if (notice.firing || !notice.ends_at) {
            json.null();
          } else {
            json.value(iso8601(*notice.ends_at));
          }
        });
      }
    });
  });
  return json.take();
}

}  // namespace schedlens::alert
