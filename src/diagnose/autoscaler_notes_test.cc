// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_pods.h"
#include "model/autoscaler.h"

namespace schedlens::diagnose {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Pods;

model::WorkloadId too_large(Pods& c) {
  return c.wait(Pods::draft().gpu(16));
}

void says(Pods& c, model::WorkloadId id, std::string_view reason, std::string note) {
  model::Event e;
  e.kind = Symbol("Pod");
  e.ns = Symbol("default");
  e.name = c.s.workloads[id.index].name;
  e.reason = Symbol(reason);
  e.reporter = Symbol("cluster-autoscaler");
  e.note = std::move(note);
  e.last = Timestamp{Pods::kNow - 30};
  c.k.events->push_back(std::move(e));
}

void has_groups(Pods& c, std::int64_t age = 10) {
  model::AutoscalerStatus status;
  status.time = Timestamp{Pods::kNow - age};
  status.groups.push_back({"a100", "Healthy", "NoActivity", "", 3, 1, 3});
  status.groups.push_back({"h100", "Healthy", "Backoff", "no quota", 1, 0, 8});
  status.groups.push_back({"cpu", "Healthy", "NoActivity", "", 1, 0, 8});
  c.k.autoscaler = status;
}

TEST(AutoscalerNotes, NothingWhereThereIsNone) {
  Pods c;
  EXPECT_THAT(c.why(too_large(c)).details, Not(Contains(HasSubstr("autoscaler"))));
}

TEST(AutoscalerNotes, WhatItSays) {
  Pods c;
  const auto pod = too_large(c);
  says(c, pod, "NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached");
  has_groups(c);
  auto details = c.why(pod).details;
  EXPECT_THAT(details, Contains(HasSubstr("adds no nodes for it: pod didn't trigger scale-up")));
  EXPECT_THAT(details, Contains(HasSubstr("a100 has 3 nodes, as many as it may; h100 is not tried "
                                          "for a while after a failure: no quota.")));
  says(c, pod, "TriggeredScaleUp", "pod triggered scale-up: [{h100 1->2 (max: 8)}]");
  c.k.events->back().last = Timestamp{Pods::kNow};
  details = c.why(pod).details;
  EXPECT_THAT(details, Contains(HasSubstr("is adding nodes: pod triggered scale-up")));
  EXPECT_THAT(details, Not(Contains(HasSubstr("adds no nodes"))));
}

TEST(AutoscalerNotes, SilenceIsSaid) {
  Pods c;
  const auto pod = too_large(c);
  has_groups(c);
  EXPECT_THAT(c.why(pod).details, Contains(HasSubstr("said nothing about it in 10m")));
  c.s.workloads[pod.index].submitted = c.s.workloads[pod.index].eligible =
      Timestamp{Pods::kNow - 60};
  EXPECT_THAT(c.why(pod).details, Not(Contains(HasSubstr("said nothing"))));
}

TEST(AutoscalerNotes, AnOldStatusIsNotTrusted) {
  Pods c;
  const auto pod = too_large(c);
  has_groups(c, 900);
  EXPECT_THAT(c.why(pod).details,
              Contains(HasSubstr("status is 15m0s old; it may not be running")));
}

}  // namespace
}  // namespace schedlens::diagnose
