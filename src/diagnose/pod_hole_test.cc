// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_hole.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/time_text.h"
#include "diagnose/pod_end.h"
#include "diagnose/remedies.h"
#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using model::WorkloadId;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Pods;
using ::testing::UnorderedElementsAre;

Pods::Draft gpus(std::int64_t n, std::int64_t cores = 1) {
  return Pods::draft().gpu(n).cpu(cores);
}

Pods::Draft of_job(Pods::Draft d, std::string job) {
  d.pod.owner = model::OwnerReference{Symbol("Job"), job, "uid-" + job};
  return d;
}

// One of 4 on gpu-1 does what two on gpu-0 do.
TEST(PodHole, TheFewestOfOneNode) {
  Pods c(2);
  for (int i = 0; i < 4; ++i) c.run(0, gpus(2));
  c.run(1, gpus(2));
  const auto four = c.run(1, gpus(4));
  c.run(1, gpus(2));
  const auto hole = c.why(c.wait(gpus(4))).hole;
  ASSERT_TRUE(hole);
  EXPECT_EQ(hole->node.index, 1u);
  EXPECT_THAT(hole->ends, ElementsAre(four));
  EXPECT_FALSE(hole->by_itself.latest);
  EXPECT_FALSE(hole->by_itself.expected);
}

// GPUs of the one and cores of the other are short at once.
TEST(PodHole, TwoResourcesShort) {
  Pods c(1);
  const auto cores = c.run(0, gpus(1, 40));
  c.run(0, gpus(1, 10));
  const auto devices = c.run(0, gpus(6, 10));
  const auto hole = c.why(c.wait(gpus(4, 30))).hole;
  ASSERT_TRUE(hole);
  EXPECT_THAT(hole->ends, UnorderedElementsAre(cores, devices));
}

// Beyond three the largest go first, and one that is not needed after all stays: of 1, 1, 1, 2, 3
// GPUs those of 3, 2, 1 and 1 make 7, and one of 1 stays.
TEST(PodHole, ManySmallOnes) {
  Pods c(1);
  for (int n : {1, 1, 1, 2, 3}) c.run(0, gpus(n));
  const auto hole = c.why(c.wait(gpus(7))).hole;
  ASSERT_TRUE(hole);
  EXPECT_EQ(hole->ends.size(), 4u);
  EXPECT_THAT(hole->ends, Contains(WorkloadId{4}));
  EXPECT_THAT(hole->ends, Contains(WorkloadId{3}));
}

// Of equally many the less important and the younger.
TEST(PodHole, WhatCostsLeast) {
  Pods c(1);
  auto important = gpus(4);
  important.pod.priority = 10;
  c.run(0, important);
  const auto other = c.run(0, gpus(4));
  const auto hole = c.why(c.wait(gpus(4))).hole;
  ASSERT_TRUE(hole);
  EXPECT_THAT(hole->ends, ElementsAre(other));
}

TEST(PodHole, WhatComesWithItsNodeOrFromTheSameOwner) {
  Pods c(1);
  auto agent = gpus(4);
  agent.pod.owner = model::OwnerReference{Symbol("DaemonSet"), "agent", "uid-agent"};
  c.run(0, agent);
  c.run(0, of_job(gpus(4), "mine"));
  EXPECT_FALSE(c.why(c.wait(of_job(gpus(4), "mine"))).hole);
  EXPECT_TRUE(c.why(c.wait(of_job(gpus(4), "other"))).hole);
}

TEST(PodHole, DeadlinesOfPodAndJob) {
  Pods c(1);
  auto d = of_job(gpus(4), "train");
  d.spec.run_limit = Seconds{7200};
  const auto first = c.run(0, d);
  c.s.workloads[first.index].start = Timestamp{Pods::kNow - 600};
  model::Controller job;
  job.kind = Symbol("Job");
  job.ns = Symbol("default");
  job.name = "eval";
  job.uid = "uid-eval";
  job.deadline = Timestamp{Pods::kNow + 900};
  c.k.controllers->push_back(job);
  const auto second = c.run(0, of_job(gpus(4), "eval"));
  c.ready();
  const PodEnds ends(c.s);
  EXPECT_EQ(ends.of(first).latest, Timestamp{Pods::kNow + 6600});
  EXPECT_EQ(ends.of(second).latest, Timestamp{Pods::kNow + 900});
  EXPECT_EQ(ends.of(std::vector{first, second}).latest, Timestamp{Pods::kNow + 6600});

  const auto pod = c.wait(gpus(8));
  EXPECT_THAT(c.why(pod).details,
              Contains("The end of default/pod-1, default/pod-0 on gpu-0 would make room; they end "
                       "by " +
                       local_time({Pods::kNow + 6600}) + " at the latest."));
  auto verdict = c.why(pod);
  Explainer explainer(c.s);
  const auto remedies = find_remedies(c.s, explainer, verdict);
  ASSERT_FALSE(remedies.empty());
  EXPECT_THAT(remedies.front().effect,
              HasSubstr("Left alone, they end by " + local_time({Pods::kNow + 6600})));
}

// Of 100, 200, 300 and 4000 seconds those longer than the 150 that it has run: the middle is 300.
TEST(PodHole, RunTimesOfTheSameOwner) {
  Pods c(1);
  for (std::int64_t took : {4000, 100, 300, 200}) {
    const auto over = c.run(0, of_job(gpus(1), "sweep"));
    c.change_pod(over, [](model::Pod& p) { p.phase = model::PodPhase::kSucceeded; });
    auto& w = c.s.workloads[over.index];
    w.state = model::WorkloadState::kCompleted;
    w.start = Timestamp{Pods::kNow - 9000};
    w.end = Timestamp{Pods::kNow - 9000 + took};
    w.allocation = {};
  }
  const auto running = c.run(0, of_job(gpus(8), "sweep"));
  c.s.workloads[running.index].start = Timestamp{Pods::kNow - 150};
  const auto stranger = c.run(0, of_job(gpus(0), "other"));
  c.s.workloads[stranger.index].start = Timestamp{Pods::kNow - 150};
  c.ready();
  const PodEnds ends(c.s);
  EXPECT_EQ(ends.of(running).expected, Timestamp{Pods::kNow + 150});
  EXPECT_EQ(ends.of(running).observed, 3u);
  EXPECT_FALSE(ends.of(stranger).expected);
  EXPECT_FALSE(ends.of(std::vector{running, stranger}).expected) << "of one nothing is known";
  EXPECT_THAT(c.why(c.wait(gpus(8))).details,
              Contains("The end of default/pod-4 on gpu-0 would make room; it ends at about " +
                       local_time({Pods::kNow + 150}) + ", going by 3 pods of the same owner."));

  // It has run for longer than any: nothing is known any more.
  c.s.workloads[running.index].start = Timestamp{Pods::kNow - 5000};
  EXPECT_FALSE(PodEnds(c.s).of(running).expected);
}

}  // namespace
}  // namespace schedlens::diagnose
