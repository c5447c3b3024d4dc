// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who a pod belongs to in the end: the Deployment above its ReplicaSet, the CronJob above its Job.

#include <map>
#include <string>
#include <tuple>

#include "model/kubernetes.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct Owner {
  Symbol ns;
  Symbol kind;  // "Deployment"; "Pod" for a pod of nobody
  std::string name;
  friend auto operator<=>(const Owner&, const Owner&) = default;
};

// As far up as the controllers that were read name theirs. The Snapshot must outlive it.
class TopOwners {
 public:
  explicit TopOwners(const model::Snapshot& snapshot);
  Owner of(const model::Workload& pod) const;

 private:
  using Key = std::tuple<Symbol, Symbol, std::string>;  // namespace, kind, name
  std::map<Key, const model::OwnerReference*> above_;
};

}  // namespace schedlens::diagnose
