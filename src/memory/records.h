// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is remembered of single events, beside the series. A record has a key; one that is stored
// again under the same key replaces the first. What is not known is absent, never zero.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/units.h"

namespace schedlens::memory {

// One run of a job or pod that has ended, or that was cancelled before it ran. A job that is
// requeued has several. Key: scheduler, id, started (or submitted, without).
struct EndedWorkload {
  std::string scheduler;  // "slurm", "kubernetes"
  std::string id;         // "77", "77_3", "88+1", "namespace/pod"
  Timestamp ended;
  std::optional<std::int64_t> array_job;  // the array it was a task of
  std::string name, user, account, queue, qos;
  std::optional<Timestamp> submitted, eligible, started;
  std::optional<Seconds> time_limit;
  std::string state;  // "COMPLETED", "FAILED", ...: model::state_name, or the scheduler's own word
  std::optional<std::int64_t> exit_code, exit_signal;
  std::optional<std::int64_t> restarts;
  std::optional<std::int64_t> nodes_count, cpus, gpus;  // held; asked for, when it never ran
  std::vector<std::string> nodes;
  std::optional<double> gpu_seconds;  // held, over the run
  // While it waited, as last seen: the scheduler's reason, and the root cause class.
  std::string last_reason, last_cause;
};

// A node went from one state to another. Key: node, time.
struct NodeChange {
  Timestamp time;
  std::string node;
  std::string from, to;  // model::full_state: "IDLE", "IDLE+DRAIN"; from is empty when not known
  std::string reason, author;
  std::optional<Timestamp> reason_since;
  std::optional<std::int64_t> gpus;  // of the node
};

// Something an analysis noticed, over some time. Key: kind, subject, from.
struct Finding {
  Timestamp from;
  std::optional<Timestamp> to;  // absent: it still holds
  std::string kind, subject, text;
};

// Key: fingerprint, starts.
struct AlertRecord {
  Timestamp starts;
  std::optional<Timestamp> ends;  // absent: it still fires
  std::string fingerprint, rule, severity;
  std::string labels;  // memory::labels_text
  std::string summary;
};

// A configuration as it was read first at this time. Key: source, hash, time.
struct ConfigVersion {
  Timestamp time;
  std::string source;  // "slurm.conf", ...
  std::string hash, text;
};

using Record = std::variant<EndedWorkload, NodeChange, Finding, AlertRecord, ConfigVersion>;

// The time under which it is filed and found.
Timestamp time_of(const Record& record);

}  // namespace schedlens::memory
