// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kubelets of all nodes, asked again and again without anybody waiting for those that hang.

#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

#include "kube/background_read.h"
#include "kube/kubelets.h"

namespace schedlens::kube {

// One owner thread.
class KubeletWatch {
 public:
  // The clock must outlive it.
  KubeletWatch(KubeletOptions options, CredentialsPtr credentials, const os::Clock& clock)
      : kubelets_(std::move(options), std::move(credentials), clock), status_(kubelets_.status()) {}

  // Asks those of these nodes, unless answers are still awaited.
  void begin(std::vector<model::Node> nodes) {
    reading_.begin([this, nodes = std::move(nodes)](const std::stop_token& token) {
      kubelets_.read(nodes, token);
      std::lock_guard lock(mutex_);
      status_ = kubelets_.status();
      last_ = kubelets_.last();
    });
  }
  bool wait_until(std::chrono::steady_clock::time_point limit) const {
    return reading_.wait_until(limit);
  }

  // As of the last round that has come to an end.
  model::SourceStatus status() const {
    std::lock_guard lock(mutex_);
    return status_;
  }
  std::vector<model::KubeletVitals> last() const {
    std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  Kubelets kubelets_;
  mutable std::mutex mutex_;
  model::SourceStatus status_;
  std::vector<model::KubeletVitals> last_;
  BackgroundRead reading_;  // last, so that it ends before what it writes to
};

}  // namespace schedlens::kube
