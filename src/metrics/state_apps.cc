// SPDX-License-Identifier: Apache-2.0
// Deployments, replica sets, stateful sets and daemon sets.
#include "metrics/state_families.h"

namespace schedlens::metrics {
namespace {

using enum Type;
using model::DaemonSetFacts;
using model::DeploymentFacts;
using model::ReplicaSetFacts;
using model::StatefulSetFacts;

// A number that the status always has.
template <class Object, auto member>
void number(const Object& object, StateLines& out) {
  out.add(static_cast<double>(object.*member));
}
// One that the spec may leave out.
template <class Object, auto member>
void maybe(const Object& object, StateLines& out) {
  if (object.*member) out.add(static_cast<double>(*(object.*member)));
}
template <class Object>
void generation(const Object& object, StateLines& out) {
  out.add(static_cast<double>(object.meta.generation));
}
template <class Object>
void created(const Object& object, StateLines& out) {
  out.add_time(object.meta.created);
}
template <class Object>
void labels(const Object& object, StateLines& out) {
  out.add(1, prometheus_labels("label", object.meta.labels));
}

using D = DeploymentFacts;
constexpr StateFamily<D> kDeployments[] = {
    {"kube_deployment_created", kGauge, "When a deployment was created, in seconds since 1970.",
     created},
    {"kube_deployment_labels", kGauge,
     "Those labels of a deployment that the configuration asks for.", labels},
    {"kube_deployment_metadata_generation", kGauge, "How often a deployment's spec was changed.",
     generation},
    {"kube_deployment_spec_paused", kGauge, "1 for a deployment that is paused.",
     number<D, &D::paused>},
    {"kube_deployment_spec_replicas", kGauge, "Pods that a deployment wants.",
     maybe<D, &D::wanted>},
    {"kube_deployment_spec_strategy_rollingupdate_max_surge", kGauge,
     "Pods that a rolling update may have beyond those wanted.", maybe<D, &D::max_surge>},
    {"kube_deployment_spec_strategy_rollingupdate_max_unavailable", kGauge,
     "Pods that a rolling update may lack.", maybe<D, &D::max_unavailable>},
    {"kube_deployment_status_condition", kGauge, "1 for what a condition of a deployment is.",
     [](const D& d, StateLines& out) {
       for (const auto& c : d.conditions) {
         out.add_condition(c.status.view(), "status", {{"condition", c.type.view()}});
       }
     }},
    {"kube_deployment_status_observed_generation", kGauge,
     "The generation that the controller has seen.", number<D, &D::observed_generation>},
    {"kube_deployment_status_replicas", kGauge, "Pods of a deployment.", number<D, &D::replicas>},
    {"kube_deployment_status_replicas_available", kGauge,
     "Pods of a deployment that are ready for long enough.", number<D, &D::available>},
    {"kube_deployment_status_replicas_ready", kGauge, "Pods of a deployment that are ready.",
     number<D, &D::ready>},
    {"kube_deployment_status_replicas_unavailable", kGauge,
     "Pods that a deployment lacks to be fully available.", number<D, &D::unavailable>},
    {"kube_deployment_status_replicas_updated", kGauge,
     "Pods of a deployment that are of its present template.", number<D, &D::updated>},
};

using R = ReplicaSetFacts;
constexpr StateFamily<R> kReplicaSets[] = {
    {"kube_replicaset_created", kGauge, "When a replica set was created, in seconds since 1970.",
     created},
    {"kube_replicaset_labels", kGauge,
     "Those labels of a replica set that the configuration asks for.", labels},
    {"kube_replicaset_metadata_generation", kGauge, "How often a replica set's spec was changed.",
     generation},
    {"kube_replicaset_owner", kGauge, "Owners of a replica set.",
     [](const R& r, StateLines& out) { add_owners(r.meta.owners, out); }},
    {"kube_replicaset_spec_replicas", kGauge, "Pods that a replica set wants.",
     maybe<R, &R::wanted>},
    {"kube_replicaset_status_fully_labeled_replicas", kGauge,
     "Pods of a replica set that have all labels of its template.", number<R, &R::fully_labelled>},
    {"kube_replicaset_status_observed_generation", kGauge,
     "The generation that the controller has seen.", number<R, &R::observed_generation>},
    {"kube_replicaset_status_ready_replicas", kGauge, "Pods of a replica set that are ready.",
     number<R, &R::ready>},
    {"kube_replicaset_status_replicas", kGauge, "Pods of a replica set.", number<R, &R::replicas>},
};

using S = StatefulSetFacts;
constexpr StateFamily<S> kStatefulSets[] = {
    {"kube_statefulset_created", kGauge, "When a stateful set was created, in seconds since 1970.",
     created},
    {"kube_statefulset_labels", kGauge,
     "Those labels of a stateful set that the configuration asks for.", labels},
    {"kube_statefulset_metadata_generation", kGauge, "How often a stateful set's spec was changed.",
     generation},
    {"kube_statefulset_ordinals_start", kGauge, "Number of the first pod of a stateful set.",
     maybe<S, &S::first_ordinal>},
    {"kube_statefulset_persistentvolumeclaim_retention_policy", kGauge,
     "What becomes of the claims of a stateful set.",
     [](const S& s, StateLines& out) {
       if (!s.retention) return;
       out.add(1, {{"when_deleted", s.retention->when_deleted.view()},
                   {"when_scaled", s.retention->when_scaled.view()}});
     }},
    {"kube_statefulset_replicas", kGauge, "Pods that a stateful set wants.", maybe<S, &S::wanted>},
    {"kube_statefulset_status_current_revision", kGauge, "Revision of the pods not yet updated.",
     [](const S& s, StateLines& out) {
       out.add(1, {{"revision", s.current_revision}});
     }},
    {"kube_statefulset_status_observed_generation", kGauge,
     "The generation that the controller has seen.", number<S, &S::observed_generation>},
    {"kube_statefulset_status_replicas", kGauge, "Pods of a stateful set.",
     number<S, &S::replicas>},
    {"kube_statefulset_status_replicas_available", kGauge,
     "Pods of a stateful set that are ready for long enough.", number<S, &S::available>},
    {"kube_statefulset_status_replicas_current", kGauge,
     "Pods of a stateful set that are of the revision before.", number<S, &S::current>},
    {"kube_statefulset_status_replicas_ready", kGauge, "Pods of a stateful set that are ready.",
     number<S, &S::ready>},
    {"kube_statefulset_status_replicas_updated", kGauge,
     "Pods of a stateful set that are of its present template.", number<S, &S::updated>},
    {"kube_statefulset_status_update_revision", kGauge, "Revision of the pods that are updated.",
     [](const S& s, StateLines& out) {
       out.add(1, {{"revision", s.update_revision}});
     }},
};

using A = DaemonSetFacts;
constexpr StateFamily<A> kDaemonSets[] = {
    {"kube_daemonset_created", kGauge, "When a daemon set was created, in seconds since 1970.",
     created},
    {"kube_daemonset_labels", kGauge,
     "Those labels of a daemon set that the configuration asks for.", labels},
    {"kube_daemonset_metadata_generation", kGauge, "How often a daemon set's spec was changed.",
     generation},
    {"kube_daemonset_status_current_number_scheduled", kGauge,
     "Nodes that have a pod of a daemon set and should.", number<A, &A::current>},
    {"kube_daemonset_status_desired_number_scheduled", kGauge,
     "Nodes that should have a pod of a daemon set.", number<A, &A::wanted>},
    {"kube_daemonset_status_number_available", kGauge,
     "Nodes where a pod of a daemon set is ready for long enough.", number<A, &A::available>},
    {"kube_daemonset_status_number_misscheduled", kGauge,
     "Nodes that have a pod of a daemon set and should not.", number<A, &A::misscheduled>},
    {"kube_daemonset_status_number_ready", kGauge, "Nodes where a pod of a daemon set is ready.",
     number<A, &A::ready>},
    {"kube_daemonset_status_number_unavailable", kGauge,
     "Nodes that lack an available pod of a daemon set.", number<A, &A::unavailable>},
    {"kube_daemonset_status_observed_generation", kGauge,
     "The generation that the controller has seen.", number<A, &A::observed_generation>},
    {"kube_daemonset_status_updated_number_scheduled", kGauge,
     "Nodes that have a pod of the present template.", number<A, &A::updated>},
};

}  // namespace

StateTable<D> deployment_families() {
  return {model::StateKind::kDeployments,
          [](const D& d, StateLines& out) {
            out.object({{"namespace", d.meta.ns.view()}, {"deployment", d.meta.name}});
          },
          kDeployments};
}

StateTable<R> replica_set_families() {
  return {model::StateKind::kReplicaSets,
          [](const R& r, StateLines& out) {
            out.object({{"namespace", r.meta.ns.view()}, {"replicaset", r.meta.name}});
          },
          kReplicaSets};
}

StateTable<S> stateful_set_families() {
  return {model::StateKind::kStatefulSets,
          [](const S& s, StateLines& out) {
            out.object({{"namespace", s.meta.ns.view()}, {"statefulset", s.meta.name}});
          },
          kStatefulSets};
}

StateTable<A> daemon_set_families() {
  return {model::StateKind::kDaemonSets,
          [](const A& d, StateLines& out) {
            out.object({{"namespace", d.meta.ns.view()}, {"daemonset", d.meta.name}});
          },
          kDaemonSets};
}

}  // namespace schedlens::metrics
