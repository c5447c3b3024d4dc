// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of groups of pods and of Kueue's objects, in the manner of fields.h.

#include "model/admission.h"
#include "model/maybe.h"
#include "model/pod_group.h"

namespace schedlens::model {

template <class A, Maybe<PodGroup> T>
void describe(A& a, T& v) {
  a("api", v.api);
  a("namespace", v.ns);
  a("name", v.name);
  a("uid", v.uid);
  a("owner", v.owner);
  a("min_members", v.min_members);
  a("min_resources", v.min_resources);
  a("queue", v.queue);
  a("phase", v.phase);
  a("running", v.running);
  a("succeeded", v.succeeded);
  a("failed", v.failed);
  a("conditions", v.conditions);
  a("created", v.created);
}

template <class A, Maybe<GroupQueue> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("state", v.state);
  a("parent", v.parent);
  a("weight", v.weight);
  a("capability", v.capability);
  a("deserved", v.deserved);
  a("guarantee", v.guarantee);
  a("allocated", v.allocated);
}

template <class A, Maybe<AdmittedResource> T>
void describe(A& a, T& v) {
  a("resource", v.resource);
  a("flavor", v.flavor);
  a("amount", v.amount);
}

template <class A, Maybe<PodSet> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("count", v.count);
  a("request", v.request);
  a("admitted", v.admitted);
}

template <class A, Maybe<AdmissionCheckState> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("state", v.state);
  a("message", v.message);
}

template <class A, Maybe<AdmissionWorkload> T>
void describe(A& a, T& v) {
  a("namespace", v.ns);
  a("name", v.name);
  a("uid", v.uid);
  a("owners", v.owners);
  a("queue", v.queue);
  a("priority", v.priority);
  a("priority_class", v.priority_class);
  a("active", v.active);
  a("pod_sets", v.pod_sets);
  a("cluster_queue", v.cluster_queue);
  a("checks", v.checks);
  a("conditions", v.conditions);
  a("created", v.created);
  a("requeue_at", v.requeue_at);
}

template <class A, Maybe<LocalQueue> T>
void describe(A& a, T& v) {
  a("namespace", v.ns);
  a("name", v.name);
  a("cluster_queue", v.cluster_queue);
  a("stop_policy", v.stop_policy);
  a("pending", v.pending);
  a("admitted", v.admitted);
}

template <class A, Maybe<FlavorQuota> T>
void describe(A& a, T& v) {
  a("flavor", v.flavor);
  a("resource", v.resource);
  a("nominal", v.nominal);
  a("borrowing_limit", v.borrowing_limit);
  a("lending_limit", v.lending_limit);
  a("reserved", v.reserved);
  a("borrowed", v.borrowed);
}

template <class A, Maybe<ClusterQueue> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("cohort", v.cohort);
  a("strategy", v.strategy);
  a("stop_policy", v.stop_policy);
  a("namespaces", v.namespaces);
  a("quotas", v.quotas);
  a("pending", v.pending);
  a("admitted", v.admitted);
  a("conditions", v.conditions);
}

template <class A, Maybe<ResourceFlavor> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("node_labels", v.node_labels);
  a("node_taints", v.node_taints);
}

}  // namespace schedlens::model
