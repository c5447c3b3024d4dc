// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Filter plugins of kube-scheduler and the reasons they give, as sets of bits.

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace schedlens::diagnose {

// In the default order (pkg/scheduler/apis/config/v1/default_plugins.go).
enum class PodFilter : std::uint8_t {
  kNodeUnschedulable,
  kNodeName,
  kTaintToleration,
  kNodeAffinity,
  kNodePorts,
  kNodeResourcesFit,
  kVolumeRestrictions,
  kNodeVolumeLimits,
  kVolumeBinding,
  kVolumeZone,
  kPodTopologySpread,
  kInterPodAffinity,
  kDynamicResources,
  kCount
};
constexpr std::size_t kPodFilters = static_cast<std::size_t>(PodFilter::kCount);
std::string_view filter_name(PodFilter filter);  // "TaintToleration"

// The order in which the scheduler asks them unless it is configured otherwise; seen in 1.20 and in
// 1.36.
std::span<const PodFilter> default_filter_order();

// A reason of a filter other than a resource that is short.
enum class PodReason : std::uint8_t {
  kUnschedulable,
  kTaint,
  kOutsideSet,  // a PreFilter plugin has named the only nodes to look at
  kNodeAffinity,
  kPorts,
  kTooManyPods,
  kReadWriteOncePod,
  kVolumeNodeAffinity,
  kNoVolumeToBind,
  kVolumeMissing,
  kVolumeZone,
  kSpreadLabelMissing,
  kSpread,
  kPodAffinity,
  kPodAntiAffinity,
  kExistingAntiAffinity,
  kNoDevices,
  kDevicesElsewhere,
  kFirstResource  // and one more for each further resource that the pod asks for
};
constexpr std::size_t kMostPodResources = 64 - static_cast<std::size_t>(PodReason::kFirstResource);

PodFilter filter_of(PodReason reason);
std::string_view reason_text(PodReason reason);  // as 1.36 writes it; not of a resource
// Taking pods off the node would not help.
bool is_unresolvable(PodReason reason);

struct PodReasons {
  std::uint64_t bits = 0;

  static constexpr PodReasons of(PodReason r) {
    return {std::uint64_t{1} << static_cast<unsigned>(r)};
  }
  static constexpr PodReasons resource(std::size_t i) {
    return {std::uint64_t{1} << (static_cast<unsigned>(PodReason::kFirstResource) + i)};
  }
  bool has(PodReason r) const { return (bits & of(r).bits) != 0; }
  bool has_resource(std::size_t i) const { return (bits & resource(i).bits) != 0; }
  bool empty() const { return bits == 0; }
  PodReasons without(PodReasons other) const { return {bits & ~other.bits}; }
  PodReasons only(PodReasons other) const { return {bits & other.bits}; }
  PodReasons operator|(PodReasons other) const { return {bits | other.bits}; }
  PodReasons& operator|=(PodReasons other) {
    bits |= other.bits;
    return *this;
  }
  friend bool operator==(PodReasons, PodReasons) = default;
};

// All reasons that a filter can give.
PodReasons reasons_of(PodFilter filter);

// A set of filters.
struct PodFilterSet {
  std::uint32_t bits = 0;
  static constexpr PodFilterSet of(PodFilter f) {
    return {std::uint32_t{1} << static_cast<unsigned>(f)};
  }
  bool has(PodFilter f) const { return (bits & of(f).bits) != 0; }
  bool empty() const { return bits == 0; }
  int size() const { return std::popcount(bits); }
  void add(PodFilter f) { bits |= of(f).bits; }
  friend bool operator==(PodFilterSet, PodFilterSet) = default;
};
PodFilterSet filters_of(PodReasons reasons);

}  // namespace schedlens::diagnose
