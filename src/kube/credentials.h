// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a request needs to be let in: certificates, tokens, and the programs that print them.
// Files are read for every request, so that rotated tokens and certificates are used at once.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "kube/access.h"
#include "net/stream_client.h"
#include "os/clock.h"
#include "os/process.h"

namespace schedlens::kube {

// One thread at a time.
class Credentials {
 public:
  // The runner and the clock must outlive it.
  Credentials(Access access, os::ProcessRunner& runner, const os::Clock& clock);
  ~Credentials();  // ends a plugin that runs
  Credentials(const Credentials&) = delete;

  // A request for a path of the server ("/api/v1/pods?watch=1") with everything that lets it in.
  // Runs the exec plugin when what it printed last is no longer good, and waits for it. Errors name
  // the file, field or program, never a secret.
  Result<net::StreamRequest> request(const std::string& path_and_query);

  // For who must not wait: whether request() would answer at once. Where it would not, the plugin
  // runs from now on, and `wake` is called from another thread when it has ended.
  bool ready();
  void on_ready(std::function<void()> wake) { wake_ = std::move(wake); }
  // A plugin that failed after ready() had started it is what request() says to all who waited,
  // until this is called.
  void forget_failure() { failure_.reset(); }

  // Which they are, for an error message: "the token in /run/token".
  std::string shown() const;

  // Counts how often credentials were fetched anew.
  std::uint64_t generation() const { return generation_; }
  // The server refused those of this generation: the next request asks the plugin again. Nothing
  // when that has been done since.
  void refuse(std::uint64_t generation);

 private:
  struct Printed {  // by the plugin
    std::string token;
    std::string certificate, key;
    std::optional<Timestamp> expires;
  };
  struct Run;
  bool good() const;
  Status fetch();
  void begin_run();
  bool take_result();
  Result<os::Command> plugin_command() const;
  Result<std::string> exec_info() const;
  static Result<Printed> run_plugin(os::ProcessRunner& runner, const os::Command& command,
                                    const ExecPlugin& plugin);
  static Result<Printed> parse(std::string_view json, const ExecPlugin& plugin);

  Access access_;
  os::ProcessRunner& runner_;
  const os::Clock& clock_;
  std::optional<Printed> printed_;
  std::uint64_t generation_ = 0;
  std::function<void()> wake_;
  std::optional<Error> failure_;
  std::unique_ptr<Run> run_;  // of the plugin, until its result is taken
};

// "2026-11-30T03:39:21Z", with fractions and offsets; nothing for anything else.
std::optional<Timestamp> parse_rfc3339(std::string_view text);

}  // namespace schedlens::kube
