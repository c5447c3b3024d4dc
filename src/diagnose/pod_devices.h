// SPDX-License-Identifier: Apache-2.0
#pragma once
// The filter DynamicResources for a pod's ResourceClaims: those that have their devices bind the
// pod to the nodes of these, the others must find theirs on the node.

#include <memory>
#include <string>
#include <vector>

#include "diagnose/device_row.h"
#include "diagnose/device_search.h"
#include "diagnose/pod_filter.h"

namespace schedlens::diagnose {

class PodDevices {
 public:
  // The pod and the index must outlive it.
  PodDevices(DeviceIndex& index, const model::Pod& pod);

  // What stops the whole pod before any node is looked at; empty when nothing does.
  const std::string& whole_pod() const { return whole_pod_; }
  PodReasons failed(model::NodeId node) const { return failed_[node.index]; }
  bool unknown(model::NodeId node) const { return unknown_[node.index]; }
  const std::vector<std::string>& unknown_why() const { return unknown_why_; }

  // Were all devices free and without taints, or without taints alone.
  bool could_ever(model::NodeId node);
  bool would_without_taints(model::NodeId node);
  // Enough free devices for every request over these nodes, if they were on one.
  bool enough_in_sum(const std::vector<model::NodeId>& nodes);

  // "2 devices of class gpu.example.com (claim train-gpus)"
  std::string asks_text() const;
  // Where the claims that have their devices can be used: "claim a: its devices are on gpu-003".
  std::string places_text() const;
  std::vector<DeviceRow> rows();
  // Of the nodes, for each request that is short somewhere.
  std::string room_text(const std::vector<model::NodeId>& nodes);
  // Taints of devices that would do otherwise: "fault=true:NoSchedule (gpu-003/dev-1)".
  std::string taints_text();

 private:
  void look_up(const model::Pod& pod);
  void check_classes(const model::ResourceClaim& claim);
  void test_nodes();
  bool enough_on(model::NodeId node);  // in number
  std::string holders_text(const model::ResourceClaim& claim) const;

  DeviceIndex& index_;
  std::string whole_pod_;
  std::vector<const model::ResourceClaim*> allocated_, to_allocate_;
  std::unique_ptr<DeviceSearch> search_;  // null where nothing is to be allocated
  std::vector<PodReasons> failed_;
  std::vector<bool> unknown_;
  std::vector<std::string> unknown_why_;
};

// Equal for claims that the filter treats alike.
std::string likeness(const DeviceIndex& index, const model::Pod& pod);

}  // namespace schedlens::diagnose
