// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a Kubernetes cluster says beside its nodes and pods. A list that could not be read (no
// rights, no such API) is absent, so that nobody takes it for an empty one.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/admission.h"
#include "model/autoscaler.h"
#include "model/control_plane.h"
#include "model/devices.h"
#include "model/kube_scheduler.h"
#include "model/labels.h"
#include "model/pod.h"
#include "model/pod_group.h"
#include "model/quantities.h"
#include "model/shared_list.h"
#include "model/workload.h"

namespace schedlens::model {

struct Usage;  // model/usage.h

struct Namespace {
  Symbol name;
  Labels labels;
  bool terminating = false;
};

struct PriorityClass {
  Symbol name;
  std::int32_t value = 0;
  bool global_default = false;
  bool never_preempts = false;
};

struct ResourceQuota {
  Symbol ns;
  std::string name;
  // By the quota's own names ("requests.nvidia.com/gpu", "count/jobs.batch"); cpu, requests.cpu
  // and limits.cpu are in thousandths. hard is what the quota controller enforces (status.hard).
  Quantities hard;
  Quantities used;
  std::vector<std::string> scopes;  // "BestEffort", "PriorityClass In (high)"
};

struct DisruptionBudget {
  Symbol ns;
  std::string name;
  std::optional<LabelSelector> pods;  // absent: none
  std::int32_t disruptions_allowed = 0;
};

enum class ClaimPhase : std::uint8_t { kUnknown, kPending, kBound, kLost };

struct VolumeClaim {  // PersistentVolumeClaim
  Symbol ns;
  std::string name;
  ClaimPhase phase = ClaimPhase::kUnknown;
  std::string volume;  // spec.volumeName
  Symbol storage_class;
  bool deleting = false;
  bool read_write_once_pod = false;
  std::vector<std::string> access_modes;
  std::int64_t request_bytes = 0;
  std::string volume_mode;  // "Filesystem", "Block"
  std::optional<LabelSelector> selector;
};

struct Volume {  // PersistentVolume
  std::string name;
  Symbol storage_class;
  Labels labels;
  std::optional<std::vector<NodeSelectorTerm>> node_affinity;  // absent: every node
  std::vector<std::string> access_modes;
  std::int64_t capacity_bytes = 0;
  std::string volume_mode;
  std::string claim;  // "namespace/name" of claimRef, empty while free
  std::string phase;  // "Available", "Bound", "Released"
  std::string csi_driver;
};

struct StorageClass {
  Symbol name;
  std::string provisioner;
  bool wait_for_first_consumer = false;
  bool is_default = false;
  std::vector<NodeSelectorTerm> allowed_topologies;
};

// A controller above pods: what it wants and what there is.
struct Controller {
  Symbol kind;  // "Job", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", ...
  Symbol ns;
  std::string name;
  std::string uid;
  std::optional<OwnerReference> owner;
  std::optional<std::int32_t> desired;
  std::optional<std::int32_t> existing;  // pods made, whatever their state
  bool suspended = false;
  bool finished = false;
  std::optional<Timestamp> created;
  std::optional<Timestamp> deadline;  // of a Job: its start and its activeDeadlineSeconds
};

// The last event of one kind about one object.
struct Event {
  Symbol kind;  // of the object it is about: "Pod", "Job"
  Symbol ns;
  std::string name;
  std::string uid;
  Symbol reason;  // "FailedScheduling", "FailedCreate", "Preempted", "TriggeredScaleUp"
  Symbol reporter;
  std::string note;
  std::optional<Timestamp> first, last;
  std::uint32_t count = 1;
};

struct KubeState;  // model/kube_state.h

struct Kubernetes {
  std::string context;  // of the kubeconfig; empty inside the cluster
  std::optional<std::vector<Namespace>> namespaces;
  std::optional<std::vector<PriorityClass>> priority_classes;
  std::optional<std::vector<ResourceQuota>> quotas;
  std::optional<std::vector<DisruptionBudget>> disruption_budgets;
  std::optional<std::vector<VolumeClaim>> volume_claims;
  std::optional<std::vector<Volume>> volumes;
  std::optional<std::vector<StorageClass>> storage_classes;
  std::optional<std::vector<Controller>> controllers;
  std::optional<std::vector<Event>> events;
  std::optional<std::vector<ResourceClaim>> resource_claims;
  std::optional<std::vector<ResourceClaimTemplate>> claim_templates;
  std::optional<std::vector<ResourceSlice>> resource_slices;
  std::optional<std::vector<DeviceClass>> device_classes;
  // Absent too where the cluster has no such kind.
  std::optional<std::vector<PodGroup>> pod_groups;
  std::optional<std::vector<GroupQueue>> group_queues;
  std::optional<std::vector<AdmissionWorkload>> admission_workloads;
  std::optional<std::vector<LocalQueue>> local_queues;
  std::optional<std::vector<ClusterQueue>> cluster_queues;
  std::optional<std::vector<ResourceFlavor>> resource_flavors;
  // Pods that started and were deleted a short while ago, as they were last, so that what counts
  // starts misses none that lived only between two Snapshots. Not kept in a file.
  SharedList<Workload> gone_pods;
  std::optional<AutoscalerStatus> autoscaler;  // absent where there is none, or it was not read
  // Those whose /metrics are read; empty where none is configured.
  std::vector<KubeScheduler> schedulers;
  std::vector<ApiServerVitals> api_servers;
  std::vector<EtcdVitals> etcd;
  std::vector<KubeletVitals> kubelets;  // by node name
  // schedulerName of pods that some running scheduler is known to serve; empty: only the default.
  std::vector<Symbol> scheduler_names;
  // In the detail that kube-state-metrics shows; null where none is chosen. Not in a saved
  // Snapshot.
  std::shared_ptr<const KubeState> state;
  // Null where nobody is asked what is used.
  std::shared_ptr<const Usage> usage;
};

}  // namespace schedlens::model
