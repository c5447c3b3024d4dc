// SPDX-License-Identifier: Apache-2.0
#pragma once
// The page that stands in for kube-state-metrics: its names, labels and values, of the kinds that
// are chosen.

#include <memory>
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

// One page, made piece by piece and never held as a whole. Kinds that could not be read have no
// series. left_out holds names of families. The Snapshot must outlive the page. One thread at a
// time; any number of pages may be made of one Snapshot at once.
class KubeStatePage {
 public:
  KubeStatePage(const model::Snapshot& snapshot, model::StateChoice choice,
                std::vector<std::string> left_out);
  ~KubeStatePage();
  KubeStatePage(const KubeStatePage&) = delete;

  // Replaces the text by what comes next, some 256 KiB; false at the end. The text's memory is used
  // again.
  bool next(std::string& piece);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

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
