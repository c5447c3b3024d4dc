// SPDX-License-Identifier: Apache-2.0
#pragma once
// Groups of pods and what makes or queues them, each from its JSON: Volcano (PodGroup, Queue, Job),
// the coscheduling plugin (PodGroup), Kubernetes' own gangs (PodGroup of scheduling.k8s.io) and
// JobSet.

#include <string_view>

#include "base/result.h"
#include "kube/decode_objects.h"
#include "model/pod_group.h"

namespace schedlens::kube {

// Of whichever of the three the object's apiVersion names.
Result<Decoded<model::PodGroup>> decode_pod_group(std::string_view object);
Result<Decoded<model::GroupQueue>> decode_group_queue(std::string_view object);
// Owners of pods and Jobs, under the kinds "JobSet" and "VolcanoJob".
Result<Decoded<model::Controller>> decode_job_set(std::string_view object);
Result<Decoded<model::Controller>> decode_volcano_job(std::string_view object);

}  // namespace schedlens::kube
