// SPDX-License-Identifier: Apache-2.0
#include "watch/silence_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace schedlens::watch {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr Timestamp kNow{1'800'000'000};

class SilenceRequests : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(dir_); }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  // Serves until the question has its answer.
  template <class Ask>
  Result<std::string> served(Ask ask) {
    Result<std::string> answer = fail("none");
    std::thread asking([&] { answer = ask(); });
    for (int i = 0; i < 200 && take_requests(dir_, silences_, kNow) == 0; ++i) {
      std::this_thread::sleep_for(10ms);
    }
    asking.join();
    return answer;
  }
  alert::Silence silence() const {
    alert::Silence s;
    s.matchers = {*alert::parse_matcher("partition=train|dev")};
    s.from = kNow;
    s.until = kNow + Seconds{3600};
    s.author = "alice";
    s.comment = "new switch";
    return s;
  }

  const std::filesystem::path dir_ =
      std::filesystem::temp_directory_path() / ("schedlens_silences_" + std::to_string(getpid()));
  alert::Silences silences_;
};

TEST_F(SilenceRequests, AddedAndRemoved) {
  const auto id = served([&] { return request_silence(dir_, silence(), 5s); });
  ASSERT_TRUE(id) << id.error().message();
  ASSERT_EQ(silences_.all().size(), 1U);
  const auto& added = silences_.all().front();
  EXPECT_EQ(added.id, *id);
  EXPECT_EQ(added.comment, "new switch");
  EXPECT_EQ(added.until, kNow + Seconds{3600});
  EXPECT_TRUE(silences_.covering({{"partition", "dev"}}, kNow));
  EXPECT_FALSE(silences_.covering({{"partition", "debug"}}, kNow));
  const auto removed = served([&] { return request_removal(dir_, *id, 5s); });
  ASSERT_TRUE(removed) << removed.error().message();
  EXPECT_FALSE(silences_.covering({{"partition", "dev"}}, kNow));
}

TEST_F(SilenceRequests, WhatIsRefusedSaysWhy) {
  auto without = silence();
  without.comment.clear();
  EXPECT_THAT(served([&] { return request_silence(dir_, without, 5s); }).error().message(),
              HasSubstr("comment"));
  EXPECT_THAT(served([&] { return request_removal(dir_, "77", 5s); }).error().message(),
              HasSubstr("77"));
  EXPECT_TRUE(silences_.all().empty());
}

TEST_F(SilenceRequests, WithoutAServerNothingIsLeftBehind) {
  const auto answer = request_silence(dir_, silence(), 200ms);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message(), HasSubstr("no server answers"));
  EXPECT_EQ(take_requests(dir_, silences_, kNow), 0);
  EXPECT_THAT(request_silence(dir_ / "no", silence(), 1s).error().message(),
              HasSubstr("no data directory"));
}

TEST_F(SilenceRequests, ABrokenRequestIsAnsweredAndGone) {
  std::filesystem::create_directory(dir_ / "requests");
  std::ofstream(dir_ / "requests/x.json") << "{\"matchers\": [";
  EXPECT_EQ(take_requests(dir_, silences_, kNow), 1);
  EXPECT_EQ(take_requests(dir_, silences_, kNow), 0);
  EXPECT_TRUE(std::filesystem::exists(dir_ / "requests/x.answer"));
}

}  // namespace
}  // namespace schedlens::watch
