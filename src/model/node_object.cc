// SPDX-License-Identifier: Apache-2.0
#include "model/node_object.h"

namespace schedlens::model {

const NodeCondition* NodeObject::condition(Symbol type) const {
  for (const auto& c : conditions) {
    if (c.type == type) return &c;
  }
  return nullptr;
}

}  // namespace schedlens::model
