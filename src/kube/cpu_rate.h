// SPDX-License-Identifier: Apache-2.0
#pragma once
// From what a kubelet counts to what is used: CPU time between two looks at its counters.
//
// A container that is started again counts from zero. The difference would then be negative, or
// positive and too small, so the time it was started decides, and a number that has become smaller
// tells where that time is missing. What the difference cannot tell is not known in this round.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/units.h"
#include "kube/measured.h"
#include "kube/resource_page.h"

namespace schedlens::kube {

struct CpuRate {
  double cores = 0;
  double seconds = 0;  // the window
};

// The counters of one kubelet as they were at the last look. One thread at a time.
class CpuRates {
 public:
  // What the page says the pods and the node use. now is when it was read, for lines that do not
  // say when they were measured.
  Measured measure(const ResourcePage& page, std::string_view node, std::int64_t now_ms,
                   model::UsageView view);

 private:
  struct Point {
    double cpu_seconds = 0;
    std::optional<double> started;
    std::int64_t at_ms = 0;
    std::optional<CpuRate> rate;
  };
  std::optional<CpuRate> rate(const std::string& key, const Counters& now, std::int64_t now_ms);
  static std::optional<CpuRate> between(const Point* last, const Point& now);
  model::Use use_of(const PodCounters& pod, std::int64_t now_ms);

  std::unordered_map<std::string, Point> last_, next_;
};

}  // namespace schedlens::kube
