// SPDX-License-Identifier: Apache-2.0
#include "kube/quantity.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "base/text.h"
#include "kube/samples_test.h"

namespace schedlens::kube {
namespace {

constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

Amount read(std::string_view text) {
  auto amount = parse_quantity(text);
  EXPECT_TRUE(amount) << text;
  return amount.value_or(Amount());
}

std::int64_t value(std::string_view text) {
  return read(text).value();
}

std::int64_t milli(std::string_view text) {
  return read(text).milli_value();
}

TEST(Quantity, DecimalSuffixes) {
  EXPECT_EQ(milli("100m"), 100);
  EXPECT_EQ(milli("0.5"), 500);
  EXPECT_EQ(value("1e3"), 1000);
  EXPECT_EQ(value("1E3"), 1000);
  EXPECT_EQ(value("1E+3"), 1000);
  EXPECT_EQ(milli("1e-3"), 1);
  EXPECT_EQ(value("129e6"), 129000000);
  EXPECT_EQ(value("129M"), 129000000);
  EXPECT_EQ(value("1k"), 1000);
  EXPECT_EQ(value("128974848"), 128974848);
  EXPECT_EQ(value("128974848000m"), 128974848);
  EXPECT_EQ(value(".5"), 1);
  EXPECT_EQ(value("1."), 1);
  EXPECT_EQ(value("+7"), 7);
  EXPECT_EQ(value("007"), 7);
}

TEST(Quantity, EverySuffix) {
  const std::pair<const char*, std::int64_t> whole[] = {{"3", 3},
                                                        {"3k", 3'000},
                                                        {"3M", 3'000'000},
                                                        {"3G", 3'000'000'000},
                                                        {"3T", 3'000'000'000'000},
                                                        {"3P", 3'000'000'000'000'000},
                                                        {"3E", 3'000'000'000'000'000'000},
                                                        {"3Ki", std::int64_t{3} << 10},
                                                        {"3Mi", std::int64_t{3} << 20},
                                                        {"3Gi", std::int64_t{3} << 30},
                                                        {"3Ti", std::int64_t{3} << 40},
                                                        {"3Pi", std::int64_t{3} << 50},
                                                        {"3Ei", std::int64_t{3} << 60}};
  for (const auto& [text, amount] : whole) EXPECT_EQ(value(text), amount) << text;
  EXPECT_EQ(milli("3000000n"), 3);
  EXPECT_EQ(milli("3000u"), 3);
  EXPECT_EQ(milli("3m"), 3);
}

TEST(Quantity, BinarySuffixes) {
  EXPECT_EQ(value("123Mi"), 128974848);
  EXPECT_EQ(value("1.5Gi"), 1610612736);
  EXPECT_EQ(milli("0.1Ki"), 102400);
  EXPECT_EQ(value("1Ei"), 1152921504606846976);
  EXPECT_EQ(value("4Ti"), std::int64_t{4} << 40);
  EXPECT_EQ(value("7.9Ei"), 9108079886394091111);  // 2^60 * 7.9 = ...110.4, rounded up
}

// "1E" is 10^18 of something, not an exponent that is missing.
TEST(Quantity, ExaIsNoExponent) {
  EXPECT_EQ(value("1E"), 1'000'000'000'000'000'000);
}

TEST(Quantity, TooLargeStaysAtTheLargest) {
  EXPECT_EQ(value("8Ei"), kMost);
  EXPECT_EQ(value("10E"), kMost);
  EXPECT_EQ(milli("1E"), kMost);
  EXPECT_EQ(value("1e400"), kMost);
  EXPECT_EQ(value("-1e400"), -kMost);
  EXPECT_EQ(value("99999999999999999999999999999999"), kMost);
  auto sum = read("8Ei");
  sum += read("8Ei");
  EXPECT_EQ(sum.value(), kMost);
}

TEST(Quantity, RoundsUpAwayFromZero) {
  EXPECT_EQ(value("0.1m"), 1);
  EXPECT_EQ(milli("0.1m"), 1);
  EXPECT_EQ(milli("1n"), 1);
  EXPECT_EQ(value("1e-400"), 1);
  EXPECT_EQ(value("-0.5"), -1);
  EXPECT_EQ(value("-1"), -1);
  EXPECT_EQ(value("-.484785E-7466"), -1);
  EXPECT_EQ(value("0.000"), 0);
  EXPECT_EQ(value("0e2147483647"), 0);
}

// Parts finer than a billionth count too, but only once.
TEST(Quantity, SumsAreExact) {
  auto sum = read("0.5m");
  sum += read("0.5m");
  EXPECT_EQ(sum.milli_value(), 1);
  sum += read("0.0000000001");
  EXPECT_EQ(sum.milli_value(), 2);
  EXPECT_TRUE(read("0.1") < read("101m"));
  EXPECT_EQ(read("1Ki"), read("1.024k"));
}

TEST(Quantity, WhatIsNoQuantity) {
  for (const char* text : {"",
                           "1K",
                           "1ki",
                           "1 Gi",
                           "0x10",
                           "1Mi5",
                           "1e",
                           "NaN",
                           "Inf",
                           "1.2.3",
                           "1,5",
                           "-",
                           "+",
                           ".",
                           "m",
                           "Ki",
                           "--1",
                           "+-1",
                           "1e+",
                           "1e-",
                           "1e+-1",
                           "1mm",
                           "1m1",
                           " 1",
                           "1 ",
                           "1ee3",
                           "1e3m",
                           "1iK",
                           "1e",
                           "e3",
                           "1e4294967297",
                           "1e1.5",
                           "1e99999999999999999999",
                           "2E6024865272343"}) {
    EXPECT_FALSE(parse_quantity(text)) << text;
  }
  EXPECT_FALSE(parse_quantity(std::string_view("1\0", 2)));
}

// No exponent and no length of text makes it slow.
TEST(Quantity, TakesLinearTime) {
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(value("1e2147483647"), kMost);
  EXPECT_EQ(value("1e-2147483648"), 1);
  const std::string zeros(1'000'000, '0');
  EXPECT_EQ(value("1" + zeros + "Ei"), kMost);
  EXPECT_EQ(value("0." + zeros + "1Ei"), 1);
  EXPECT_EQ(value(zeros + "5"), 5);
  EXPECT_EQ(value("5." + zeros), 5);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

// Four thousand random texts and what Kubernetes' own parser makes of them.
TEST(Quantity, ReadsWhatKubernetesReads) {
  const auto table = sample("quantities.tsv.gz");
  int read = 0, refused = 0;
  for (const auto line : split(table, '\n')) {
    if (line.empty()) continue;
    const auto columns = split(line, '\t');
    const auto amount = parse_quantity(columns[0]);
    if (columns[1] == "error") {
      EXPECT_FALSE(amount) << line;
      ++refused;
      continue;
    }
    ASSERT_TRUE(amount) << line;
    EXPECT_EQ(std::to_string(amount->value()), columns[1]) << line;
    EXPECT_EQ(std::to_string(amount->milli_value()), columns[2]) << line;
    ++read;
  }
  EXPECT_GT(read, 2000);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace schedlens::kube
