// SPDX-License-Identifier: Apache-2.0
#include "kube/kubelet_metrics.h"

#include <array>

#include "kube/metric_names.h"

namespace schedlens::kube {
namespace {

using model::KubeletVitals;

template <auto field>
void take_durations(KubeletVitals& v, const Sample& s, Part part) {
  if (!(v.*field)) (v.*field).emplace();
  add(*(v.*field), s, part);
}

void take_last_relist(KubeletVitals& v, const Sample& s, Part) {
  if (s.value > 0 && s.value < 1e12) {
    v.last_relist = Timestamp{static_cast<std::int64_t>(s.value)};
  }
}

void take_running(KubeletVitals& v, const Sample& s, Part) {
  v.running_pods = s.value;
}

void take_runtime_error(KubeletVitals& v, const Sample& s, Part) {
  named(v.runtime_errors, label(s, "operation_type")).count += s.value;
}

void take_eviction(KubeletVitals& v, const Sample& s, Part) {
  named(v.evictions, label(s, "eviction_signal")).count += s.value;
}

void take_registration(KubeletVitals& v, const Sample& s, Part) {
  named(v.plugin_registrations, label(s, "resource_name")).count += s.value;
}

void take_allocation(KubeletVitals& v, const Sample& s, Part part) {
  add(named(v.device_allocations, label(s, "resource_name")).durations, s, part);
}

void take_started(KubeletVitals& v, const Sample& s, Part) {
  take_start(v, s);
}

void take_build(KubeletVitals& v, const Sample& s, Part) {
  take_version(v, s);
}

void take_node(KubeletVitals& v, const Sample& s, Part) {
  v.node = label(s, "node");
}

constexpr auto kNames = std::to_array<MetricName<KubeletVitals>>({
    {"kubelet_pleg_relist_duration_seconds", Shape::kHistogram,
     take_durations<&KubeletVitals::relist>},
    {"kubelet_pleg_last_seen_seconds", Shape::kNumber, take_last_relist},
    {"kubelet_pod_start_sli_duration_seconds", Shape::kHistogram,
     take_durations<&KubeletVitals::pod_start>},
    {"kubelet_pod_start_duration_seconds",
     Shape::kHistogram,
     take_durations<&KubeletVitals::pod_start>,
     {"kubelet_pod_start_sli_duration_seconds"}},
    {"kubelet_running_pods", Shape::kNumber, take_running},
    {"kubelet_running_pod_count", Shape::kNumber, take_running, {"kubelet_running_pods"}},
    {"kubelet_runtime_operations_errors_total", Shape::kNumber, take_runtime_error},
    {"kubelet_evictions", Shape::kNumber, take_eviction},
    {"kubelet_device_plugin_registration_total", Shape::kNumber, take_registration},
    {"kubelet_device_plugin_alloc_duration_seconds", Shape::kTotals, take_allocation},
    {"kubelet_node_name", Shape::kNumber, take_node},
    {"process_start_time_seconds", Shape::kNumber, take_started},
    {"kubernetes_build_info", Shape::kNumber, take_build},
});

}  // namespace

Result<model::KubeletVitals> read_kubelet_metrics(std::string_view text) {
  KubeletVitals vitals;
  const auto page = read_metrics<KubeletVitals>(text, kNames, "kubelet_", vitals);
  if (page.own == 0) {
    return fail("no metric of a kubelet on the page{}{}; is it another program's?",
                page.first_error.empty() ? "" : ": ", page.first_error);
  }
  return vitals;
}

}  // namespace schedlens::kube
