// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks the API server for its version: from time to time, as it may be upgraded, and as soon as it
// has said nothing else for a while. Where nothing changes watches are quiet, and a server that
// hangs is quiet, too; this tells one from the other.
//
// One thread.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kube/credentials.h"
#include "net/stream_client.h"
#include "os/clock.h"

namespace schedlens::kube {

class Heartbeat final : public net::StreamHandler {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;
  struct Pace {
    std::chrono::milliseconds quiet;     // so long nothing need come
    std::chrono::milliseconds patience;  // for the answer
  };

  // All of them must outlive it.
  Heartbeat(Pace pace, net::StreamClient& client, Credentials& credentials, const os::Clock& clock);

  const std::optional<std::string>& version() const { return version_; }
  // Somebody had a word from the server.
  void heard(SteadyTime when) { last_word_ = std::max(last_word_, when); }
  // When step() is to be called at the latest.
  SteadyTime due() const;
  void step();
  // Why the server is taken for lost: said once, by the first call after a question that was asked
  // into silence got no answer.
  std::optional<std::string> take_loss() { return std::exchange(loss_, std::nullopt); }

  void on_head(const net::ResponseHead& head) override;
  void on_data(std::string_view piece) override { body_.append(piece); }
  void on_end(const net::End& end) override;

 private:
  bool quiet() const { return clock_.steady() >= last_word_ + pace_.quiet; }

  const Pace pace_;
  net::StreamClient& client_;
  Credentials& credentials_;
  const os::Clock& clock_;
  std::optional<std::string> version_, loss_;
  std::string body_;
  int status_ = 0;
  bool in_flight_ = false;
  bool waits_ = false;             // for credentials
  bool fresh_connection_ = false;  // the last one fell silent
  SteadyTime last_word_;
  SteadyTime version_due_{};
};

}  // namespace schedlens::kube
