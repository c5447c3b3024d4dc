// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a Pod of core/v1 that only its own series show, from the same protobuf bytes.

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "model/pod_detail.h"

namespace schedlens::kube {

// Gives pods that were made from one template one PodTemplate. Holds none alive; of one thread.
class TemplatePool {
 public:
  std::shared_ptr<const model::PodTemplate> share(model::PodTemplate made_from);
  std::size_t size() const { return templates_.size(); }

 private:
  void sweep();
  std::unordered_multimap<std::size_t, std::weak_ptr<const model::PodTemplate>> templates_;
  std::size_t sweep_at_ = 64;
};

Result<model::PodDetailPtr> decode_pod_detail(std::string_view object, TemplatePool& templates);

}  // namespace schedlens::kube
