// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kube-apiserver's /metrics page of any version from 1.20 on, read into one form.

#include <string_view>

#include "base/result.h"
#include "model/control_plane.h"

namespace schedlens::kube {

// Fails when the page holds none of its families: then it is some other program's.
Result<model::ApiServerVitals> read_apiserver_metrics(std::string_view text);

}  // namespace schedlens::kube
