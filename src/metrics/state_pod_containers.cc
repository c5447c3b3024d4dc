// SPDX-License-Identifier: Apache-2.0
// Containers of pods: those that run the work, and those that run before it or beside it.
#include "metrics/state_families.h"

namespace schedlens::metrics {
namespace {

using enum Type;
using model::ContainerPhase;
using model::ContainerState;
using model::ContainerTemplate;
using States = std::vector<ContainerState> model::PodDetail::*;
using Templates = std::vector<ContainerTemplate> model::PodTemplate::*;

const ContainerTemplate* template_of(const std::vector<ContainerTemplate>& templates, Symbol name) {
  for (const auto& t : templates) {
    if (t.name == name) return &t;
  }
  return nullptr;
}

template <States states, Templates templates, bool init>
void info(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.*states) {
    const auto* made_from = template_of((*v.detail.made_from).*templates, c.name);
    const auto image = made_from ? made_from->image.view() : std::string_view();
    if constexpr (init) {
      out.add(1, {{"container", c.name.view()},
                  {"image_spec", image},
                  {"image", c.image.view()},
                  {"image_id", c.image_id.view()},
                  {"container_id", c.id},
                  {"restart_policy", made_from ? made_from->restart_policy.view() : ""}});
    } else {
      out.add(1, {{"container", c.name.view()},
                  {"image_spec", image},
                  {"image", c.image.view()},
                  {"image_id", c.image_id.view()},
                  {"container_id", c.id}});
    }
  }
}

template <States states, ContainerPhase phase>
void in_phase(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.*states) {
    out.add(c.phase == phase ? 1 : 0, {{"container", c.name.view()}});
  }
}

template <States states, ContainerPhase phase>
void reason(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.*states) {
    if (c.phase != phase) continue;
    out.add(1, {{"container", c.name.view()}, {"reason", c.now.reason.view()}});
  }
}

template <States states>
void last_reason(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.*states) {
    if (c.last) out.add(1, {{"container", c.name.view()}, {"reason", c.last->reason.view()}});
  }
}

template <States states>
void ready(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.*states) out.add(c.ready ? 1 : 0, {{"container", c.name.view()}});
}

template <States states>
void restarts(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.*states) out.add(c.restarts, {{"container", c.name.view()}});
}

void started(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.containers) {
    if (!c.now.started) continue;
    out.add(static_cast<double>(c.now.started->unix_seconds), {{"container", c.name.view()}});
  }
}

void last_exit_code(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.containers) {
    if (c.last) out.add(c.last->exit_code, {{"container", c.name.view()}});
  }
}

void last_finished(const PodView& v, StateLines& out) {
  for (const auto& c : v.detail.containers) {
    if (!c.last || !c.last->finished) continue;
    out.add(static_cast<double>(c.last->finished->unix_seconds), {{"container", c.name.view()}});
  }
}

template <Templates templates, model::Quantities ContainerTemplate::*amounts>
void resources(const PodView& v, StateLines& out) {
  for (const auto& c : (*v.detail.made_from).*templates) {
    for (const auto& item : (c.*amounts).items()) {
      const auto labels = resource_labels(item.name, false);
      if (!labels) continue;
      out.add(in_base_units(item), {{"container", c.name.view()},
                                    {"node", v.pod.node_name.view()},
                                    {"resource", labels->resource},
                                    {"unit", labels->unit}});
    }
  }
}

constexpr States kMain = &model::PodDetail::containers;
constexpr States kInit = &model::PodDetail::init_containers;
constexpr Templates kMainSpec = &model::PodTemplate::containers;
constexpr Templates kInitSpec = &model::PodTemplate::init_containers;

constexpr StateFamily<PodView> kContainerFamilies[] = {
    {"kube_pod_container_info", kGauge, "Image of a container, as asked for and as it runs.",
     info<kMain, kMainSpec, false>},
    {"kube_pod_container_resource_requests", kGauge, "What a container asks for.",
     resources<kMainSpec, &ContainerTemplate::requests>},
    {"kube_pod_container_resource_limits", kGauge, "What a container may use at most.",
     resources<kMainSpec, &ContainerTemplate::limits>},
    {"kube_pod_container_status_waiting", kGauge, "1 for a container that waits to run.",
     in_phase<kMain, ContainerPhase::kWaiting>},
    {"kube_pod_container_status_waiting_reason", kGauge, "Why a container waits.",
     reason<kMain, ContainerPhase::kWaiting>},
    {"kube_pod_container_status_running", kGauge, "1 for a container that runs.",
     in_phase<kMain, ContainerPhase::kRunning>},
    {"kube_pod_container_state_started", kGauge,
     "When the present run of a container began, in seconds since 1970.", started},
    {"kube_pod_container_status_terminated", kGauge, "1 for a container that has ended.",
     in_phase<kMain, ContainerPhase::kTerminated>},
    {"kube_pod_container_status_terminated_reason", kGauge, "Why a container has ended.",
     reason<kMain, ContainerPhase::kTerminated>},
    {"kube_pod_container_status_last_terminated_reason", kGauge,
     "Why the run before this one ended.", last_reason<kMain>},
    {"kube_pod_container_status_last_terminated_exitcode", kGauge,
     "Exit code of the run before this one.", last_exit_code},
    {"kube_pod_container_status_last_terminated_timestamp", kGauge,
     "When the run before this one ended, in seconds since 1970.", last_finished},
    {"kube_pod_container_status_ready", kGauge, "1 for a container that is ready.", ready<kMain>},
    {"kube_pod_container_status_restarts_total", kCounter, "How often a container was restarted.",
     restarts<kMain>},
    {"kube_pod_init_container_info", kGauge,
     "Image of an init container, as asked for and as it runs.", info<kInit, kInitSpec, true>},
    {"kube_pod_init_container_resource_requests", kGauge, "What an init container asks for.",
     resources<kInitSpec, &ContainerTemplate::requests>},
    {"kube_pod_init_container_resource_limits", kGauge, "What an init container may use at most.",
     resources<kInitSpec, &ContainerTemplate::limits>},
    {"kube_pod_init_container_status_waiting", kGauge, "1 for an init container that waits to run.",
     in_phase<kInit, ContainerPhase::kWaiting>},
    {"kube_pod_init_container_status_waiting_reason", kGauge, "Why an init container waits.",
     reason<kInit, ContainerPhase::kWaiting>},
    {"kube_pod_init_container_status_running", kGauge, "1 for an init container that runs.",
     in_phase<kInit, ContainerPhase::kRunning>},
    {"kube_pod_init_container_status_terminated", kGauge, "1 for an init container that has ended.",
     in_phase<kInit, ContainerPhase::kTerminated>},
    {"kube_pod_init_container_status_terminated_reason", kGauge, "Why an init container has ended.",
     reason<kInit, ContainerPhase::kTerminated>},
    {"kube_pod_init_container_status_last_terminated_reason", kGauge,
     "Why the run before this one of an init container ended.", last_reason<kInit>},
    {"kube_pod_init_container_status_ready", kGauge, "1 for an init container that is ready.",
     ready<kInit>},
    {"kube_pod_init_container_status_restarts_total", kCounter,
     "How often an init container was restarted.", restarts<kInit>},
};

}  // namespace

StateTable<PodView> pod_container_families() {
  return {model::StateKind::kPods, identify_pod, kContainerFamilies};
}

}  // namespace schedlens::metrics
