// SPDX-License-Identifier: Apache-2.0
// Claims and volumes.
#include "metrics/state_families.h"

namespace schedlens::metrics {
namespace {

using enum Type;
using model::ClaimFacts;
using model::VolumeFacts;

template <class Object>
void created(const Object& object, StateLines& out) {
  out.add_time(object.meta.created);
}
template <class Object>
void deleting(const Object& object, StateLines& out) {
  out.add_time(object.meta.deleting);
}
template <class Object>
void labels(const Object& object, StateLines& out) {
  out.add(1, prometheus_labels("label", object.meta.labels));
}

void phases(Symbol now, std::initializer_list<std::string_view> words, StateLines& out) {
  if (now.empty()) return;
  for (const auto word : words) out.add(now.view() == word ? 1 : 0, {{"phase", word}});
}

using C = ClaimFacts;
constexpr StateFamily<C> kClaims[] = {
    {"kube_persistentvolumeclaim_created", kGauge,
     "When a claim was created, in seconds since 1970.", created},
    {"kube_persistentvolumeclaim_deletion_timestamp", kGauge,
     "When the deletion of a claim was asked for, in seconds since 1970.", deleting},
    {"kube_persistentvolumeclaim_labels", kGauge,
     "Those labels of a claim that the configuration asks for.", labels},
    {"kube_persistentvolumeclaim_info", kGauge, "What a claim is for and what it got.",
     [](const C& c, StateLines& out) {
       out.add(1, {{"storageclass", c.storage_class.view()},
                   {"volumename", c.volume},
                   {"volumemode", c.volume_mode.view()}});
     }},
    {"kube_persistentvolumeclaim_access_mode", kGauge, "Access modes that a claim asks for.",
     [](const C& c, StateLines& out) {
       for (const auto mode : c.access_modes) out.add(1, {{"access_mode", mode.view()}});
     }},
    {"kube_persistentvolumeclaim_resource_requests_storage_bytes", kGauge,
     "Room that a claim asks for.",
     [](const C& c, StateLines& out) {
       if (c.requested_bytes) out.add(static_cast<double>(*c.requested_bytes));
     }},
    {"kube_persistentvolumeclaim_status_phase", kGauge, "1 for the phase that a claim is in.",
     [](const C& c, StateLines& out) {
       phases(c.phase, {"Pending", "Bound", "Lost"}, out);
     }},
    {"kube_persistentvolumeclaim_status_condition", kGauge, "1 for what a condition of a claim is.",
     [](const C& c, StateLines& out) {
       for (const auto& condition : c.conditions) {
         out.add_condition(condition.status.view(), "status",
                           {{"condition", condition.type.view()}});
       }
     }},
};

// In this order, each as an empty text where the volume comes from elsewhere.
constexpr std::string_view kSources[] = {"gce_persistent_disk_name",
                                         "ebs_volume_id",
                                         "azure_disk_name",
                                         "fc_wwids",
                                         "fc_lun",
                                         "fc_target_wwns",
                                         "iscsi_target_portal",
                                         "iscsi_iqn",
                                         "iscsi_lun",
                                         "iscsi_initiator_name",
                                         "nfs_server",
                                         "nfs_path",
                                         "csi_driver",
                                         "csi_volume_handle",
                                         "local_path",
                                         "local_fs",
                                         "host_path",
                                         "host_path_type"};

void volume_info(const VolumeFacts& v, StateLines& out) {
  std::vector<std::pair<std::string, std::string>> labels = {
      {"storageclass", v.storage_class.str()}};
  for (const auto name : kSources) {
    labels.emplace_back(name, "");
    for (const auto& [source, text] : v.source) {
      if (source.view() == name) labels.back().second = text;
    }
  }
  out.add(1, labels);
}

using V = VolumeFacts;
constexpr StateFamily<V> kVolumes[] = {
    {"kube_persistentvolume_created", kGauge, "When a volume was created, in seconds since 1970.",
     created},
    {"kube_persistentvolume_deletion_timestamp", kGauge,
     "When the deletion of a volume was asked for, in seconds since 1970.", deleting},
    {"kube_persistentvolume_labels", kGauge,
     "Those labels of a volume that the configuration asks for.", labels},
    {"kube_persistentvolume_info", kGauge, "Where a volume comes from.", volume_info},
    {"kube_persistentvolume_volume_mode", kGauge, "Whether a volume is a file system or a device.",
     [](const V& v, StateLines& out) {
       if (!v.volume_mode.empty()) out.add(1, {{"volumemode", v.volume_mode.view()}});
     }},
    {"kube_persistentvolume_capacity_bytes", kGauge, "Size of a volume.",
     [](const V& v, StateLines& out) {
       if (v.capacity_bytes) out.add(static_cast<double>(*v.capacity_bytes));
     }},
    {"kube_persistentvolume_claim_ref", kGauge, "The claim that a volume is for.",
     [](const V& v, StateLines& out) {
       if (v.claim) out.add(1, {{"name", v.claim->name}, {"claim_namespace", v.claim->ns}});
     }},
    {"kube_persistentvolume_status_phase", kGauge, "1 for the phase that a volume is in.",
     [](const V& v, StateLines& out) {
       phases(v.phase, {"Pending", "Available", "Bound", "Released", "Failed"}, out);
     }},
};

}  // namespace

StateTable<C> claim_families() {
  return {model::StateKind::kClaims,
          [](const C& c, StateLines& out) {
            out.object({{"namespace", c.meta.ns.view()}, {"persistentvolumeclaim", c.meta.name}});
          },
          kClaims};
}

StateTable<V> volume_families() {
  return {model::StateKind::kVolumes,
          [](const V& v, StateLines& out) {
            out.object({{"persistentvolume", v.meta.name}});
          },
          kVolumes};
}

}  // namespace schedlens::metrics
