// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a node's devices can satisfy all claims of a pod at once.
//
// The scheduler tries devices one by one and goes back where it comes to a dead end. Here the
// claims are first taken as a matching of wanted devices to devices, which is quick and settles all
// that have neither constraints nor shared counters; only the others are searched. What cannot be
// evaluated is tried both ways: a search that succeeds without it is a yes, one that fails even
// with it is a no, all else is not known.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/device_index.h"

namespace schedlens::diagnose {

enum class DeviceFit : std::uint8_t { kNo, kYes, kUnknown };

// What is taken as it is not.
struct DeviceWishes {
  bool all_free = false;
  bool no_taints = false;
};

// A request, or one of the alternatives of one, with the selectors of its class.
struct DeviceWant {
  const model::ResourceClaim* claim = nullptr;
  const model::DeviceRequest* request = nullptr;
  std::string name;    // "gpu"
  std::string within;  // of an alternative: the request that it belongs to
  std::vector<std::string> selectors;
};

class DeviceSearch {
 public:
  // The claims are those without an allocation, of which every class exists.
  DeviceSearch(DeviceIndex& index, const std::vector<const model::ResourceClaim*>& claims);

  DeviceFit fit(model::NodeId node, DeviceWishes wishes = {});

  // Each request by its alternatives, mostly one.
  const std::vector<std::vector<DeviceWant>>& requests() const { return requests_; }

  // Devices of a node for one want.
  struct Counts {
    std::uint32_t matching = 0;
    std::uint32_t free = 0;     // of these: not given to a claim, no taint in the way
    std::uint32_t tainted = 0;  // free but for a taint
    std::uint32_t unknown = 0;  // it is not known whether they match
  };
  Counts counts(model::NodeId node, const DeviceWant& want);

  // What was not evaluated and what fails, a phrase each.
  const std::vector<std::string>& not_evaluated() const { return not_evaluated_; }

 private:
  struct Slot {  // devices that one want needs, one of
    const DeviceWant* want;
    std::uint32_t count;
    std::vector<DeviceNumber> candidates;
  };
  struct Attempt;
  // Nothing where even all devices would not do.
  bool slot(model::NodeId node, const DeviceWant& want, DeviceWishes wishes, bool hopeful,
            std::vector<Slot>& slots);
  bool choose(model::NodeId node, std::size_t request, DeviceWishes wishes, bool hopeful,
              std::vector<Slot>& slots, std::uint32_t& attempts);
  bool satisfy(const std::vector<Slot>& slots, DeviceWishes wishes);
  void note(std::string text);

  DeviceIndex& index_;
  std::vector<std::vector<DeviceWant>> requests_;
  bool constrained_ = false;
  bool inexact_ = false;  // a constraint that is not modelled
  bool gave_up_ = false;  // in the search under way
  std::vector<std::string> not_evaluated_;
};

// No taint of the device keeps the request away.
bool tolerates_device(const model::DeviceRequest& request, const model::Device& device);

}  // namespace schedlens::diagnose
