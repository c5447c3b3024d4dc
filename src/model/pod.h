// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a pod says that a Slurm job has no word for. Pods made from one template share one PodSpec;
// a Pod is immutable and shared by the source and every Snapshot that shows it, so that a large
// cluster is held once.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/labels.h"
#include "model/quantities.h"
#include "model/request_term.h"
#include "model/shared.h"

namespace schedlens::model {

enum class TaintEffect : std::uint8_t {
  kNone,
  kNoSchedule,
  kPreferNoSchedule,
  kNoExecute,
  kUnknown
};

struct Taint {
  Symbol key;
  std::string value;
  TaintEffect effect = TaintEffect::kUnknown;
  std::optional<Timestamp> added;
  friend bool operator==(const Taint&, const Taint&) = default;
};
std::string to_text(const Taint& taint);  // "maintenance=true:NoSchedule"

enum class TolerationOperator : std::uint8_t { kEqual, kExists, kGt, kLt, kUnknown };

struct Toleration {
  Symbol key;  // empty: every key
  TolerationOperator op = TolerationOperator::kEqual;
  std::string value;
  TaintEffect effect = TaintEffect::kNone;  // kNone: every effect
  friend bool operator==(const Toleration&, const Toleration&) = default;
};
bool tolerates(const Toleration& toleration, const Taint& taint);
bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);

// One required term of inter-pod affinity or anti-affinity.
struct PodAffinityTerm {
  std::optional<LabelSelector> pods;  // absent: none
  std::vector<Symbol> namespaces;
  std::optional<LabelSelector> namespace_selector;  // absent: the list, or the pod's own namespace
  Symbol topology_key;
  friend bool operator==(const PodAffinityTerm&, const PodAffinityTerm&) = default;
};

// A topology spread constraint with whenUnsatisfiable: DoNotSchedule; the others never filter.
struct SpreadConstraint {
  std::int32_t max_skew = 1;
  Symbol topology_key;
  std::optional<LabelSelector> pods;  // absent: none
  std::optional<std::int32_t> min_domains;
  bool honor_node_affinity = true;
  bool honor_node_taints = false;
  std::vector<Symbol> match_label_keys;
  friend bool operator==(const SpreadConstraint&, const SpreadConstraint&) = default;
};

enum class HostProtocol : std::uint8_t { kTcp, kUdp, kSctp };

struct HostPort {
  std::string ip;  // empty: all addresses
  HostProtocol protocol = HostProtocol::kTcp;
  std::int32_t port = 0;
  friend bool operator==(const HostPort&, const HostPort&) = default;
};

// The part of a pod that its template decides and scheduling reads.
struct PodSpec {
  Symbol scheduler;  // schedulerName
  Symbol priority_class;
  bool never_preempts = false;  // preemptionPolicy: Never
  bool host_network = false;
  Symbol runtime_class;
  std::vector<Label> node_selector;
  // Absent: no required node affinity. Present and empty: no node is selected.
  std::optional<std::vector<NodeSelectorTerm>> node_affinity;
  std::vector<Toleration> tolerations;
  std::vector<PodAffinityTerm> affinity;
  std::vector<PodAffinityTerm> anti_affinity;
  std::vector<SpreadConstraint> spread;
  std::vector<HostPort> host_ports;
  // What the pod asks for as the scheduler computes it: containers, init containers in order,
  // sidecars, pod-level values and overhead, before any resize.
  Quantities request;
  // Only of resources of which not the sum of one or more containers is all there is to say, or of
  // which several containers ask.
  std::vector<RequestTerm> terms;
  Quantities limit;
  std::optional<Seconds> run_limit;  // activeDeadlineSeconds, from the pod's start
  std::optional<Seconds> grace;      // terminationGracePeriodSeconds
  friend bool operator==(const PodSpec&, const PodSpec&) = default;
};
using PodSpecPtr = std::shared_ptr<const PodSpec>;

enum class PodPhase : std::uint8_t { kUnknown, kPending, kRunning, kSucceeded, kFailed };

struct PodCondition {
  Symbol type;    // "PodScheduled", "Ready", "DisruptionTarget"
  Symbol reason;  // "Unschedulable", "SchedulingGated"
  bool status = false;
  bool unknown = false;  // status "Unknown"
  Shared<std::string> message;
  std::optional<Timestamp> since;  // lastTransitionTime: when the status flipped
  friend bool operator==(const PodCondition&, const PodCondition&) = default;
};

struct OwnerReference {
  Symbol kind;  // "ReplicaSet", "Job", "PodGroup"
  std::string name;
  std::string uid;
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

// A volume that scheduling depends on.
struct PodVolume {
  std::string claim;  // PersistentVolumeClaim; for an ephemeral volume the claim to be made
  bool ephemeral = false;
  friend bool operator==(const PodVolume&, const PodVolume&) = default;
};

// A claim of dynamic resource allocation (resource.k8s.io).
struct PodResourceClaim {
  std::string name;   // within the pod
  std::string claim;  // the ResourceClaim, empty while one from a template is not made yet
  std::string claim_template;
  friend bool operator==(const PodResourceClaim&, const PodResourceClaim&) = default;
};

enum class DeviceState : std::uint8_t { kUnknown, kHealthy, kUnhealthy };

std::string_view state_name(DeviceState state);  // "unhealthy"

// A device that one of its containers got, as the kubelet reports its health.
struct DeviceHealth {
  Symbol resource;     // "nvidia.com/gpu"; "claim:CLAIM/REQUEST" of a claim
  std::string device;  // as its plugin or driver names it
  DeviceState state = DeviceState::kUnknown;
  std::string message;
  friend bool operator==(const DeviceHealth&, const DeviceHealth&) = default;
};

struct PodDetail;  // model/pod_detail.h

struct Pod {
  Symbol ns;
  std::string uid;
  SharedOptional<OwnerReference> owner;  // the controller
  Labels labels;
  PodSpecPtr spec;  // never null
  // What counts against the node: the spec's request, or more while a resize is under way.
  Quantities request;
  std::vector<PodVolume> volumes;
  std::vector<PodResourceClaim> resource_claims;
  SharedOptional<std::vector<DeviceHealth>> devices;  // absent where nobody reports their health
  std::vector<Symbol> gates;                          // schedulingGates still there
  PodPhase phase = PodPhase::kUnknown;
  Symbol status_reason;  // status.reason: "Evicted", "UnexpectedAdmissionError"
  Symbol node_name;      // as bound, whether or not there is such a node
  Symbol nominated_node;
  std::string group;  // the gang it belongs to, where one is named
  std::optional<std::int32_t> priority;
  std::optional<Timestamp> deleting;  // deletionTimestamp: the request and its grace
  std::vector<PodCondition> conditions;
  // When the scheduler last wrote its condition (managedFields), where that is known.
  std::optional<Timestamp> condition_written;
  std::uint32_t restarts = 0;
  std::shared_ptr<const PodDetail> detail;  // only where a StateChoice wants pods

  const PodCondition* condition(Symbol type) const;
};
using PodPtr = std::shared_ptr<const Pod>;

// Succeeded and Failed pods hold nothing.
bool is_terminal(const Pod& pod);

}  // namespace schedlens::model
