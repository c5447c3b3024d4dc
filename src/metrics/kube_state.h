// SPDX-License-Identifier: Apache-2.0
#pragma once
// The page that stands in for kube-state-metrics: its names, labels and values, of the kinds that
// are chosen.
//
// Any number of threads may write at once.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "metrics/families.h"
#include "model/snapshot.h"
#include "model/state_choice.h"

namespace schedlens::metrics {

// What is left out of the chosen kinds: names of families, or regular expressions (ECMAScript) that
// fit some part of a name.
Result<std::vector<std::string>> read_left_out(std::string_view patterns);

// Kinds that could not be read have no series. Text goes to the sink in pieces. left_out holds
// names of families.
void write_kube_state(const model::Snapshot& snapshot, const model::StateChoice& choice,
                      const std::vector<std::string>& left_out,
                      const std::function<void(std::string_view)>& sink);

struct StateFamilyFacts {
  model::StateKind kind;
  std::string_view name;
  Type type;
  std::string_view help;
};
// All that there are, by kind.
const std::vector<StateFamilyFacts>& kube_state_families();

// The same as a section of docs/metrics.md.
std::string kube_state_markdown();

}  // namespace schedlens::metrics
