// SPDX-License-Identifier: Apache-2.0
#pragma once
// Running another program and reading what it prints, behind an interface so that tests can put
// any output or failure in its place.

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace schedlens::os {

struct Command {
  std::vector<std::string> argv;         // argv[0] is looked up in PATH of env unless it has a '/'
  std::vector<std::string> environment;  // the whole environment, "NAME=value"
  std::string input = {};                // on its standard input
  std::chrono::milliseconds timeout{30'000};
  std::size_t max_output = std::size_t{512} << 20;  // more than this is an error, not a cut
  std::stop_token stop = {};                        // gives it up at once, from any thread
};

struct Output {
  std::string out;
  std::string err;  // at most 64 KiB of it
  std::chrono::microseconds wall{0};
  std::chrono::microseconds cpu{0};  // user and system time of the child
};

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  // Fails when the program cannot be found or started, exits other than with 0 (the error carries
  // its first lines on standard error), is killed, prints too much, takes too long or is stopped.
  // A program that is given up is killed with all its children and reaped. Any thread may call.
  virtual Result<Output> run(const Command& command) = 0;
};

// fork and exec.
class SystemProcessRunner final : public ProcessRunner {
 public:
  Result<Output> run(const Command& command) override;
};

}  // namespace schedlens::os
