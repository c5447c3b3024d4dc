// SPDX-License-Identifier: Apache-2.0
#include "api/history_view.h"

#include "api/json_parts.h"

namespace schedlens::api {
namespace {

constexpr int kVersion = 1;

template <class Record, class Write>
void write_document(JsonWriter& json, std::string_view name, const HistoryOf<Record>& history,
                    Write write) {
  json.object([&] {
    json.field("version", kVersion);
    json.key(name);
    json.array([&] {
      for (const auto& record : history.records) json.object([&] { write(record); });
    });
    json.field("more", history.more);
    write_list(json, "problems", history.problems);
  });
}

void write_labels(JsonWriter& json, const memory::SeriesKey& key) {
  json.field("name", key.name);
  json.key("labels");
  json.object([&] {
    for (const auto& [name, value] : key.labels) json.field(name, value);
  });
}

}  // namespace

void write_history(JsonWriter& json, const HistoryOf<memory::EndedWorkload>& runs) {
  write_document(json, "runs", runs, [&](const memory::EndedWorkload& r) {
    json.field("id", r.id);
    json.field("scheduler", r.scheduler);
    json.field("array_job", r.array_job);
    for (const auto& [name, text] : {std::pair{"name", &r.name},
                                     {"user", &r.user},
                                     {"account", &r.account},
                                     {"queue", &r.queue},
                                     {"qos", &r.qos}}) {
      write_text(json, name, *text);
    }
    json.field("state", r.state);
    json.field("submitted", r.submitted);
    json.field("eligible", r.eligible);
    json.field("started", r.started);
    json.field("ended", r.ended);
    json.field("time_limit", r.time_limit);
    json.field("exit_code", r.exit_code);
    json.field("exit_signal", r.exit_signal);
    json.field("restarts", r.restarts);
    json.field("nodes_count", r.nodes_count);
    write_list(json, "nodes", r.nodes);
    json.field("cpus", r.cpus);
    json.field("gpus", r.gpus);
    json.field("gpu_seconds", r.gpu_seconds);
    write_text(json, "last_reason", r.last_reason);
    write_text(json, "last_cause", r.last_cause);
  });
}

void write_history(JsonWriter& json, const HistoryOf<memory::NodeChange>& changes) {
  write_document(json, "changes", changes, [&](const memory::NodeChange& c) {
    json.field("time", c.time);
    json.field("node", c.node);
    write_text(json, "from", c.from);
    json.field("to", c.to);
    write_text(json, "reason", c.reason);
    write_text(json, "author", c.author);
    json.field("reason_since", c.reason_since);
    json.field("gpus", c.gpus);
  });
}

void write_history(JsonWriter& json, const HistoryOf<memory::AlertRecord>& alerts) {
  write_document(json, "alerts", alerts, [&](const memory::AlertRecord& a) {
    json.field("rule", a.rule);
    json.field("severity", a.severity);
    json.field("starts", a.starts);
    json.field("ends", a.ends);
    json.field("summary", a.summary);
    json.field("labels", a.labels);
    json.field("fingerprint", a.fingerprint);
  });
}

void write_history(JsonWriter& json, const HistoryOf<ConfigChange>& changes) {
  write_document(json, "changes", changes, [&](const ConfigChange& c) {
    json.field("time", c.time);
    json.field("source", c.source);
    json.field("hash", c.hash);
    json.field("first", c.first);
    write_list(json, "changes", c.changes);
  });
}

void write_history(JsonWriter& json, const SeriesHistory& history) {
  json.object([&] {
    json.field("version", kVersion);
    json.field("step", static_cast<double>(history.step.count()) / 1000);
    json.key("series");
    json.array([&] {
      for (const auto& one : history.series) {
        json.object([&] {
          write_labels(json, one.key);
          json.key("buckets");
          json.array([&] {
            for (const auto& bucket : one.buckets) {
              json.object([&] {
                json.field("time", static_cast<double>(bucket.start.unix_ms) / 1000);
                json.field("n", bucket.summary.n);
                json.field("mean", bucket.summary.mean());
                json.field("min", bucket.summary.min);
                json.field("max", bucket.summary.max);
                json.field("last", bucket.summary.last);
              });
            }
          });
        });
      }
    });
    write_list(json, "problems", history.problems);
  });
}

void write_history(JsonWriter& json, const SeriesNames& names) {
  json.object([&] {
    json.field("version", kVersion);
    json.key("series");
    json.array([&] {
      for (const auto& key : names.names) json.object([&] { write_labels(json, key); });
    });
    write_list(json, "problems", names.problems);
  });
}

}  // namespace schedlens::api
