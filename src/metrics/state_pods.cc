// SPDX-License-Identifier: Apache-2.0
// Pods, but for their containers.
#include <algorithm>

#include "metrics/state_families.h"

namespace schedlens::metrics {
namespace {

using enum Type;

const Symbol kReady{"Ready"};
const Symbol kContainersReady{"ContainersReady"};
const Symbol kInitialized{"Initialized"};
const Symbol kPodScheduled{"PodScheduled"};

void add_pod_condition(const PodView& v, Symbol type, StateLines& out) {
  const auto* c = v.pod.condition(type);
  if (c) out.add_condition(c->status ? "True" : c->unknown ? "Unknown" : "False", "condition");
}

void add_moment_of(const PodView& v, Symbol type, StateLines& out) {
  const auto* c = v.pod.condition(type);
  if (c && c->status) out.add_time(c->since);
}

void info(const PodView& v, StateLines& out) {
  const auto& owners = v.detail.owners;
  const auto maker = std::find_if(owners.begin(), owners.end(),
                                  [](const model::OwnerText& owner) { return owner.controller; });
  const bool made = maker != owners.end();
  out.add(1, {{"host_ip", v.detail.host_ip.view()},
              {"pod_ip", v.detail.ip},
              {"node", v.pod.node_name.view()},
              {"created_by_kind", made ? maker->kind.view() : ""},
              {"created_by_name", made ? std::string_view(maker->name) : ""},
              {"priority_class", v.pod.spec->priority_class.view()},
              {"host_network", word(v.pod.spec->host_network)}});
}

void ips(const PodView& v, StateLines& out) {
  for (const auto& ip : v.detail.ips) {
    out.add(1, {{"ip", ip}, {"ip_family", ip.find(':') == std::string::npos ? "4" : "6"}});
  }
}

// When the first of its containers ended.
void completion_time(const PodView& v, StateLines& out) {
  std::optional<Timestamp> ended;
  for (const auto& c : v.detail.containers) {
    if (c.phase != model::ContainerPhase::kTerminated || !c.now.finished) continue;
    if (!ended || *ended < *c.now.finished) ended = c.now.finished;
  }
  out.add_time(ended);
}

void labels(const PodView& v, StateLines& out) {
  std::vector<model::Label> allowed;
  for (const auto& label : v.pod.labels.items()) {
    if (v.labels.allows(label.key.view())) allowed.push_back(label);
  }
  out.add(1, prometheus_labels("label", std::move(allowed)));
}

void phase(const PodView& v, StateLines& out) {
  const auto now = v.detail.phase.view();
  if (now.empty()) return;
  for (const std::string_view word : {"Pending", "Succeeded", "Failed", "Unknown", "Running"}) {
    out.add(word == now ? 1 : 0, {{"phase", word}});
  }
}

void qos_class(const PodView& v, StateLines& out) {
  const auto now = v.detail.qos_class.view();
  for (const std::string_view word : {"BestEffort", "Burstable", "Guaranteed"}) {
    out.add(word == now ? 1 : 0, {{"qos_class", word}});
  }
}

bool has_reason(const PodView& v, std::string_view reason) {
  if (v.pod.status_reason.view() == reason) return true;
  return std::any_of(v.pod.conditions.begin(), v.pod.conditions.end(),
                     [&](const auto& c) { return c.reason.view() == reason; });
}

void reason(const PodView& v, StateLines& out) {
  for (const std::string_view word :
       {"Evicted", "NodeAffinity", "NodeLost", "Shutdown", "UnexpectedAdmissionError"}) {
    out.add(has_reason(v, word) ? 1 : 0, {{"reason", word}});
  }
}

void unschedulable(const PodView& v, StateLines& out) {
  const auto* c = v.pod.condition(kPodScheduled);
  if (c && !c->status && !c->unknown) out.add(1);
}

void overhead(const PodView& v, Symbol resource, StateLines& out) {
  for (const auto& item : v.detail.made_from->overhead.items()) {
    if (item.name == resource) out.add(in_base_units(item));
  }
}

void tolerations(const PodView& v, StateLines& out) {
  for (const auto& t : v.detail.made_from->tolerations) {
    const auto seconds = t.seconds ? std::to_string(*t.seconds) : std::string();
    out.add(1, {{"key", t.key.view()},
                {"operator", t.op.view()},
                {"value", t.value.view()},
                {"effect", t.effect.view()},
                {"toleration_seconds", seconds}});
  }
}

void claim_info(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.claims) {
    out.add(1, {{"volume", c.volume}, {"persistentvolumeclaim", c.claim}});
  }
}

void claim_read_only(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.claims) {
    out.add(c.read_only ? 1 : 0, {{"volume", c.volume}, {"persistentvolumeclaim", c.claim}});
  }
}

constexpr StateFamily<PodView> kPodFamilies[] = {
    {"kube_pod_info", kGauge, "Where a pod runs and what made it.", info},
    {"kube_pod_ips", kGauge, "Addresses of a pod.", ips},
    {"kube_pod_created", kGauge, "When a pod was created, in seconds since 1970.",
     [](const PodView& v, StateLines& out) { out.add_time(v.detail.created); }},
    {"kube_pod_start_time", kGauge, "When the kubelet took up a pod, in seconds since 1970.",
     [](const PodView& v, StateLines& out) { out.add_time(v.detail.started); }},
    {"kube_pod_completion_time", kGauge,
     "When the last ended container of a pod ended, in seconds since 1970.", completion_time},
    {"kube_pod_deletion_timestamp", kGauge,
     "Until when a pod that is being deleted may go on, in seconds since 1970.",
     [](const PodView& v, StateLines& out) { out.add_time(v.pod.deleting); }},
    {"kube_pod_owner", kGauge, "Owners of a pod.",
     [](const PodView& v, StateLines& out) { add_owners(v.detail.owners, out); }},
    {"kube_pod_labels", kGauge, "Those labels of a pod that the configuration asks for.", labels},
    {"kube_pod_restart_policy", kGauge, "Restart policy of a pod.",
     [](const PodView& v, StateLines& out) {
       out.add(1, {{"type", v.detail.made_from->restart_policy.view()}});
     }},
    {"kube_pod_service_account", kGauge, "Service account of a pod.",
     [](const PodView& v, StateLines& out) {
       out.add(1, {{"service_account", v.detail.made_from->service_account.view()}});
     }},
    {"kube_pod_scheduler", kGauge, "Scheduler that a pod names.",
     [](const PodView& v, StateLines& out) {
       out.add(1, {{"name", v.pod.spec->scheduler.view()}});
     }},
    {"kube_pod_runtimeclass_name_info", kGauge, "Runtime class of a pod that names one.",
     [](const PodView& v, StateLines& out) {
       if (v.pod.spec->runtime_class.empty()) return;
       out.add(1, {{"runtimeclass_name", v.pod.spec->runtime_class.view()}});
     }},
    {"kube_pod_overhead_cpu_cores", kGauge, "CPUs that a pod takes beside its containers.",
     [](const PodView& v, StateLines& out) { overhead(v, model::names::kKubeCpu, out); }},
    {"kube_pod_overhead_memory_bytes", kGauge, "Memory that a pod takes beside its containers.",
     [](const PodView& v, StateLines& out) { overhead(v, model::names::kKubeMemory, out); }},
    {"kube_pod_tolerations", kGauge, "Taints that a pod tolerates.", tolerations},
    {"kube_pod_spec_volumes_persistentvolumeclaims_info", kGauge, "Claims that a pod mounts.",
     claim_info},
    {"kube_pod_spec_volumes_persistentvolumeclaims_readonly", kGauge,
     "1 for a claim that a pod mounts for reading alone.", claim_read_only},
    {"kube_pod_status_phase", kGauge, "1 for the phase that a pod is in.", phase},
    {"kube_pod_status_qos_class", kGauge, "1 for the quality of service of a pod.", qos_class},
    {"kube_pod_status_ready", kGauge, "1 for what a pod's condition Ready is.",
     [](const PodView& v, StateLines& out) { add_pod_condition(v, kReady, out); }},
    {"kube_pod_status_scheduled", kGauge, "1 for what a pod's condition PodScheduled is.",
     [](const PodView& v, StateLines& out) { add_pod_condition(v, kPodScheduled, out); }},
    {"kube_pod_status_unschedulable", kGauge, "1 for a pod for which no node was found.",
     unschedulable},
    {"kube_pod_status_reason", kGauge, "1 for the reason that a pod's status gives.", reason},
    {"kube_pod_status_ready_time", kGauge, "Since when a pod is ready, in seconds since 1970.",
     [](const PodView& v, StateLines& out) { add_moment_of(v, kReady, out); }},
    {"kube_pod_status_container_ready_time", kGauge,
     "Since when the containers of a pod are ready, in seconds since 1970.",
     [](const PodView& v, StateLines& out) { add_moment_of(v, kContainersReady, out); }},
    {"kube_pod_status_initialized_time", kGauge,
     "When the init containers of a pod were done, in seconds since 1970.",
     [](const PodView& v, StateLines& out) { add_moment_of(v, kInitialized, out); }},
    {"kube_pod_status_scheduled_time", kGauge, "When a pod got its node, in seconds since 1970.",
     [](const PodView& v, StateLines& out) { add_moment_of(v, kPodScheduled, out); }},
};

}  // namespace

void identify_pod(const PodView& v, StateLines& out) {
  out.object({{"namespace", v.pod.ns.view()}, {"pod", v.workload.name}, {"uid", v.pod.uid}});
}

StateTable<PodView> pod_families() {
  return {model::StateKind::kPods, identify_pod, kPodFamilies};
}

}  // namespace schedlens::metrics
