// SPDX-License-Identifier: Apache-2.0
#include "alert/sender.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"

namespace schedlens::alert {

Sender::Sender(std::string name, Hearing hearing, std::unique_ptr<Receiver> receiver,
               const os::Clock& clock, std::string_view state)
    : name_(std::move(name)), receiver_(std::move(receiver)), clock_(clock), outbox_(hearing) {
  if (!state.empty()) {
    if (auto restored = outbox_.restore(state); !restored) {
      log::warning("{} receiver={}", restored.error().message(), name_);
    }
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Sender::~Sender() = default;

void Sender::update(const std::vector<const Alert*>& alerts) {
  {
    std::lock_guard lock(mutex_);
    outbox_.update(alerts, clock_.now());
    ++updates_;
  }
  changed_.notify_all();
}

std::string Sender::save() const {
  std::lock_guard lock(mutex_);
  return outbox_.save();
}

Sender::Health Sender::health() const {
  std::lock_guard lock(mutex_);
  return {outbox_.waiting(), outbox_.failures(), error_, last_success_};
}

void Sender::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  // What is restored may have ended; nothing is told before the first evaluation.
  changed_.wait(lock, stop, [&] { return updates_ > 0; });
  while (!stop.stop_requested()) {
    const auto notices = outbox_.due(clock_.now());
    if (notices.empty()) {
      // The clock of the machine may be set while this waits, so never for long.
      auto wait = std::chrono::seconds(30);
      if (auto next = outbox_.next()) {
        wait = std::clamp(std::chrono::seconds((*next - clock_.now()).value),
                          std::chrono::seconds(1), wait);
      }
      const auto seen = updates_;
      changed_.wait_for(lock, stop, wait, [&] { return updates_ != seen; });
      continue;
    }
    lock.unlock();
    const auto result = receiver_->send(notices, stop);
    lock.lock();
    if (stop.stop_requested() && !result) return;
    if (result) {
      outbox_.sent(notices, clock_.now());
    } else {
      outbox_.failed(clock_.now());
    }
    note(result);
  }
}

// The first failure and the end of them; what lies between stands in health().
void Sender::note(const Status& result) {
  if (result) {
    if (!error_.empty()) log::info("alerts are delivered again receiver={}", name_);
    error_.clear();
    last_success_ = clock_.now();
    return;
  }
  if (error_.empty()) {
    log::warning("alerts are not delivered, which is tried again: {} receiver={}",
                 result.error().message(), name_);
  }
  error_ = result.error().message();
}

}  // namespace schedlens::alert
