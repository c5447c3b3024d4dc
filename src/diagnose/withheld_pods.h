// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pods that their Job, ReplicaSet or StatefulSet was not allowed to make: they wait without
// existing. A quota, a LimitRange or another admission rule refuses them, and the only trace is an
// event FailedCreate on the owner; or Kueue keeps the owner suspended.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/remedy.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct WithheldPods {
  Symbol kind;  // of the owner: "Job"
  Symbol ns;
  std::string owner;
  // How many it lacks; absent where its own counts were not read.
  std::optional<std::uint32_t> missing;
  RootCause cause = RootCause::kLimit;
  std::string summary;
  std::string message;  // the event's text
  // Of a quota: what is asked, used and allowed, by the quota's own names.
  std::vector<ReachedLimit> limits;
  bool room_now = false;  // by now the quota would admit one; the owner tries again later
  std::optional<Timestamp> last_try;
  std::uint32_t tries = 1;
  // What would let them be made, where a quota or a LimitRange refuses them. Whether nodes have
  // room for them is known once they exist: starts says nothing here.
  std::vector<Remedy> remedies;
};

// Owners that still lack pods, or may (their counts were not read). Of refusals nothing where
// events were not read, of Kueue nothing where its Workloads were not.
std::vector<WithheldPods> withheld_pods(const model::Snapshot& snapshot);

// The text of an admission refusal by a quota:
//   ... exceeded quota: Q, requested: a=1,b=2, used: a=3,b=4, limited: a=4,b=8
//   ... failed quota: Q: must specify a for: container
struct QuotaRefusal {
  struct Amount {
    std::string name;
    std::optional<double> requested, used, limited;
  };
  std::string quota;
  std::vector<Amount> amounts;
  std::string must_specify;
};
std::optional<QuotaRefusal> parse_quota_refusal(std::string_view text);

// "4", "500m", "10Gi", "1e3" as a number; nothing for other text.
std::optional<double> parse_amount(std::string_view text);

}  // namespace schedlens::diagnose
