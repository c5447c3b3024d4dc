// SPDX-License-Identifier: Apache-2.0
#include "baseline/spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "baseline/median.h"

namespace schedlens::baseline {
namespace {

TEST(Scale, IsEvenThenOfRootsThenOfLogarithms) {
  // Even widths of 5 up to 25, whose root is 5; from 100 on a tenth of it is more than its root.
  Scale scale({5, 0.1, true});
  EXPECT_DOUBLE_EQ(scale.to(10), 2);
  EXPECT_DOUBLE_EQ(scale.to(25), 5);
  EXPECT_DOUBLE_EQ(scale.to(64), 5 + 2 * (8 - 5));
  EXPECT_DOUBLE_EQ(scale.to(100), 15);
  EXPECT_DOUBLE_EQ(scale.to(100 * std::exp(0.2)), 17);
  EXPECT_DOUBLE_EQ(scale.to(-10), -2);
  for (double value : {-30.0, 0.0, 3.0, 24.0, 26.0, 99.0, 101.0, 5000.0}) {
    EXPECT_NEAR(scale.from(scale.to(value)), value, 1e-9) << value;
  }
}

TEST(Scale, NeedNotHaveAllParts) {
  Scale share({0.03, 0.03, false});
  EXPECT_DOUBLE_EQ(share.to(0.9), 30);
  EXPECT_DOUBLE_EQ(share.from(20), 0.6);
  Scale plain({2, 0, false});
  EXPECT_DOUBLE_EQ(plain.to(1e6), 5e5);
  EXPECT_DOUBLE_EQ(plain.from(5e5), 1e6);
  Scale no_roots({50, 0.25, true});  // 200 on: a quarter is always more than the root
  EXPECT_DOUBLE_EQ(no_roots.to(200), 4);
  EXPECT_DOUBLE_EQ(no_roots.to(200 * std::exp(1)), 8);
  EXPECT_NEAR(no_roots.from(8), 543.656, 1e-3);
  Scale counted({1, 0, true});
  EXPECT_DOUBLE_EQ(counted.to(100), 19);
  EXPECT_DOUBLE_EQ(counted.from(19), 100);
  // 100 an hour seen for a quarter of it: 25 +- 5 of it, 100 +- 20.
  Scale quarter({1, 0, true}, 0.25);
  EXPECT_NEAR(quarter.to(120) - quarter.to(100), 1, 0.05);
}

TEST(Spread, IsHowFarEachValueWasFromTheMedianOfTheOthers) {
  std::vector<double> values = {10, 1, 4, 2, 3}, errors;
  add_errors(values, Scale({1, 0, false}), errors);
  EXPECT_EQ(errors, (std::vector<double>{-2.5, -1.5, 0, 1.5, 7.5}));
  errors.clear();
  std::vector<double> four = {8, 2, 4, 6};
  add_errors(four, Scale({2, 0, false}), errors);
  EXPECT_EQ(errors, (std::vector<double>{-2, -1, 1, 2}));
  errors.clear();
  std::vector<double> two = {1, 2};
  add_errors(two, Scale({1, 0, false}), errors);
  EXPECT_TRUE(errors.empty());
}

TEST(Spread, HasTwoSidesAndIsNotCarriedAwayByATenthOfTheTime) {
  std::vector<double> near;
  std::vector<double> tail(100, 0.0);
  for (int i = 0; i < 20; ++i) tail[static_cast<std::size_t>(i)] = 12.816;
  auto spread = spread_of(tail, near);
  EXPECT_NEAR(spread.up, 10, 1e-9);
  EXPECT_EQ(spread.down, 1);

  std::vector<double> incident(100, 0.0);
  for (int i = 0; i < 10; ++i) incident[static_cast<std::size_t>(i)] = 1000;
  spread = spread_of(incident, near);
  EXPECT_EQ(spread.up, 1);
}

TEST(Spread, IsNotLessThanThatOfTheTimesNear) {
  std::vector<double> all(200, 0.1), near;
  for (int i = 0; i < 20; ++i) near.push_back(i % 2 == 0 ? 3 : -3);
  auto spread = spread_of(all, near);
  EXPECT_NEAR(spread.up, 3 * 1.4826, 1e-9);
  EXPECT_NEAR(spread.down, 3 * 1.4826, 1e-9);
}

// Why the spread is not that of the seven values themselves.
TEST(Spread, OfAllHoursMakesFewFalseAlarmsWhereThatOfSevenValuesMakesMany) {
  std::mt19937_64 random(20261130);
  std::normal_distribution<double> noise(1000, 50);
  Floors floors{1, 0, false};
  int own = 0, pooled = 0, draws = 0;
  for (int series = 0; series < 400; ++series) {
    std::vector<double> errors;
    std::vector<std::vector<double>> hours(24);
    for (auto& hour : hours) {
      for (int i = 0; i < 7; ++i) hour.push_back(noise(random));
      add_errors(hour, Scale(floors), errors);
    }
    std::vector<double> near;
    auto spread = spread_of(errors, near);
    for (auto& hour : hours) {
      ++draws;
      auto value = noise(random), median = median_of(hour);
      std::vector<double> distances;
      for (auto x : hour) distances.push_back(std::abs(x - median));
      own += std::abs(value - median) > 3 * 1.4826 * median_of(distances) ? 1 : 0;
      pooled += std::abs(value - median) > 3 * (value > median ? spread.up : spread.down) ? 1 : 0;
    }
  }
  EXPECT_GT(own, draws * 7 / 100);  // 9 % of 9,600
  EXPECT_LT(pooled, draws * 7 / 1000);
}

}  // namespace
}  // namespace schedlens::baseline
