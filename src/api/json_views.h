// SPDX-License-Identifier: Apache-2.0
#pragma once
// The JSON documents that the API answers with and that the commands print with --json; described
// in docs/api.md. Each is one object with "version" and "snapshot" (time, cluster and the state of
// every source). Times are seconds since 1970 UTC, durations seconds, sizes bytes; what is not
// known is null; a bound that is not set is "unlimited".

#include <span>
#include <string_view>
#include <vector>

#include "api/pending_causes.h"
#include "api/view.h"
#include "base/json_writer.h"
#include "diagnose/fragmentation.h"
#include "diagnose/holdings.h"
#include "diagnose/verdict.h"

namespace schedlens::api {

// Raised when a member of a view is removed or changes its meaning, not when one is added.
inline constexpr int kViewVersion = 1;

// The server that answers, where one does.
struct ServerState {
  std::string_view version;
  // Of the last time the configuration file was read again.
  bool config_reload_failed = false;
  std::string_view config_error;
};

void write_status(JsonWriter& json, const View& view, const diagnose::Holdings& holdings,
                  const diagnose::Fragmentation& fragmentation,
                  const std::vector<CauseGroup>& causes, const ServerState* server = nullptr);

// The workloads in the order given, each that waits with its root cause.
void write_queue(JsonWriter& json, const View& view, std::span<const model::WorkloadId> workloads,
                 const Causes& causes);
// The nodes in the order given.
void write_nodes(JsonWriter& json, const View& view, std::span<const model::NodeId> nodes);

// All records of one id: a job, an array's tasks, a het job's components.
void write_job(JsonWriter& json, const View& view, std::span<const model::WorkloadId> records);
void write_node(JsonWriter& json, const View& view, model::NodeId node);

// One or more records of the same id. The first is the document; the rest are in its "others".
void write_why(JsonWriter& json, const View& view, std::span<const diagnose::Verdict> verdicts);
void write_why_all(JsonWriter& json, const View& view, const std::vector<CauseGroup>& causes);

void write_frag(JsonWriter& json, const View& view, const diagnose::Fragmentation& fragmentation);

// Every source with its counts, times and warnings.
void write_sources(JsonWriter& json, const View& view);

// The records that answer "why" for one id: those that wait, or else the first.
std::vector<model::WorkloadId> records_to_explain(const model::Snapshot& snapshot,
                                                  std::span<const model::WorkloadId> records);

}  // namespace schedlens::api
