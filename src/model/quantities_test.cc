// SPDX-License-Identifier: Apache-2.0
#include "model/quantities.h"

#include <gtest/gtest.h>

#include <limits>

namespace schedlens::model {
namespace {

const Symbol kGpu{"nvidia.com/gpu"};

TEST(Quantities, AbsentReadsAsNoneButCanBeToldApart) {
  Quantities q;
  EXPECT_EQ(q.get(kGpu), 0);
  EXPECT_FALSE(q.find(kGpu));
  q.set(kGpu, 0);
  EXPECT_EQ(q.find(kGpu), 0);
}

TEST(Quantities, AddsSubtractsAndRaisesByName) {
  Quantities a;
  a.set(names::kKubeCpu, 500);
  a.set(kGpu, 2);
  Quantities b;
  b.set(names::kKubeCpu, 250);
  b.set(names::kKubeMemory, 1 << 20);
  a.add(b);
  EXPECT_EQ(a.get(names::kKubeCpu), 750);
  EXPECT_EQ(a.get(names::kKubeMemory), 1 << 20);
  b.set(names::kKubeCpu, 1000);
  a.raise(b);
  EXPECT_EQ(a.get(names::kKubeCpu), 1000);
  EXPECT_EQ(a.get(kGpu), 2);
  a.subtract(b);
  EXPECT_EQ(a.get(names::kKubeCpu), 0);
  EXPECT_EQ(a.items().front().name.view(), "cpu");
}

TEST(Quantities, SumsDoNotGoRound) {
  Quantities q;
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  q.set(kGpu, kMost);
  q.add(kGpu, 1);
  EXPECT_EQ(q.get(kGpu), kMost);
  Quantities lowest;
  lowest.set(kGpu, std::numeric_limits<std::int64_t>::min());
  q.set(kGpu, -2);
  q.add(lowest);
  EXPECT_EQ(q.get(kGpu), std::numeric_limits<std::int64_t>::min());
}

}  // namespace
}  // namespace schedlens::model
