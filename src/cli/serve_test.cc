// SPDX-License-Identifier: Apache-2.0
#include "cli/serve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/live_config.h"
#include "net/http_client.h"

namespace schedlens::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class ConfigFile : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/schedlens_serve_test_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
    options_.config_file = folder_ + "/schedlens.yaml";
    write("slurm:\n  interval: 20s\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) { std::ofstream(options_.config_file) << text; }

  std::string folder_;
  ServeOptions options_;
};

TEST_F(ConfigFile, TheCommandLineGoesBeforeTheFile) {
  write("listen: 127.0.0.1:1\nslurm:\n  bin_dir: /a\n");
  options_.listen = "[::1]:2";
  options_.slurm_bin = "/b";
  options_.slurm_conf = "/c";
  auto live = LiveConfig::load(options_);
  ASSERT_TRUE(live) << live.error().message();
  auto config = (*live)->current();
  EXPECT_EQ(config.listen, (Endpoint{"::1", 2}));
  EXPECT_EQ(config.slurm_bin_dir, "/b");
  EXPECT_EQ(config.slurm_conf, "/c");
  ASSERT_TRUE((*live)->reload());
  EXPECT_EQ((*live)->current(), config);
}

TEST_F(ConfigFile, WithoutAFileTheDefaultsHold) {
  auto live = LiveConfig::load({});
  ASSERT_TRUE(live);
  EXPECT_EQ((*live)->current().slurm_interval, (Seconds{30}));
  EXPECT_TRUE((*live)->reload());
}

TEST_F(ConfigFile, AWrongStartFails) {
  write("nonsense: 1\n");
  EXPECT_EQ(LiveConfig::load(options_).error().message(),
            options_.config_file + ":1:1: unknown key 'nonsense'");
  write("");
  options_.listen = "here";
  EXPECT_THAT(LiveConfig::load(options_).error().message(), HasSubstr("--listen: 'here' is no"));
}

TEST_F(ConfigFile, AWrongReloadKeepsTheOldOneUntilARightOne) {
  auto live = LiveConfig::load(options_);
  ASSERT_TRUE(live);
  EXPECT_EQ((*live)->reload_error(), "");
  write("slurm:\n  interval: soon\n");
  EXPECT_FALSE((*live)->reload());
  EXPECT_EQ((*live)->current().slurm_interval, (Seconds{20}));
  EXPECT_THAT((*live)->reload_error(), HasSubstr("schedlens.yaml:2:13: key 'slurm.interval'"));
  std::filesystem::remove(options_.config_file);
  EXPECT_FALSE((*live)->reload());
  EXPECT_THAT((*live)->reload_error(), HasSubstr("No such file"));
  write("slurm:\n  interval: 40s\n");
  EXPECT_TRUE((*live)->reload());
  EXPECT_EQ((*live)->current().slurm_interval, (Seconds{40}));
  EXPECT_EQ((*live)->reload_error(), "");
}

TEST_F(ConfigFile, AnotherAddressWaitsForARestart) {
  auto live = LiveConfig::load(options_);
  ASSERT_TRUE(live);
  write("listen: 127.0.0.1:1234\nslurm:\n  interval: 50s\n");
  testing::internal::CaptureStderr();
  EXPECT_TRUE((*live)->reload());
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("needs a restart"));
  EXPECT_EQ((*live)->current().listen, (Endpoint{"127.0.0.1", 9817}));
  EXPECT_EQ((*live)->current().slurm_interval, (Seconds{50}));
}

// The whole server in a process of its own, whose log is read through a pipe.
class Process {
 public:
  explicit Process(const ServeOptions& options) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], 2);
      ::close(ends[0]);
      ::close(ends[1]);
      ::_exit(run_serve(options));
    }
    ::close(ends[1]);
    log_ = ::fdopen(ends[0], "r");
  }
  ~Process() {
    if (pid_ > 0) ::kill(pid_, SIGKILL), ::waitpid(pid_, nullptr, 0);
    std::fclose(log_);
  }

  // The rest of the first line of the log that holds these words.
  std::string wait_for(const std::string& words) {
    char line[4096];
    while (std::fgets(line, sizeof line, log_)) {
      std::string text = line;
      if (auto at = text.find(words); at != std::string::npos) {
        text = text.substr(at + words.size());
        return text.substr(0, text.find('\n'));
      }
    }
    return "";
  }
  void signal(int number) { ::kill(pid_, number); }
  int exit_status() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_;
  FILE* log_;
};

TEST_F(ConfigFile, ServesWithoutASchedulerReloadsAndEnds) {
  options_.listen = "127.0.0.1:0";
  options_.slurm_bin = folder_ + "/no-slurm-here";
  options_.slurm_conf = folder_ + "/no-slurm.conf";
  Process server(options_);
  auto url = server.wait_for("url=");
  ASSERT_NE(url, "");
  EXPECT_EQ(net::get(url + "/healthz")->status, 200);
  server.wait_for("nothing here answers as Slurm");
  auto ready = net::get(url + "/readyz");
  EXPECT_EQ(ready->status, 503);
  EXPECT_THAT(ready->body, HasSubstr("nothing has been read from the scheduler yet: slurm: "));
  EXPECT_THAT(ready->body, HasSubstr(folder_ + "/no-slurm.conf"));
  EXPECT_EQ(net::get(url + "/api/v1/status")->status, 503);
  EXPECT_THAT(*net::get_body(url + "/metrics"),
              HasSubstr("schedlens_config_last_reload_successful 1\n"));

  write("slurm:\n  intervall: 20s\n");
  server.signal(SIGHUP);
  EXPECT_EQ(server.wait_for("schedlens.yaml:2:3: "),
            "unknown key 'intervall' in 'slurm', did you mean 'interval'?");
  server.wait_for("stays in force");
  EXPECT_THAT(*net::get_body(url + "/metrics"),
              HasSubstr("schedlens_config_last_reload_successful 0\n"));

  write("slurm:\n  interval: 25s\n");
  server.signal(SIGHUP);
  server.wait_for("configuration read again");
  EXPECT_THAT(*net::get_body(url + "/metrics"),
              HasSubstr("schedlens_config_last_reload_successful 1\n"));

  server.signal(SIGTERM);
  EXPECT_EQ(server.exit_status(), 0);
}

TEST_F(ConfigFile, CannotStartOnAnAddressInUseOrWithAWrongFile) {
  options_.listen = "127.0.0.1:0";
  options_.slurm_bin = folder_ + "/no-slurm-here";
  Process first(options_);
  auto url = first.wait_for("url=");
  options_.listen = url.substr(url.find("//") + 2);
  Process second(options_);
  EXPECT_EQ(second.wait_for("cannot listen on " + *options_.listen + ": "),
            "Address already in use");
  EXPECT_EQ(second.exit_status(), 1);
  write("x: 1\n");
  Process third(options_);
  EXPECT_EQ(third.wait_for(":1:1: "), "unknown key 'x'");
  EXPECT_EQ(third.exit_status(), 1);
}

}  // namespace
}  // namespace schedlens::cli
