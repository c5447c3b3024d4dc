// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small Kubernetes clusters with devices of dynamic resource allocation, and claims of them.

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/test_pods.h"

namespace schedlens::diagnose::testing {

inline const Symbol kDriver{"gpu.test"};

// A cluster whose nodes have devices of one driver, one pool each.
struct Devices : Pods {
  explicit Devices(int nodes = 4) : Pods(nodes) {
    k.device_classes->push_back({Symbol("gpu"), {R"(device.driver == "gpu.test")"}, {}});
  }
  model::ResourceSlice& pool(int node, int devices) {
    model::ResourceSlice slice;
    slice.driver = kDriver;
    slice.name = slice.pool = "gpu-" + std::to_string(node);
    slice.place.node = Symbol(slice.pool);
    slice.slices_in_pool = slice.generation = 1;
    for (int i = 0; i < devices; ++i) {
      model::Device d;
      d.name = "dev-" + std::to_string(i);
      d.attributes.push_back(
          {Symbol("gpu.test/index"), model::AttributeKind::kInteger, std::to_string(i)});
      slice.devices.push_back(d);
    }
    k.resource_slices->push_back(slice);
    return k.resource_slices->back();
  }
  model::ResourceClaim& claim(const std::string& name, std::int64_t count,
                              std::vector<std::string> selectors = {}) {
    model::ResourceClaim c;
    c.ns = Symbol("default");
    c.name = name;
    model::DeviceRequest r;
    r.name = "gpu";
    r.device_class = Symbol("gpu");
    r.count = count;
    r.selectors = std::move(selectors);
    c.requests.push_back(r);
    k.resource_claims->push_back(c);
    return k.resource_claims->back();
  }
  // Devices of the node, by number, that the claim has.
  void give(const std::string& name, int node, std::initializer_list<int> devices) {
    auto& c = claim(name, static_cast<std::int64_t>(devices.size()));
    c.allocation.emplace();
    for (int d : devices) {
      c.allocation->devices.push_back({"gpu", kDriver, "gpu-" + std::to_string(node),
                                       "dev-" + std::to_string(d), false, false});
    }
    model::NodeSelectorTerm term;
    term.fields.push_back(
        {Symbol("metadata.name"), model::LabelOperator::kIn, {"gpu-" + std::to_string(node)}});
    c.allocation->nodes = {term};
  }
  model::WorkloadId pod_with(std::initializer_list<const char*> claims) {
    auto d = draft();
    for (const char* name : claims) d.pod.resource_claims.push_back({name, name, ""});
    return wait(d);
  }
};

}  // namespace schedlens::diagnose::testing
