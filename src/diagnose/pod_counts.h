// SPDX-License-Identifier: Apache-2.0
#pragma once
// The answer of all filters on all nodes, counted as the scheduler counts: a node stands under the
// first filter that it fails, with all reasons of that filter.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "diagnose/fit_message.h"
#include "diagnose/pod_evaluation.h"

namespace schedlens::diagnose {

// Most frequent last, as text sorts "10 x" before "2 y": the order of the message.
std::vector<SchedulerCount> counts_as_scheduler(const PodAnswer& answer,
                                                std::span<const PodFilter> order);
// "0/64 nodes are available: 4 node(s) had untolerated taint(s), 60 Insufficient cpu." as 1.36
// writes it, without what preemption says.
std::string message_head(const PodAnswer& answer, std::span<const SchedulerCount> counts);

}  // namespace schedlens::diagnose
