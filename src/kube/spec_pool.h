// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gives pods that were made from one template one PodSpec, and other parts that are equal one
// place.

#include <cstddef>
#include <memory>
#include <unordered_map>

#include "kube/share_pool.h"
#include "model/pod.h"

namespace schedlens::kube {

// Holds no spec alive. Of one thread; the specs it gives out are for any.
class SpecPool {
 public:
  // An equal spec that some pod still uses, or else this one.
  model::PodSpecPtr share(model::PodSpec spec);

  // Labels, owner, messages of conditions and, where it is the spec's, the request.
  void share_parts(model::Pod& pod);

  // Specs in use, as of the last sweep or later.
  std::size_t size() const { return specs_.size(); }
  // Forgets what no pod uses any more. share() does so each time the pool has doubled.
  void sweep();

 private:
  std::unordered_multimap<std::size_t, std::weak_ptr<const model::PodSpec>> specs_;
  std::size_t sweep_at_ = 64;
  SharePool<model::Labels> labels_;
  SharePool<model::SharedOptional<model::OwnerReference>> owners_;
  SharePool<model::Shared<std::string>> messages_;
};

// Equal specs have equal hashes.
std::size_t content_hash(const model::PodSpec& spec);

}  // namespace schedlens::kube
