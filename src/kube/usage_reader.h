// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks for what is used, in a thread of its own: a kubelet or a Metrics API that hangs holds up no
// view of the cluster.

#include <chrono>
#include <memory>
#include <string>

#include "kube/access.h"
#include "kube/usage_options.h"
#include "model/kubernetes.h"
#include "model/snapshot.h"
#include "os/clock.h"
#include "os/process.h"

namespace schedlens::kube {

class UsageReader {
 public:
  // Begins at once with what can be asked without knowing the nodes. The runner and the clock must
  // outlive it.
  UsageReader(UsageOptions options, std::string ns, const Access& access, os::ProcessRunner& runner,
              const os::Clock& clock);
  ~UsageReader();

  // The rest from any thread.

  // Adds what is known by now, and the states of those that are asked. The first time it waits
  // until all were asked once, which has an end, but not longer than patience.
  void fill(model::Snapshot& snapshot, model::Kubernetes& kubernetes,
            std::chrono::milliseconds patience, const std::stop_token& token);
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace schedlens::kube
