// SPDX-License-Identifier: Apache-2.0
#include "slurm/collector.h"

#include "slurm/fake_slurm_test.h"

namespace schedlens::slurm {
namespace {

TEST(CollectorThread, CollectsUntilStopped) {
  os::SystemClock clock;
  FakeRunner runner;
  Options options;
  options.interval = {3600};
  Collector collector(options, runner, clock);
  EXPECT_EQ(collector.current(), nullptr);
  collector.start();
  collector.start();
  for (int i = 0; i < 500 && !collector.current(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(collector.current());
  EXPECT_EQ(collector.current()->nodes.size(), 8u);
  auto before = std::chrono::steady_clock::now();
  collector.stop();
  collector.stop();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
  EXPECT_EQ(runner.count("squeue"), 1);
}

// A slow command must not make readers wait.
class SlowRunner final : public os::ProcessRunner {
 public:
  Result<os::Output> run(const os::Command&) override {
    started = true;
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return fail("too late");
  }
  std::atomic<bool> started{false}, go{false};
};

TEST(CollectorThread, ReadersDoNotWaitForCommands) {
  os::SystemClock clock;
  SlowRunner runner;
  Collector collector(Options{}, runner, clock);
  collector.start();
  while (!runner.started) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(collector.current(), nullptr);
  collector.set_options(Options{});
  runner.go = true;
  collector.stop();
}

// Answers like a healthy Slurm until it hangs; then only a stop request ends a command.
class HangingRunner final : public os::ProcessRunner {
 public:
  Result<os::Output> run(const os::Command& command) override {
    if (!hang) return healthy.run(command);
    ++hanging;
    while (!command.stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return fail("stopped; killed");
  }
  void wait_for(int commands) {
    while (hanging < commands) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  FakeRunner healthy;
  std::atomic<bool> hang{false};
  std::atomic<int> hanging{0};
};

TEST(CollectorThread, StopGivesUpTheCommandThatHangs) {
  FakeClock clock;
  HangingRunner runner;
  runner.hang = true;
  Collector collector(Options{}, runner, clock);
  collector.start();
  runner.wait_for(1);
  collector.stop();
  EXPECT_EQ(runner.hanging, 1);
  EXPECT_EQ(collector.current(), nullptr);
}

// Until a Snapshot says it, and from the first failure on, not from the end of the round.
TEST(CollectorThread, TellsWhatIsInTheWayOfTheFirstRead) {
  class Failing final : public os::ProcessRunner {
   public:
    Result<os::Output> run(const os::Command& command) override {
      if (failures == 0) return healthy.run(command);
      --failures;
      std::string before = collector->first_read_trouble();
      seen.push_back(before);
      return fail("scontrol: no answer within 30 s; killed");
    }
    FakeRunner healthy;
    Collector* collector = nullptr;
    int failures = 2;
    std::vector<std::string> seen;
  };
  FakeClock clock;
  Failing runner;
  Collector collector(Options{}, runner, clock);
  runner.collector = &collector;
  EXPECT_EQ(collector.first_read_trouble(), "");
  ASSERT_TRUE(collector.collect());
  ASSERT_EQ(runner.seen.size(), 2u);
  EXPECT_EQ(runner.seen[0], "");
  EXPECT_EQ(runner.seen[1], "scontrol show config: scontrol: no answer within 30 s; killed");
  EXPECT_EQ(collector.first_read_trouble(), "");
}

TEST(CollectorThread, TellsThatNoSlurmIsThere) {
  FakeClock clock;
  FakeRunner runner;
  Options options;
  options.slurm_conf = "/nonexistent/slurm.conf";
  Collector collector(options, runner, clock);
  EXPECT_FALSE(collector.collect());
  EXPECT_THAT(collector.first_read_trouble(), HasSubstr("/nonexistent/slurm.conf"));
}

TEST(CollectorThread, WhatWasGivenUpCountsAsNeitherReadNorFailed) {
  FakeClock clock;
  HangingRunner runner;
  Collector collector(Options{}, runner, clock);
  auto tell = [&] {
    std::string text;
    for (const auto& s : collector.current()->sources) {
      text += fmt::format("{} {} {} {} {}\n", s.name, model::state_name(s.state), s.reads,
                          s.failures, s.last_attempt.value_or(Timestamp{}).unix_seconds);
    }
    return text;
  };
  ASSERT_TRUE(collector.collect());
  auto before = tell();
  runner.hang = true;
  clock.seconds = 80;  // due, and not stale yet
  collector.start();
  runner.wait_for(1);
  collector.stop();
  EXPECT_EQ(tell(), before);
  EXPECT_EQ(collector.current()->workloads.size(), 24u);
}

TEST(CollectorThread, StopGivesUpWhatAReaderAsksForAndStartAsksAgain) {
  FakeClock clock;
  HangingRunner runner;
  Collector collector(Options{}, runner, clock);
  ASSERT_TRUE(collector.collect());
  runner.hang = true;
  std::thread reader([&] {
    auto detail = collector.collect_with_detail("64");
    ASSERT_FALSE(detail);
    EXPECT_THAT(detail.error().message(), HasSubstr("stopped"));
  });
  runner.wait_for(1);
  collector.stop();
  reader.join();
  runner.hang = false;
  collector.start();
  EXPECT_TRUE(collector.collect_with_detail("64"));
}

}  // namespace
}  // namespace schedlens::slurm
