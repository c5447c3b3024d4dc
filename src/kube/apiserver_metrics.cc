// SPDX-License-Identifier: Apache-2.0
#include "kube/apiserver_metrics.h"

#include <algorithm>
#include <array>
#include <string>

#include "kube/metric_names.h"

namespace schedlens::kube {
namespace {

using model::ApiServerVitals;

void take_request(ApiServerVitals& v, const Sample& s, Part) {
  const auto verb = label(s, "verb"), code = label(s, "code");
  item(v.requests, [&](const auto& r) { return r.verb == verb && r.code == code; }, {verb, code, 0})
      .count += s.value;
}

bool lasts_by_design(std::string_view verb) {
  return verb == "WATCH" || verb == "WATCHLIST" || verb == "CONNECT" || verb == "PROXY";
}

void take_latency(ApiServerVitals& v, const Sample& s, Part part) {
  if (lasts_by_design(s.label("verb"))) return;
  add(named(v.latencies, label(s, "verb")).histogram, s, part);
}

// "requestKind" up to 1.20.
void take_inflight(ApiServerVitals& v, const Sample& s, Part) {
  const auto kind =
      s.label("request_kind").empty() ? label(s, "requestKind") : label(s, "request_kind");
  named(v.inflight, kind).count += s.value;
}

void take_long_running(ApiServerVitals& v, const Sample& s, Part) {
  const auto verb = s.label("verb");
  if (verb == "WATCH" || verb == "WATCHLIST") v.watches = v.watches.value_or(0) + s.value;
}

void take_rejected(ApiServerVitals& v, const Sample& s, Part) {
  named(v.turned_away, label(s, "priority_level")).count += s.value;
}

void take_cut_off(ApiServerVitals& v, const Sample& s, Part) {
  v.cut_off = v.cut_off.value_or(0) + s.value;
}

void take_storage(ApiServerVitals& v, const Sample& s, Part part) {
  add(named(v.storage, label(s, "operation")).durations, s, part);
}

void take_storage_error(ApiServerVitals& v, const Sample& s, Part) {
  named(v.storage_errors, label(s, "operation")).count += s.value;
}

// One line for each etcd that is asked: members of one cluster hold the same.
void take_storage_bytes(ApiServerVitals& v, const Sample& s, Part) {
  v.storage_bytes = std::max(v.storage_bytes.value_or(0), s.value);
}

// Below zero: they could not be counted.
void take_objects(ApiServerVitals& v, const Sample& s, Part) {
  if (s.value < 0) return;
  auto name = std::string(s.label("resource"));
  if (!s.label("group").empty()) name.append(".").append(s.label("group"));
  named(v.objects, Symbol(name)).count += s.value;
}

void take_started(ApiServerVitals& v, const Sample& s, Part) {
  take_start(v, s);
}

void take_build(ApiServerVitals& v, const Sample& s, Part) {
  take_version(v, s);
}

constexpr auto kNames = std::to_array<MetricName<ApiServerVitals>>({
    {"apiserver_request_total", Shape::kNumber, take_request},
    {"apiserver_request_sli_duration_seconds", Shape::kHistogram, take_latency},
    {"apiserver_request_slo_duration_seconds",
     Shape::kHistogram,
     take_latency,
     {"apiserver_request_sli_duration_seconds"}},
    {"apiserver_request_duration_seconds",
     Shape::kHistogram,
     take_latency,
     {"apiserver_request_sli_duration_seconds", "apiserver_request_slo_duration_seconds"}},
    {"apiserver_current_inflight_requests", Shape::kNumber, take_inflight},
    {"apiserver_longrunning_requests", Shape::kNumber, take_long_running},
    {"apiserver_longrunning_gauge",
     Shape::kNumber,
     take_long_running,
     {"apiserver_longrunning_requests"}},
    {"apiserver_flowcontrol_rejected_requests_total", Shape::kNumber, take_rejected},
    {"apiserver_request_terminations_total", Shape::kNumber, take_cut_off},
    {"etcd_request_duration_seconds", Shape::kTotals, take_storage},
    {"etcd_request_errors_total", Shape::kNumber, take_storage_error},
    {"apiserver_storage_size_bytes", Shape::kNumber, take_storage_bytes},
    {"apiserver_storage_db_total_size_in_bytes",
     Shape::kNumber,
     take_storage_bytes,
     {"apiserver_storage_size_bytes"}},
    {"etcd_db_total_size_in_bytes",
     Shape::kNumber,
     take_storage_bytes,
     {"apiserver_storage_size_bytes", "apiserver_storage_db_total_size_in_bytes"}},
    {"apiserver_resource_objects", Shape::kNumber, take_objects},
    {"apiserver_storage_objects", Shape::kNumber, take_objects, {"apiserver_resource_objects"}},
    {"etcd_object_counts", Shape::kNumber, take_objects, {"apiserver_storage_objects"}},
    {"process_start_time_seconds", Shape::kNumber, take_started},
    {"kubernetes_build_info", Shape::kNumber, take_build},
});

}  // namespace

Result<model::ApiServerVitals> read_apiserver_metrics(std::string_view text) {
  ApiServerVitals vitals;
  const auto page = read_metrics<ApiServerVitals>(text, kNames, "apiserver_", vitals);
  if (page.own == 0) {
    return fail("no metric of a kube-apiserver on the page{}{}; is it another program's?",
                page.first_error.empty() ? "" : ": ", page.first_error);
  }
  return vitals;
}

}  // namespace schedlens::kube
