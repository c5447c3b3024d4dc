// SPDX-License-Identifier: Apache-2.0
#include "baseline/spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "baseline/median.h"

namespace schedlens::baseline {
namespace {

TEST(Spread, HasFloors) {
  EXPECT_EQ(least_spread(200, {5, 0.1, false}, 1), 20);
  EXPECT_EQ(least_spread(10, {5, 0.1, false}, 1), 5);
  EXPECT_EQ(least_spread(0, {5, 0.1, true}, 1), 5);
  EXPECT_EQ(least_spread(100, {5, 0, true}, 1), 10);
  // 100 an hour, counted for a quarter: 25 +- 5 in it, 100 +- 20 an hour.
  EXPECT_EQ(least_spread(100, {5, 0, true}, 0.25), 20);
}

TEST(Spread, IsHowFarEachValueWasFromTheMedianOfTheOthers) {
  std::vector<double> values = {10, 1, 4, 2, 3}, errors;
  add_errors(values, {1, 0, false}, 1, errors);
  EXPECT_EQ(errors, (std::vector<double>{-2.5, -1.5, 0, 1.5, 7.5}));
  errors.clear();
  std::vector<double> four = {8, 2, 4, 6};
  add_errors(four, {2, 0, false}, 1, errors);
  EXPECT_EQ(errors, (std::vector<double>{-2, -1, 1, 2}));
  errors.clear();
  std::vector<double> two = {1, 2};
  add_errors(two, {1, 0, false}, 1, errors);
  EXPECT_TRUE(errors.empty());
}

TEST(Spread, HasTwoSidesAndForgetsATenthOfTheTime) {
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
      add_errors(hour, floors, 1, errors);
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
