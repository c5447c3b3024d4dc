// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which kinds of Kubernetes objects are kept in the detail that kube-state-metrics shows of them,
// and which of their labels. Nothing is by default: the detail costs memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schedlens::model {

enum class StateKind : std::uint8_t {
  kPods,
  kNodes,
  kNamespaces,
  kDeployments,
  kReplicaSets,
  kStatefulSets,
  kDaemonSets,
  kJobs,
  kCronJobs,
  kAutoscalers,
  kBudgets,
  kQuotas,
  kClaims,
  kVolumes,
  kCount
};
inline constexpr std::size_t kStateKinds = static_cast<std::size_t>(StateKind::kCount);

// As in the API's URLs and in kube-state-metrics' options: "pods", "horizontalpodautoscalers".
std::string_view resource_name(StateKind kind);
std::span<const std::string_view> state_resource_names();  // in the order of StateKind

struct LabelChoice {
  bool all = false;
  std::vector<std::string> keys;
  bool empty() const { return !all && keys.empty(); }
  bool allows(std::string_view key) const;
  friend bool operator==(const LabelChoice&, const LabelChoice&) = default;
};

struct StateChoice {
  std::array<bool, kStateKinds> kinds{};
  std::array<LabelChoice, kStateKinds> label_choices;

  bool wants(StateKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
  bool any() const;
  const LabelChoice& labels(StateKind kind) const {
    return label_choices[static_cast<std::size_t>(kind)];
  }
  friend bool operator==(const StateChoice&, const StateChoice&) = default;
};

// "pods, nodes", or "all". The error names the word that is no kind.
Status read_state_kinds(std::string_view text, StateChoice& into);
// "pods=[app,team],nodes=[*]", as of kube-state-metrics' --metric-labels-allowlist; "*=[app]" is
// for every kind.
Status read_state_labels(std::string_view text, StateChoice& into);

}  // namespace schedlens::model
