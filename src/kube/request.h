// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a pod asks for and what it counts for on its node, computed as kube-scheduler does
// (k8s.io/component-helpers/resource PodRequests and PodLimits).

#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "kube/quantity.h"
#include "model/quantities.h"
#include "model/request_term.h"

namespace schedlens::kube {

// Exact amounts by resource name, sorted by name, each once. Rounding comes after all sums.
class ResourceList {
 public:
  struct Item {
    Symbol name;
    Amount amount;
    friend bool operator==(const Item&, const Item&) = default;
  };

  Amount get(Symbol name) const;  // 0 where absent
  void set(Symbol name, Amount amount);
  void add(Symbol name, Amount amount);
  void add(const ResourceList& other);
  void raise(const ResourceList& other);  // the larger, name by name

  const std::vector<Item>& items() const { return items_; }
  bool empty() const { return items_.empty(); }
  friend bool operator==(const ResourceList&, const ResourceList&) = default;

 private:
  std::vector<Item>::iterator place(Symbol name);
  std::vector<Item> items_;
};

// cpu in thousandths, all else in whole units, both rounded up.
model::Quantities rounded(const ResourceList& list);

// What the kubelet says it has given: status.resources and status.allocatedResources.
struct ActualResources {
  ResourceList requests;
  ResourceList limits;
  ResourceList allocated;
};

struct ContainerResources {
  std::string name;
  bool restartable = false;  // an init container that is a sidecar: restartPolicy Always
  ResourceList requests;
  ResourceList limits;
  std::optional<ActualResources> actual;
};

struct PodResources {
  std::vector<ContainerResources> containers;
  std::vector<ContainerResources> init_containers;  // in the order they run
  // Pod-level values: they replace cpu, memory and huge pages, where given.
  ResourceList pod_requests;
  ResourceList pod_limits;
  std::optional<ActualResources> pod_actual;
  ResourceList overhead;
  // Of resource claims that count against the node's allocatable (status).
  ResourceList claimed;
  // A resize that the node refuses for good: what the spec now asks for is void.
  bool resize_infeasible = false;
};

enum class Basis {
  kSpec,    // what the pod asks for
  kStatus,  // what counts against the node: more than the spec while a resize is under way
};

ResourceList effective_request(const PodResources& pod, Basis basis);
ResourceList effective_limit(const PodResources& pod, Basis basis);

// What decides the request of the spec, as model::PodSpec keeps it.
std::vector<model::RequestTerm> request_terms(const PodResources& pod);

}  // namespace schedlens::kube
