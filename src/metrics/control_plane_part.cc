// SPDX-License-Identifier: Apache-2.0
// What kube-scheduler depends on: the API server, etcd and the kubelets, by their own metrics.
#include "metrics/parts.h"
#include "model/control_plane.h"
#include "model/kubernetes.h"

namespace schedlens::metrics {
namespace {

using model::ApiServerVitals;
using model::EtcdVitals;
using model::KubeletVitals;

template <class... Labels>
void write(FamilyRef f, const model::DurationHistogram& h, Exposition& out,
           const Labels&... labels) {
  std::vector<double> bounds, cumulated;
  for (const auto& bucket : h.buckets) {
    bounds.push_back(bucket.bound);
    cumulated.push_back(bucket.count);
  }
  out.histogram(f, Histogram(bounds, cumulated, h.total.count, h.total.seconds), labels...);
}

// Each family whole before the next, as the format wants it.
template <class Vitals, class Write>
void each(const std::vector<Vitals>& all, const Write& write_one) {
  for (const auto& v : all) write_one(v);
}

template <class Vitals, class Value>
void numbers(FamilyRef f, const std::vector<Vitals>& all, Value Vitals::*field, Exposition& out) {
  for (const auto& v : all) out.sample(f, v.*field, v.address);
}

template <class Vitals>
void counts(FamilyRef f, const std::vector<Vitals>& all,
            std::vector<model::NamedCount> Vitals::*list, Exposition& out) {
  for (const auto& v : all) {
    for (const auto& item : v.*list) out.sample(f, item.count, v.address, item.name);
  }
}

void write_requests(const std::vector<ApiServerVitals>& servers, Exposition& out) {
  each(servers, [&](const auto& v) {
    for (const auto& r : v.requests) {
      out.sample(family("schedlens_apiserver_requests_total"), r.count, v.address, r.verb, r.code);
    }
  });
  each(servers, [&](const auto& v) {
    for (const auto& l : v.latencies) {
      write(family("schedlens_apiserver_request_duration_seconds"), l.histogram, out, v.address,
            l.name);
    }
  });
}

void write_storage(const std::vector<ApiServerVitals>& servers, Exposition& out) {
  const auto part = [&](FamilyRef f, double model::Durations::*field) {
    for (const auto& v : servers) {
      for (const auto& s : v.storage) out.sample(f, s.durations.*field, v.address, s.name);
    }
  };
  part(family("schedlens_apiserver_storage_requests_total"), &model::Durations::count);
  part(family("schedlens_apiserver_storage_seconds_total"), &model::Durations::seconds);
  counts(family("schedlens_apiserver_storage_errors_total"), servers,
         &ApiServerVitals::storage_errors, out);
  numbers(family("schedlens_apiserver_storage_bytes"), servers, &ApiServerVitals::storage_bytes,
          out);
  counts(family("schedlens_apiserver_objects"), servers, &ApiServerVitals::objects, out);
}

void write_etcd(const std::vector<EtcdVitals>& members, Exposition& out) {
  each(members, [&](const auto& v) {
    out.sample(family("schedlens_etcd_start_timestamp_seconds"), v.started, v.address);
  });
  numbers(family("schedlens_etcd_has_leader"), members, &EtcdVitals::has_leader, out);
  numbers(family("schedlens_etcd_leader"), members, &EtcdVitals::is_leader, out);
  numbers(family("schedlens_etcd_leader_changes_total"), members, &EtcdVitals::leader_changes, out);
  numbers(family("schedlens_etcd_proposals_failed_total"), members, &EtcdVitals::proposals_failed,
          out);
  numbers(family("schedlens_etcd_proposals_pending"), members, &EtcdVitals::proposals_pending, out);
  numbers(family("schedlens_etcd_slow_applies_total"), members, &EtcdVitals::slow_applies, out);
  each(members, [&](const auto& v) {
    if (v.fsync) write(family("schedlens_etcd_fsync_duration_seconds"), *v.fsync, out, v.address);
  });
  each(members, [&](const auto& v) {
    if (v.commit) {
      write(family("schedlens_etcd_commit_duration_seconds"), *v.commit, out, v.address);
    }
  });
  numbers(family("schedlens_etcd_database_bytes"), members, &EtcdVitals::database_bytes, out);
  numbers(family("schedlens_etcd_database_used_bytes"), members, &EtcdVitals::database_bytes_used,
          out);
  numbers(family("schedlens_etcd_quota_bytes"), members, &EtcdVitals::quota_bytes, out);
}

void totals(FamilyRef f, const std::vector<KubeletVitals>& kubelets,
            std::optional<model::DurationHistogram> KubeletVitals::*histogram,
            double model::Durations::*field, Exposition& out) {
  for (const auto& v : kubelets) {
    if (v.*histogram) out.sample(f, (v.*histogram)->total.*field, v.node);
  }
}

void kubelet_counts(FamilyRef f, const std::vector<KubeletVitals>& kubelets,
                    std::vector<model::NamedCount> KubeletVitals::*list, Exposition& out) {
  for (const auto& v : kubelets) {
    for (const auto& item : v.*list) out.sample(f, item.count, v.node, item.name);
  }
}

}  // namespace

void write_control_plane(const model::Kubernetes& kubernetes, Exposition& out) {
  const auto& servers = kubernetes.api_servers;
  each(servers, [&](const auto& v) {
    out.sample(family("schedlens_apiserver_start_timestamp_seconds"), v.started, v.address);
  });
  write_requests(servers, out);
  counts(family("schedlens_apiserver_inflight_requests"), servers, &ApiServerVitals::inflight, out);
  numbers(family("schedlens_apiserver_watches"), servers, &ApiServerVitals::watches, out);
  counts(family("schedlens_apiserver_rejected_requests_total"), servers,
         &ApiServerVitals::turned_away, out);
  numbers(family("schedlens_apiserver_terminated_requests_total"), servers,
          &ApiServerVitals::cut_off, out);
  write_storage(servers, out);
  write_etcd(kubernetes.etcd, out);
}

void write_kubelets(const model::Kubernetes& kubernetes, Exposition& out) {
  using model::Durations;
  const auto& all = kubernetes.kubelets;
  each(all, [&](const auto& v) {
    out.sample(family("schedlens_kubelet_running_pods"), v.running_pods, v.node);
  });
  each(all, [&](const auto& v) {
    out.sample(family("schedlens_kubelet_last_relist_timestamp_seconds"), v.last_relist, v.node);
  });
  totals(family("schedlens_kubelet_relists_total"), all, &KubeletVitals::relist, &Durations::count,
         out);
  totals(family("schedlens_kubelet_relist_seconds_total"), all, &KubeletVitals::relist,
         &Durations::seconds, out);
  totals(family("schedlens_kubelet_pod_starts_total"), all, &KubeletVitals::pod_start,
         &Durations::count, out);
  totals(family("schedlens_kubelet_pod_start_seconds_total"), all, &KubeletVitals::pod_start,
         &Durations::seconds, out);
  kubelet_counts(family("schedlens_kubelet_runtime_errors_total"), all,
                 &KubeletVitals::runtime_errors, out);
  kubelet_counts(family("schedlens_kubelet_evictions_total"), all, &KubeletVitals::evictions, out);
  kubelet_counts(family("schedlens_kubelet_device_plugin_registrations_total"), all,
                 &KubeletVitals::plugin_registrations, out);
  const auto allocations = [&](FamilyRef f, double Durations::*field) {
    for (const auto& v : all) {
      for (const auto& a : v.device_allocations) out.sample(f, a.durations.*field, v.node, a.name);
    }
  };
  allocations(family("schedlens_kubelet_device_allocations_total"), &Durations::count);
  allocations(family("schedlens_kubelet_device_allocation_seconds_total"), &Durations::seconds);
}

}  // namespace schedlens::metrics
