// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dynamic resource allocation (resource.k8s.io): the devices that drivers offer, what claims ask of
// them and what they were given. A device is given to a claim, not to a pod: pods that share a
// claim share its devices.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "model/labels.h"
#include "model/pod.h"
#include "model/quantities.h"

namespace schedlens::model {

enum class AttributeKind : std::uint8_t { kInteger, kBoolean, kText, kVersion, kList };

struct DeviceAttribute {
  Symbol name;  // "domain/id"; what a driver names without a domain has the driver's
  AttributeKind kind = AttributeKind::kText;
  std::string value;  // "8", "true"
};

// Which nodes can use a slice's devices, or one device.
struct DevicePlace {
  Symbol node;
  bool everywhere = false;
  std::optional<std::vector<NodeSelectorTerm>> nodes;
};

// What a device takes of counters that it shares with others, or what there is of them.
struct DeviceCounters {
  std::string set;
  Quantities counters;  // in thousandths
};

struct Device {
  std::string name;
  std::vector<DeviceAttribute> attributes;
  Quantities capacity;  // in thousandths, by "domain/id"
  std::vector<Taint> taints;
  std::vector<DeviceCounters> consumes;
  DevicePlace place;            // only where the slice leaves it to its devices
  bool several_claims = false;  // allowMultipleAllocations
  bool binding_conditions = false;
};

struct ResourceSlice {
  std::string name;
  Symbol driver;
  std::string pool;
  std::int64_t generation = 0;
  std::int64_t slices_in_pool = 0;  // of this generation
  DevicePlace place;
  bool place_by_device = false;
  std::vector<Device> devices;
  std::vector<DeviceCounters> counters;
};

struct DeviceClass {
  Symbol name;
  std::vector<std::string> selectors;  // CEL
  Symbol extended_resource;
};

struct DeviceRequest {
  std::string name;
  Symbol device_class;
  std::vector<std::string> selectors;  // CEL
  bool all = false;                    // every device that matches
  std::int64_t count = 1;
  bool admin = false;  // also devices that are in use, for monitoring
  bool takes_capacity = false;
  std::vector<Toleration> tolerations;
  std::vector<DeviceRequest> first_available;  // one of these instead, the first that can be had
};

// Over the devices of these requests (none named: of all), an attribute is the same or all differ.
struct DeviceConstraint {
  std::vector<std::string> requests;
  Symbol same;
  Symbol different;
};

struct AllocatedDevice {
  std::string request;  // "gpu", "gpu/large"
  Symbol driver;
  std::string pool;
  std::string device;
  bool admin = false;
  bool shared = false;  // a share of a device that several claims may have
};

struct DeviceAllocation {
  std::vector<AllocatedDevice> devices;
  std::optional<std::vector<NodeSelectorTerm>> nodes;  // absent: every node
};

struct ClaimUser {
  std::string resource;  // "pods"
  std::string name;
  std::string uid;
};

struct ResourceClaim {
  Symbol ns;
  std::string name;
  bool deleting = false;
  std::optional<OwnerReference> owner;  // the pod that a template's claim was made for
  std::vector<DeviceRequest> requests;
  std::vector<DeviceConstraint> constraints;
  std::optional<DeviceAllocation> allocation;
  std::vector<ClaimUser> reserved_for;
};

struct ResourceClaimTemplate {
  Symbol ns;
  std::string name;
};

}  // namespace schedlens::model
