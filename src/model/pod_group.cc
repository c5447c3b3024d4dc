// SPDX-License-Identifier: Apache-2.0
#include "model/pod_group.h"

#include <algorithm>

#include "model/admission.h"

namespace schedlens::model {
namespace {

const PodCondition* find(const std::vector<PodCondition>& conditions, Symbol type) {
  const auto at = std::find_if(conditions.begin(), conditions.end(),
                               [&](const PodCondition& c) { return c.type == type; });
  return at == conditions.end() ? nullptr : &*at;
}

}  // namespace

const PodCondition* PodGroup::condition(Symbol type) const {
  return find(conditions, type);
}
const PodCondition* AdmissionWorkload::condition(Symbol type) const {
  return find(conditions, type);
}
const PodCondition* ClusterQueue::condition(Symbol type) const {
  return find(conditions, type);
}

}  // namespace schedlens::model
