// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tracker that has something to say of every family it writes.

#include <memory>

#include "metrics/efficiency_tracker.h"
#include "model/kubernetes.h"

namespace schedlens::metrics::test {

// Time went by, and a pod was preempted.
inline std::unique_ptr<EfficiencyTracker> sample_efficiency() {
  auto tracker = std::make_unique<EfficiencyTracker>();
  diagnose::GpuLedger ledger;
  ledger.parts = {{diagnose::GpuState::kInUse, {}, 8}};
  model::Snapshot s;
  s.time = {1'000};
  tracker->feed(s, ledger, Seconds{60});
  auto k = std::make_shared<model::Kubernetes>();
  model::Event event;
  event.kind = Symbol("Pod");
  event.ns = Symbol("train");
  event.name = "worker";
  event.uid = "u1";
  event.reason = Symbol("Preempted");
  event.note = "Preempted by pod u2 on node gpu-1";
  event.last = Timestamp{1'010};
  k->events.emplace({event});
  s.kubernetes = k;
  s.time = {1'030};
  tracker->feed(s, ledger, Seconds{60});
  return tracker;
}

}  // namespace schedlens::metrics::test
