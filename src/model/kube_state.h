// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kubernetes objects in the detail that kube-state-metrics shows of them, as the API server says.
// Held only where a StateChoice asks for a kind; immutable and shared by the source and every
// Snapshot. Pods have a PodDetail instead.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/labels.h"
#include "model/pod_detail.h"
#include "model/quantities.h"

namespace schedlens::model {

struct StateMeta {
  Symbol ns;  // empty for what belongs to no namespace
  std::string name;
  std::optional<Timestamp> created, deleting;
  std::int64_t generation = 0;
  std::string resource_version;
  std::vector<Label> labels;  // those that the choice allows
  std::vector<OwnerText> owners;
};

struct ConditionText {
  Symbol type;
  Symbol status;  // "True", "False", "Unknown"
  Symbol reason;
};

struct NodeFacts {
  StateMeta meta;
  std::vector<std::string> roles;  // from labels, whatever the choice
  std::vector<std::pair<Symbol, std::string>> addresses;
  std::string kernel, os_image, runtime, kubelet, kube_proxy, pod_cidr, provider_id, system_uuid;
  bool unschedulable = false;
  struct Taint {
    Symbol key, value, effect;
  };
  std::vector<Taint> taints;
  Quantities capacity, allocatable;
  std::vector<ConditionText> conditions;
};

struct NamespaceFacts {
  StateMeta meta;
  Symbol phase;
  std::vector<ConditionText> conditions;
};

struct DeploymentFacts {
  StateMeta meta;
  std::int64_t observed_generation = 0;
  std::optional<std::int32_t> wanted;
  std::int32_t replicas = 0, ready = 0, available = 0, unavailable = 0, updated = 0;
  bool paused = false;
  // Of a rolling update, with percentages worked out.
  std::optional<std::int32_t> max_unavailable, max_surge;
  std::vector<ConditionText> conditions;
};

struct ReplicaSetFacts {
  StateMeta meta;
  std::int64_t observed_generation = 0;
  std::optional<std::int32_t> wanted;
  std::int32_t replicas = 0, fully_labelled = 0, ready = 0;
};

struct StatefulSetFacts {
  StateMeta meta;
  std::int64_t observed_generation = 0;
  std::optional<std::int32_t> wanted, first_ordinal;
  std::int32_t replicas = 0, current = 0, ready = 0, available = 0, updated = 0;
  std::string current_revision, update_revision;
  struct Retention {
    Symbol when_deleted, when_scaled;
  };
  std::optional<Retention> retention;
};

struct DaemonSetFacts {
  StateMeta meta;
  std::int64_t observed_generation = 0;
  std::int32_t current = 0, wanted = 0, available = 0, misscheduled = 0, ready = 0, unavailable = 0,
               updated = 0;
};

struct JobFacts {
  StateMeta meta;
  std::optional<std::int32_t> parallelism, completions;
  std::optional<std::int64_t> deadline_seconds;
  std::optional<bool> suspended;
  std::int32_t active = 0, succeeded = 0, failed = 0;
  std::optional<Timestamp> started, completed;
  std::vector<ConditionText> conditions;
};

struct CronJobFacts {
  StateMeta meta;
  std::string schedule;
  Symbol concurrency_policy, time_zone;
  std::optional<bool> suspended;
  std::optional<std::int64_t> starting_deadline_seconds;
  std::optional<std::int32_t> keep_successful, keep_failed;
  std::int32_t active = 0;
  std::optional<Timestamp> last_scheduled, last_successful;
};

struct AutoscalerFacts {
  StateMeta meta;
  Symbol target_version, target_kind;
  std::string target_name;
  std::optional<std::int32_t> min;
  std::int32_t max = 0, current = 0, desired = 0;
  // What it steers by: a target and what was last seen, each as any of three numbers.
  struct Figures {
    std::string name;
    std::optional<double> value, average, utilization;
  };
  std::vector<Figures> targets, seen;
  std::vector<ConditionText> conditions;
};

struct BudgetFacts {
  StateMeta meta;
  std::int64_t observed_generation = 0;
  std::int32_t healthy = 0, wanted = 0, allowed = 0, expected = 0;
};

struct QuotaFacts {
  StateMeta meta;
  // Exact: in cores, bytes, objects.
  std::vector<std::pair<Symbol, double>> hard, used;
};

struct ClaimFacts {
  StateMeta meta;
  Symbol storage_class, volume_mode, phase;
  std::string volume;
  std::vector<Symbol> access_modes;
  std::optional<std::int64_t> requested_bytes;
  std::vector<ConditionText> conditions;
};

struct VolumeFacts {
  StateMeta meta;
  Symbol phase, storage_class, volume_mode;
  std::optional<std::int64_t> capacity_bytes;
  struct Claim {
    std::string ns, name;
  };
  std::optional<Claim> claim;
  // Where it comes from, as labels of kube_persistentvolume_info: "csi_driver".
  std::vector<std::pair<Symbol, std::string>> source;
};

// A kind that is not chosen, or was not read, is absent.
template <class T>
using StateList = std::optional<std::vector<std::shared_ptr<const T>>>;

struct KubeState {
  StateList<NodeFacts> nodes;
  StateList<NamespaceFacts> namespaces;
  StateList<DeploymentFacts> deployments;
  StateList<ReplicaSetFacts> replica_sets;
  StateList<StatefulSetFacts> stateful_sets;
  StateList<DaemonSetFacts> daemon_sets;
  StateList<JobFacts> jobs;
  StateList<CronJobFacts> cron_jobs;
  StateList<AutoscalerFacts> autoscalers;
  StateList<BudgetFacts> budgets;
  StateList<QuotaFacts> quotas;
  StateList<ClaimFacts> claims;
  StateList<VolumeFacts> volumes;
};

}  // namespace schedlens::model
