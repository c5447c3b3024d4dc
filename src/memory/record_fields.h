// SPDX-License-Identifier: Apache-2.0
#pragma once
// The members of each record, once: tables, reading, writing and export come from here.
//
// kTime is the column by which a record is filed and found. The order is that of the columns; a new
// column comes last, and as a further step in record_table.cc.

#include <string_view>

#include "memory/records.h"

namespace schedlens::memory {

template <class R>
struct RecordTable;

template <>
struct RecordTable<EndedWorkload> {
  static constexpr std::string_view kName = "workload";
  static constexpr std::string_view kTime = "ended";
  template <class R, class Visit>
  static void each_field(R& r, Visit&& visit) {
    visit("scheduler", r.scheduler);
    visit("id", r.id);
    visit("ended", r.ended);
    visit("array_job", r.array_job);
    visit("name", r.name);
    visit("user", r.user);
    visit("account", r.account);
    visit("queue", r.queue);
    visit("qos", r.qos);
    visit("submitted", r.submitted);
    visit("eligible", r.eligible);
    visit("started", r.started);
    visit("time_limit", r.time_limit);
    visit("state", r.state);
    visit("exit_code", r.exit_code);
    visit("exit_signal", r.exit_signal);
    visit("restarts", r.restarts);
    visit("nodes_count", r.nodes_count);
    visit("cpus", r.cpus);
    visit("gpus", r.gpus);
    visit("nodes", r.nodes);
    visit("gpu_seconds", r.gpu_seconds);
    visit("last_reason", r.last_reason);
    visit("last_cause", r.last_cause);
  }
};

template <>
struct RecordTable<NodeChange> {
  static constexpr std::string_view kName = "node_change";
  static constexpr std::string_view kTime = "time";
  template <class R, class Visit>
  static void each_field(R& r, Visit&& visit) {
    visit("time", r.time);
    visit("node", r.node);
    visit("from_state", r.from);
    visit("to_state", r.to);
    visit("reason", r.reason);
    visit("author", r.author);
    visit("reason_since", r.reason_since);
    visit("gpus", r.gpus);
  }
};

template <>
struct RecordTable<Finding> {
  static constexpr std::string_view kName = "finding";
  static constexpr std::string_view kTime = "begins";
  template <class R, class Visit>
  static void each_field(R& r, Visit&& visit) {
    visit("begins", r.from);
    visit("ends", r.to);
    visit("kind", r.kind);
    visit("subject", r.subject);
    visit("text", r.text);
  }
};

template <>
struct RecordTable<AlertRecord> {
  static constexpr std::string_view kName = "alert";
  static constexpr std::string_view kTime = "starts";
  template <class R, class Visit>
  static void each_field(R& r, Visit&& visit) {
    visit("starts", r.starts);
    visit("ends", r.ends);
    visit("fingerprint", r.fingerprint);
    visit("rule", r.rule);
    visit("severity", r.severity);
    visit("labels", r.labels);
    visit("summary", r.summary);
  }
};

template <>
struct RecordTable<ConfigVersion> {
  static constexpr std::string_view kName = "config";
  static constexpr std::string_view kTime = "time";
  template <class R, class Visit>
  static void each_field(R& r, Visit&& visit) {
    visit("time", r.time);
    visit("source", r.source);
    visit("hash", r.hash);
    visit("text", r.text);
  }
};

}  // namespace schedlens::memory
