// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks the API server from time to time which API groups it serves. To whom a group is forbidden
// it does not say otherwise whether it has it.
//
// One thread.

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "kube/credentials.h"
#include "net/stream_client.h"
#include "os/clock.h"

namespace schedlens::kube {

class ApiGroups final : public net::StreamHandler {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  // All of them must outlive it.
  ApiGroups(net::StreamClient& client, Credentials& credentials, const os::Clock& clock)
      : client_(client), credentials_(credentials), clock_(clock) {}

  // Nothing while unknown.
  const std::optional<std::set<std::string>>& names() const { return names_; }
  bool answered() const { return answered_; }  // whatever the answer was
  // When step() is to be called at the latest.
  SteadyTime due() const { return in_flight_ || waits_ ? SteadyTime::max() : due_; }
  void step();

  void on_head(const net::ResponseHead& head) override { status_ = head.status; }
  void on_data(std::string_view piece) override { body_.append(piece); }
  void on_end(const net::End& end) override;

 private:
  net::StreamClient& client_;
  Credentials& credentials_;
  const os::Clock& clock_;
  std::optional<std::set<std::string>> names_;
  std::string body_;
  int status_ = 0;
  bool in_flight_ = false;
  bool waits_ = false;  // for credentials
  bool answered_ = false;
  SteadyTime due_{};
};

}  // namespace schedlens::kube
