// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which component of a control plane was asked for its metrics, where and when.

#include <optional>
#include <string>

#include "base/units.h"

namespace schedlens::model {

struct ComponentFacts {
  std::string address;
  std::optional<Timestamp> time;
  std::optional<Timestamp> started;
  std::string version;  // "1.36.3"
};

}  // namespace schedlens::model
