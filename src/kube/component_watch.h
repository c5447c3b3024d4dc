// SPDX-License-Identifier: Apache-2.0
#pragma once
// A component of the control plane that is asked again and again, and may hang without anybody
// waiting for it.

#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "kube/background_read.h"
#include "kube/component_probe.h"

namespace schedlens::kube {

// One owner thread.
template <class Vitals>
class ComponentWatch {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  // The clock must outlive it.
  ComponentWatch(Component<Vitals> component, const os::Clock& clock)
      : probe_(std::move(component), clock), status_(probe_.status()) {}

  // Asks, unless an answer is still awaited.
  void begin() {
    reading_.begin([this](const std::stop_token& token) {
      probe_.read(token);
      std::lock_guard lock(mutex_);
      status_ = probe_.status();
      last_ = probe_.last();
    });
  }
  bool wait_until(Moment limit) const { return reading_.wait_until(limit); }
  void stop() { reading_.stop(); }

  // As of the last question that has come to an end.
  model::SourceStatus status() const {
    std::lock_guard lock(mutex_);
    return status_;
  }
  std::optional<Vitals> last() const {
    std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  ComponentProbe<Vitals> probe_;
  mutable std::mutex mutex_;
  model::SourceStatus status_;
  std::optional<Vitals> last_;
  BackgroundRead reading_;  // last, so that it ends before what it writes to
};

}  // namespace schedlens::kube
