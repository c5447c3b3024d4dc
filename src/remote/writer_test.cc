// SPDX-License-Identifier: Apache-2.0
#include "remote/writer.h"

#include <gmock/gmock.h>

#include "remote/remote_dir_test.h"

namespace schedlens::remote {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using test::FakeStore;

constexpr std::int64_t kNow = 1'796'083'200;

class FixedClock final : public os::Clock {
 public:
  Timestamp now() const override { return {kNow}; }
};

class Write : public test::RemoteDir {
 protected:
  static WriterOptions quick(const std::string& url) {
    WriterOptions options;
    options.url = url;
    options.first_wait = 5ms;
    options.longest_wait = 20ms;
    options.timeout = 2s;
    return options;
  }
  std::unique_ptr<Writer> start(WriterOptions options) const {
    auto writer = Writer::start(dir_ / "q", std::move(options), clock_);
    EXPECT_TRUE(writer) << writer.error().message();
    return std::move(*writer);
  }
  static Sample sample(double value) {
    return {memory::make_key("load", {{"node", "n1"}}),
            {(kNow + static_cast<std::int64_t>(value)) * 1000},
            value};
  }
  static bool settles(const Writer& writer) {
    return eventually([&] { return writer.health().pending == 0; });
  }
  // A port that nobody listens on.
  static std::string nowhere() { return net::test::ScriptedServer({}).url("/api/v1/write"); }

  FixedClock clock_;
};

TEST(WriteRequest, IsReadBack) {
  const std::vector<Sample> samples = {
      {memory::make_key("gpus", {{"type", "h100"}, {"cluster", "own"}}), {1500}, 12.5},
      {memory::make_key("up"), {-1}, 0}};
  const auto message = write_request(samples, {{"cluster", "a"}, {"Zone", "z"}});
  auto read = read_write_request(message);
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(memory::series_text((*read)[0].key), R"(gpus{Zone="z",cluster="own",type="h100"})");
  EXPECT_EQ((*read)[0].time.unix_ms, 1500);
  EXPECT_EQ((*read)[0].value, 12.5);
  EXPECT_EQ(memory::series_text((*read)[1].key), R"(up{Zone="z",cluster="a"})");
  EXPECT_EQ((*read)[1].time.unix_ms, -1);
}

TEST(WriteRequest, HasTheBytesOfTheProtocol) {
  const std::vector<Sample> one = {{memory::make_key("a"), {1}, 1.0}};
  // Series (1) of 28 bytes: label (1) of 13: "__name__", "a"; sample (2) of 11: 1.0 and 1.
  const std::string expected(
      "\x0a\x1c\x0a\x0d\x0a\x08__name__\x12\x01"
      "a"
      "\x12\x0b\x09\x00\x00\x00\x00\x00\x00\xf0\x3f\x10\x01",
      30);
  EXPECT_EQ(write_request(one, {}), expected);
}

TEST(WriteRequest, DamageIsAnError) {
  EXPECT_FALSE(read_write_request("\x0a\x7f"));
  EXPECT_FALSE(decompress("\xff\xff\xff\xff\xff\xff", 100));
  EXPECT_FALSE(decompress(compress(std::string(101, 'a')), 100));
  EXPECT_EQ(decompress(compress(std::string(100, 'a')), 100).value(), std::string(100, 'a'));
}

TEST(ExternalLabels, AreNamesWithValues) {
  EXPECT_EQ(parse_external_labels(" site=b, cluster=a ").value(),
            (memory::Labels{{"cluster", "a"}, {"site", "b"}}));
  EXPECT_THAT(parse_external_labels("").value(), IsEmpty());
  for (const auto* bad : {"cluster", "=a", "clu ster=a", "1a=b", "a=", "__name__=x"}) {
    EXPECT_FALSE(parse_external_labels(bad)) << bad;
  }
}

TEST_F(Write, SendsWhatIsAdded) {
  FakeStore store;
  auto options = quick(store.url());
  options.labels = {{"cluster", "a"}};
  auto writer = start(options);
  EXPECT_FALSE(writer->health().last_success);
  writer->add({sample(1), sample(2)});
  ASSERT_TRUE(settles(*writer));
  const auto taken = store.taken();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(memory::series_text(taken[0].key), R"(load{cluster="a",node="n1"})");
  EXPECT_EQ(taken[1].time.unix_ms, (kNow + 2) * 1000);
  EXPECT_EQ(taken[1].value, 2);
  const auto head = store.heads().front();
  EXPECT_THAT(head, HasSubstr("POST /api/v1/write HTTP/1.1\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Type: application/x-protobuf\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Encoding: snappy\r\n"));
  EXPECT_THAT(head, HasSubstr("X-Prometheus-Remote-Write-Version: 0.1.0\r\n"));
  EXPECT_THAT(head, testing::Not(HasSubstr("Authorization")));
  const auto health = writer->health();
  EXPECT_TRUE(health.up);
  EXPECT_EQ(health.sent, 2U);
  EXPECT_EQ(health.dropped, 0U);
  EXPECT_EQ(health.last_success, Timestamp{kNow});
}

TEST_F(Write, TriesAgainAfterErrorsOfTheServer) {
  FakeStore store;
  store.answer_first({{"500 Internal Server Error", ""},
                      {"503 Service Unavailable", ""},
                      {"429 Too Many Requests", ""},
                      {"401 Unauthorized", ""}});
  auto writer = start(quick(store.url()));
  writer->add({sample(1)});
  ASSERT_TRUE(settles(*writer));
  EXPECT_THAT(store.values(), ElementsAre(1));
  EXPECT_EQ(store.heads().size(), 5U);
  EXPECT_EQ(writer->health().sent, 1U);
  EXPECT_EQ(writer->health().dropped, 0U);
  EXPECT_TRUE(writer->health().up);
  EXPECT_THAT(writer->health().error, HasSubstr("status 401"));
}

TEST_F(Write, WaitsAsLongAsItIsAsked) {
  FakeStore store;
  store.answer_first({{"429 Too Many Requests", "Retry-After: 1\r\n"}});
  auto writer = start(quick(store.url()));
  writer->add({sample(1)});
  ASSERT_TRUE(settles(*writer));
  const auto times = store.times();
  ASSERT_EQ(times.size(), 2U);
  EXPECT_GE(times[1] - times[0], 1s);
}

TEST_F(Write, WaitsNoLongerThanIsSensible) {
  FakeStore store;
  store.answer_first({{"503 Service Unavailable", "Retry-After: 86400\r\n"}});
  auto options = quick(store.url());
  options.longest_retry_after = 50ms;
  auto writer = start(options);
  writer->add({sample(1)});
  EXPECT_TRUE(settles(*writer));
}

TEST_F(Write, WhatIsRefusedTakesNothingElseWithIt) {
  FakeStore store;
  store.answer_first({{"500 Internal Server Error", ""}});
  store.refuse(2);
  auto options = quick(store.url());
  options.entry_samples = 1;
  options.first_wait = options.longest_wait = 100ms;  // until all five are there
  auto writer = start(options);
  writer->add({sample(1), sample(2), sample(3), sample(4), sample(5)});
  ASSERT_TRUE(settles(*writer));
  EXPECT_THAT(store.values(), ElementsAre(1, 3, 4, 5));
  EXPECT_EQ(writer->health().sent, 4U);
  EXPECT_EQ(writer->health().dropped, 1U);
  writer->add({sample(6)});
  ASSERT_TRUE(settles(*writer));
  EXPECT_THAT(store.values(), ElementsAre(1, 3, 4, 5, 6));
}

TEST_F(Write, KeepsEverythingWhileTheStoreIsAway) {
  {
    auto writer = start(quick(nowhere()));
    for (int i = 1; i <= 20; ++i) writer->add({sample(i)});
    ASSERT_TRUE(eventually([&] { return !writer->health().up; }));
    EXPECT_EQ(writer->health().pending, 20U);
    EXPECT_THAT(writer->health().error, HasSubstr("onnect"));
  }
  FakeStore store;
  auto writer = start(quick(store.url()));
  ASSERT_TRUE(settles(*writer));
  EXPECT_THAT(store.values(),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20));
  EXPECT_EQ(store.heads().size(), 1U) << "many entries are one request";
}

TEST_F(Write, AMinuteIsNotToldTwiceByTwoProcesses) {
  FakeStore store;
  {
    auto writer = start(quick(store.url()));
    writer->add({sample(1)});
    writer->add({sample(2)});
    ASSERT_TRUE(settles(*writer));
  }
  auto writer = start(quick(store.url()));
  auto again = sample(2);
  again.value = 2.5;
  writer->add({again});
  writer->add({sample(3)});
  ASSERT_TRUE(settles(*writer));
  EXPECT_THAT(store.values(), ElementsAre(1, 2, 3));
  EXPECT_EQ(writer->health().dropped, 0U);
}

TEST_F(Write, DropsTheOldestWhenTheQueueIsFull) {
  auto options = quick(nowhere());
  options.queue = {.max_bytes = 2000, .file_bytes = 500};
  auto writer = start(options);
  for (int i = 1; i <= 100; ++i) writer->add({sample(i)});
  const auto health = writer->health();
  EXPECT_GT(health.dropped, 50U);
  EXPECT_EQ(health.pending + health.dropped, 100U);
  writer.reset();
  FakeStore store;
  writer = start(quick(store.url()));
  ASSERT_TRUE(settles(*writer));
  EXPECT_EQ(store.values().size(), health.pending);
  EXPECT_EQ(store.values().back(), 100);
}

TEST_F(Write, SaysWhoItIs) {
  write("token", "first\n");
  write("password", "open sesame\n");
  FakeStore store;
  auto options = quick(store.url());
  options.login.bearer_token_file = path("token");
  auto writer = start(options);
  writer->add({sample(1)});
  ASSERT_TRUE(settles(*writer));
  write("token", "second\n");
  writer->add({sample(2)});
  ASSERT_TRUE(settles(*writer));
  options.login = {};
  options.login.username = "me";
  options.login.password_file = path("password");
  writer.reset();
  writer = start(options);
  writer->add({sample(3)});
  ASSERT_TRUE(settles(*writer));
  const auto heads = store.heads();
  ASSERT_EQ(heads.size(), 3U);
  EXPECT_THAT(heads[0], HasSubstr("Authorization: Bearer first\r\n"));
  EXPECT_THAT(heads[1], HasSubstr("Authorization: Bearer second\r\n"));
  EXPECT_THAT(heads[2], HasSubstr("Authorization: Basic bWU6b3BlbiBzZXNhbWU=\r\n"));
}

TEST_F(Write, KeepsEverythingWhileTheTokenCannotBeRead) {
  FakeStore store;
  auto options = quick(store.url());
  options.login.bearer_token_file = path("token");
  auto writer = start(options);
  writer->add({sample(1)});
  ASSERT_TRUE(eventually([&] { return !writer->health().up; }));
  EXPECT_THAT(store.heads(), IsEmpty()) << "not without it";
  write("token", "secret");
  ASSERT_TRUE(settles(*writer));
  EXPECT_THAT(store.values(), ElementsAre(1));
}

TEST_F(Write, EndsWhileTheStoreSaysNothing) {
  net::test::ScriptedServer silent([](const std::string&, net::test::Connection& c) {
    c.be_silent();
    return false;
  });
  auto options = quick(silent.url());
  options.timeout = 60s;
  auto writer = start(options);
  writer->add({sample(1)});
  ASSERT_TRUE(eventually([&] { return silent.connections() > 0; }));
  const auto begin = std::chrono::steady_clock::now();
  writer.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

}  // namespace
}  // namespace schedlens::remote
