// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a device selector into nodes.

#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "diagnose/device_selector.h"

namespace schedlens::diagnose {

// The nodes and the root's place among them.
Result<std::pair<std::vector<DeviceSelector::Node>, std::uint32_t>> parse_device_selector(
    std::string_view expression);

}  // namespace schedlens::diagnose
