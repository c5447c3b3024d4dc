// SPDX-License-Identifier: Apache-2.0
#pragma once
// The devices of a cluster as kube-scheduler's allocator sees them: which each node can use, which
// are given to a claim, and which of them a selector picks. A device counts once, however many pods
// share its claim.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnose/device_selector.h"
#include "diagnose/pod_cluster.h"

namespace schedlens::diagnose {

// A place in the index.
struct DeviceNumber {
  std::uint32_t index = 0;
  friend auto operator<=>(DeviceNumber, DeviceNumber) = default;
};

class DeviceIndex {
 public:
  // The cluster must outlive it.
  explicit DeviceIndex(const PodCluster& cluster);

  const PodCluster& cluster() const { return cluster_; }
  // Empty where claims, slices and classes were all read; otherwise which were not.
  const std::string& not_read() const { return not_read_; }

  const model::ResourceClaim* claim(Symbol ns, std::string_view name) const;
  const model::DeviceClass* device_class(Symbol name) const;
  // The class that stands for an extended resource, if any does.
  const model::DeviceClass* class_for(Symbol resource) const;

  struct Entry {
    const model::ResourceSlice* slice = nullptr;
    const model::Device* device = nullptr;
    const model::ResourceClaim* holder = nullptr;  // whoever it is given to alone
  };
  const Entry& entry(DeviceNumber d) const { return entries_[d.index]; }
  // What a node can use, in the order in which the scheduler tries. A pool of which slices are
  // missing gives no device.
  struct OnNode {
    std::vector<DeviceNumber> devices;
    std::string incomplete_pool;  // "driver/pool", of one where there are several
  };
  const OnNode& on(model::NodeId node);

  // Whether all selectors pick it. why becomes the reason of an error, or what is not evaluated.
  Selection selects(const std::vector<std::string>& selectors, DeviceNumber d,
                    std::string* why = nullptr);

  // What is left of the counters that devices of the pool share; the devices in use are ignored
  // where that is asked for.
  std::int64_t counter_left(const model::ResourceSlice& slice, const std::string& set, Symbol name,
                            bool ignore_use);

 private:
  struct Expression {
    std::optional<DeviceSelector> selector;
    std::string unsupported;
    std::vector<std::uint8_t> known;  // by device: 1 more than the Selection
  };
  struct Pool {
    std::vector<const model::ResourceSlice*> slices;  // of the newest generation
    std::int64_t generation = 0;
    bool counted = false;
    std::unordered_map<std::string, std::int64_t> total, left;  // counters, by "set/name"
  };
  void index_claims();
  void index_slices();
  bool usable(const model::DevicePlace& place, model::NodeId node) const;
  bool concerns(const model::ResourceSlice& slice, model::NodeId node) const;
  void fill(model::NodeId node, OnNode& result) const;
  static std::string pool_key(Symbol driver, std::string_view pool);
  static std::string device_key(Symbol driver, std::string_view pool, std::string_view device);
  void count(Pool& pool);

  const PodCluster& cluster_;
  std::string not_read_;
  std::unordered_map<std::string, const model::ResourceClaim*> claims_;
  std::unordered_map<Symbol, const model::DeviceClass*> classes_, extended_;
  std::vector<Entry> entries_;
  std::unordered_map<const model::ResourceSlice*, std::uint32_t> first_;  // its first device
  std::unordered_map<std::string, Pool> pools_;
  std::unordered_map<Symbol, std::vector<const model::ResourceSlice*>> by_node_;
  std::vector<const model::ResourceSlice*> shared_;  // not of one node
  std::unordered_map<std::uint32_t, OnNode> on_;
  std::unordered_map<std::string, Expression> expressions_;
};

}  // namespace schedlens::diagnose
