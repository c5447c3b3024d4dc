// SPDX-License-Identifier: Apache-2.0
#pragma once
// The status text of the cluster autoscaler: free text up to 1.29, YAML since.

#include <string_view>

#include "base/result.h"
#include "kube/decode_objects.h"
#include "model/autoscaler.h"

namespace schedlens::kube {

// Lines and fields that it does not know are passed over. Fails where the text is neither.
Result<model::AutoscalerStatus> read_autoscaler_status(std::string_view text);

// From the ConfigMap of core/v1, which has the text under the key "status".
Result<Decoded<model::AutoscalerStatus>> decode_autoscaler_status(std::string_view object);

}  // namespace schedlens::kube
