// SPDX-License-Identifier: Apache-2.0
#pragma once
// Enumerations of the model as the snapshot file writes them, lower case.

#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/snapshot.h"
#include "model/usage.h"

namespace schedlens::model {

inline std::string_view enum_name(NodeState v) {
  return state_name(v);
}
inline std::string_view enum_name(WorkloadState v) {
  return state_name(v);
}
inline std::string_view enum_name(QueueState v) {
  return state_name(v);
}
inline std::string_view enum_name(SourceState v) {
  return state_name(v);
}
inline std::string_view enum_name(NodeFlag v) {
  return flag_name(v);
}
inline std::string_view enum_name(WorkloadFlag v) {
  return flag_name(v);
}
inline std::string_view enum_name(LimitKind v) {
  return limit_name(v);
}
inline std::string_view enum_name(MemoryPer v) {
  constexpr std::string_view kNames[] = {"unspecified", "node", "cpu", "gpu"};
  return kNames[static_cast<int>(v)];
}
inline std::string_view enum_name(Sharing v) {
  constexpr std::string_view kNames[] = {"unspecified", "shareable", "whole_node",
                                         "user",        "mcs",       "oversubscribe"};
  return kNames[static_cast<int>(v)];
}

inline std::string_view enum_name(LabelOperator v) {
  constexpr std::string_view kNames[] = {"in", "not_in", "exists", "does_not_exist",
                                         "gt", "lt",     "unknown"};
  return kNames[static_cast<int>(v)];
}
inline std::string_view enum_name(TaintEffect v) {
  constexpr std::string_view kNames[] = {"none", "no_schedule", "prefer_no_schedule", "no_execute",
                                         "unknown"};
  return kNames[static_cast<int>(v)];
}
inline std::string_view enum_name(TolerationOperator v) {
  constexpr std::string_view kNames[] = {"equal", "exists", "gt", "lt", "unknown"};
  return kNames[static_cast<int>(v)];
}
inline std::string_view enum_name(RequestPart v) {
  constexpr std::string_view kNames[] = {"containers", "init_container", "pod_level"};
  return kNames[static_cast<std::size_t>(v)];
}
inline std::string_view enum_name(HostProtocol v) {
  constexpr std::string_view kNames[] = {"tcp", "udp", "sctp"};
  return kNames[static_cast<int>(v)];
}
inline std::string_view enum_name(PodPhase v) {
  constexpr std::string_view kNames[] = {"unknown", "pending", "running", "succeeded", "failed"};
  return kNames[static_cast<int>(v)];
}
inline std::string_view enum_name(AttributeKind v) {
  constexpr std::string_view kNames[] = {"integer", "boolean", "text", "version", "list"};
  return kNames[static_cast<int>(v)];
}
inline std::string_view enum_name(ClaimPhase v) {
  constexpr std::string_view kNames[] = {"unknown", "pending", "bound", "lost"};
  return kNames[static_cast<int>(v)];
}
inline std::string_view enum_name(DeviceState v) {
  return state_name(v);
}
inline std::string_view enum_name(UsageView v) {
  return view_name(v);
}

// How many values the enumeration has: one more than its last.
template <class E>
inline constexpr int kEnumSize = static_cast<int>(E::kCount);
template <>
inline constexpr int kEnumSize<NodeState> = static_cast<int>(NodeState::kFuture) + 1;
template <>
inline constexpr int kEnumSize<WorkloadState> = static_cast<int>(WorkloadState::kOutOfMemory) + 1;
template <>
inline constexpr int kEnumSize<QueueState> = static_cast<int>(QueueState::kInactive) + 1;
template <>
inline constexpr int kEnumSize<SourceState> = static_cast<int>(SourceState::kFailed) + 1;
template <>
inline constexpr int kEnumSize<MemoryPer> = static_cast<int>(MemoryPer::kGpu) + 1;
template <>
inline constexpr int kEnumSize<Sharing> = static_cast<int>(Sharing::kOversubscribe) + 1;

template <>
inline constexpr int kEnumSize<LabelOperator> = static_cast<int>(LabelOperator::kUnknown) + 1;
template <>
inline constexpr int kEnumSize<TaintEffect> = static_cast<int>(TaintEffect::kUnknown) + 1;
template <>
inline constexpr int kEnumSize<TolerationOperator> =
    static_cast<int>(TolerationOperator::kUnknown) + 1;
template <>
inline constexpr int kEnumSize<RequestPart> = static_cast<int>(RequestPart::kPodLevel) + 1;
template <>
inline constexpr int kEnumSize<HostProtocol> = static_cast<int>(HostProtocol::kSctp) + 1;
template <>
inline constexpr int kEnumSize<PodPhase> = static_cast<int>(PodPhase::kFailed) + 1;
template <>
inline constexpr int kEnumSize<AttributeKind> = static_cast<int>(AttributeKind::kList) + 1;
template <>
inline constexpr int kEnumSize<ClaimPhase> = static_cast<int>(ClaimPhase::kLost) + 1;

template <>
inline constexpr int kEnumSize<DeviceState> = static_cast<int>(DeviceState::kUnhealthy) + 1;
template <>
inline constexpr int kEnumSize<UsageView> = static_cast<int>(UsageView::kCadvisor) + 1;

template <class E>
std::optional<E> parse_enum(std::string_view text) {
  for (int i = 0; i < kEnumSize<E>; ++i) {
    if (equal_ignoring_case(enum_name(static_cast<E>(i)), text)) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace schedlens::model
