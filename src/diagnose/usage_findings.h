// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the use of devices tells of pods and nodes.

#include <optional>
#include <vector>

#include "diagnose/usage.h"

namespace schedlens::diagnose {

// A device that does less than this is idle.
inline constexpr double kIdle = 0.05;
// One that does less than this while its memory is fuller than that is worth a look.
inline constexpr double kLittle = 0.3, kFull = 0.8;

// Measured, and not too long before the Snapshot.
bool is_current(const std::optional<Timestamp>& sampled, const model::Snapshot& snapshot);
// By the most that was seen of it while it was watched.
bool is_idle(const model::GpuUse& gpu);

std::vector<UsageFinding> find_misuse(const model::Snapshot& snapshot, const TopOwners& owners);

}  // namespace schedlens::diagnose
