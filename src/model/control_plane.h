// SPDX-License-Identifier: Apache-2.0
#pragma once
// The vitals of what kube-scheduler depends on, as their own /metrics say them, in one form for all
// versions. Counters start again from zero when the program restarts: started says when that was.
// What a version does not export is absent.

#include <optional>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/component_facts.h"
#include "model/durations.h"

namespace schedlens::model {

struct RequestCount {
  Symbol verb;  // "GET", "LIST", "PATCH"
  Symbol code;  // "200", "429"
  double count = 0;
};

struct ApiServerVitals : ComponentFacts {
  std::vector<RequestCount> requests;
  // By verb, without those that last by design (WATCH, CONNECT).
  std::vector<NamedHistogram> latencies;
  std::vector<NamedCount> inflight;     // "mutating", "readOnly"
  std::optional<double> watches;        // open now
  std::vector<NamedCount> turned_away;  // by priority level: refused with 429
  std::optional<double> cut_off;        // requests ended in mid-course
  // What it asked of etcd, by operation, and how often that failed.
  std::vector<NamedDurations> storage;
  std::vector<NamedCount> storage_errors;
  std::optional<double> storage_bytes;
  std::vector<NamedCount> objects;  // stored, by resource
};

// One member.
struct EtcdVitals : ComponentFacts {
  std::optional<bool> has_leader, is_leader;
  std::optional<double> leader_changes;
  std::optional<double> proposals_failed, proposals_pending;
  std::optional<double> slow_applies;
  // The write-ahead log to the disk; a commit of the database to it.
  std::optional<DurationHistogram> fsync, commit;
  std::optional<double> database_bytes, database_bytes_used, quota_bytes;
};

struct KubeletVitals : ComponentFacts {
  Symbol node;
  std::optional<DurationHistogram> relist;  // of the pod lifecycle event generator (PLEG)
  // When it last saw the containers whole.
  std::optional<Timestamp> last_relist;
  // From when a pod was seen to when it ran, without pulling images where the version can tell.
  std::optional<DurationHistogram> pod_start;
  std::optional<double> running_pods;
  std::vector<NamedCount> runtime_errors;  // by operation of the container runtime
  std::vector<NamedCount> evictions;       // by signal
  // By resource: device plugins that came anew, and allocations with the time they took.
  std::vector<NamedCount> plugin_registrations;
  std::vector<NamedDurations> device_allocations;
};

}  // namespace schedlens::model
