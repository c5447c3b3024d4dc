// SPDX-License-Identifier: Apache-2.0
#include "model/pod.h"

#include <fmt/format.h>

#include <algorithm>

namespace schedlens::model {
namespace {

bool value_matches(const Toleration& toleration, const Taint& taint) {
  switch (toleration.op) {
    case TolerationOperator::kExists:
      return true;
    case TolerationOperator::kEqual:
      return toleration.value == taint.value;
    case TolerationOperator::kGt:
    case TolerationOperator::kLt: {
      const auto bound = whole_number(toleration.value);
      const auto have = whole_number(taint.value);
      if (!bound || !have) return false;
      return toleration.op == TolerationOperator::kGt ? *have > *bound : *have < *bound;
    }
    case TolerationOperator::kUnknown:
      break;
  }
  return false;
}

std::string_view effect_name(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::kNoSchedule:
      return "NoSchedule";
    case TaintEffect::kPreferNoSchedule:
      return "PreferNoSchedule";
    case TaintEffect::kNoExecute:
      return "NoExecute";
    case TaintEffect::kNone:
      return "";
    case TaintEffect::kUnknown:
      break;
  }
  return "unknown effect";
}

}  // namespace

std::string to_text(const Taint& taint) {
  std::string text(taint.key.view());
  if (!taint.value.empty()) text += "=" + taint.value;
  return fmt::format("{}:{}", text, effect_name(taint.effect));
}

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect != TaintEffect::kNone && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return value_matches(toleration, taint);
}

bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const Toleration& t) { return tolerates(t, taint); });
}

std::string_view state_name(DeviceState state) {
  constexpr std::string_view kNames[] = {"unknown", "healthy", "unhealthy"};
  return kNames[static_cast<int>(state)];
}

const PodCondition* Pod::condition(Symbol type) const {
  for (const auto& c : conditions) {
    if (c.type == type) return &c;
  }
  return nullptr;
}

bool is_terminal(const Pod& pod) {
  return pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
}

}  // namespace schedlens::model
