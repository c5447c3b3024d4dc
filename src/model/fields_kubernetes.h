// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of the Kubernetes part of the model, in the manner of fields.h, which includes this.

#include "model/fields_devices.h"
#include "model/fields_groups.h"
#include "model/fields_usage.h"
#include "model/kubernetes.h"
#include "model/maybe.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::model {

template <class A, Maybe<LabelExpression> T>
void describe(A& a, T& v) {
  a("key", v.key);
  a("operator", v.op);
  a("values", v.values);
}

// A selector that is present and empty selects everything, so it must not vanish.
template <class A, Maybe<LabelSelector> T>
void describe(A& a, T& v) {
  a("all", v.all);
}

template <class A, Maybe<NodeSelectorTerm> T>
void describe(A& a, T& v) {
  a("labels", v.labels);
  a("fields", v.fields);
}

template <class A, Maybe<Taint> T>
void describe(A& a, T& v) {
  a("key", v.key);
  a("value", v.value);
  a("effect", v.effect);
  a("added", v.added);
}

template <class A, Maybe<Toleration> T>
void describe(A& a, T& v) {
  a("key", v.key);
  a("operator", v.op);
  a("value", v.value);
  a("effect", v.effect);
}

template <class A, Maybe<PodAffinityTerm> T>
void describe(A& a, T& v) {
  a("pods", v.pods);
  a("namespaces", v.namespaces);
  a("namespace_selector", v.namespace_selector);
  a("topology_key", v.topology_key);
}

template <class A, Maybe<SpreadConstraint> T>
void describe(A& a, T& v) {
  a("max_skew", v.max_skew);
  a("topology_key", v.topology_key);
  a("pods", v.pods);
  a("min_domains", v.min_domains);
  a("honor_node_affinity", v.honor_node_affinity);
  a("honor_node_taints", v.honor_node_taints);
  a("match_label_keys", v.match_label_keys);
}

template <class A, Maybe<HostPort> T>
void describe(A& a, T& v) {
  a("ip", v.ip);
  a("protocol", v.protocol);
  a("port", v.port);
}

template <class A, Maybe<Label> T>
void describe(A& a, T& v) {
  a("key", v.key);
  a("value", v.value);
}

template <class A, Maybe<RequestTerm> T>
void describe(A& a, T& v) {
  a("resource", v.resource);
  a("part", v.part);
  a("container", v.container);
  a("overhead", v.overhead);
  a("containers", v.containers);
}

template <class A, Maybe<PodSpec> T>
void describe(A& a, T& v) {
  a("scheduler", v.scheduler);
  a("priority_class", v.priority_class);
  a("never_preempts", v.never_preempts);
  a("host_network", v.host_network);
  a("runtime_class", v.runtime_class);
  a("node_selector", v.node_selector);
  a("node_affinity", v.node_affinity);
  a("tolerations", v.tolerations);
  a("affinity", v.affinity);
  a("anti_affinity", v.anti_affinity);
  a("spread", v.spread);
  a("host_ports", v.host_ports);
  a("request", v.request);
  a("terms", v.terms);
  a("limit", v.limit);
  a("run_limit", v.run_limit);
  a("grace", v.grace);
}

template <class A, Maybe<PodCondition> T>
void describe(A& a, T& v) {
  a("type", v.type);
  a("status", v.status);
  a("unknown", v.unknown);
  a("reason", v.reason);
  a("message", v.message);
  a("since", v.since);
}

template <class A, Maybe<OwnerReference> T>
void describe(A& a, T& v) {
  a("kind", v.kind);
  a("name", v.name);
  a("uid", v.uid);
}

template <class A, Maybe<PodVolume> T>
void describe(A& a, T& v) {
  a("claim", v.claim);
  a("ephemeral", v.ephemeral);
}

template <class A, Maybe<PodResourceClaim> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("claim", v.claim);
  a("claim_template", v.claim_template);
}

template <class A, Maybe<DeviceHealth> T>
void describe(A& a, T& v) {
  a("resource", v.resource);
  a("device", v.device);
  a("state", v.state);
  a("message", v.message);
}

template <class A, Maybe<Pod> T>
void describe(A& a, T& v) {
  a("namespace", v.ns);
  a("uid", v.uid);
  a("owner", v.owner);
  a("labels", v.labels);
  a("spec", v.spec);
  a("request", v.request);
  a("volumes", v.volumes);
  a("resource_claims", v.resource_claims);
  a("devices", v.devices);
  a("gates", v.gates);
  a("phase", v.phase);
  a("status_reason", v.status_reason);
  a("node_name", v.node_name);
  a("nominated_node", v.nominated_node);
  a("group", v.group);
  a("priority", v.priority);
  a("deleting", v.deleting);
  a("conditions", v.conditions);
  a("condition_written", v.condition_written);
  a("restarts", v.restarts);
}

template <class A, Maybe<NodeCondition> T>
void describe(A& a, T& v) {
  a("type", v.type);
  a("status", v.status);
  a("unknown", v.unknown);
  a("reason", v.reason);
  a("message", v.message);
  a("since", v.since);
}

template <class A, Maybe<NodeObject> T>
void describe(A& a, T& v) {
  a("uid", v.uid);
  a("labels", v.labels);
  a("taints", v.taints);
  a("unschedulable", v.unschedulable);
  a("capacity", v.capacity);
  a("allocatable", v.allocatable);
  a("conditions", v.conditions);
  a("kubelet_version", v.kubelet_version);
  a("created", v.created);
}

template <class A, Maybe<Namespace> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("labels", v.labels);
  a("terminating", v.terminating);
}

template <class A, Maybe<PriorityClass> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("value", v.value);
  a("global_default", v.global_default);
  a("never_preempts", v.never_preempts);
}

template <class A, Maybe<ResourceQuota> T>
void describe(A& a, T& v) {
  a("namespace", v.ns);
  a("name", v.name);
  a("hard", v.hard);
  a("used", v.used);
  a("scopes", v.scopes);
}

template <class A, Maybe<DisruptionBudget> T>
void describe(A& a, T& v) {
  a("namespace", v.ns);
  a("name", v.name);
  a("pods", v.pods);
  a("disruptions_allowed", v.disruptions_allowed);
}

template <class A, Maybe<VolumeClaim> T>
void describe(A& a, T& v) {
  a("namespace", v.ns);
  a("name", v.name);
  a("phase", v.phase);
  a("volume", v.volume);
  a("storage_class", v.storage_class);
  a("deleting", v.deleting);
  a("read_write_once_pod", v.read_write_once_pod);
  a("access_modes", v.access_modes);
  a("request_bytes", v.request_bytes);
  a("volume_mode", v.volume_mode);
  a("selector", v.selector);
}

template <class A, Maybe<Volume> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("storage_class", v.storage_class);
  a("labels", v.labels);
  a("node_affinity", v.node_affinity);
  a("access_modes", v.access_modes);
  a("capacity_bytes", v.capacity_bytes);
  a("volume_mode", v.volume_mode);
  a("claim", v.claim);
  a("phase", v.phase);
  a("csi_driver", v.csi_driver);
}

template <class A, Maybe<StorageClass> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("provisioner", v.provisioner);
  a("wait_for_first_consumer", v.wait_for_first_consumer);
  a("is_default", v.is_default);
  a("allowed_topologies", v.allowed_topologies);
}

template <class A, Maybe<Controller> T>
void describe(A& a, T& v) {
  a("kind", v.kind);
  a("namespace", v.ns);
  a("name", v.name);
  a("uid", v.uid);
  a("owner", v.owner);
  a("desired", v.desired);
  a("existing", v.existing);
  a("suspended", v.suspended);
  a("finished", v.finished);
  a("created", v.created);
  a("deadline", v.deadline);
}

template <class A, Maybe<Event> T>
void describe(A& a, T& v) {
  a("kind", v.kind);
  a("namespace", v.ns);
  a("name", v.name);
  a("uid", v.uid);
  a("reason", v.reason);
  a("reporter", v.reporter);
  a("note", v.note);
  a("first", v.first);
  a("last", v.last);
  a("count", v.count);
}

template <class A, Maybe<Durations> T>
void describe(A& a, T& v) {
  a("count", v.count);
  a("seconds", v.seconds);
}

template <class A, Maybe<SchedulingAttempts> T>
void describe(A& a, T& v) {
  a("profile", v.profile);
  a("result", v.result);
  a("count", v.count);
  a("durations", v.durations);
}

template <class A, Maybe<SchedulerQueue> T>
void describe(A& a, T& v) {
  a("queue", v.queue);
  a("pods", v.pods);
  a("negative", v.negative);
}

template <class A, Maybe<QueueEntries> T>
void describe(A& a, T& v) {
  a("queue", v.queue);
  a("event", v.event);
  a("count", v.count);
}

template <class A, Maybe<ExtensionPoint> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("profile", v.profile);
  a("status", v.status);
  a("durations", v.durations);
}

template <class A, Maybe<PluginRuns> T>
void describe(A& a, T& v) {
  a("plugin", v.plugin);
  a("extension_point", v.extension_point);
  a("status", v.status);
  a("sampled", v.sampled);
}

template <class A, Maybe<RejectingPlugin> T>
void describe(A& a, T& v) {
  a("plugin", v.plugin);
  a("profile", v.profile);
  a("pods", v.pods);
}

template <class A, Maybe<NamedDurations> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("durations", v.durations);
}

template <class A, Maybe<NamedCount> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("count", v.count);
}

template <class A, class T>
void describe_component(A& a, T& v) {
  a("address", v.address);
  a("time", v.time);
  a("started", v.started);
  a("version", v.version);
}

template <class A, Maybe<KubeScheduler> T>
void describe(A& a, T& v) {
  describe_component(a, v);
  a("leader", v.leader);
  a("attempts", v.attempts);
  a("queues", v.queues);
  a("entries", v.entries);
  a("extension_points", v.extension_points);
  a("plugins", v.plugins);
  a("rejecting_plugins", v.rejecting_plugins);
  a("preemption_attempts", v.preemption_attempts);
  a("preemptions", v.preemptions);
  a("preemption_victims", v.preemption_victims);
  a("permit_waits", v.permit_waits);
  a("waits_by_attempts", v.waits_by_attempts);
  a("cache", v.cache);
  a("goroutines", v.goroutines);
  a("scheduled_after_flush", v.scheduled_after_flush);
}

template <class A, Maybe<NodeGroup> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("health", v.health);
  a("scale_up", v.scale_up);
  a("backoff", v.backoff);
  a("target", v.target);
  a("min", v.min);
  a("max", v.max);
}

template <class A, Maybe<AutoscalerStatus> T>
void describe(A& a, T& v) {
  a("time", v.time);
  a("groups", v.groups);
}

template <class A, Maybe<DurationBucket> T>
void describe(A& a, T& v) {
  a("bound", v.bound);
  a("count", v.count);
}

template <class A, Maybe<DurationHistogram> T>
void describe(A& a, T& v) {
  a("total", v.total);
  a("buckets", v.buckets);
}

template <class A, Maybe<NamedHistogram> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("histogram", v.histogram);
}

template <class A, Maybe<RequestCount> T>
void describe(A& a, T& v) {
  a("verb", v.verb);
  a("code", v.code);
  a("count", v.count);
}

template <class A, Maybe<ApiServerVitals> T>
void describe(A& a, T& v) {
  describe_component(a, v);
  a("requests", v.requests);
  a("latencies", v.latencies);
  a("inflight", v.inflight);
  a("watches", v.watches);
  a("turned_away", v.turned_away);
  a("cut_off", v.cut_off);
  a("storage", v.storage);
  a("storage_errors", v.storage_errors);
  a("storage_bytes", v.storage_bytes);
  a("objects", v.objects);
}

template <class A, Maybe<EtcdVitals> T>
void describe(A& a, T& v) {
  describe_component(a, v);
  a("has_leader", v.has_leader);
  a("is_leader", v.is_leader);
  a("leader_changes", v.leader_changes);
  a("proposals_failed", v.proposals_failed);
  a("proposals_pending", v.proposals_pending);
  a("slow_applies", v.slow_applies);
  a("fsync", v.fsync);
  a("commit", v.commit);
  a("database_bytes", v.database_bytes);
  a("database_bytes_used", v.database_bytes_used);
  a("quota_bytes", v.quota_bytes);
}

template <class A, Maybe<KubeletVitals> T>
void describe(A& a, T& v) {
  describe_component(a, v);
  a("node", v.node);
  a("relist", v.relist);
  a("last_relist", v.last_relist);
  a("pod_start", v.pod_start);
  a("running_pods", v.running_pods);
  a("runtime_errors", v.runtime_errors);
  a("evictions", v.evictions);
  a("plugin_registrations", v.plugin_registrations);
  a("device_allocations", v.device_allocations);
}

template <class A, Maybe<Kubernetes> T>
void describe(A& a, T& v) {
  a("context", v.context);
  a("namespaces", v.namespaces);
  a("priority_classes", v.priority_classes);
  a("quotas", v.quotas);
  a("disruption_budgets", v.disruption_budgets);
  a("volume_claims", v.volume_claims);
  a("volumes", v.volumes);
  a("storage_classes", v.storage_classes);
  a("controllers", v.controllers);
  a("events", v.events);
  a("resource_claims", v.resource_claims);
  a("claim_templates", v.claim_templates);
  a("resource_slices", v.resource_slices);
  a("device_classes", v.device_classes);
  a("pod_groups", v.pod_groups);
  a("group_queues", v.group_queues);
  a("admission_workloads", v.admission_workloads);
  a("local_queues", v.local_queues);
  a("cluster_queues", v.cluster_queues);
  a("resource_flavors", v.resource_flavors);
  a("autoscaler", v.autoscaler);
  a("schedulers", v.schedulers);
  a("api_servers", v.api_servers);
  a("etcd", v.etcd);
  a("kubelets", v.kubelets);
  a("scheduler_names", v.scheduler_names);
  a("usage", v.usage);
}

}  // namespace schedlens::model
