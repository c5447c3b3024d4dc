// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who is told of alerts: an Alertmanager, a web server, a program.

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "alert/notice.h"
#include "base/result.h"
#include "os/process.h"

namespace schedlens::alert {

class Receiver {
 public:
  virtual ~Receiver() = default;
  // Whether all were taken. Blocks, for its timeout at most, and gives up within a second when
  // stopped. The error names the receiver, without secrets that stand in its address.
  virtual Status send(const std::vector<Notice>& notices, const std::stop_token& stop) = 0;
};

struct HttpReceiver {
  std::string url;
  std::vector<std::string> headers = {};  // "Authorization: Bearer ..."
  std::string ca_file = {};
  std::string link = {};  // where an operator sees more
  std::chrono::milliseconds timeout{10'000};
};

// url: of the Alertmanager itself, http://alertmanager:9093. Of several each is a receiver of its
// own, as they do not pass alerts on to each other.
std::unique_ptr<Receiver> alertmanager(HttpReceiver options);
// POST of notices_json(); any status from 200 to 299 has taken them.
std::unique_ptr<Receiver> webhook(HttpReceiver options);

struct ProgramReceiver {
  std::vector<std::string> argv;
  std::vector<std::string> environment = {};
  std::string link = {};
  std::chrono::milliseconds timeout{30'000};
};
// Is run with notices_json() on its standard input; exit code 0 has taken them. The runner must
// outlive it.
std::unique_ptr<Receiver> program(ProgramReceiver options, os::ProcessRunner& runner);

}  // namespace schedlens::alert
