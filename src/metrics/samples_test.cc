// SPDX-License-Identifier: Apache-2.0
#include "metrics/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "metrics/families.h"
#include "metrics/small_cluster_test.h"

namespace schedlens::metrics {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Samples, WhatAPageSays) {
  const auto all = read_samples(
      "# HELP a What\n# TYPE a gauge\na 3\n"
      "b{x=\"1,2\",y=\"say \\\"hi\\\"\\\\\\n}\"} -4.5e3\n"
      "c_bucket{le=\"1\"} 2\nc_sum 7\nc_count 2\nd +Inf\n\nbroken\nalso{broken 4\n");
  EXPECT_THAT(
      all,
      ElementsAre(Sample{"a", {}, 3}, Sample{"b", {{"x", "1,2"}, {"y", "say \"hi\"\\\n}"}}, -4500},
                  Sample{"c_sum", {}, 7}, Sample{"c_count", {}, 2}, Sample{"d", {}, INFINITY}));
}

TEST(Samples, OfTheClusterAreFew) {
  for (const auto& family : kFamilies) {
    if (family.name == "schedlens_gpus_used") {
      EXPECT_TRUE(is_of_the_cluster(family));
    }
    if (family.name == "schedlens_kubelet_device_allocations_total") {
      EXPECT_FALSE(is_of_the_cluster(family));
    }
  }
}

TEST(Samples, OnlyTheFamiliesThatAreWanted) {
  const auto snapshot = test::small();
  RenderInput input{.now = snapshot.time, .version = "1"};
  const auto nodes =
      samples(snapshot, input, [](const Family& f) { return f.name == "schedlens_cluster_nodes"; });
  EXPECT_THAT(nodes,
              ElementsAre(Sample{
                  "schedlens_cluster_nodes", {}, static_cast<double>(snapshot.nodes.size())}));
  EXPECT_THAT(samples(snapshot, input, [](const Family&) { return false; }), IsEmpty());
}

}  // namespace
}  // namespace schedlens::metrics
