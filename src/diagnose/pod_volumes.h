// SPDX-License-Identifier: Apache-2.0
#pragma once
// The filters VolumeRestrictions, VolumeBinding and VolumeZone for a pod's claims.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "diagnose/pod_cluster.h"
#include "diagnose/pod_filter.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {

// Claims, volumes and classes by name, and which nodes each volume can be used on.
class VolumeIndex {
 public:
  explicit VolumeIndex(const PodCluster& cluster);

  const PodCluster& cluster() const { return cluster_; }
  const model::VolumeClaim* claim(Symbol ns, std::string_view name) const;
  const model::Volume* volume(const std::string& name) const;
  const model::StorageClass* storage_class(Symbol name) const;
  // An assigned pod that uses the claim.
  std::optional<model::WorkloadId> user_of(Symbol ns, std::string_view claim) const;
  // Ascending.
  const std::vector<model::NodeId>& nodes_of(const model::Volume& volume);

 private:
  const PodCluster& cluster_;
  std::unordered_map<std::string, const model::VolumeClaim*> claims_;
  std::unordered_map<std::string, const model::Volume*> volumes_;
  std::unordered_map<Symbol, const model::StorageClass*> classes_;
  std::unordered_map<std::string, model::WorkloadId> users_;
  std::unordered_map<const model::Volume*, std::vector<model::NodeId>> nodes_;
};

// Whether the claim could be bound to the volume, as far as that does not depend on a node.
bool suits(const model::Volume& volume, const model::VolumeClaim& claim);
// Somebody makes volumes of the class when they are asked for.
bool makes_volumes(const model::StorageClass& storage_class);

class PodVolumes {
 public:
  PodVolumes(VolumeIndex& index, const model::Pod& pod);

  // What stops the whole pod before any node is looked at; empty when nothing does.
  const std::string& whole_pod() const { return whole_pod_; }
  PodFilter whole_pod_by() const { return whole_pod_by_; }
  // Claims or what they need were not read: the answer for any node may be worse than it looks.
  bool unknown() const { return !unknown_.empty(); }
  const std::string& unknown_why() const { return unknown_; }
  // A claim that only one pod may use and another pod uses.
  std::optional<model::WorkloadId> exclusive_user() const { return exclusive_user_; }

  PodReasons failed(model::NodeId node) const { return failed_[node.index]; }

 private:
  void look_up(VolumeIndex& index, const model::Pod& pod);
  void read_claim(VolumeIndex& index, const model::Pod& pod, const model::PodVolume& asked);
  void stop(PodFilter by, std::string text);
  void bound(VolumeIndex& index, const std::string& volume);
  void zone(const PodCluster& cluster, const model::Volume& volume);
  void to_bind(VolumeIndex& index);
  bool can_make(const VolumeIndex& index, const model::VolumeClaim& claim,
                model::NodeId node) const;

  std::string whole_pod_;
  PodFilter whole_pod_by_ = PodFilter::kVolumeBinding;
  std::string unknown_;
  std::optional<model::WorkloadId> exclusive_user_;
  std::vector<const model::VolumeClaim*> waiting_;  // to be bound where the pod lands
  bool unbound_immediate_ = false;
  std::vector<PodReasons> failed_;
};

}  // namespace schedlens::diagnose
