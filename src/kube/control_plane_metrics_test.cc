// SPDX-License-Identifier: Apache-2.0
// Pages of a real API server and a real etcd, and the names of other versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kube/apiserver_metrics.h"
#include "kube/etcd_metrics.h"
#include "kube/kubelet_metrics.h"
#include "kube/samples_test.h"

namespace schedlens::kube {
namespace {

using testing::HasSubstr;

template <class Item>
const Item& at(const std::vector<Item>& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const Item& i) { return i.name.view() == name; });
  EXPECT_NE(found, items.end()) << name;
  return *found;
}

double requests(const model::ApiServerVitals& v, std::string_view verb, std::string_view code) {
  double count = 0;
  for (const auto& r : v.requests) {
    if (r.verb.view() == verb && r.code.view() == code) count += r.count;
  }
  return count;
}

// The expected sums were made of the same page by awk.
TEST(ApiServerMetrics, RealPageOf136) {
  const auto v = read_apiserver_metrics(sample("metrics/apiserver-1.36.2.prom.gz"));
  ASSERT_TRUE(v) << v.error().message();
  EXPECT_EQ(v->version, "1.36.2");
  EXPECT_EQ(v->started, Timestamp{1796008786});
  EXPECT_EQ(requests(*v, "POST", "201"), 624);
  EXPECT_EQ(requests(*v, "POST", "409"), 67);
  EXPECT_EQ(requests(*v, "GET", "500"), 65);
  double all = 0, latencies = 0, storage = 0, objects = 0;
  for (const auto& r : v->requests) all += r.count;
  for (const auto& l : v->latencies) {
    latencies += l.histogram.total.count;
    EXPECT_NE(l.name.view(), "WATCH");
  }
  for (const auto& s : v->storage) storage += s.durations.count;
  for (const auto& o : v->objects) objects += o.count;
  EXPECT_EQ(all, 1901);
  EXPECT_EQ(latencies, 1900);
  EXPECT_EQ(storage, 2135);
  EXPECT_EQ(objects, 219);
  EXPECT_EQ(at(v->objects, "replicasets.apps").count, 0);
  EXPECT_EQ(v->watches, 59);
  EXPECT_EQ(v->storage_bytes, 1847296);
  EXPECT_EQ(at(v->inflight, "mutating").count, 0);

  const auto& post = at(v->latencies, "POST").histogram;
  ASSERT_GE(post.buckets.size(), 4u);
  EXPECT_EQ(post.buckets[0], (model::DurationBucket{0.05, 639}));
  EXPECT_EQ(post.buckets[3], (model::DurationBucket{0.4, 693}));
  EXPECT_EQ(model::bound_of_share(post, 0.9), 0.05);
  EXPECT_EQ(model::bound_of_share(post, 0.99), 0.4);
}

TEST(ApiServerMetrics, OlderNames) {
  const auto v = read_apiserver_metrics(R"(
apiserver_request_total{code="200",component="apiserver",resource="pods",verb="LIST"} 3
apiserver_request_total{code="200",component="apiserver",resource="nodes",verb="LIST"} 4
apiserver_request_duration_seconds_bucket{resource="pods",verb="LIST",le="0.1"} 2
apiserver_request_duration_seconds_bucket{resource="pods",verb="LIST",le="+Inf"} 3
apiserver_request_duration_seconds_sum{resource="pods",verb="LIST"} 1.5
apiserver_request_duration_seconds_count{resource="pods",verb="LIST"} 3
apiserver_request_duration_seconds_count{resource="pods",verb="WATCH"} 9
apiserver_current_inflight_requests{requestKind="readOnly"} 2
apiserver_longrunning_gauge{resource="pods",verb="WATCH"} 5
apiserver_flowcontrol_rejected_requests_total{priority_level="workload-low",reason="queue-full"} 6
apiserver_flowcontrol_rejected_requests_total{priority_level="workload-low",reason="time-out"} 1
apiserver_request_terminations_total{code="504",component="apiserver"} 2
etcd_db_total_size_in_bytes{endpoint="https://a:2379"} 1000
etcd_db_total_size_in_bytes{endpoint="https://b:2379"} 1200
etcd_object_counts{resource="pods"} 7
etcd_object_counts{resource="events"} -1
kubernetes_build_info{gitVersion="v1.20.2"} 1
)");
  ASSERT_TRUE(v) << v.error().message();
  EXPECT_EQ(v->version, "1.20.2");
  EXPECT_EQ(requests(*v, "LIST", "200"), 7);
  ASSERT_EQ(v->latencies.size(), 1u);
  EXPECT_EQ(v->latencies[0].histogram.total, (model::Durations{3, 1.5}));
  EXPECT_EQ(model::bound_of_share(v->latencies[0].histogram, 0.99), std::nullopt);
  EXPECT_EQ(at(v->inflight, "readOnly").count, 2);
  EXPECT_EQ(v->watches, 5);
  EXPECT_EQ(at(v->turned_away, "workload-low").count, 7);
  EXPECT_EQ(v->cut_off, 2);
  EXPECT_EQ(v->storage_bytes, 1200);
  ASSERT_EQ(v->objects.size(), 1u);  // what could not be counted is not zero
  EXPECT_EQ(at(v->objects, "pods").count, 7);
}

TEST(ApiServerMetrics, TheNewerNameOfOneThingCountsAlone) {
  const auto v = read_apiserver_metrics(R"(
apiserver_request_duration_seconds_count{verb="GET"} 100
apiserver_request_duration_seconds_sum{verb="GET"} 100
apiserver_request_slo_duration_seconds_count{verb="GET"} 90
apiserver_request_slo_duration_seconds_sum{verb="GET"} 9
apiserver_request_sli_duration_seconds_count{verb="GET"} 80
apiserver_request_sli_duration_seconds_sum{verb="GET"} 8
apiserver_storage_objects{resource="pods"} 5
apiserver_resource_objects{group="",resource="pods"} 5
apiserver_storage_db_total_size_in_bytes{endpoint="a"} 10
apiserver_storage_size_bytes{storage_cluster_id="a"} 11
)");
  ASSERT_TRUE(v);
  EXPECT_EQ(v->latencies.at(0).histogram.total, (model::Durations{80, 8}));
  EXPECT_EQ(at(v->objects, "pods").count, 5);
  EXPECT_EQ(v->storage_bytes, 11);
}

TEST(EtcdMetrics, RealPageOf35) {
  const auto v = read_etcd_metrics(sample("metrics/etcd-3.5.30.prom.gz"));
  ASSERT_TRUE(v) << v.error().message();
  EXPECT_EQ(v->version, "3.5.30");
  EXPECT_EQ(v->has_leader, true);
  EXPECT_EQ(v->is_leader, true);
  EXPECT_EQ(v->leader_changes, 1);
  EXPECT_EQ(v->proposals_failed, 0);
  EXPECT_EQ(v->slow_applies, 0);
  EXPECT_EQ(v->database_bytes, 1847296);
  EXPECT_EQ(v->database_bytes_used, 1835008);
  EXPECT_EQ(v->quota_bytes, 6e9);
  ASSERT_TRUE(v->fsync);
  EXPECT_EQ(v->fsync->total, (model::Durations{2, 0.008315391}));
  EXPECT_EQ(v->fsync->buckets.size(), 14u);
  EXPECT_EQ(model::bound_of_share(*v->fsync, 0.5), 0.001);
  EXPECT_EQ(model::bound_of_share(*v->fsync, 1), 0.008);
}

TEST(EtcdMetrics, WhatIsNotThereIsAbsent) {
  const auto v = read_etcd_metrics("etcd_debugging_mvcc_db_total_size_in_bytes 4096\n");
  ASSERT_TRUE(v);
  EXPECT_EQ(v->database_bytes, 4096);
  EXPECT_FALSE(v->has_leader);
  EXPECT_FALSE(v->fsync);
}

TEST(KubeletMetrics, NamesOfBothAges) {
  const auto v = read_kubelet_metrics(R"(
kubelet_node_name{node="gpu-1"} 1
kubelet_pleg_relist_duration_seconds_bucket{le="0.005"} 100
kubelet_pleg_relist_duration_seconds_bucket{le="10"} 118
kubelet_pleg_relist_duration_seconds_bucket{le="+Inf"} 120
kubelet_pleg_relist_duration_seconds_sum 42
kubelet_pleg_relist_duration_seconds_count 120
kubelet_pleg_last_seen_seconds 1.7960088e+09
kubelet_pod_start_duration_seconds_count 9
kubelet_pod_start_duration_seconds_sum 99
kubelet_pod_start_sli_duration_seconds_count 8
kubelet_pod_start_sli_duration_seconds_sum 16
kubelet_running_pods 7
kubelet_runtime_operations_errors_total{operation_type="run_podsandbox"} 3
kubelet_evictions{eviction_signal="memory.available"} 2
kubelet_device_plugin_registration_total{resource_name="nvidia.com/gpu"} 4
kubelet_device_plugin_alloc_duration_seconds_count{resource_name="nvidia.com/gpu"} 5
kubelet_device_plugin_alloc_duration_seconds_sum{resource_name="nvidia.com/gpu"} 0.5
)");
  ASSERT_TRUE(v) << v.error().message();
  EXPECT_EQ(v->node, Symbol("gpu-1"));
  EXPECT_EQ(v->relist->total, (model::Durations{120, 42}));
  EXPECT_EQ(model::bound_of_share(*v->relist, 0.99), std::nullopt);  // beyond every bound
  EXPECT_EQ(v->last_relist, Timestamp{1796008800});
  EXPECT_EQ(v->pod_start->total, (model::Durations{8, 16}));
  EXPECT_EQ(v->running_pods, 7);
  EXPECT_EQ(at(v->runtime_errors, "run_podsandbox").count, 3);
  EXPECT_EQ(at(v->evictions, "memory.available").count, 2);
  EXPECT_EQ(at(v->plugin_registrations, "nvidia.com/gpu").count, 4);
  EXPECT_EQ(at(v->device_allocations, "nvidia.com/gpu").durations, (model::Durations{5, 0.5}));

  const auto old = read_kubelet_metrics("kubelet_running_pod_count 3\n");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->running_pods, 3);
  EXPECT_FALSE(old->relist);
}

TEST(ControlPlaneMetrics, AnotherProgramsPageIsRefused) {
  constexpr auto kPage = "go_goroutines 5\nprocess_start_time_seconds 1.7e9\n";
  for (const auto& error : {read_apiserver_metrics(kPage).error(), read_etcd_metrics(kPage).error(),
                            read_kubelet_metrics(kPage).error()}) {
    EXPECT_THAT(error.message(), HasSubstr("is it another program's?"));
  }
}

}  // namespace
}  // namespace schedlens::kube
