// SPDX-License-Identifier: Apache-2.0
#include "diagnose/permit_waits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Pods;

Pods cluster() {
  Pods c;
  c.s.scheduler_version = "1.36.3";
  return c;
}

model::WorkloadId placed(Pods& c, std::int64_t seconds_ago) {
  const auto pod = c.wait(Pods::draft());
  c.change_pod(pod, [&](model::Pod& p) {
    p.nominated_node = Symbol("gpu-2");
    p.condition_written = Timestamp{Pods::kNow - seconds_ago};
  });
  return pod;
}

TEST(PermitWaits, APlaceWithoutABinding) {
  auto c = cluster();
  const auto pod = placed(c, 90);
  const auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kDependency);
  EXPECT_THAT(v.summary, HasSubstr("has found it a place on gpu-2 1m30s ago"));
  const auto waits = permit_waits(c.s);
  ASSERT_TRUE(waits);
  ASSERT_EQ(waits->size(), 1u);
  EXPECT_EQ(waits->at(0).waiting, Seconds{90});
}

TEST(PermitWaits, AMemberOfAGangWaitsForTheOthers) {
  auto c = cluster();
  const auto pod = placed(c, 90);
  c.change_pod(pod, [](model::Pod& p) { p.group = "train-1"; });
  const auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kGang);
  EXPECT_THAT(v.summary, HasSubstr("waits for the others of its group train-1"));
}

TEST(PermitWaits, WhatItWasToldBeforeDoesNotHideIt) {
  auto c = cluster();
  const auto pod = placed(c, 20);
  c.scheduler_says(pod,
                   "0/8 nodes are available: 8 Insufficient nvidia.com/gpu. preemption: 0/8 nodes "
                   "are available: 8 No preemption victims found for incoming pod.",
                   20);
  EXPECT_EQ(c.why(pod).cause, RootCause::kDependency);
}

TEST(PermitWaits, WhoPreemptsIsNotAtPermit) {
  auto c = cluster();
  const auto pod = placed(c, 20);
  c.scheduler_says(pod,
                   "0/8 nodes are available: 8 Insufficient nvidia.com/gpu. preemption: not "
                   "eligible due to a terminating pod on the nominated node.",
                   20);
  EXPECT_THAT(c.why(pod).summary, Not(HasSubstr("Permit")));
  EXPECT_TRUE(permit_waits(c.s)->empty());
}

TEST(PermitWaits, EarlierSchedulersTellNobody) {
  auto c = cluster();
  placed(c, 90);
  c.s.scheduler_version = "1.34.1";
  EXPECT_FALSE(permit_waits(c.s));
  c.s.scheduler_version = "";
  EXPECT_FALSE(permit_waits(c.s));
}

}  // namespace
}  // namespace schedlens::diagnose
