// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_volumes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::Volume;
using model::VolumeClaim;

namespace {

std::string full_name(Symbol ns, std::string_view name) {
  return fmt::format("{}/{}", ns.view(), name);
}

template <class List>
const auto& or_empty(const std::optional<List>& list) {
  static const List kNone;
  return list ? *list : kNone;
}

}  // namespace

VolumeIndex::VolumeIndex(const PodCluster& cluster) : cluster_(cluster) {
  const auto& k = cluster.kubernetes();
  for (const auto& c : or_empty(k.volume_claims)) claims_.emplace(full_name(c.ns, c.name), &c);
  for (const auto& v : or_empty(k.volumes)) volumes_.emplace(v.name, &v);
  for (const auto& c : or_empty(k.storage_classes)) classes_.emplace(c.name, &c);
  for (const auto& p : cluster.assigned()) {
    const auto& pod = cluster.pod(p);
    for (const auto& v : pod.volumes) users_.emplace(full_name(pod.ns, v.claim), p.id);
  }
}

const VolumeClaim* VolumeIndex::claim(Symbol ns, std::string_view name) const {
  auto it = claims_.find(full_name(ns, name));
  return it == claims_.end() ? nullptr : it->second;
}

const Volume* VolumeIndex::volume(const std::string& name) const {
  auto it = volumes_.find(name);
  return it == volumes_.end() ? nullptr : it->second;
}

const model::StorageClass* VolumeIndex::storage_class(Symbol name) const {
  auto it = classes_.find(name);
  return it == classes_.end() ? nullptr : it->second;
}

std::optional<model::WorkloadId> VolumeIndex::user_of(Symbol ns, std::string_view claim) const {
  auto it = users_.find(full_name(ns, claim));
  return it == users_.end() ? std::nullopt : std::optional(it->second);
}

const std::vector<NodeId>& VolumeIndex::nodes_of(const Volume& volume) {
  auto [at, is_new] = nodes_.try_emplace(&volume);
  if (!is_new) return at->second;
  for (std::uint32_t i = 0; i < cluster_.node_count(); ++i) {
    const auto& terms = volume.node_affinity;
    const bool here = !terms || std::any_of(terms->begin(), terms->end(), [&](const auto& term) {
      return term.selects(cluster_.object({i}).labels, cluster_.name({i}));
    });
    if (here) at->second.push_back({i});
  }
  return at->second;
}

PodVolumes::PodVolumes(VolumeIndex& index, const model::Pod& pod)
    : failed_(index.cluster().node_count()) {
  if (pod.volumes.empty()) return;
  if (!index.cluster().kubernetes().volume_claims) {
    unknown_ = "the cluster's PersistentVolumeClaims were not read";
    return;
  }
  look_up(index, pod);
  if (whole_pod_.empty() && unbound_immediate_) {
    stop(PodFilter::kVolumeBinding, "pod has unbound immediate PersistentVolumeClaims");
  }
  if (exclusive_user_) {
    for (auto& f : failed_) f |= PodReasons::of(PodReason::kReadWriteOncePod);
  }
  to_bind(index);
}

void PodVolumes::stop(PodFilter by, std::string text) {
  if (!whole_pod_.empty()) return;
  whole_pod_by_ = by;
  whole_pod_ = std::move(text);
}

// VolumeRestrictions asks before VolumeBinding, and only for claims named by the pod itself.
void PodVolumes::look_up(VolumeIndex& index, const model::Pod& pod) {
  for (const auto& asked : pod.volumes) {
    if (asked.ephemeral) continue;
    const auto* claim = index.claim(pod.ns, asked.claim);
    if (!claim) {
      stop(PodFilter::kVolumeRestrictions,
           fmt::format("persistentvolumeclaim \"{}\" not found", asked.claim));
    } else if (claim->read_write_once_pod) {
      if (auto user = index.user_of(pod.ns, asked.claim)) exclusive_user_ = user;
    }
  }
  for (const auto& asked : pod.volumes) read_claim(index, pod, asked);
}

void PodVolumes::read_claim(VolumeIndex& index, const model::Pod& pod,
                            const model::PodVolume& asked) {
  const auto by = PodFilter::kVolumeBinding;
  const auto* claim = index.claim(pod.ns, asked.claim);
  if (!claim) {
    stop(by, fmt::format("waiting for ephemeral volume controller to create the "
                         "persistentvolumeclaim \"{}\"",
                         asked.claim));
    return;
  }
  if (claim->phase == model::ClaimPhase::kLost) {
    stop(by, fmt::format("persistentvolumeclaim \"{}\" bound to non-existent persistentvolume "
                         "\"{}\"",
                         asked.claim, claim->volume));
  } else if (claim->deleting) {
    stop(by, fmt::format("persistentvolumeclaim \"{}\" is being deleted", asked.claim));
  } else if (claim->phase == model::ClaimPhase::kBound && !claim->volume.empty()) {
    bound(index, claim->volume);
  } else if (!claim->storage_class.empty() && !index.cluster().kubernetes().storage_classes) {
    unknown_ = "the cluster's StorageClasses were not read";
  } else {
    const auto* storage_class = index.storage_class(claim->storage_class);
    if (storage_class && storage_class->wait_for_first_consumer && claim->volume.empty()) {
      waiting_.push_back(claim);
    } else {
      unbound_immediate_ = true;
    }
  }
}

void PodVolumes::bound(VolumeIndex& index, const std::string& name) {
  if (!index.cluster().kubernetes().volumes) {
    unknown_ = "the cluster's PersistentVolumes were not read";
    return;
  }
  const auto* volume = index.volume(name);
  if (!volume) {
    for (auto& f : failed_) f |= PodReasons::of(PodReason::kVolumeMissing);
    return;
  }
  if (volume->node_affinity) {
    const auto& nodes = index.nodes_of(*volume);
    auto next = nodes.begin();
    for (std::uint32_t i = 0; i < failed_.size(); ++i) {
      if (next != nodes.end() && next->index == i) {
        ++next;
      } else {
        failed_[i] |= PodReasons::of(PodReason::kVolumeNodeAffinity);
      }
    }
  }
  zone(index.cluster(), *volume);
}

void PodVolumes::zone(const PodCluster& cluster, const Volume& volume) {
  struct Key {
    Symbol key, present;  // an old name and the present one
  };
  static const std::array<Key, 4> kKeys = {{
      {Symbol("topology.kubernetes.io/zone"), Symbol()},
      {Symbol("topology.kubernetes.io/region"), Symbol()},
      {Symbol("failure-domain.beta.kubernetes.io/zone"), Symbol("topology.kubernetes.io/zone")},
      {Symbol("failure-domain.beta.kubernetes.io/region"), Symbol("topology.kubernetes.io/region")},
  }};
  for (std::uint32_t i = 0; i < failed_.size(); ++i) {
    const auto& labels = cluster.object({i}).labels;
    const bool anywhere =
        std::none_of(kKeys.begin(), kKeys.end(), [&](const Key& k) { return labels.find(k.key); });
    if (anywhere) continue;
    for (const auto& k : kKeys) {
      const auto* wanted = volume.labels.find(k.key);
      if (!wanted) continue;
      const auto* have = labels.find(k.key);
      if (!have && !k.present.empty()) have = labels.find(k.present);
      bool among = false;
      for (std::string_view rest = *wanted; have && !among;) {
        const auto end = rest.find("__");
        among = rest.substr(0, end) == *have;
        if (end == std::string_view::npos) break;
        rest.remove_prefix(end + 2);
      }
      if (!among) failed_[i] |= PodReasons::of(PodReason::kVolumeZone);
    }
  }
}

bool suits(const Volume& v, const VolumeClaim& claim) {
  const bool ours = v.claim == full_name(claim.ns, claim.name);
  if (!v.claim.empty() && !ours) return false;
  if (v.capacity_bytes < claim.request_bytes) return false;
  auto mode = [](const std::string& m) { return m.empty() ? std::string("Filesystem") : m; };
  if (mode(v.volume_mode) != mode(claim.volume_mode)) return false;
  if (ours) return true;
  if (v.phase != "Available" || v.storage_class != claim.storage_class) return false;
  if (claim.selector && !claim.selector->selects(v.labels)) return false;
  return std::all_of(claim.access_modes.begin(), claim.access_modes.end(), [&](const auto& m) {
    return std::find(v.access_modes.begin(), v.access_modes.end(), m) != v.access_modes.end();
  });
}

bool makes_volumes(const model::StorageClass& c) {
  return !c.provisioner.empty() && c.provisioner != "kubernetes.io/no-provisioner";
}

bool PodVolumes::can_make(const VolumeIndex& index, const VolumeClaim& claim, NodeId node) const {
  const auto* c = index.storage_class(claim.storage_class);
  if (!c || !makes_volumes(*c)) return false;
  const auto& terms = c->allowed_topologies;
  return terms.empty() || std::any_of(terms.begin(), terms.end(), [&](const auto& term) {
           return term.selects(index.cluster().object(node).labels, index.cluster().name(node));
         });
}

// The smallest claim takes the smallest volume that suits it; each volume is taken once.
void PodVolumes::to_bind(VolumeIndex& index) {
  if (waiting_.empty()) return;
  const bool volumes_known = index.cluster().kubernetes().volumes.has_value();
  std::stable_sort(waiting_.begin(), waiting_.end(), [](const auto* a, const auto* b) {
    return a->request_bytes < b->request_bytes;
  });
  std::vector<std::vector<std::vector<const Volume*>>> offers(waiting_.size());
  for (std::size_t c = 0; c < waiting_.size(); ++c) {
    offers[c].resize(failed_.size());
    for (const auto& v : or_empty(index.cluster().kubernetes().volumes)) {
      if (!suits(v, *waiting_[c])) continue;
      for (auto node : index.nodes_of(v)) offers[c][node.index].push_back(&v);
    }
  }
  bool needed = false;
  for (std::uint32_t i = 0; i < failed_.size(); ++i) {
    std::unordered_set<const Volume*> taken;
    for (std::size_t c = 0; c < waiting_.size(); ++c) {
      const auto own = full_name(waiting_[c]->ns, waiting_[c]->name);
      const Volume* best = nullptr;
      for (const auto* v : offers[c][i]) {
        if (taken.contains(v)) continue;
        if (v->claim == own) {
          best = v;
          break;
        }
        if (!best || v->capacity_bytes < best->capacity_bytes) best = v;
      }
      if (best) {
        taken.insert(best);
      } else if (!can_make(index, *waiting_[c], {i})) {
        if (volumes_known) failed_[i] |= PodReasons::of(PodReason::kNoVolumeToBind);
        needed = true;
      }
    }
  }
  if (needed && !volumes_known) unknown_ = "the cluster's PersistentVolumes were not read";
}

}  // namespace schedlens::diagnose
