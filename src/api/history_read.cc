// SPDX-License-Identifier: Apache-2.0
// What a server remembers, read back from its documents.
#include "api/history_view.h"
#include "api/read_json.h"

namespace schedlens::api {
namespace {

template <class Record, class Take>
Result<HistoryOf<Record>> read_list(std::string_view document, std::string_view list, Take one) {
  HistoryOf<Record> history;
  auto read = with_document(document, list, [&](JsonElement root) {
    each(root, list, [&](JsonElement item) {
      Record record;
      one(item, record);
      history.records.push_back(std::move(record));
    });
    take(root, "more", history.more);
    take(root, "problems", history.problems);
  });
  if (!read) return fail(read.error());
  return history;
}

memory::SeriesKey key_of(JsonElement item) {
  std::string name;
  take(item, "name", name);
  memory::Labels labels;
  each_member(item, "labels", [&](std::string_view label, std::string_view value) {
    labels.emplace_back(label, value);
  });
  return memory::make_key(std::move(name), std::move(labels));
}

}  // namespace

Result<HistoryOf<memory::EndedWorkload>> read_run_history(std::string_view document) {
  return read_list<memory::EndedWorkload>(document, "runs",
                                          [](JsonElement e, memory::EndedWorkload& r) {
                                            take(e, "id", r.id);
                                            take(e, "scheduler", r.scheduler);
                                            take(e, "array_job", r.array_job);
                                            take(e, "name", r.name);
                                            take(e, "user", r.user);
                                            take(e, "account", r.account);
                                            take(e, "queue", r.queue);
                                            take(e, "qos", r.qos);
                                            take(e, "state", r.state);
                                            take(e, "submitted", r.submitted);
                                            take(e, "eligible", r.eligible);
                                            take(e, "started", r.started);
                                            take(e, "ended", r.ended);
                                            take(e, "time_limit", r.time_limit);
                                            take(e, "exit_code", r.exit_code);
                                            take(e, "exit_signal", r.exit_signal);
                                            take(e, "restarts", r.restarts);
                                            take(e, "nodes_count", r.nodes_count);
                                            take(e, "nodes", r.nodes);
                                            take(e, "cpus", r.cpus);
                                            take(e, "gpus", r.gpus);
                                            take(e, "gpu_seconds", r.gpu_seconds);
                                            take(e, "last_reason", r.last_reason);
                                            take(e, "last_cause", r.last_cause);
                                          });
}

Result<HistoryOf<memory::NodeChange>> read_node_history(std::string_view document) {
  return read_list<memory::NodeChange>(document, "changes",
                                       [](JsonElement e, memory::NodeChange& c) {
                                         take(e, "time", c.time);
                                         take(e, "node", c.node);
                                         take(e, "from", c.from);
                                         take(e, "to", c.to);
                                         take(e, "reason", c.reason);
                                         take(e, "author", c.author);
                                         take(e, "reason_since", c.reason_since);
                                         take(e, "gpus", c.gpus);
                                       });
}

Result<HistoryOf<memory::AlertRecord>> read_alert_history(std::string_view document) {
  return read_list<memory::AlertRecord>(document, "alerts",
                                        [](JsonElement e, memory::AlertRecord& a) {
                                          take(e, "starts", a.starts);
                                          take(e, "ends", a.ends);
                                          take(e, "fingerprint", a.fingerprint);
                                          take(e, "rule", a.rule);
                                          take(e, "severity", a.severity);
                                          take(e, "labels", a.labels);
                                          take(e, "summary", a.summary);
                                        });
}

Result<HistoryOf<ConfigChange>> read_config_history(std::string_view document) {
  return read_list<ConfigChange>(document, "changes", [](JsonElement e, ConfigChange& c) {
    take(e, "time", c.time);
    take(e, "source", c.source);
    take(e, "hash", c.hash);
    take(e, "first", c.first);
    take(e, "changes", c.changes);
  });
}

Result<SeriesHistory> read_series_history(std::string_view document) {
  SeriesHistory history;
  auto read = with_document(document, "series", [&](JsonElement root) {
    history.step =
        std::chrono::milliseconds(static_cast<std::int64_t>(take_number(root, "step") * 1000));
    each(root, "series", [&](JsonElement item) {
      memory::SeriesBuckets one{key_of(item), {}};
      each(item, "buckets", [&](JsonElement e) {
        memory::Bucket bucket;
        bucket.start.unix_ms = std::llround(take_number(e, "time") * 1000);
        take(e, "n", bucket.summary.n);
        bucket.summary.min = take_number(e, "min");
        bucket.summary.max = take_number(e, "max");
        bucket.summary.last = take_number(e, "last");
        const auto mean = take_number(e, "mean");
        bucket.summary.sum =
            bucket.summary.n > 0 ? mean * static_cast<double>(bucket.summary.n) : 0;
        one.buckets.push_back(bucket);
      });
      history.series.push_back(std::move(one));
    });
    take(root, "problems", history.problems);
  });
  if (!read) return fail(read.error());
  return history;
}

Result<SeriesNames> read_series_names(std::string_view document) {
  SeriesNames names;
  auto read = with_document(document, "series", [&](JsonElement root) {
    each(root, "series", [&](JsonElement item) { names.names.push_back(key_of(item)); });
    take(root, "problems", names.problems);
  });
  if (!read) return fail(read.error());
  return names;
}

}  // namespace schedlens::api
