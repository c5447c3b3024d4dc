// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the Prometheus text format (exposition 0.0.4, and OpenMetrics as far as it looks alike).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace schedlens::kube {

// One line. Views into the text or into the parser's own buffer, valid during the call.
struct Sample {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> labels;
  double value = 0;
  std::optional<std::int64_t> time_ms;  // since 1970, where the line says when it was measured

  // "" when there is none.
  std::string_view label(std::string_view key) const;
};

struct TextFacts {
  std::uint64_t samples = 0;
  std::uint64_t unreadable = 0;
  std::string first_error;  // "line 12: ..."; empty when every line could be read
};

// Calls for every sample of a family that wanted() accepts (by its name with any _count, _sum or
// _bucket). A line that cannot be read is counted and passed over, so that one odd label does not
// cost the whole page.
TextFacts read_metrics_text(std::string_view text,
                            const std::function<bool(std::string_view)>& wanted,
                            const std::function<void(const Sample&)>& take);

}  // namespace schedlens::kube
