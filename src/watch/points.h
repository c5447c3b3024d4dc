// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "baseline/buckets.h"
#include "memory/point.h"

namespace schedlens::watch {

// A stored point as baselines take it.
inline baseline::Point of_second(const memory::Point& point) {
  return {{point.time.unix_ms / 1000}, point.value};
}

}  // namespace schedlens::watch
