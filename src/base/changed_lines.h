// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace schedlens {

// The lines that are in one text and not in the other, each text's in order: "- MaxNodes=2",
// "+ MaxNodes=4". A line that only moved has not changed.
std::vector<std::string> changed_lines(std::string_view before, std::string_view after);

}  // namespace schedlens
