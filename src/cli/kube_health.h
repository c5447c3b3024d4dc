// SPDX-License-Identifier: Apache-2.0
#pragma once
// The health of a Kubernetes cluster's scheduling as lines of a screen: the API server as we see
// it, and each kube-scheduler by its own metrics.

#include <string>

#include "cli/style.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// short_form leaves out what a small screen has no room for.
std::string render_kube_health(const model::Snapshot& snapshot, bool short_form,
                               const Style& style);

}  // namespace schedlens::cli
