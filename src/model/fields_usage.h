// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of model/usage.h, in the manner of fields.h.

#include "model/maybe.h"
#include "model/usage.h"

namespace schedlens::model {

template <class A, Maybe<Use> T>
void describe(A& a, T& v) {
  a("cpu", v.cpu);
  a("memory", v.memory);
  a("sampled", v.sampled);
  a("window", v.window);
  a("view", v.view);
}

template <class A, Maybe<PodUse> T>
void describe(A& a, T& v) {
  a("pod", v.pod);
  a("use", v.use);
}

template <class A, Maybe<NodeUse> T>
void describe(A& a, T& v) {
  a("node", v.node);
  a("use", v.use);
}

template <class A, Maybe<GpuUse> T>
void describe(A& a, T& v) {
  a("uuid", v.uuid);
  a("node", v.node);
  a("index", v.index);
  a("type", v.type);
  a("mig_profile", v.mig_profile);
  a("mig_instance", v.mig_instance);
  a("busy", v.busy);
  a("busiest", v.busiest);
  a("watched_since", v.watched_since);
  a("memory", v.memory);
  a("memory_total", v.memory_total);
  a("last_xid", v.last_xid);
  a("sampled", v.sampled);
  a("pods_known", v.pods_known);
  a("pods", v.pods);
}

template <class A, Maybe<Usage> T>
void describe(A& a, T& v) {
  a("pods", v.pods);
  a("nodes", v.nodes);
  a("gpus", v.gpus);
  a("no_metrics_api", v.no_metrics_api);
}

}  // namespace schedlens::model
