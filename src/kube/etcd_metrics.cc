// SPDX-License-Identifier: Apache-2.0
#include "kube/etcd_metrics.h"

#include <array>

#include "kube/metric_names.h"

namespace schedlens::kube {
namespace {

using model::EtcdVitals;

template <auto field>
void take_number(EtcdVitals& v, const Sample& s, Part) {
  v.*field = s.value;
}
template <auto field>
void take_switch(EtcdVitals& v, const Sample& s, Part) {
  v.*field = s.value == 1;
}
template <auto field>
void take_durations(EtcdVitals& v, const Sample& s, Part part) {
  if (!(v.*field)) (v.*field).emplace();
  add(*(v.*field), s, part);
}

void take_started(EtcdVitals& v, const Sample& s, Part) {
  take_start(v, s);
}

void take_server_version(EtcdVitals& v, const Sample& s, Part) {
  v.version = s.label("server_version");
}

constexpr auto kNames = std::to_array<MetricName<EtcdVitals>>({
    {"etcd_server_has_leader", Shape::kNumber, take_switch<&EtcdVitals::has_leader>},
    {"etcd_server_is_leader", Shape::kNumber, take_switch<&EtcdVitals::is_leader>},
    {"etcd_server_leader_changes_seen_total", Shape::kNumber,
     take_number<&EtcdVitals::leader_changes>},
    {"etcd_server_proposals_failed_total", Shape::kNumber,
     take_number<&EtcdVitals::proposals_failed>},
    {"etcd_server_proposals_pending", Shape::kNumber, take_number<&EtcdVitals::proposals_pending>},
    {"etcd_server_slow_apply_total", Shape::kNumber, take_number<&EtcdVitals::slow_applies>},
    {"etcd_disk_wal_fsync_duration_seconds", Shape::kHistogram, take_durations<&EtcdVitals::fsync>},
    {"etcd_disk_backend_commit_duration_seconds", Shape::kHistogram,
     take_durations<&EtcdVitals::commit>},
    {"etcd_mvcc_db_total_size_in_bytes", Shape::kNumber, take_number<&EtcdVitals::database_bytes>},
    {"etcd_debugging_mvcc_db_total_size_in_bytes",
     Shape::kNumber,
     take_number<&EtcdVitals::database_bytes>,
     {"etcd_mvcc_db_total_size_in_bytes"}},
    {"etcd_mvcc_db_total_size_in_use_in_bytes", Shape::kNumber,
     take_number<&EtcdVitals::database_bytes_used>},
    {"etcd_server_quota_backend_bytes", Shape::kNumber, take_number<&EtcdVitals::quota_bytes>},
    {"etcd_server_version", Shape::kNumber, take_server_version},
    {"process_start_time_seconds", Shape::kNumber, take_started},
});

}  // namespace

Result<model::EtcdVitals> read_etcd_metrics(std::string_view text) {
  EtcdVitals vitals;
  const auto page = read_metrics<EtcdVitals>(text, kNames, "etcd_", vitals);
  if (page.own == 0) {
    return fail("no metric of etcd on the page{}{}; is it another program's?",
                page.first_error.empty() ? "" : ": ", page.first_error);
  }
  return vitals;
}

}  // namespace schedlens::kube
