// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of devices and their claims, in the manner of fields.h.

#include "model/devices.h"
#include "model/maybe.h"

namespace schedlens::model {

template <class A, Maybe<DeviceAttribute> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("kind", v.kind);
  a("value", v.value);
}

template <class A, Maybe<DevicePlace> T>
void describe(A& a, T& v) {
  a("node", v.node);
  a("everywhere", v.everywhere);
  a("nodes", v.nodes);
}

template <class A, Maybe<DeviceCounters> T>
void describe(A& a, T& v) {
  a("set", v.set);
  a("counters", v.counters);
}

template <class A, Maybe<Device> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("attributes", v.attributes);
  a("capacity", v.capacity);
  a("taints", v.taints);
  a("consumes", v.consumes);
  a("place", v.place);
  a("several_claims", v.several_claims);
  a("binding_conditions", v.binding_conditions);
}

template <class A, Maybe<ResourceSlice> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("driver", v.driver);
  a("pool", v.pool);
  a("generation", v.generation);
  a("slices_in_pool", v.slices_in_pool);
  a("place", v.place);
  a("place_by_device", v.place_by_device);
  a("devices", v.devices);
  a("counters", v.counters);
}

template <class A, Maybe<DeviceClass> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("selectors", v.selectors);
  a("extended_resource", v.extended_resource);
}

template <class A, Maybe<DeviceRequest> T>
void describe(A& a, T& v) {
  a("name", v.name);
  a("device_class", v.device_class);
  a("selectors", v.selectors);
  a("all", v.all);
  a("count", v.count);
  a("admin", v.admin);
  a("takes_capacity", v.takes_capacity);
  a("tolerations", v.tolerations);
  a("first_available", v.first_available);
}

template <class A, Maybe<DeviceConstraint> T>
void describe(A& a, T& v) {
  a("requests", v.requests);
  a("same", v.same);
  a("different", v.different);
}

template <class A, Maybe<AllocatedDevice> T>
void describe(A& a, T& v) {
  a("request", v.request);
  a("driver", v.driver);
  a("pool", v.pool);
  a("device", v.device);
  a("admin", v.admin);
  a("shared", v.shared);
}

template <class A, Maybe<DeviceAllocation> T>
void describe(A& a, T& v) {
  a("devices", v.devices);
  a("nodes", v.nodes);
}

template <class A, Maybe<ClaimUser> T>
void describe(A& a, T& v) {
  a("resource", v.resource);
  a("name", v.name);
  a("uid", v.uid);
}

template <class A, Maybe<ResourceClaim> T>
void describe(A& a, T& v) {
  a("namespace", v.ns);
  a("name", v.name);
  a("deleting", v.deleting);
  a("owner", v.owner);
  a("requests", v.requests);
  a("constraints", v.constraints);
  a("allocation", v.allocation);
  a("reserved_for", v.reserved_for);
}

template <class A, Maybe<ResourceClaimTemplate> T>
void describe(A& a, T& v) {
  a("namespace", v.ns);
  a("name", v.name);
}

}  // namespace schedlens::model
