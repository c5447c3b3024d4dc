// SPDX-License-Identifier: Apache-2.0
#pragma once
// What would let pods be made that an admission rule refuses: a quota, or a LimitRange. The
// refusal's own text has the numbers.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/withheld_pods.h"
#include "model/kubernetes.h"

namespace schedlens::diagnose {

// By what w says but for its remedies; the first is the one to try.
std::vector<Remedy> withheld_remedies(const model::Snapshot& snapshot, const WithheldPods& w);

// The text of a refusal by a LimitRange, one of several where it names several:
//   maximum nvidia.com/gpu usage per Container is 4, but limit is 8
struct RangeRefusal {
  bool maximum = true;  // otherwise the minimum
  std::string resource;
  std::string per;    // "Container", "Pod"
  std::string bound;  // as Kubernetes writes amounts
  std::string asked;
};
std::vector<RangeRefusal> parse_range_refusals(std::string_view text);

// Null where the quotas were not read or none is of that name.
const model::ResourceQuota* find_quota(const model::Snapshot& snapshot, Symbol ns,
                                       const std::string& name);
// cpu is counted in thousandths in the model and in cores in the message.
double in_units_of_the_text(const std::string& name, std::int64_t amount);

}  // namespace schedlens::diagnose
