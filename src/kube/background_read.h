// SPDX-License-Identifier: Apache-2.0
#pragma once
// A read over the network that may take its time, beside those who go on without it.

#include <chrono>
#include <functional>
#include <future>
#include <stop_token>
#include <utility>

namespace schedlens::kube {

// One owner thread. The read runs in another one; what it writes to must outlive this.
class BackgroundRead {
 public:
  using Read = std::function<void(const std::stop_token&)>;

  BackgroundRead() = default;
  BackgroundRead(const BackgroundRead&) = delete;
  BackgroundRead& operator=(const BackgroundRead&) = delete;
  // Tells a read that is under way to stop, and waits for it.
  ~BackgroundRead() { stop(); }

  // Begins a read, unless the last one is still under way.
  void begin(Read read) {
    if (under_way_.valid() && !wait_until(std::chrono::steady_clock::now())) return;
    under_way_ =
        std::async(std::launch::async, [this, read = std::move(read)] { read(stop_.get_token()); });
  }

  // Whether none is under way by then.
  bool wait_until(std::chrono::steady_clock::time_point limit) const {
    return !under_way_.valid() || under_way_.wait_until(limit) == std::future_status::ready;
  }

  void stop() {
    stop_.request_stop();
    if (under_way_.valid()) under_way_.wait();
  }

 private:
  std::stop_source stop_;
  std::future<void> under_way_;
};

}  // namespace schedlens::kube
