// SPDX-License-Identifier: Apache-2.0
#pragma once
// How writing to the data directory goes, and to a store elsewhere.

#include <cstdint>
#include <optional>

#include "base/units.h"

namespace schedlens::metrics {

struct StoreUse {
  struct Kind {
    std::uint64_t pending = 0, written = 0, dropped = 0;
  };
  bool up = true;
  std::optional<Timestamp> last_write{};
  Kind points{}, records{};
  std::uint64_t files_set_aside = 0;
};

struct RemoteWriteUse {
  bool up = true;
  std::optional<Timestamp> last_success{};
  std::uint64_t pending = 0, sent = 0, dropped = 0;  // samples
};

}  // namespace schedlens::metrics
