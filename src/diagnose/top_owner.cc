// SPDX-License-Identifier: Apache-2.0
#include "diagnose/top_owner.h"

namespace schedlens::diagnose {

TopOwners::TopOwners(const model::Snapshot& snapshot) {
  if (!snapshot.kubernetes || !snapshot.kubernetes->controllers) return;
  for (const auto& c : *snapshot.kubernetes->controllers) {
    if (c.owner) above_.emplace(Key(c.ns, c.kind, c.name), &*c.owner);
  }
}

Owner TopOwners::of(const model::Workload& w) const {
  static const Symbol kPod{"Pod"};
  if (!w.pod->owner) return {w.pod->ns, kPod, w.name};
  const auto* owner = &*w.pod->owner;
  // Objects that own each other would go round for ever.
  constexpr int kHighest = 8;
  for (int i = 0; i < kHighest; ++i) {
    const auto next = above_.find(Key(w.pod->ns, owner->kind, owner->name));
    if (next == above_.end()) break;
    owner = next->second;
  }
  return {w.pod->ns, owner->kind, owner->name};
}

}  // namespace schedlens::diagnose
