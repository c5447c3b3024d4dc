// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kube-scheduler's /metrics page of any version from 1.20 on, read into one form.

#include <string_view>

#include "base/result.h"
#include "model/kube_scheduler.h"

namespace schedlens::kube {

// Fails when the page holds none of the scheduler's families: then it is some other program's.
Result<model::KubeScheduler> read_scheduler_metrics(std::string_view text);

}  // namespace schedlens::kube
