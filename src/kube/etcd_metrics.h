// SPDX-License-Identifier: Apache-2.0
#pragma once
// The /metrics page of an etcd member, 3.3 or later, read into one form.

#include <string_view>

#include "base/result.h"
#include "model/control_plane.h"

namespace schedlens::kube {

// Fails when the page holds none of its families: then it is some other program's.
Result<model::EtcdVitals> read_etcd_metrics(std::string_view text);

}  // namespace schedlens::kube
