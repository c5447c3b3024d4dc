// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a workload ever ran.

#include "base/units.h"
#include "model/workload.h"

namespace schedlens::model {

// It holds resources or held them until it ended, since a moment that has come. One that is
// cancelled while it waits gets a start time, too, but never held a node.
bool has_started(const Workload& w, Timestamp now);

}  // namespace schedlens::model
