// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <limits>
#include <thread>

#include "base/gzip.h"
#include "base/json_writer.h"
#include "base/result.h"
#include "base/symbol.h"
#include "base/text.h"
#include "base/time_text.h"

namespace schedlens {
namespace {

TEST(Error, ContextReadsFromTheOutside) {
  Status status = fail("exit {}", 1);
  EXPECT_EQ(status.error().within("squeue").within("slurm").message(), "slurm: squeue: exit 1");
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_TRUE(split("", ',').empty());
  EXPECT_EQ(split(",", ',').size(), 2u);
}

TEST(Text, CommasInsideBracketsDoNotSplit) {
  EXPECT_EQ(split_outside_brackets("gpu:z:3(IDX:0,4-5),shard:0(0/4)", ','),
            (std::vector<std::string_view>{"gpu:z:3(IDX:0,4-5)", "shard:0(0/4)"}));
  EXPECT_EQ(split_outside_brackets("a)b,c", ',').size(), 2u) << "unbalanced closing bracket";
  EXPECT_EQ(split_outside_brackets("a(b,c", ',').size(), 1u);
}

TEST(Text, NumbersAreWhole) {
  EXPECT_EQ(parse_number<int>("42"), 42);
  EXPECT_EQ(parse_number<int>("42x"), std::nullopt);
  EXPECT_EQ(parse_number<int>(""), std::nullopt);
  EXPECT_EQ(parse_number<unsigned>("-1"), std::nullopt);
  EXPECT_EQ(parse_number<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(parse_number<double>("1.5"), 1.5);
  for (auto word : {"nan", "inf", "-inf", "NaN", "Infinity", "1e999"}) {
    EXPECT_FALSE(parse_number<double>(word)) << word;
  }
}

TEST(Text, NearestFindsTypingErrorsOnly) {
  std::vector<std::string> keys = {"interval", "timeout", "listen"};
  EXPECT_EQ(nearest("intervall", keys), "interval");
  EXPECT_EQ(nearest("timout", keys), "timeout");
  EXPECT_EQ(nearest("colour", keys), std::nullopt);
}

TEST(Text, PrintableIsSafeOnATerminal) {
  EXPECT_EQ(printable("né\x1b[31m"), "né?[31m");
  EXPECT_EQ(printable("a\nb\tc"), "a?b?c");
  EXPECT_EQ(printable("bad\xff\xc3"), "bad??");
  EXPECT_EQ(printable("\xc2\x9b"), "?") << "C1 control sequence introducer";
}

TEST(JsonWriter, NestsAndSeparates) {
  JsonWriter w;
  w.object([&] {
    w.field("a", 1);
    w.key("b");
    w.array([&] {
      w.value("x");
      w.value(true);
      w.null();
      w.array([] {});
    });
    w.field("c", std::optional<double>());
    w.field("d", 2.5);
  });
  EXPECT_EQ(w.str(), R"({"a":1,"b":["x",true,null,[]],"c":null,"d":2.5})");
}

TEST(JsonWriter, Indents) {
  JsonWriter w(2);
  w.object([&] {
    w.field("a", 1);
    w.key("b");
    w.array([&] { w.value(2); });
  });
  EXPECT_EQ(w.str(), "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}");
}

TEST(JsonWriter, AnyBytesBecomeValidJson) {
  JsonWriter w;
  w.array([&] {
    w.value(std::string_view("q\"\\\n\x01", 5));
    w.value("\xff\xed\xa0\x80\xc0\xaf");
    w.value(std::numeric_limits<double>::infinity());
    w.value(std::numeric_limits<std::uint64_t>::max());
  });
  EXPECT_EQ(w.str(),
            "[\"q\\\"\\\\\\n\\u0001\",\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
            "\xEF\xBF\xBD\xEF\xBF\xBD\",null,18446744073709551615]");
}

TEST(Symbol, EqualTextsAreEqualSymbols) {
  EXPECT_EQ(Symbol("a100"), Symbol(std::string("a100")));
  EXPECT_NE(Symbol("a100"), Symbol("h100"));
  EXPECT_TRUE(Symbol("").empty());
  EXPECT_EQ(Symbol(), Symbol(""));
  EXPECT_LT(Symbol("a"), Symbol("b"));
}

TEST(Symbol, ThreadsAgree) {
  std::vector<std::vector<Symbol>> seen(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : seen) {
      threads.emplace_back([&mine] {
        for (int i = 0; i < 20'000; ++i) {
          mine.emplace_back("thread-name-" + std::to_string(i));
          if (mine.back().view() != "thread-name-" + std::to_string(i)) std::abort();
        }
      });
    }
  }
  for (const auto& other : seen) EXPECT_EQ(other, seen[0]);
}

TEST(Gzip, RoundTripAndDamage) {
  std::string text(100'000, 'x');
  auto packed = gzip(text, 6);
  EXPECT_TRUE(is_gzip(packed));
  EXPECT_LT(packed.size(), 1000u);
  EXPECT_EQ(gunzip(packed, text.size()), text);
  EXPECT_FALSE(gunzip(packed, text.size() - 1)) << "larger than allowed";
  EXPECT_FALSE(gunzip(packed.substr(0, packed.size() / 2), text.size()));
  packed[packed.size() - 6] ^= 1;  // in the checksum
  EXPECT_FALSE(gunzip(packed, text.size()));
  EXPECT_FALSE(is_gzip("{"));
}

TEST(TimeText, MomentsAndDurations) {
  EXPECT_EQ(iso8601({1796009961}), "2026-11-30T03:39:21Z");
  EXPECT_EQ(short_duration({42}), "42s");
  EXPECT_EQ(short_duration({310}), "5m10s");
  EXPECT_EQ(short_duration({3 * 3600 + 12 * 60}), "3h12m");
  EXPECT_EQ(short_duration({6 * 86400 + 4 * 3600}), "6d4h");
  EXPECT_EQ(short_duration({-5}), "-5s");
  EXPECT_EQ(short_bytes(mebibytes(512)), "512 MiB");
  EXPECT_EQ(short_bytes({3 * (std::int64_t{1} << 39)}), "1.5 TiB");
  EXPECT_EQ(short_bytes({0}), "0 B");
}

TEST(TimeText, LocalTimesOfTheControllersZone) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  EXPECT_EQ(parse_local_time("2026-11-30T03:39:21"), Timestamp{1796009961});
  EXPECT_EQ(parse_local_time("Unknown"), std::nullopt);
  EXPECT_EQ(parse_local_time("2026-13-30T03:39:21"), std::nullopt);
  EXPECT_EQ(parse_local_time("2026-11-30T03:39:2x"), std::nullopt);
  EXPECT_EQ(parse_local_time("2026-11-30"), std::nullopt);
}

}  // namespace
}  // namespace schedlens
