// SPDX-License-Identifier: Apache-2.0
#include "diagnose/owner_chain.h"

#include <gtest/gtest.h>

#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using testing::Pods;

TEST(OwnerChain, FromThePodOutwards) {
  Pods c(1);
  auto d = c.draft();
  d.pod.owner = model::OwnerReference{Symbol("Job"), "train-0", "job-uid"};
  model::Controller job, set;
  job.kind = Symbol("Job");
  job.name = "train-0";
  job.uid = "job-uid";
  job.owner = {Symbol("JobSet"), "train", "set-uid"};
  set.kind = Symbol("JobSet");
  set.name = "train";
  set.uid = "set-uid";
  c.k.controllers = {job, set};
  model::AdmissionWorkload w;
  w.ns = Symbol("default");
  w.name = "jobset-train-1a2b";
  w.owners.push_back({Symbol("JobSet"), "train", "set-uid"});
  w.queue = "team-a";
  c.k.admission_workloads.emplace().push_back(w);
  const auto pod = c.wait(d);
  c.ready();
  EXPECT_EQ(to_text(owner_chain(*c.s.kubernetes, *c.s.workload(pod).pod)),
            "Job train-0, JobSet train, Workload jobset-train-1a2b, LocalQueue team-a");
}

TEST(OwnerChain, OwnersThatOwnEachOtherEnd) {
  Pods c(1);
  auto d = c.draft();
  d.pod.owner = model::OwnerReference{Symbol("Job"), "a", "a"};
  model::Controller a;
  a.kind = Symbol("Job");
  a.name = a.uid = "a";
  a.owner = {Symbol("Job"), "a", "a"};
  c.k.controllers = {a};
  const auto pod = c.wait(d);
  c.ready();
  EXPECT_LE(owner_chain(*c.s.kubernetes, *c.s.workload(pod).pod).size(), 6u);
}

TEST(OwnerChain, GroupsAreCounted) {
  Pods c(1);
  auto d = c.draft();
  EXPECT_EQ(to_text({}), "");
  d.pod.group = "ring";
  const auto first = c.wait(d);
  const auto second = c.wait(d);
  const auto over = c.wait(d);
  const auto alone = c.wait(c.draft());
  c.change_pod(second, [](auto& p) { p.node_name = Symbol("gpu-0"); });
  c.change_pod(over, [](auto& p) { p.phase = model::PodPhase::kSucceeded; });
  c.ready();
  auto count = GroupCounts(c.s).of(*c.s.workload(first).pod);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->exist, 2u);
  EXPECT_EQ(count->bound, 1u);
  EXPECT_FALSE(count->needed);
  EXPECT_FALSE(GroupCounts(c.s).of(*c.s.workload(alone).pod));

  model::PodGroup group;
  group.ns = Symbol("default");
  group.name = "ring";
  group.min_members = 4;
  group.queue = "research";
  c.k.pod_groups.emplace().push_back(group);
  c.ready();
  count = GroupCounts(c.s).of(*c.s.workload(first).pod);
  EXPECT_EQ(count->needed, 4);
  EXPECT_EQ(to_text(owner_chain(*c.s.kubernetes, *c.s.workload(first).pod)),
            "PodGroup ring, Queue research");
}

}  // namespace
}  // namespace schedlens::diagnose
