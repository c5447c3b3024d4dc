// SPDX-License-Identifier: Apache-2.0
#include "kube/heartbeat.h"

#include <fmt/format.h>

#include <algorithm>

#include "kube/envelope.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;

constexpr auto kVersionInterval = 600s;
constexpr auto kVersionRetry = 30s;

}  // namespace

Heartbeat::Heartbeat(Pace pace, net::StreamClient& client, Credentials& credentials,
                     const os::Clock& clock)
    : pace_(pace),
      client_(client),
      credentials_(credentials),
      clock_(clock),
      last_word_(clock.steady()) {}

Heartbeat::SteadyTime Heartbeat::due() const {
  if (in_flight_ || waits_) return SteadyTime::max();
  return std::min<SteadyTime>(version_due_, last_word_ + pace_.quiet);
}

void Heartbeat::step() {
  if (!waits_ && due() > clock_.steady()) return;
  waits_ = !credentials_.ready();
  if (waits_) return;
  version_due_ = clock_.steady() + kVersionRetry;
  auto request = credentials_.request("/version");
  if (!request) {  // the streams say so
    last_word_ = clock_.steady();
    return;
  }
  request->headers.push_back("Accept: application/json");
  request->idle_timeout = pace_.patience;
  request->connect_timeout = std::min(request->connect_timeout, pace_.patience);
  request->max_body = 1 << 20;
  request->fresh_connection = std::exchange(fresh_connection_, false);
  body_.clear();
  status_ = 0;
  in_flight_ = true;
  client_.start(std::move(*request), *this);
}

void Heartbeat::on_head(const net::ResponseHead& head) {
  status_ = head.status;
  heard(clock_.steady());  // whatever it says
}

void Heartbeat::on_end(const net::End& end) {
  in_flight_ = false;
  version_due_ = clock_.steady() + kVersionRetry;
  if (end.cause == net::EndCause::kComplete && status_ == 200) {
    if (auto version = read_git_version(body_)) {
      version_ = std::move(*version);
      version_due_ = clock_.steady() + kVersionInterval;
    }
  }
  if (!quiet()) return;
  // Neither to the streams, nor to this.
  fresh_connection_ = true;
  loss_ = end.cause == net::EndCause::kIdle
              ? fmt::format("the server has not answered for {:.0f} s",
                            std::chrono::duration<double>(clock_.steady() - last_word_).count())
              : "no word from the server, and " + end.error;
  last_word_ = clock_.steady();  // a while before it is asked again
}

}  // namespace schedlens::kube
