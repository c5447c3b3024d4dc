// SPDX-License-Identifier: Apache-2.0
#include "os/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace schedlens::os {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::StartsWith;

Command shell(std::string script) {
  Command command;
  command.argv = {"/bin/sh", "-c", std::move(script)};
  command.environment = {"PATH=/usr/bin:/bin"};
  return command;
}

// It is gone, or a zombie that its new parent has yet to reap.
bool ends_soon(pid_t pid) {
  for (int i = 0; i < 200; ++i) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    if (!(stat >> number >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

// Takes as long as it is let, and has a child that does, too.
class Endless {
 public:
  Command command() const { return shell("sleep 30 & echo $! > " + file_ + "; wait"); }
  void wait_for_start() const {
    for (int i = 0; i < 1000 && child() == 0; ++i) std::this_thread::sleep_for(milliseconds(10));
  }
  pid_t child() const {
    pid_t pid = 0;
    std::ifstream(file_) >> pid;
    return pid;
  }
  ~Endless() { std::filesystem::remove(file_); }

 private:
  std::string file_ =
      std::filesystem::temp_directory_path() / ("process_test.pid." + std::to_string(getpid()));
};

std::string error_of(const Command& command) {
  auto output = SystemProcessRunner().run(command);
  return output ? "no error" : output.error().message();
}

TEST(Process, ReturnsWhatIsPrinted) {
  auto output = SystemProcessRunner().run(shell("echo out; echo err >&2"));
  ASSERT_TRUE(output) << output.error().message();
  EXPECT_EQ(output->out, "out\n");
  EXPECT_EQ(output->err, "err\n");
  EXPECT_GT(output->wall.count(), 0);
}

TEST(Process, EnvironmentIsOnlyWhatWasGiven) {
  ::setenv("SQUEUE_FORMAT", "%i", 1);
  auto command = shell("echo \"[$SQUEUE_FORMAT][$GIVEN]\"");
  command.environment.push_back("GIVEN=yes");
  auto output = SystemProcessRunner().run(command);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "[][yes]\n");
}

TEST(Process, LooksTheProgramUpInThePathOfItsEnvironment) {
  Command command;
  command.argv = {"sh", "-c", "echo found"};
  command.environment = {"PATH=/nonexistent:/bin"};
  auto output = SystemProcessRunner().run(command);
  ASSERT_TRUE(output) << output.error().message();
  EXPECT_EQ(output->out, "found\n");
}

TEST(Process, SaysWhereAMissingProgramWasLookedFor) {
  Command command;
  command.argv = {"squeue"};
  command.environment = {"PATH=/nonexistent:/tmp/none"};
  EXPECT_EQ(error_of(command), "squeue: not found in PATH=/nonexistent:/tmp/none");
  command.argv = {"/nonexistent/squeue"};
  EXPECT_EQ(error_of(command), "/nonexistent/squeue: No such file or directory");
  command.argv = {};
  EXPECT_EQ(error_of(command), "no program to run");
}

TEST(Process, SaysThatAProgramIsNotExecutable) {
  auto folder =
      std::filesystem::temp_directory_path() / ("process_test." + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "tool") << "#!/bin/sh\n";
  Command command;
  command.argv = {"tool"};
  command.environment = {"PATH=" + folder.string()};
  // A super-user's access() refuses only files that nobody may execute, as here.
  EXPECT_EQ(error_of(command), "tool: " + (folder / "tool").string() + " is not executable");
  std::filesystem::remove_all(folder);
}

TEST(Process, AFailureCarriesTheExitCodeAndTheFirstLinesOfStandardError) {
  EXPECT_EQ(error_of(shell("echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2;"
                           "exit 1")),
            "sh: exit 1: slurm_load_jobs error: Unable to contact slurm controller");
  EXPECT_EQ(error_of(shell("printf 'a\\n\\nb\\nc\\nd\\n' >&2; exit 3")), "sh: exit 3: a; b; c");
  EXPECT_EQ(error_of(shell("printf 'on standard output'; exit 2")),
            "sh: exit 2: on standard output");
  EXPECT_EQ(error_of(shell("exit 2")), "sh: exit 2: no message");
  EXPECT_EQ(error_of(shell("printf 'esc \\033[2J' >&2; exit 2")), "sh: exit 2: esc ?[2J");
}

TEST(Process, ASignalIsNotAnExitCode) {
  EXPECT_EQ(error_of(shell("kill -9 $$")), "sh: killed by signal 9 (Killed)");
}

TEST(Process, GivesUpAfterTheTimeLimitAndKillsTheChildrenToo) {
  Endless endless;
  auto command = endless.command();
  command.timeout = milliseconds(300);
  auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of(command), "sh: no answer within 300 ms; killed");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
  ASSERT_GT(endless.child(), 0);
  EXPECT_TRUE(ends_soon(endless.child()));
}

TEST(Process, AStopRequestEndsItAtOnceWithItsChildren) {
  Endless endless;
  std::stop_source stop;
  auto command = endless.command();
  command.stop = stop.get_token();
  std::jthread asks([&] {
    endless.wait_for_start();
    stop.request_stop();
  });
  auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of(command), "sh: stopped; killed");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(15));
  ASSERT_GT(endless.child(), 0);
  EXPECT_TRUE(ends_soon(endless.child()));
  // The child itself was reaped: none is left to wait for.
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Process, AStopRequestAlsoEndsAProgramThatClosedItsOutput) {
  std::stop_source stop;
  auto command = shell("exec >&- 2>&-; sleep 30");
  command.stop = stop.get_token();
  std::jthread asks([&] {
    std::this_thread::sleep_for(milliseconds(200));
    stop.request_stop();
  });
  auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of(command), "sh: stopped; killed");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

TEST(Process, NothingIsStartedAfterAStopRequest) {
  std::stop_source stop;
  auto command = shell("echo never");
  command.stop = stop.get_token();
  EXPECT_EQ(error_of(command), "no error");
  stop.request_stop();
  EXPECT_EQ(error_of(command), "sh: stopped before its start");
}

TEST(Process, TimeLimitAlsoBindsAProgramThatClosedItsOutput) {
  auto command = shell("exec >&- 2>&-; sleep 30");
  command.timeout = milliseconds(200);
  EXPECT_EQ(error_of(command), "sh: no answer within 200 ms; killed");
  command.timeout = milliseconds(2000);
  command.argv[2] = "exec >&- 2>&-; exit 0";
  EXPECT_EQ(error_of(command), "no error");
}

TEST(Process, TooMuchOutputIsAnErrorAndNotACut) {
  auto command = shell("yes | head -c 100000");
  command.max_output = 99'999;
  EXPECT_EQ(error_of(command), "sh: printed more than 99999 bytes; killed");
  command.max_output = 100'000;
  auto output = SystemProcessRunner().run(command);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out.size(), 100'000u);
  // An endless program is stopped at once, not at its time limit.
  command.argv[2] = "yes";
  auto before = std::chrono::steady_clock::now();
  EXPECT_THAT(error_of(command), HasSubstr("killed"));
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

TEST(Process, MuchOnStandardErrorNeitherBlocksNorGrows) {
  auto output = SystemProcessRunner().run(shell("yes | head -c 300000 >&2; echo done"));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "done\n");
  EXPECT_EQ(output->err.size(), 65536u);
}

TEST(Process, StandardInputIsEmpty) {
  auto output = SystemProcessRunner().run(shell("cat; echo end"));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "end\n");
}

TEST(Process, CountsTheChildsProcessorTime) {
  auto output =
      SystemProcessRunner().run(shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"));
  ASSERT_TRUE(output);
  EXPECT_GT(output->cpu.count(), 10'000);
}

TEST(Process, NoDescriptorOfOursIsInherited) {
  // The shell's own listing holds 0, 1, 2 and the folder it reads.
  auto output = SystemProcessRunner().run(shell("ls /proc/self/fd | wc -l"));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "4\n");
}

TEST(Process, ManyAtOnce) {
  std::vector<std::jthread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 10; ++k) {
        auto output = SystemProcessRunner().run(shell("echo " + std::to_string(i * 100 + k)));
        right += output && output->out == std::to_string(i * 100 + k) + "\n";
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 80);
}

TEST(Input, IsReadToItsEnd) {
  auto command = shell("wc -c; cat >/dev/null");
  command.input = std::string(300'000, 'x');
  auto output = SystemProcessRunner().run(command);
  ASSERT_TRUE(output.has_value()) << output.error().message();
  EXPECT_EQ(output->out, "300000\n");
}

TEST(Input, MayBeLeftUnread) {
  auto command = shell("exit 0");
  command.input = std::string(300'000, 'x');
  EXPECT_TRUE(SystemProcessRunner().run(command).has_value());
}

}  // namespace
}  // namespace schedlens::os
