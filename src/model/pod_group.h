// SPDX-License-Identifier: Apache-2.0
#pragma once
// Groups of pods that start together: of Volcano, of the coscheduling plugin and of Kubernetes
// itself; and the queues of Volcano.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/pod.h"
#include "model/quantities.h"

namespace schedlens::model {

struct PodGroup {
  Symbol api;  // "scheduling.volcano.sh", "scheduling.x-k8s.io", "scheduling.k8s.io"
  Symbol ns;
  std::string name;
  std::string uid;
  std::optional<OwnerReference> owner;
  std::optional<std::int32_t> min_members;
  Quantities min_resources;  // in all: before so much is free the group is not tried
  std::string queue;         // of Volcano
  Symbol phase;              // "Pending", "Inqueue", "Running", "Completed"
  std::optional<std::int32_t> running, succeeded, failed;
  std::vector<PodCondition> conditions;
  std::optional<Timestamp> created;

  const PodCondition* condition(Symbol type) const;
};

struct GroupQueue {  // Queue of Volcano
  std::string name;
  Symbol state;  // "Open", "Closed"
  std::string parent;
  std::int32_t weight = 0;
  std::optional<Quantities> capability;  // absent: no bound of its own
  Quantities deserved, guarantee, allocated;
};

}  // namespace schedlens::model
