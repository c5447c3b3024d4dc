// SPDX-License-Identifier: Apache-2.0
#pragma once
// The series of Kubernetes objects under kube-state-metrics' names: a table for each kind, in which
// a family stands with what it says of one object.

#include <span>
#include <string_view>

#include "metrics/families.h"
#include "metrics/state_lines.h"
#include "model/kube_state.h"
#include "model/pod.h"
#include "model/state_choice.h"
#include "model/workload.h"

namespace schedlens::metrics {

template <class Object>
struct StateFamily {
  std::string_view name;
  Type type;
  std::string_view help;
  void (*write)(const Object& object, StateLines& out);
};

template <class Object>
struct StateTable {
  model::StateKind kind;
  void (*identify)(const Object& object, StateLines& out);
  std::span<const StateFamily<Object>> families;
};

// A pod with its parts, all of which live as long as the Snapshot.
struct PodView {
  const model::Workload& workload;
  const model::Pod& pod;
  const model::PodDetail& detail;
  const model::LabelChoice& labels;
};

StateTable<PodView> pod_families();
StateTable<PodView> pod_container_families();
StateTable<model::NodeFacts> node_families();
StateTable<model::NamespaceFacts> namespace_families();
StateTable<model::QuotaFacts> quota_families();
StateTable<model::DeploymentFacts> deployment_families();
StateTable<model::ReplicaSetFacts> replica_set_families();
StateTable<model::StatefulSetFacts> stateful_set_families();
StateTable<model::DaemonSetFacts> daemon_set_families();
StateTable<model::JobFacts> job_families();
StateTable<model::CronJobFacts> cron_job_families();
StateTable<model::AutoscalerFacts> autoscaler_families();
StateTable<model::BudgetFacts> budget_families();
StateTable<model::ClaimFacts> claim_families();
StateTable<model::VolumeFacts> volume_families();

void identify_pod(const PodView& view, StateLines& out);

// Name and unit of a resource as a label: "nvidia_com_gpu" in "integer". Nothing for a name that is
// no resource of a node or a container.
struct ResourceLabels {
  std::string resource;
  std::string_view unit;
};
std::optional<ResourceLabels> resource_labels(Symbol name, bool of_node);
// Amounts are counted in whole units, cpu in thousandths, as are requests.cpu and limits.cpu of
// quotas.
double in_base_units(const model::Quantities::Item& item);

inline std::string_view word(bool value) {
  return value ? "true" : "false";
}

// Every owner, or one series without where there is none.
void add_owners(const std::vector<model::OwnerText>& owners, StateLines& out);

}  // namespace schedlens::metrics
