// SPDX-License-Identifier: Apache-2.0
#pragma once
// What /metrics shows as values, for those who look at it inside: history and alerts.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/render.h"
#include "model/snapshot.h"

namespace schedlens::metrics {

struct Sample {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;  // as the family declares them
  double value = 0;
  friend bool operator==(const Sample&, const Sample&) = default;
};

// The lines of a page in the text format that render() writes; of a histogram, its sum and count.
std::vector<Sample> read_samples(std::string_view page);

// Families that a cluster has few series of: none by node, by whom it is, or by what it is called.
bool is_of_the_cluster(const Family& family);

// The values of the families that are wanted.
std::vector<Sample> samples(const model::Snapshot& snapshot, RenderInput input,
                            const std::function<bool(const Family&)>& wanted);

}  // namespace schedlens::metrics
