// SPDX-License-Identifier: Apache-2.0
#include "kube/request.h"

#include <algorithm>

namespace schedlens::kube {
namespace {

bool counts_for_pod_level(Symbol name) {
  return name == model::names::kKubeCpu || name == model::names::kKubeMemory ||
         name.view().starts_with("hugepages-");
}

// A container's own share, by what its side of the computation is.
using ShareOf = ResourceList (*)(const ContainerResources&, Basis, bool infeasible);

ResourceList larger_request(const ResourceList& spec, const ActualResources& actual,
                            bool infeasible) {
  ResourceList most = actual.requests;
  most.raise(actual.allocated);
  if (!infeasible) most.raise(spec);
  return most;
}

ResourceList larger_limit(const ResourceList& spec, const ActualResources& actual,
                          bool infeasible) {
  ResourceList most = actual.limits;
  if (!infeasible) most.raise(spec);
  return most;
}

ResourceList request_of(const ContainerResources& c, Basis basis, bool infeasible) {
  if (basis == Basis::kSpec || !c.actual) return c.requests;
  return larger_request(c.requests, *c.actual, infeasible);
}

ResourceList limit_of(const ContainerResources& c, Basis basis, bool infeasible) {
  if (basis == Basis::kSpec || !c.actual) return c.limits;
  return larger_limit(c.limits, *c.actual, infeasible);
}

// Containers and sidecars run together; an ordinary init container runs alone, beside the sidecars
// that were started before it.
ResourceList of_containers(const PodResources& pod, Basis basis, ShareOf share) {
  ResourceList together;
  for (const auto& c : pod.containers) together.add(share(c, basis, pod.resize_infeasible));
  ResourceList sidecars;
  ResourceList starting;
  for (const auto& c : pod.init_containers) {
    // Only sidecars can be resized.
    const auto own = share(c, c.restartable ? basis : Basis::kSpec, pod.resize_infeasible);
    if (c.restartable) {
      together.add(own);
      sidecars.add(own);
      starting.raise(sidecars);
    } else {
      auto use = own;
      use.add(sidecars);
      starting.raise(use);
    }
  }
  together.raise(starting);
  return together;
}

bool has_pod_level(const ResourceList& list) {
  return std::any_of(list.items().begin(), list.items().end(),
                     [](const auto& item) { return counts_for_pod_level(item.name); });
}

void replace_pod_level(ResourceList& sum, const ResourceList& spec,
                       const std::optional<ResourceList>& effective) {
  for (const auto& item : spec.items()) {
    if (!counts_for_pod_level(item.name)) continue;
    sum.set(item.name, effective ? effective->get(item.name) : item.amount);
  }
}

}  // namespace

std::vector<ResourceList::Item>::iterator ResourceList::place(Symbol name) {
  return std::lower_bound(items_.begin(), items_.end(), name,
                          [](const Item& item, Symbol n) { return item.name < n; });
}

Amount ResourceList::get(Symbol name) const {
  for (const auto& item : items_) {
    if (item.name == name) return item.amount;
  }
  return {};
}

void ResourceList::set(Symbol name, Amount amount) {
  const auto at = place(name);
  if (at != items_.end() && at->name == name) {
    at->amount = amount;
  } else {
    items_.insert(at, {name, amount});
  }
}

void ResourceList::add(Symbol name, Amount amount) {
  const auto at = place(name);
  if (at != items_.end() && at->name == name) {
    at->amount += amount;
  } else {
    items_.insert(at, {name, amount});
  }
}

void ResourceList::add(const ResourceList& other) {
  if (items_.empty()) {
    items_ = other.items_;
    return;
  }
  for (const auto& item : other.items_) add(item.name, item.amount);
}

void ResourceList::raise(const ResourceList& other) {
  for (const auto& item : other.items_) {
    const auto at = place(item.name);
    if (at == items_.end() || at->name != item.name) {
      items_.insert(at, item);
    } else if (at->amount < item.amount) {
      at->amount = item.amount;
    }
  }
}

model::Quantities rounded(const ResourceList& list) {
  model::Quantities result;
  result.items().reserve(list.items().size());
  for (const auto& item : list.items()) {
    const bool cpu = item.name == model::names::kKubeCpu;
    result.items().push_back({item.name, cpu ? item.amount.milli_value() : item.amount.value()});
  }
  return result;
}

ResourceList effective_request(const PodResources& pod, Basis basis) {
  auto sum = of_containers(pod, basis, request_of);
  if (basis == Basis::kStatus) sum.add(pod.claimed);
  if (has_pod_level(pod.pod_requests)) {
    std::optional<ResourceList> effective;
    if (basis == Basis::kStatus && pod.pod_actual) {
      effective = larger_request(pod.pod_requests, *pod.pod_actual, pod.resize_infeasible);
    }
    replace_pod_level(sum, pod.pod_requests, effective);
  }
  sum.add(pod.overhead);
  return sum;
}

ResourceList effective_limit(const PodResources& pod, Basis basis) {
  auto sum = of_containers(pod, basis, limit_of);
  if (has_pod_level(pod.pod_limits)) {
    std::optional<ResourceList> effective;
    if (basis == Basis::kStatus && pod.pod_actual) {
      effective = larger_limit(pod.pod_limits, *pod.pod_actual, pod.resize_infeasible);
    }
    replace_pod_level(sum, pod.pod_limits, effective);
  }
  // No limit stays no limit.
  for (const auto& item : pod.overhead.items()) {
    if (!sum.get(item.name).is_zero()) sum.add(item.name, item.amount);
  }
  return sum;
}

namespace {

// One resource of the containers together, or of the init container that asks for more.
void decide(const PodResources& pod, model::RequestTerm& term) {
  Amount together, sidecars, most_starting;
  for (const auto& c : pod.containers) together += c.requests.get(term.resource);
  for (const auto& c : pod.init_containers) {
    if (c.restartable) together += c.requests.get(term.resource);
  }
  for (const auto& c : pod.init_containers) {
    auto use = c.requests.get(term.resource);
    if (c.restartable) {
      sidecars += use;
      continue;
    }
    use += sidecars;
    if (together < use && most_starting < use) {
      most_starting = use;
      term.part = model::RequestPart::kInitContainer;
      term.container = c.name;
    }
  }
}

std::uint32_t containers_asking(const PodResources& pod, Symbol resource) {
  std::uint32_t count = 0;
  for (const auto* list : {&pod.containers, &pod.init_containers}) {
    for (const auto& c : *list) count += !c.requests.get(resource).is_zero();
  }
  return count;
}

}  // namespace

std::vector<model::RequestTerm> request_terms(const PodResources& pod) {
  std::vector<model::RequestTerm> terms;
  const auto overhead = rounded(pod.overhead);
  const bool pod_level = has_pod_level(pod.pod_requests);
  const auto request = effective_request(pod, Basis::kSpec);
  for (const auto& item : request.items()) {
    model::RequestTerm term;
    term.resource = item.name;
    term.overhead = overhead.get(item.name);
    term.containers = containers_asking(pod, item.name);
    const auto& whole = pod.pod_requests.items();
    const bool said =
        pod_level && counts_for_pod_level(item.name) &&
        std::any_of(whole.begin(), whole.end(), [&](const auto& i) { return i.name == item.name; });
    if (said) {
      term.part = model::RequestPart::kPodLevel;
    } else {
      decide(pod, term);
    }
    const bool device = item.name.view().find('/') != std::string_view::npos;
    const bool plain = term.part == model::RequestPart::kContainers && term.overhead == 0 &&
                       (term.containers < 2 || !device);
    if (!plain) terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace schedlens::kube
