// SPDX-License-Identifier: Apache-2.0
// What a server remembers, read back from its documents.
#include <simdjson.h>

#include <cmath>

#include "api/history_view.h"

namespace schedlens::api {
namespace {

using simdjson::dom::element;

template <class T>
void take(element e, std::string_view name, T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    std::string_view text;
    if (e[name].get(text) == simdjson::SUCCESS) value = text;
  } else {
    T read{};
    if (e[name].get(read) == simdjson::SUCCESS) value = read;
  }
}

template <class T>
void take(element e, std::string_view name, std::optional<T>& value) {
  T read{};
  if (e[name].get(read) == simdjson::SUCCESS) value = read;
}

void take(element e, std::string_view name, Timestamp& value) {
  take(e, name, value.unix_seconds);
}

void take(element e, std::string_view name, std::optional<Timestamp>& value) {
  std::int64_t seconds = 0;
  if (e[name].get(seconds) == simdjson::SUCCESS) value = Timestamp{seconds};
}

void take(element e, std::string_view name, std::optional<Seconds>& value) {
  std::int64_t seconds = 0;
  if (e[name].get(seconds) == simdjson::SUCCESS) value = Seconds{seconds};
}

// A number that JSON cannot say is written as null.
double number(element e, std::string_view name) {
  double value = std::nan("");
  return e[name].get(value) == simdjson::SUCCESS ? value : std::nan("");
}

template <class Body>
void each(element e, std::string_view name, Body&& body) {
  simdjson::dom::array list;
  if (e[name].get(list) != simdjson::SUCCESS) return;
  for (element item : list) body(item);
}

void take(element e, std::string_view name, std::vector<std::string>& texts) {
  each(e, name, [&](element item) {
    std::string_view text;
    if (item.get(text) == simdjson::SUCCESS) texts.emplace_back(text);
  });
}

// Hands the document to the body when it is one with a list of this name.
template <class Body>
Status with_document(std::string_view document, std::string_view list, Body&& body) {
  simdjson::dom::parser parser;
  element root;
  if (const auto error = parser.parse(document.data(), document.size()).get(root)) {
    return fail("the server's answer is no JSON: {}", simdjson::error_message(error));
  }
  simdjson::dom::array array;
  if (root[list].get(array) != simdjson::SUCCESS) {
    return fail("the server's answer has no list '{}': is it an older schedlens?", list);
  }
  body(root);
  return {};
}

template <class Record, class Take>
Result<HistoryOf<Record>> read_list(std::string_view document, std::string_view list, Take one) {
  HistoryOf<Record> history;
  auto read = with_document(document, list, [&](element root) {
    each(root, list, [&](element item) {
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

memory::SeriesKey key_of(element item) {
  std::string name;
  take(item, "name", name);
  memory::Labels labels;
  simdjson::dom::object object;
  if (item["labels"].get(object) == simdjson::SUCCESS) {
    for (const auto& [label, value] : object) {
      std::string_view text;
      if (value.get(text) == simdjson::SUCCESS) labels.emplace_back(label, text);
    }
  }
  return memory::make_key(std::move(name), std::move(labels));
}

}  // namespace

Result<HistoryOf<memory::EndedWorkload>> read_run_history(std::string_view document) {
  return read_list<memory::EndedWorkload>(document, "runs",
                                          [](element e, memory::EndedWorkload& r) {
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
  return read_list<memory::NodeChange>(document, "changes", [](element e, memory::NodeChange& c) {
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

Result<HistoryOf<ConfigChange>> read_config_history(std::string_view document) {
  return read_list<ConfigChange>(document, "changes", [](element e, ConfigChange& c) {
    take(e, "time", c.time);
    take(e, "source", c.source);
    take(e, "hash", c.hash);
    take(e, "first", c.first);
    take(e, "changes", c.changes);
  });
}

Result<SeriesHistory> read_series_history(std::string_view document) {
  SeriesHistory history;
  auto read = with_document(document, "series", [&](element root) {
    history.step =
        std::chrono::milliseconds(static_cast<std::int64_t>(number(root, "step") * 1000));
    each(root, "series", [&](element item) {
      memory::SeriesBuckets one{key_of(item), {}};
      each(item, "buckets", [&](element e) {
        memory::Bucket bucket;
        bucket.start.unix_ms = std::llround(number(e, "time") * 1000);
        take(e, "n", bucket.summary.n);
        bucket.summary.min = number(e, "min");
        bucket.summary.max = number(e, "max");
        bucket.summary.last = number(e, "last");
        const auto mean = number(e, "mean");
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
  auto read = with_document(document, "series", [&](element root) {
    each(root, "series", [&](element item) { names.names.push_back(key_of(item)); });
    take(root, "problems", names.problems);
  });
  if (!read) return fail(read.error());
  return names;
}

}  // namespace schedlens::api
