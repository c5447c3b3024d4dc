// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kueue's objects, each from its JSON, of v1beta1 and v1beta2.

#include <string_view>

#include "base/result.h"
#include "kube/decode_objects.h"
#include "model/admission.h"

namespace schedlens::kube {

Result<Decoded<model::AdmissionWorkload>> decode_admission_workload(std::string_view object);
Result<Decoded<model::LocalQueue>> decode_local_queue(std::string_view object);
Result<Decoded<model::ClusterQueue>> decode_cluster_queue(std::string_view object);
Result<Decoded<model::ResourceFlavor>> decode_resource_flavor(std::string_view object);

}  // namespace schedlens::kube
