// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of every type of the model, named once: the snapshot file's writer and its reader
// both walk this list, so neither can forget what the other knows.
//
// describe(archive, object) calls archive(name, member) for each member. The object is const for a
// writer and not for a reader, hence the template parameter. Names are those in the file.

#include "model/fields_kubernetes.h"
#include "model/snapshot.h"

namespace schedlens::model {

template <class A, Maybe<GresCount> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("type", v.type);
  a("count", v.count);
}

template <class A, Maybe<GresPool> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("type", v.type);
  a("total", v.total);
  a("used", v.used);
  a("used_indexes", v.used_indexes);
  a("sockets", v.sockets);
}

template <class A, Maybe<ResourceCounts::Item> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("count", v.count);
}

template <class A, Maybe<NodeReason> T>
void describe(A& a, T& v) {
  a("text", v.text);
  a("author", v.author);
  a("since", v.since);
}

template <class A, Maybe<Node> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("state", v.state);
  a("flags", v.flags);
  a("unknown_states", v.unknown_states);
  a("reason", v.reason);
  a("cpus", v.cpus);
  a("cpus_allocated", v.cpus_allocated);
  a("cpus_effective", v.cpus_effective);
  a("sockets", v.sockets);
  a("cores_per_socket", v.cores_per_socket);
  a("threads_per_core", v.threads_per_core);
  a("memory", v.memory);
  a("memory_reserved", v.memory_reserved);
  a("memory_allocated", v.memory_allocated);
  a("memory_free", v.memory_free);
  a("cpu_load", v.cpu_load);
  a("tmp_disk", v.tmp_disk);
  a("gres", v.gres);
  a("features", v.features);
  a("features_available", v.features_available);
  a("queues", v.queues);
  a("weight", v.weight);
  a("owner", v.owner);
  a("mcs_label", v.mcs_label);
  a("boot_time", v.boot_time);
  a("last_busy", v.last_busy);
  a("version", v.version);
  a("address", v.address);
  a("comment", v.comment);
  a("object", v.object);
}

template <class A, Maybe<Request> T>
void describe(A& a, T& v) {
  a("min_nodes", v.min_nodes);
  a("max_nodes", v.max_nodes);
  a("cpus", v.cpus);
  a("tasks", v.tasks);
  a("cpus_per_task", v.cpus_per_task);
  a("tasks_per_node", v.tasks_per_node);
  a("min_cpus_per_node", v.min_cpus_per_node);
  a("sockets_per_node", v.sockets_per_node);
  a("cores_per_socket", v.cores_per_socket);
  a("threads_per_core", v.threads_per_core);
  a("memory_per", v.memory_per);
  a("memory", v.memory);
  a("tmp_disk", v.tmp_disk);
  a("gres_per_job", v.gres_per_job);
  a("gres_per_node", v.gres_per_node);
  a("gres_per_socket", v.gres_per_socket);
  a("gres_per_task", v.gres_per_task);
  a("cpus_per_gpu", v.cpus_per_gpu);
  a("memory_per_gpu", v.memory_per_gpu);
  a("sharing", v.sharing);
  a("contiguous", v.contiguous);
  a("core_spec", v.core_spec);
  a("features", v.features);
  a("required_nodes", v.required_nodes);
  a("excluded_nodes", v.excluded_nodes);
  a("licences", v.licences);
  a("any_licence", v.any_licence);
  a("totals", v.totals);
}

template <class A, Maybe<NodeAllocation> T>
void describe(A& a, T& v) {
  a("node", v.node);
  a("cpus", v.cpus);
  a("memory", v.memory);
  a("gres", v.gres);
  a("cpu_ids", v.cpu_ids);
}

template <class A, Maybe<Allocation> T>
void describe(A& a, T& v) {
  a("nodes", v.nodes);
  a("totals", v.totals);
  a("per_node", v.per_node);
}

template <class A, Maybe<ArrayPlace> T>
void describe(A& a, T& v) {
  a("job_id", v.job_id);
  a("task_id", v.task_id);
  a("waiting_tasks", v.waiting_tasks);
  a("waiting_count", v.waiting_count);
  a("max_running", v.max_running);
}

template <class A, Maybe<HetPlace> T>
void describe(A& a, T& v) {
  a("job_id", v.job_id);
  a("offset", v.offset);
}

template <class A, Maybe<PriorityFactors> T>
void describe(A& a, T& v) {
  a("age", v.age);
  a("association", v.association);
  a("fair_share", v.fair_share);
  a("job_size", v.job_size);
  a("queue", v.queue);
  a("qos", v.qos);
  a("site", v.site);
  a("nice", v.nice);
  a("tres", v.tres);
}

template <class A, Maybe<Exit> T>
void describe(A& a, T& v) {
  a("code", v.code);
  a("signal", v.signal);
}

template <class A, Maybe<Workload> T>
void describe(A& a, T& v) {
  a("job_id", v.job_id);
  a("array", v.array);
  a("het", v.het);
  a("name", v.name);
  a("user", v.user);
  a("account", v.account);
  a("qos", v.qos);
  a("queues", v.queues);
  a("state", v.state);
  a("flags", v.flags);
  a("unknown_state", v.unknown_state);
  a("reason", v.reason);
  a("reason_text", v.reason_text);
  a("priority", v.priority);
  a("factors", v.factors);
  a("nice", v.nice);
  a("submitted", v.submitted);
  a("eligible", v.eligible);
  a("accrue_start", v.accrue_start);
  a("start", v.start);
  a("end", v.end);
  a("deadline", v.deadline);
  a("last_evaluated", v.last_evaluated);
  a("preempted", v.preempted);
  a("time_limit", v.time_limit);
  a("time_min", v.time_min);
  a("request", v.request);
  a("allocation", v.allocation);
  a("planned_nodes", v.planned_nodes);
  a("dependency", v.dependency);
  a("reservation", v.reservation);
  a("restarts", v.restarts);
  a("exit", v.exit);
  a("comment", v.comment);
  a("detailed", v.detailed);
  a("pod", v.pod);
}

template <class A, Maybe<Allowed> T>
void describe(A& a, T& v) {
  a("all", v.all);
  a("names", v.names);
}

template <class A, Maybe<Queue> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("state", v.state);
  a("is_default", v.is_default);
  a("hidden", v.hidden);
  a("nodes", v.nodes);
  a("unknown_nodes", v.unknown_nodes);
  a("total_nodes", v.total_nodes);
  a("total_cpus", v.total_cpus);
  a("min_nodes", v.min_nodes);
  a("max_nodes", v.max_nodes);
  a("max_cpus_per_node", v.max_cpus_per_node);
  a("max_time", v.max_time);
  a("default_time", v.default_time);
  a("max_memory_per_node", v.max_memory_per_node);
  a("max_memory_per_cpu", v.max_memory_per_cpu);
  a("default_memory_per_node", v.default_memory_per_node);
  a("default_memory_per_cpu", v.default_memory_per_cpu);
  a("default_memory_per_gpu", v.default_memory_per_gpu);
  a("default_cpus_per_gpu", v.default_cpus_per_gpu);
  a("priority_tier", v.priority_tier);
  a("priority_job_factor", v.priority_job_factor);
  a("qos", v.qos);
  a("allow_accounts", v.allow_accounts);
  a("allow_qos", v.allow_qos);
  a("allow_groups", v.allow_groups);
  a("deny_accounts", v.deny_accounts);
  a("deny_qos", v.deny_qos);
  a("exclusive", v.exclusive);
  a("exclusive_user", v.exclusive_user);
  a("oversubscribe_force", v.oversubscribe_force);
  a("jobs_per_cpu", v.jobs_per_cpu);
  a("root_only", v.root_only);
  a("requires_reservation", v.requires_reservation);
  a("least_loaded", v.least_loaded);
  a("preempt_mode", v.preempt_mode);
  a("totals", v.totals);
}

template <class A, Maybe<Limit> T>
void describe(A& a, T& v) {
  a("kind", v.kind);
  a("resource", v.resource);
  a("limit", v.limit);
  a("used", v.used);
}

template <class A, Maybe<LimitHolder> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("limits", v.limits);
}

template <class A, Maybe<Qos> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("id", v.id);
  a("priority", v.priority);
  a("usage_raw", v.usage_raw);
  a("preempt_mode", v.preempt_mode);
  a("preempts", v.preempts);
  a("preempt_exempt_time", v.preempt_exempt_time);
  a("flags", v.flags);
  a("usage_factor", v.usage_factor);
  a("limits", v.limits);
  a("users", v.users);
  a("accounts", v.accounts);
  a("each_user", v.each_user);
  a("each_account", v.each_account);
}

template <class A, Maybe<Association> T>
void describe(A& a, T& v) {
  a("id", v.id);
  a("parent_id", v.parent_id);
  a("account", v.account);
  a("user", v.user);
  a("queue", v.queue);
  a("shares", v.shares);
  a("shares_normalized", v.shares_normalized);
  a("level_fair_share", v.level_fair_share);
  a("fair_share_factor", v.fair_share_factor);
  a("usage_raw", v.usage_raw);
  a("usage_effective", v.usage_effective);
  a("limits", v.limits);
}

template <class A, Maybe<User> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("uid", v.uid);
  a("default_account", v.default_account);
  a("admin_level", v.admin_level);
}

template <class A, Maybe<Reservation> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("start", v.start);
  a("end", v.end);
  a("active", v.active);
  a("nodes", v.nodes);
  a("node_count", v.node_count);
  a("core_count", v.core_count);
  a("flags", v.flags);
  a("users", v.users);
  a("accounts", v.accounts);
  a("groups", v.groups);
  a("queue", v.queue);
  a("features", v.features);
  a("licences", v.licences);
  a("totals", v.totals);
}

template <class A, Maybe<Licence> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("total", v.total);
  a("used", v.used);
  a("reserved", v.reserved);
  a("deficit", v.deficit);
  a("remote", v.remote);
}

template <class A, Maybe<RpcStats> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("count", v.count);
  a("mean_microseconds", v.mean_microseconds);
  a("total_microseconds", v.total_microseconds);
}

template <class A, Maybe<CycleExit> T>
void describe(A& a, T& v) {
  a("cause", v.cause);
  a("count", v.count);
}

template <class A, Maybe<SchedulerVitals::Cycle> T>
void describe(A& a, T& v) {
  a("last_microseconds", v.last_microseconds);
  a("max_microseconds", v.max_microseconds);
  a("mean_microseconds", v.mean_microseconds);
  a("total", v.total);
  a("depth_mean", v.depth_mean);
  a("depth_try_mean", v.depth_try_mean);
  a("last_depth", v.last_depth);
  a("last_depth_try", v.last_depth_try);
  a("queue_length", v.queue_length);
  a("queue_length_mean", v.queue_length_mean);
  a("per_minute", v.per_minute);
  a("last_when", v.last_when);
  a("table_size", v.table_size);
  a("table_size_mean", v.table_size_mean);
  a("exits", v.exits);
}

template <class A, Maybe<SchedulerVitals> T>
void describe(A& a, T& v) {
  a("time", v.time);
  a("since", v.since);
  a("server_threads", v.server_threads);
  a("agent_queue", v.agent_queue);
  a("agents", v.agents);
  a("agent_threads", v.agent_threads);
  a("dbd_queue", v.dbd_queue);
  a("jobs_submitted", v.jobs_submitted);
  a("jobs_started", v.jobs_started);
  a("jobs_completed", v.jobs_completed);
  a("jobs_cancelled", v.jobs_cancelled);
  a("jobs_failed", v.jobs_failed);
  a("job_states_time", v.job_states_time);
  a("jobs_pending", v.jobs_pending);
  a("jobs_running", v.jobs_running);
  a("main", v.main);
  a("backfill", v.backfill);
  a("backfilled_since_start", v.backfilled_since_start);
  a("backfilled_since_reset", v.backfilled_since_reset);
  a("backfilled_het", v.backfilled_het);
  a("rpc_by_type", v.rpc_by_type);
  a("rpc_by_user", v.rpc_by_user);
}

template <class A, Maybe<SourceStatus> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("feeds", v.feeds);
  a("state", v.state);
  a("last_success", v.last_success);
  a("last_attempt", v.last_attempt);
  a("error", v.error);
  a("warnings", v.warnings);
  a("unreadable_records", v.unreadable_records);
  a("records", v.records);
  a("bytes", v.bytes);
  a("seconds", v.seconds);
  a("reads", v.reads);
  a("failures", v.failures);
}

template <class A, Maybe<Snapshot> T>
void describe(A& a, T& v) {
  a("cluster", v.cluster);
  a("scheduler", v.scheduler);
  a("scheduler_version", v.scheduler_version);
  a("time", v.time);
  a("sources", v.sources);
  a("nodes", v.nodes);
  a("workloads", v.workloads);
  a("queues", v.queues);
  a("qos", v.qos);
  a("associations", v.associations);
  a("users", v.users);
  a("reservations", v.reservations);
  a("licences", v.licences);
  a("config", v.config);
  a("vitals", v.vitals);
  a("kubernetes", v.kubernetes);
}

}  // namespace schedlens::model
