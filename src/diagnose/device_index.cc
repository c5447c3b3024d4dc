// SPDX-License-Identifier: Apache-2.0
#include "diagnose/device_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace schedlens::diagnose {

using model::NodeId;
using model::ResourceSlice;

namespace {

std::string full_name(Symbol ns, std::string_view name) {
  return fmt::format("{}/{}", ns.view(), name);
}

}  // namespace

std::string DeviceIndex::pool_key(Symbol driver, std::string_view pool) {
  return fmt::format("{}/{}", driver.view(), pool);
}

std::string DeviceIndex::device_key(Symbol driver, std::string_view pool, std::string_view device) {
  return fmt::format("{}/{}/{}", driver.view(), pool, device);
}

DeviceIndex::DeviceIndex(const PodCluster& cluster) : cluster_(cluster) {
  const auto& k = cluster.kubernetes();
  if (!k.resource_claims) {
    not_read_ = "ResourceClaims";
  } else if (!k.resource_slices) {
    not_read_ = "ResourceSlices";
  } else if (!k.device_classes) {
    not_read_ = "DeviceClasses";
  }
  if (k.device_classes) {
    for (const auto& c : *k.device_classes) {
      classes_.emplace(c.name, &c);
      if (!c.extended_resource.empty()) extended_.emplace(c.extended_resource, &c);
      extended_.emplace(Symbol("deviceclass.resource.kubernetes.io/" + c.name.str()), &c);
    }
  }
  if (k.resource_slices) index_slices();
  if (k.resource_claims) index_claims();
}

void DeviceIndex::index_slices() {
  for (const auto& slice : *cluster_.kubernetes().resource_slices) {
    first_.emplace(&slice, static_cast<std::uint32_t>(entries_.size()));
    for (const auto& device : slice.devices) entries_.push_back({&slice, &device, nullptr});
    auto& pool = pools_[pool_key(slice.driver, slice.pool)];
    if (slice.generation > pool.generation) pool.slices.clear();
    if (slice.generation >= pool.generation) {
      pool.generation = slice.generation;
      pool.slices.push_back(&slice);
    }
    if (slice.place.node.empty()) {
      shared_.push_back(&slice);
    } else {
      by_node_[slice.place.node].push_back(&slice);
    }
  }
}

void DeviceIndex::index_claims() {
  std::unordered_map<std::string, const model::ResourceClaim*> holders;
  for (const auto& claim : *cluster_.kubernetes().resource_claims) {
    claims_.emplace(full_name(claim.ns, claim.name), &claim);
    if (!claim.allocation) continue;
    for (const auto& d : claim.allocation->devices) {
      if (d.admin || d.shared) continue;
      holders.emplace(device_key(d.driver, d.pool, d.device), &claim);
    }
  }
  if (holders.empty()) return;
  for (auto& e : entries_) {
    const auto at = holders.find(device_key(e.slice->driver, e.slice->pool, e.device->name));
    if (at != holders.end()) e.holder = at->second;
  }
}

const model::ResourceClaim* DeviceIndex::claim(Symbol ns, std::string_view name) const {
  const auto at = claims_.find(full_name(ns, name));
  return at == claims_.end() ? nullptr : at->second;
}

const model::DeviceClass* DeviceIndex::device_class(Symbol name) const {
  const auto at = classes_.find(name);
  return at == classes_.end() ? nullptr : at->second;
}

const model::DeviceClass* DeviceIndex::class_for(Symbol resource) const {
  const auto at = extended_.find(resource);
  return at == extended_.end() ? nullptr : at->second;
}

bool DeviceIndex::usable(const model::DevicePlace& place, NodeId node) const {
  if (!place.node.empty()) return place.node.view() == cluster_.name(node);
  if (place.everywhere) return true;
  if (!place.nodes) return false;
  return std::any_of(place.nodes->begin(), place.nodes->end(), [&](const auto& term) {
    return term.selects(cluster_.object(node).labels, cluster_.name(node));
  });
}

bool DeviceIndex::concerns(const ResourceSlice& slice, NodeId node) const {
  // Counters are needed wherever the pool is used.
  if (!slice.counters.empty()) return true;
  if (!slice.place_by_device) return usable(slice.place, node);
  return std::any_of(slice.devices.begin(), slice.devices.end(),
                     [&](const model::Device& d) { return usable(d.place, node); });
}

// Of each pool the newest slices that concern the node, unless a newer generation is being written
// elsewhere or slices of this one are missing.
void DeviceIndex::fill(NodeId node, OnNode& result) const {
  std::map<std::string, std::vector<const ResourceSlice*>> by_pool;
  auto take = [&](const ResourceSlice* slice) {
    if (!concerns(*slice, node)) return;
    auto& slices = by_pool[pool_key(slice->driver, slice->pool)];
    if (!slices.empty() && slice->generation < slices.front()->generation) return;
    if (!slices.empty() && slice->generation > slices.front()->generation) slices.clear();
    slices.push_back(slice);
  };
  const auto own = by_node_.find(Symbol(cluster_.name(node)));
  if (own != by_node_.end()) std::for_each(own->second.begin(), own->second.end(), take);
  std::for_each(shared_.begin(), shared_.end(), take);
  for (auto& [key, slices] : by_pool) {
    const auto whole = slices.front()->slices_in_pool;
    if (static_cast<std::int64_t>(slices.size()) != whole) {
      const auto& pool = pools_.at(key);
      if (pool.generation > slices.front()->generation) continue;
      if (static_cast<std::int64_t>(pool.slices.size()) != whole) {
        result.incomplete_pool = key;
        continue;
      }
    }
    std::sort(slices.begin(), slices.end(),
              [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const auto* slice : slices) {
      for (std::uint32_t i = 0; i < slice->devices.size(); ++i) {
        if (slice->place_by_device && !usable(slice->devices[i].place, node)) continue;
        result.devices.push_back({first_.at(slice) + i});
      }
    }
  }
}

const DeviceIndex::OnNode& DeviceIndex::on(NodeId node) {
  auto [at, is_new] = on_.try_emplace(node.index);
  if (is_new) fill(node, at->second);
  return at->second;
}

Selection DeviceIndex::selects(const std::vector<std::string>& selectors, DeviceNumber d,
                               std::string* why) {
  for (const auto& text : selectors) {
    auto [at, is_new] = expressions_.try_emplace(text);
    auto& e = at->second;
    if (is_new) {
      auto parsed = DeviceSelector::parse(text);
      if (parsed) {
        e.selector = std::move(*parsed);
        e.known.resize(entries_.size());
      } else {
        e.unsupported = parsed.error().message();
      }
    }
    if (!e.selector) {
      if (why) *why = e.unsupported;
      return Selection::kUnknown;
    }
    auto& known = e.known[d.index];
    const auto& entry = entries_[d.index];
    if (known == 0 || (why && known == 1 + static_cast<int>(Selection::kError))) {
      const auto selection = e.selector->test(entry.slice->driver, *entry.device, why);
      known = static_cast<std::uint8_t>(1 + static_cast<int>(selection));
    }
    const auto selection = static_cast<Selection>(known - 1);
    if (selection != Selection::kYes) {
      if (why && selection == Selection::kUnknown) *why = "an attribute of a kind not evaluated";
      return selection;
    }
  }
  return Selection::kYes;
}

void DeviceIndex::count(Pool& pool) {
  if (std::exchange(pool.counted, true)) return;
  for (const auto* slice : pool.slices) {
    for (const auto& set : slice->counters) {
      for (const auto& item : set.counters.items()) {
        pool.total[set.set + "/" + item.name.str()] = item.amount;
      }
    }
  }
  pool.left = pool.total;
  for (const auto* slice : pool.slices) {
    for (std::uint32_t i = 0; i < slice->devices.size(); ++i) {
      if (!entries_[first_.at(slice) + i].holder) continue;
      for (const auto& set : slice->devices[i].consumes) {
        for (const auto& item : set.counters.items()) {
          pool.left[set.set + "/" + item.name.str()] -= item.amount;
        }
      }
    }
  }
}

std::int64_t DeviceIndex::counter_left(const ResourceSlice& slice, const std::string& set,
                                       Symbol name, bool ignore_use) {
  auto& pool = pools_.at(pool_key(slice.driver, slice.pool));
  count(pool);
  const auto& counters = ignore_use ? pool.total : pool.left;
  const auto at = counters.find(set + "/" + name.str());
  return at == counters.end() ? 0 : at->second;
}

}  // namespace schedlens::diagnose
