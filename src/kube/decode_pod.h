// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Pod of core/v1, from its protobuf bytes.

#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "kube/meta.h"
#include "model/pod.h"
#include "model/workload.h"

namespace schedlens::kube {

class SpecPool;
class TemplatePool;

struct DecodedPod {
  Meta meta;  // the uid is in pod
  std::optional<Timestamp> created;
  // PodScheduled became True. The kubelet says so of pods that never met the scheduler.
  std::optional<Timestamp> scheduled;
  // The first container ran, as far as its status still tells (it keeps the last two runs).
  std::optional<Timestamp> started;
  // The last container ended; only of a pod that is over.
  std::optional<Timestamp> finished;
  // Of the first container that ended badly, otherwise of one that ended well.
  std::optional<model::Exit> exit;
  model::PodPtr pod;  // never null
};

// With templates the pod has its detail, too.
Result<DecodedPod> decode_pod(std::string_view object, SpecPool& specs,
                              TemplatePool* templates = nullptr);

}  // namespace schedlens::kube
