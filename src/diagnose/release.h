// SPDX-License-Identifier: Apache-2.0
#pragma once
// The release of Kubernetes, for what changed from one to the next.

#include <optional>
#include <string_view>

#include "base/text.h"

namespace schedlens::diagnose {

// 36 of "1.36.3" and of "v1.36.3"; nothing where the text is no version.
inline std::optional<int> minor_release(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  const auto parts = split(version, '.');
  return parts.size() >= 2 ? parse_number<int>(parts[1]) : std::nullopt;
}

}  // namespace schedlens::diagnose
