// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/pod_text.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::ResourceClaim;

namespace {

// How many pods may use a claim at once (resource.k8s.io: ResourceClaimReservedForMaxSize).
constexpr std::size_t kMostUsers = 256;

bool reserved_for(const ResourceClaim& claim, const model::Pod& pod) {
  return std::any_of(claim.reserved_for.begin(), claim.reserved_for.end(),
                     [&](const model::ClaimUser& u) { return u.uid == pod.uid; });
}

bool usable_on(const model::DeviceAllocation& allocation, const PodCluster& cluster, NodeId node) {
  if (!allocation.nodes) return true;
  return std::any_of(allocation.nodes->begin(), allocation.nodes->end(), [&](const auto& term) {
    return term.selects(cluster.object(node).labels, cluster.name(node));
  });
}

std::string request_name(const DeviceWant& want) {
  return want.within.empty() ? want.name : want.within + "/" + want.name;
}

std::string want_text(const DeviceWant& want) {
  const auto& r = *want.request;
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(0, r.count));
  auto text = r.all ? fmt::format("all devices of class {}", r.device_class.view())
                    : fmt::format("{} of class {}", plural(count, "device"), r.device_class.view());
  if (!r.selectors.empty()) text += fmt::format(" where {}", fmt::join(r.selectors, " and "));
  return text;
}

}  // namespace

PodDevices::PodDevices(DeviceIndex& index, const model::Pod& pod)
    : index_(index), failed_(index.cluster().node_count()), unknown_(index.cluster().node_count()) {
  if (!index.not_read().empty()) {
    unknown_.assign(unknown_.size(), true);
    unknown_why_.push_back(
        fmt::format("the cluster's {} were not read, so whether its devices are free is not known",
                    index.not_read()));
    return;
  }
  look_up(pod);
  if (whole_pod_.empty() && !to_allocate_.empty()) {
    search_ = std::make_unique<DeviceSearch>(index_, to_allocate_);
  }
  if (whole_pod_.empty()) test_nodes();
}

void PodDevices::look_up(const model::Pod& pod) {
  for (const auto& c : pod.resource_claims) {
    const auto* claim = index_.claim(pod.ns, c.claim);
    if (!claim) continue;  // the pod is not looked at then
    if (!claim->allocation) {
      to_allocate_.push_back(claim);
      if (whole_pod_.empty()) check_classes(*claim);
      continue;
    }
    allocated_.push_back(claim);
    if (claim->reserved_for.size() >= kMostUsers && !reserved_for(*claim, pod) &&
        whole_pod_.empty()) {
      whole_pod_ = "resourceclaim in use";
    }
  }
}

void PodDevices::check_classes(const ResourceClaim& claim) {
  auto check = [&](const model::DeviceRequest& request, const std::string& name) {
    if (!whole_pod_.empty() || index_.device_class(request.device_class)) return;
    whole_pod_ = fmt::format("request {}: device class {} does not exist", name,
                             request.device_class.view());
  };
  for (const auto& request : claim.requests) {
    if (request.first_available.empty()) check(request, request.name);
    for (const auto& sub : request.first_available) check(sub, request.name + "/" + sub.name);
  }
}

void PodDevices::test_nodes() {
  const auto& cluster = index_.cluster();
  for (std::uint32_t i = 0; i < failed_.size(); ++i) {
    for (const auto* claim : allocated_) {
      if (!usable_on(*claim->allocation, cluster, {i})) {
        failed_[i] |= PodReasons::of(PodReason::kDevicesElsewhere);
      }
    }
    if (!search_) continue;
    const auto fit = search_->fit({i});
    if (fit == DeviceFit::kNo) failed_[i] |= PodReasons::of(PodReason::kNoDevices);
    unknown_[i] = fit == DeviceFit::kUnknown;
  }
  if (!search_) return;
  for (const auto& what : search_->not_evaluated()) {
    unknown_why_.push_back(fmt::format("of its ResourceClaims is not evaluated: {}", what));
  }
}

bool PodDevices::could_ever(NodeId node) {
  return !search_ || search_->fit(node, {true, true}) != DeviceFit::kNo;
}

bool PodDevices::would_without_taints(NodeId node) {
  return search_ && search_->fit(node, {false, true}) == DeviceFit::kYes;
}

bool PodDevices::enough_on(NodeId node) {
  const auto& requests = search_->requests();
  return std::all_of(requests.begin(), requests.end(), [&](const auto& alternatives) {
    const auto& want = alternatives.front();
    return static_cast<std::int64_t>(search_->counts(node, want).free) >= want.request->count;
  });
}

bool PodDevices::enough_in_sum(const std::vector<NodeId>& nodes) {
  if (!search_) return true;
  // Where they are enough and do not do it is not their number that is short.
  const bool others = std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
    return failed(node).has(PodReason::kNoDevices) && enough_on(node);
  });
  if (others) return false;
  // Requests for devices of one kind would have to share what is free.
  std::set<std::vector<std::string>> kinds;
  for (const auto& alternatives : search_->requests()) {
    const auto& want = alternatives.front();
    if (alternatives.size() > 1 || want.request->all) return false;
    if (!kinds.insert(want.selectors).second) return false;
    std::int64_t free = 0;
    for (auto node : nodes) free += search_->counts(node, want).free;
    if (free < want.request->count) return false;
  }
  return true;
}

std::string PodDevices::asks_text() const {
  if (!search_) return {};
  std::vector<std::string> parts;
  for (const auto& alternatives : search_->requests()) {
    std::vector<std::string> choices;
    for (const auto& want : alternatives) choices.push_back(want_text(want));
    parts.push_back(
        fmt::format("{} (claim {})", fmt::join(choices, " or "), alternatives.front().claim->name));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string PodDevices::holders_text(const ResourceClaim& claim) const {
  if (claim.reserved_for.empty()) return "no pod uses it now";
  std::vector<std::string> names;
  for (const auto& u : claim.reserved_for) names.push_back(u.name);
  return "used by " + some_of(names);
}

std::string PodDevices::places_text() const {
  std::vector<std::string> parts;
  const auto& cluster = index_.cluster();
  for (const auto* claim : allocated_) {
    std::vector<NodeId> nodes;
    for (std::uint32_t i = 0; i < failed_.size(); ++i) {
      if (usable_on(*claim->allocation, cluster, {i})) nodes.push_back({i});
    }
    if (nodes.size() == failed_.size()) continue;
    parts.push_back(fmt::format("claim {} has its {} on {} ({})", claim->name,
                                plural(claim->allocation->devices.size(), "device"),
                                nodes.empty() ? "no node that exists" : some_nodes(cluster, nodes),
                                holders_text(*claim)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<DeviceRow> PodDevices::rows() {
  std::vector<DeviceRow> list;
  if (!search_) return list;
  for (const auto& alternatives : search_->requests()) {
    for (const auto& want : alternatives) {
      DeviceRow row;
      row.claim = want.claim->name;
      row.request = request_name(want);
      row.device_class = want.request->device_class;
      row.all = want.request->all;
      row.count = static_cast<std::uint32_t>(std::max<std::int64_t>(0, want.request->count));
      row.selectors = want.selectors;
      std::set<std::string> holders;
      for (std::uint32_t i = 0; i < failed_.size(); ++i) {
        const auto counts = search_->counts({i}, want);
        if (counts.matching == 0) continue;
        row.nodes.push_back({{i}, counts.matching, counts.free, counts.tainted});
        if (counts.matching == counts.free + counts.tainted) continue;
        for (auto d : index_.on({i}).devices) {
          const auto* holder = index_.entry(d).holder;
          if (holder && index_.selects(want.selectors, d) == Selection::kYes) {
            holders.insert(fmt::format("{}/{}", holder->ns.view(), holder->name));
          }
        }
      }
      row.held_by.assign(holders.begin(), holders.end());
      list.push_back(std::move(row));
    }
  }
  return list;
}

std::string PodDevices::room_text(const std::vector<NodeId>& nodes) {
  if (!search_) return {};
  const auto& cluster = index_.cluster();
  std::vector<std::string> parts;
  for (const auto& alternatives : search_->requests()) {
    for (const auto& want : alternatives) {
      std::uint64_t matching = 0, free = 0, most = 0, with = 0;
      NodeId best{};
      for (auto node : nodes) {
        const auto counts = search_->counts(node, want);
        matching += counts.matching;
        with += counts.matching > 0 ? 1 : 0;
        free += counts.free;
        if (counts.free <= most) continue;
        most = counts.free;
        best = node;
      }
      const bool few = want.request->all || most < static_cast<std::uint64_t>(want.request->count);
      if (!few && search_->requests().size() > 1) continue;
      if (matching == 0) {
        parts.push_back(fmt::format("no device for request {}", request_name(want)));
        continue;
      }
      parts.push_back(fmt::format(
          "{} of {} for request {} free on {}{}", free, plural(matching, "device"),
          request_name(want), plural(with, "node"),
          most > 0 ? fmt::format(", at most {} on one ({})", most, cluster.name(best)) : ""));
    }
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string PodDevices::taints_text() {
  std::vector<std::string> parts;
  if (!search_) return {};
  for (const auto& alternatives : search_->requests()) {
    for (const auto& want : alternatives) {
      for (std::uint32_t i = 0; i < failed_.size(); ++i) {
        for (auto d : index_.on({i}).devices) {
          const auto& e = index_.entry(d);
          if (e.holder || tolerates_device(*want.request, *e.device)) continue;
          if (index_.selects(want.selectors, d) != Selection::kYes) continue;
          for (const auto& t : e.device->taints) {
            parts.push_back(fmt::format("{} of {}: {}", e.device->name,
                                        index_.cluster().name(NodeId{i}), to_text(t)));
          }
        }
      }
    }
  }
  return some_of(parts);
}

std::string likeness(const DeviceIndex& index, const model::Pod& pod) {
  if (pod.resource_claims.empty()) return {};
  std::string key = "/d";
  auto part = [&](std::string_view text) { key += fmt::format("{}:{}", text.size(), text); };
  auto request = [&](auto&& self, const model::DeviceRequest& r) -> void {
    part(r.name);
    part(r.device_class.view());
    for (const auto& s : r.selectors) part(s);
    key += fmt::format("{}{}{}{}", r.all ? 'a' : 'n', r.count, r.admin ? 'A' : '-',
                       r.takes_capacity ? 'c' : '-');
    for (const auto& t : r.tolerations) {
      part(t.key.view());
      part(t.value);
      key += fmt::format("{},{}", static_cast<int>(t.op), static_cast<int>(t.effect));
    }
    for (const auto& sub : r.first_available) self(self, sub);
    key += ';';
  };
  for (const auto& c : pod.resource_claims) {
    const auto* claim = index.claim(pod.ns, c.claim);
    if (!claim || claim->allocation) {
      part(pod.ns.view());
      part(c.claim);
      continue;
    }
    for (const auto& r : claim->requests) request(request, r);
    for (const auto& k : claim->constraints) {
      for (const auto& r : k.requests) part(r);
      part(k.same.view());
      part(k.different.view());
    }
    key += '|';
  }
  return key;
}

}  // namespace schedlens::diagnose
