// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace schedlens::diagnose {
namespace {

PodReasons lowest(PodReasons reasons) {
  return {reasons.bits & (~reasons.bits + 1)};
}

// What the scheduler says of one node.
PodReasons first_reasons(PodReasons failed, std::span<const PodFilter> order) {
  // The node was left out before any filter ran on it.
  if (failed.has(PodReason::kOutsideSet)) return PodReasons::of(PodReason::kOutsideSet);
  for (auto filter : order) {
    const auto reasons = failed.only(reasons_of(filter));
    if (reasons.empty()) continue;
    // These return at the first of their tests that fails.
    const bool one =
        filter == PodFilter::kInterPodAffinity || filter == PodFilter::kDynamicResources;
    return one ? lowest(reasons) : reasons;
  }
  return {};
}

}  // namespace

std::vector<SchedulerCount> counts_as_scheduler(const PodAnswer& answer,
                                                std::span<const PodFilter> order) {
  std::vector<SchedulerCount> counts;
  if (!answer.whole_pod.empty()) return counts;
  std::map<std::uint64_t, std::uint32_t> nodes;  // by single reason
  for (auto failed : answer.failed) {
    for (auto bits = first_reasons(failed, order).bits; bits != 0; bits &= bits - 1) {
      ++nodes[bits & (~bits + 1)];
    }
  }
  for (const auto& [bit, count] : nodes) counts.push_back({answer.text({bit}), count});
  auto line = [](const SchedulerCount& c) { return fmt::format("{} {}", c.count, c.reason); };
  std::sort(counts.begin(), counts.end(),
            [&](const auto& a, const auto& b) { return line(a) < line(b); });
  return counts;
}

std::string message_head(const PodAnswer& answer, std::span<const SchedulerCount> counts) {
  if (answer.failed.empty()) return "no nodes available to schedule pods";
  auto text = fmt::format("0/{} nodes are available:", answer.failed.size());
  if (!answer.whole_pod.empty()) return fmt::format("{} {}.", text, answer.whole_pod);
  if (counts.empty()) return {};
  std::string_view comma;
  for (const auto& c : counts) {
    text += fmt::format("{} {} {}", comma, c.count, c.reason);
    comma = ",";
  }
  return text + ".";
}

}  // namespace schedlens::diagnose
