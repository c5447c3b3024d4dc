// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Pods;

Pods::Draft ranked(std::int64_t gpus, std::int32_t priority, std::int64_t cores = 1) {
  auto d = Pods::draft().gpu(gpus).cpu(cores);
  d.pod.priority = priority;
  return d;
}

// The scheduler says "No preemption victims found" and no more, whatever stays in the way.
TEST(RoomToCome, WhatStaysInTheWayAfterPreemption) {
  Pods c(2);
  c.run(0, ranked(5, 100, 60));
  c.run(0, ranked(3, 0));
  c.run(1, ranked(7, 100));
  c.run(1, ranked(1, 0));
  auto pod = c.wait(ranked(4, 50, 8));
  EXPECT_THAT(
      c.why(pod).details,
      Contains("Preemption cannot help: even without its 1 pod of lower priority gpu-0 would "
               "lack 4 cpu and 1 nvidia.com/gpu."));
  EXPECT_THAT(c.why(c.wait(ranked(3, 50))).details,
              Contains("Preemption makes room: the scheduler would end default/pod-1 on gpu-0."));
}

TEST(RoomToCome, NobodyIsOfLowerPriority) {
  Pods c(1);
  c.run(0, ranked(8, 50));
  const auto nobody = HasSubstr("no pod on the nodes it may use is of lower priority");
  EXPECT_THAT(c.why(c.wait(ranked(1, 50))).details, Contains(nobody));
  // Where nobody has a priority there is nothing to say.
  EXPECT_THAT(c.why(c.wait(ranked(1, 0))).details, Not(Contains(HasSubstr("priority"))));
}

TEST(RoomToCome, APodThatDoesNotPreempt) {
  Pods c(1);
  c.run(0, ranked(8, 0));
  auto d = ranked(1, 50);
  d.spec.never_preempts = true;
  EXPECT_THAT(
      c.why(c.wait(d)).details,
      AllOf(Contains("It does not preempt (preemptionPolicy Never); otherwise the scheduler "
                     "could end default/pod-0 on gpu-0."),
            Contains("The end of default/pod-0 on gpu-0 would make room; when it ends by "
                     "itself is not known.")));
}

TEST(RoomToCome, PodsThatAreEnding) {
  Pods c(2);
  auto leaving = ranked(2, 0);
  leaving.pod.deleting = Timestamp{Pods::kNow};
  c.run(0, ranked(6, 0));
  c.run(0, leaving);
  c.run(1, ranked(8, 0));
  EXPECT_THAT(c.why(c.wait(ranked(2, 0))).details,
              Contains(AllOf(HasSubstr("gpu-0 has room for it as soon as pods that are being "
                                       "deleted there are gone"),
                             HasSubstr("pod-1"))));
  EXPECT_THAT(c.why(c.wait(ranked(3, 0))).details, Not(Contains(HasSubstr("being deleted"))));
}

// A node that its labels exclude is none that preemption opens.
TEST(RoomToCome, OnlyNodesThatLackRoomAlone) {
  Pods c(2);
  c.run(0, ranked(8, 0));
  c.run(1, ranked(8, 50));
  auto d = ranked(1, 50);
  d.spec.node_selector = {{testing::kHostname, "gpu-1"}};
  EXPECT_THAT(c.why(c.wait(d)).details, Contains(HasSubstr("Preemption cannot help")));
}

// So many small ones as the node may have.
TEST(RoomToCome, APlaceAmongThePods) {
  Pods c(1);
  c.allocatable(0, model::names::kKubePods, 2);
  c.run(0, ranked(0, 50));
  c.run(0, ranked(0, 0));
  EXPECT_THAT(c.why(c.wait(ranked(1, 50))).details,
              Contains("Preemption makes room: the scheduler would end default/pod-1 on gpu-0."));
}

// Those that are preempted have been told to end, and their grace has an end.
TEST(RoomToCome, PreemptedPodsThatAreEnding) {
  Pods c(1);
  auto leaving = ranked(8, 0);
  leaving.pod.deleting = Timestamp{Pods::kNow - 40};
  c.run(0, leaving);
  auto d = ranked(1, 50);
  d.pod.nominated_node = Symbol("gpu-0");
  const auto pod = c.wait(d);
  EXPECT_THAT(c.why(pod).details,
              Contains(AllOf(HasSubstr("default/pod-0 should have ended by"),
                             HasSubstr("a finalizer or a node that does not"))));
  c.change_pod({0}, [](model::Pod& p) { p.deleting = Timestamp{Pods::kNow + 20}; });
  EXPECT_THAT(c.why(pod).details, Contains(HasSubstr("default/pod-0 has until")));
  EXPECT_FALSE(c.why(pod).preemption) << "that is done";
}

}  // namespace
}  // namespace schedlens::diagnose
