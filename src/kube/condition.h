// SPDX-License-Identifier: Apache-2.0
#pragma once
// A condition in the status of a node or of a pod: the API gives both the same fields.

#include "kube/fields.h"

namespace schedlens::kube {

template <class Condition>
Condition read_condition(Fields fields) {
  Condition condition;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        condition.type = fields.symbol("type");
        break;
      case 2: {
        const auto status = fields.text("status");
        condition.status = status == "True";
        condition.unknown = status == "Unknown";
        break;
      }
      case 4:
        condition.since = fields.time("lastTransitionTime");
        break;
      case 5:
        condition.reason = fields.symbol("reason");
        break;
      case 6:
        if (const auto message = fields.text("message"); !message.empty()) {
          condition.message = std::string(message);
        }
        break;
    }
  }
  return condition;
}

}  // namespace schedlens::kube
