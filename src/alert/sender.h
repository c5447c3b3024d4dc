// SPDX-License-Identifier: Apache-2.0
#pragma once
// Delivers alerts to one receiver in a thread of its own, so that a receiver that hangs holds up
// nobody else.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "alert/outbox.h"
#include "alert/receivers.h"
#include "os/clock.h"

namespace schedlens::alert {

// Any thread may call.
class Sender {
 public:
  struct Health {
    std::size_t waiting = 0;  // alerts of which the receiver does not know the latest
    int failures = 0;         // in a row
    std::string error;        // of the last failure, empty after a success
    std::optional<Timestamp> last_success;
  };

  // name: for the log. state: what save() gave before a restart, or empty; one that cannot be read
  // is logged and left. The clock must outlive it.
  Sender(std::string name, Hearing hearing, std::unique_ptr<Receiver> receiver,
         const os::Clock& clock, std::string_view state = {});
  // Gives up what is under way.
  ~Sender();
  Sender(const Sender&) = delete;

  // All alerts as they are now.
  void update(const std::vector<const Alert*>& alerts);
  std::string save() const;
  Health health() const;

 private:
  void run(const std::stop_token& stop);
  void note(const Status& result);

  const std::string name_;
  const std::unique_ptr<Receiver> receiver_;
  const os::Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  Outbox outbox_;
  std::string error_;
  std::optional<Timestamp> last_success_;
  std::uint64_t updates_ = 0;
  std::jthread thread_;  // last, so that it ends before what it works with
};

}  // namespace schedlens::alert
