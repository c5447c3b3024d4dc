// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Slurm whose commands print what a test puts in their place, for the tests of the collector.

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "slurm/collector.h"
#include "slurm/commands.h"
#include "slurm/fixture_test.h"
#include "slurm/rows.h"

namespace schedlens::slurm {

using model::SourceState;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class FakeClock final : public os::Clock {
 public:
  Timestamp now() const override { return {1796000000 + seconds.load()}; }
  std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::time_point(std::chrono::seconds(1000 + seconds.load()));
  }
  std::atomic<int> seconds{0};
};

// Serves fixtures of a small cluster, or what a test puts in their place.
class FakeRunner final : public os::ProcessRunner {
 public:
  Result<os::Output> run(const os::Command& command) override {
    std::lock_guard lock(mutex);
    auto name = kind_of(command);
    ++calls[name];
    last[name] = command;
    if (on_run) on_run(name);
    if (down) return fail("{}: exit 1: Unable to contact slurm controller (connect failure)", name);
    if (name == "squeue" && command.argv.back().find(refused_column) != std::string::npos) {
      return fail("squeue: exit 1: Invalid job format specification: {}", refused_column);
    }
    if (auto it = failures.find(name); it != failures.end()) return fail("{}", it->second);
    os::Output output;
    output.out = texts.contains(name) ? texts[name] : fixture("22.05/" + name + ".txt");
    replace_nonce(output.out, command);
    return output;
  }

  int count(const std::string& name) {
    std::lock_guard lock(mutex);
    return calls[name];
  }
  int total() {
    std::lock_guard lock(mutex);
    int sum = 0;
    for (const auto& [name, n] : calls) sum += n;
    return sum;
  }

  std::mutex mutex;
  std::map<std::string, std::string> texts, failures;
  std::map<std::string, int> calls;
  std::map<std::string, os::Command> last;
  std::function<void(const std::string&)> on_run;  // while the command of that name runs
  bool down = false;
  std::string refused_column = "no such";

 private:
  static std::string kind_of(const os::Command& command) {
    const auto& argv = command.argv;
    auto program = argv[0].substr(argv[0].rfind('/') + 1);
    if (program == "scontrol") {
      bool job = argv.size() > 1 && argv[argv.size() - 2] == "job";
      return job ? "job_" + argv.back() : argv.back();
    }
    if (program == "squeue") {
      if (argv.back().starts_with("--jobs")) return "row";
      return argv.back().starts_with("--format") ? "excluded" : "squeue";
    }
    return program == "sacctmgr" ? "qos" : program;
  }
  // The real program repeats the nonce that it was given.
  static void replace_nonce(std::string& text, const os::Command& command) {
    for (const auto& argument : command.argv) {
      auto at = argument.rfind(kSeparator);
      if (at == std::string::npos) continue;
      auto nonce = argument.substr(at + 1);
      for (std::size_t i = text.find(kNonce); i != std::string::npos; i = text.find(kNonce, i)) {
        text.replace(i, nonce.size(), nonce);
      }
    }
  }
};

class Collecting : public testing::Test {
 protected:
  FakeClock clock;
  FakeRunner runner;
  Collector collector{Options{}, runner, clock};

  model::SnapshotPtr collect() {
    auto snapshot = collector.collect();
    EXPECT_TRUE(snapshot) << (snapshot ? "" : snapshot.error().message());
    return snapshot ? *snapshot : nullptr;
  }
  const model::SourceStatus& source(const model::SnapshotPtr& s, const char* name) {
    static const model::SourceStatus kNone;
    auto* status = s->find_source(name);
    EXPECT_TRUE(status) << name;
    return status ? *status : kNone;
  }
};

}  // namespace schedlens::slurm
