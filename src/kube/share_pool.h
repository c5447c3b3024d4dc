// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gives equal values one place. T is a value that its copies share: model::Shared, model::Labels.
// Of one thread; what it gives out is for any.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <unordered_set>

#include "kube/content_hash.h"

namespace schedlens::kube {

template <class T>
class SharePool {
 public:
  // Makes the value a copy of an equal one that somebody still has.
  void share(T& value) {
    const auto [at, is_new] = known_.insert(value);
    if (!is_new) {
      value = *at;
    } else if (known_.size() >= sweep_at_) {
      sweep();
      sweep_at_ = std::max<std::size_t>(64, known_.size() * 2);
    }
  }

  std::size_t size() const { return known_.size(); }
  // Forgets what nobody else has any more. share() does so each time the pool has doubled.
  void sweep() {
    std::erase_if(known_, [](const T& value) { return value.alone(); });
  }

 private:
  struct Hash {
    std::size_t operator()(const T& value) const {
      ContentHash hash;
      hash.add(value);
      return hash.value();
    }
  };
  std::unordered_set<T, Hash> known_;
  std::size_t sweep_at_ = 64;
};

}  // namespace schedlens::kube
