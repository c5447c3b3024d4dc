// SPDX-License-Identifier: Apache-2.0
#pragma once
// For the tests: a directory that goes when the test ends, and a store that takes what is sent.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "net/scripted_server_test.h"
#include "remote/write_request.h"

namespace schedlens::remote::test {

class RemoteDir : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    dir_ = std::filesystem::temp_directory_path() /
           ("schedlens_remote_" + std::to_string(getpid()) + "_" + test->name());
    std::filesystem::remove_all(dir_);
    std::filesystem::create_directories(dir_);
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  template <class Condition>
  static bool eventually(Condition&& condition) {
    for (int i = 0; i < 2000; ++i) {
      if (condition()) return true;
      usleep(5000);
    }
    return false;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }
  std::string path(const std::string& name) const { return dir_ / name; }

  std::filesystem::path dir_;
};

// Answers with the statuses it is given, one after the other, then with 204. Keeps what it took
// and, of every request, the head.
class FakeStore {
 public:
  struct Reply {
    std::string status, headers;
  };

  std::string url() const { return server_.url("/api/v1/write"); }
  void answer_first(std::deque<Reply> replies) {
    std::lock_guard lock(mutex_);
    replies_ = std::move(replies);
  }
  // Refuses every request with a sample of this value.
  void refuse(double value) { refused_ = value; }

  std::vector<Sample> taken() const {
    std::lock_guard lock(mutex_);
    return taken_;
  }
  std::vector<double> values() const {
    std::vector<double> values;
    for (const auto& sample : taken()) values.push_back(sample.value);
    return values;
  }
  std::vector<std::string> heads() const {
    std::lock_guard lock(mutex_);
    return heads_;
  }
  std::vector<std::chrono::steady_clock::time_point> times() const {
    std::lock_guard lock(mutex_);
    return times_;
  }

 private:
  bool answer(const std::string& head, net::test::Connection& connection) {
    const auto body = connection.read_body(head);
    Reply reply{"204 No Content", ""};
    {
      std::lock_guard lock(mutex_);
      heads_.push_back(head);
      times_.push_back(std::chrono::steady_clock::now());
      auto message = decompress(body, 100'000'000);
      auto samples = message ? read_write_request(*message) : fail(message.error());
      if (!samples) reply.status = "400 Bad Request";
      if (!replies_.empty()) {
        reply = replies_.front();
        replies_.pop_front();
      }
      for (const auto& sample : *samples) {
        if (refused_ && sample.value == *refused_) reply.status = "400 Bad Request";
      }
      if (reply.status.starts_with("2")) {
        taken_.insert(taken_.end(), samples->begin(), samples->end());
      }
    }
    return connection.send_head(reply.status, reply.headers + "Content-Length: 0\r\n");
  }

  mutable std::mutex mutex_;
  std::deque<Reply> replies_;
  std::optional<double> refused_;
  std::vector<Sample> taken_;
  std::vector<std::string> heads_;
  std::vector<std::chrono::steady_clock::time_point> times_;
  net::test::ScriptedServer server_{
      [this](const std::string& head, net::test::Connection& c) { return answer(head, c); }};
};

}  // namespace schedlens::remote::test
