// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_filter.h"

namespace schedlens::diagnose {
namespace {

struct ReasonRow {
  PodFilter filter;
  bool unresolvable;
  std::string_view text;
};

constexpr std::array<ReasonRow, static_cast<std::size_t>(PodReason::kFirstResource)> kReasons = {{
    {PodFilter::kNodeUnschedulable, true, "node(s) were unschedulable"},
    {PodFilter::kTaintToleration, true, "node(s) had untolerated taint(s)"},
    {PodFilter::kNodeAffinity, true, "node(s) didn't satisfy plugin(s) [NodeAffinity]"},
    {PodFilter::kNodeAffinity, true, "node(s) didn't match Pod's node affinity/selector"},
    {PodFilter::kNodePorts, false, "node(s) didn't have free ports for the requested pod ports"},
    {PodFilter::kNodeResourcesFit, false, "Too many pods"},
    {PodFilter::kVolumeRestrictions, false,
     "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
     "in-use by another pod"},
    {PodFilter::kVolumeBinding, true, "node(s) didn't match PersistentVolume's node affinity"},
    {PodFilter::kVolumeBinding, true, "node(s) didn't find available persistent volumes to bind"},
    {PodFilter::kVolumeBinding, true,
     "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"},
    {PodFilter::kVolumeZone, true, "node(s) had no available volume zone"},
    {PodFilter::kPodTopologySpread, true,
     "node(s) didn't match pod topology spread constraints (missing required label)"},
    {PodFilter::kPodTopologySpread, false, "node(s) didn't match pod topology spread constraints"},
    {PodFilter::kInterPodAffinity, true, "node(s) didn't match pod affinity rules"},
    {PodFilter::kInterPodAffinity, false, "node(s) didn't match pod anti-affinity rules"},
    {PodFilter::kInterPodAffinity, false,
     "node(s) didn't satisfy existing pods anti-affinity rules"},
    {PodFilter::kDynamicResources, true, "cannot allocate all claims"},
    {PodFilter::kDynamicResources, true, "resourceclaim not available on the node"},
}};

constexpr std::array<PodFilter, kPodFilters> kDefaultOrder = [] {
  std::array<PodFilter, kPodFilters> order{};
  for (std::size_t i = 0; i < kPodFilters; ++i) order[i] = static_cast<PodFilter>(i);
  return order;
}();

constexpr std::array<PodReasons, kPodFilters> kReasonsOf = [] {
  std::array<PodReasons, kPodFilters> sets{};
  for (std::size_t r = 0; r < kReasons.size(); ++r) {
    sets[static_cast<std::size_t>(kReasons[r].filter)].bits |= std::uint64_t{1} << r;
  }
  sets[static_cast<std::size_t>(PodFilter::kNodeResourcesFit)].bits |=
      ~(PodReasons::of(PodReason::kFirstResource).bits - 1);
  return sets;
}();

}  // namespace

std::string_view filter_name(PodFilter filter) {
  constexpr std::array<std::string_view, kPodFilters> kNames = {
      "NodeUnschedulable", "NodeName",           "TaintToleration",  "NodeAffinity",  "NodePorts",
      "NodeResourcesFit",  "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone",
      "PodTopologySpread", "InterPodAffinity",   "DynamicResources"};
  return kNames[static_cast<std::size_t>(filter)];
}

std::span<const PodFilter> default_filter_order() {
  return kDefaultOrder;
}

PodFilter filter_of(PodReason reason) {
  const auto i = static_cast<std::size_t>(reason);
  return i < kReasons.size() ? kReasons[i].filter : PodFilter::kNodeResourcesFit;
}

std::string_view reason_text(PodReason reason) {
  return kReasons[static_cast<std::size_t>(reason)].text;
}

bool is_unresolvable(PodReason reason) {
  const auto i = static_cast<std::size_t>(reason);
  return i < kReasons.size() && kReasons[i].unresolvable;
}

PodReasons reasons_of(PodFilter filter) {
  return kReasonsOf[static_cast<std::size_t>(filter)];
}

PodFilterSet filters_of(PodReasons reasons) {
  PodFilterSet set;
  for (std::size_t f = 0; f < kPodFilters; ++f) {
    if (!reasons.only(kReasonsOf[f]).empty()) set.add(static_cast<PodFilter>(f));
  }
  return set;
}

}  // namespace schedlens::diagnose
