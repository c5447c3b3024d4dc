// SPDX-License-Identifier: Apache-2.0
#include "model/workload.h"
#include "model/pod.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace schedlens::model {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(WorkloadFlag::kCount)> kFlagNames =
    {"COMPLETING", "CONFIGURING", "REQUEUED",      "REQUEUE_HOLD",  "SPECIAL_EXIT",
     "RESIZING",   "STOPPED",     "REVOKED",       "REQUEUE_FED",   "RESV_DEL_HOLD",
     "SIGNALING",  "STAGE_OUT",   "LAUNCH_FAILED", "RECONFIG_FAIL", "POWER_UP_NODE",
     "UPDATE_DB",  "EXPEDITING"};

}  // namespace

std::string display_id(const Workload& w) {
  if (w.pod) return fmt::format("{}/{}", w.pod->ns.view(), w.name);
  if (w.het) return fmt::format("{}+{}", w.het->job_id, w.het->offset);
  if (w.array) {
    if (w.array->task_id) return fmt::format("{}_{}", w.array->job_id, *w.array->task_id);
    return fmt::format("{}_[{}]", w.array->job_id, w.array->waiting_tasks);
  }
  return std::to_string(w.job_id);
}

std::uint32_t task_count(const Workload& w) {
  if (!w.array || w.array->task_id) return 1;
  return std::max(1u, w.array->waiting_count);
}

bool is_pending(const Workload& w) {
  return w.state == WorkloadState::kPending;
}

bool holds_resources(const Workload& w) {
  return w.state == WorkloadState::kRunning || w.state == WorkloadState::kSuspended ||
         w.flags.has(WorkloadFlag::kCompleting) || w.flags.has(WorkloadFlag::kConfiguring);
}

bool is_finished(const Workload& w) {
  switch (w.state) {
    case WorkloadState::kUnknown:
    case WorkloadState::kPending:
    case WorkloadState::kRunning:
    case WorkloadState::kSuspended:
      return false;
    default:
      return !w.flags.has(WorkloadFlag::kCompleting);
  }
}

std::uint64_t gpus_requested(const Workload& w) {
  if (auto total = gpu_count(w.request.totals)) return total;
  if (auto per_job = gpu_count(w.request.gres_per_job)) return per_job;
  if (auto per_node = gpu_count(w.request.gres_per_node)) return per_node * w.request.min_nodes;
  return gpu_count(w.request.gres_per_task) * w.request.tasks.value_or(1);
}

std::uint64_t gpus_held(const Workload& w) {
  return holds_resources(w) ? gpu_count(w.allocation.totals) : 0;
}

std::optional<Timestamp> forecast(const Workload& w) {
  if (!is_pending(w) || !w.start) return std::nullopt;
  if (w.eligible && *w.start <= *w.eligible) return std::nullopt;
  return w.start;
}

std::optional<Seconds> waited(const Workload& w, Timestamp now) {
  if (!w.eligible) return std::nullopt;
  auto until = is_pending(w) ? std::optional(now) : w.start;
  if (!until || *until < *w.eligible) return std::nullopt;
  return *until - *w.eligible;
}

std::string_view state_name(WorkloadState state) {
  switch (state) {
    case WorkloadState::kUnknown:
      return "UNKNOWN";
    case WorkloadState::kPending:
      return "PENDING";
    case WorkloadState::kRunning:
      return "RUNNING";
    case WorkloadState::kSuspended:
      return "SUSPENDED";
    case WorkloadState::kCompleted:
      return "COMPLETED";
    case WorkloadState::kCancelled:
      return "CANCELLED";
    case WorkloadState::kFailed:
      return "FAILED";
    case WorkloadState::kTimeout:
      return "TIMEOUT";
    case WorkloadState::kNodeFail:
      return "NODE_FAIL";
    case WorkloadState::kPreempted:
      return "PREEMPTED";
    case WorkloadState::kBootFail:
      return "BOOT_FAIL";
    case WorkloadState::kDeadline:
      return "DEADLINE";
    case WorkloadState::kOutOfMemory:
      return "OUT_OF_MEMORY";
  }
  return "UNKNOWN";
}

std::string_view flag_name(WorkloadFlag flag) {
  return kFlagNames[static_cast<std::size_t>(flag)];
}

std::string full_state(const Workload& w) {
  if (!w.unknown_state.empty()) return w.unknown_state;
  std::string text = w.state == WorkloadState::kUnknown ? "" : std::string(state_name(w.state));
  for (unsigned i = 0; i < static_cast<unsigned>(WorkloadFlag::kCount); ++i) {
    auto flag = static_cast<WorkloadFlag>(i);
    if (!w.flags.has(flag)) continue;
    if (!text.empty()) text += '+';
    text += flag_name(flag);
  }
  return text.empty() ? "UNKNOWN" : text;
}

}  // namespace schedlens::model
