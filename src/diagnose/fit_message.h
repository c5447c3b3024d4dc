// SPDX-License-Identifier: Apache-2.0
#pragma once
// What kube-scheduler writes when it finds no node for a pod (FitError), in the forms of 1.20 to
// 1.36, taken apart: a count of nodes for each reason, or one reason for the whole pod, and what
// preemption had to say.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/pod_filter.h"
#include "diagnose/scheduler_count.h"

namespace schedlens::diagnose {

struct FitMessage {
  enum class Form : std::uint8_t {
    kNoNodes,   // "no nodes available to schedule pods"
    kWholePod,  // one reason before any node was looked at
    kCounts
  } form = Form::kCounts;
  std::uint32_t nodes = 0;              // the N of 0/N
  std::string whole_pod;                // the one reason
  std::vector<SchedulerCount> reasons;  // as written; one node may be in several
  // What stands between the head and "preemption:": "no new claims to deallocate", "not found".
  std::string after_head;
  std::string preemption;  // "not eligible due to preemptionPolicy=Never", empty with counts
  std::optional<std::uint32_t> preemption_nodes;
  std::vector<SchedulerCount> preemption_reasons;
  // Preemption found a place: "found a potential placement for pod on node n, preempting 2
  // victims".
  struct Placement {
    std::string node;
    std::uint32_t victims = 0;
    friend bool operator==(const Placement&, const Placement&) = default;
  };
  std::optional<Placement> placement;
  bool cut = false;  // an event's note ends after 1024 bytes; a half reason is left out
};

// Nothing when the text is not of any of these forms (the text of an internal error, say).
std::optional<FitMessage> parse_fit_message(std::string_view text);

// The reason in the words of 1.36, so that versions compare: without taint keys, with the present
// texts for volumes and affinity. Empty for the general reason that 1.20 adds to a special one.
std::string canonical_reason(std::string_view reason);
// In canonical words, equal reasons added up, sorted as text.
std::vector<SchedulerCount> canonical(const std::vector<SchedulerCount>& reasons);

// The plugin that gives a (canonical) reason; nothing for a reason no in-tree plugin gives.
std::optional<PodFilter> filter_of_reason(std::string_view canonical_reason);

}  // namespace schedlens::diagnose
