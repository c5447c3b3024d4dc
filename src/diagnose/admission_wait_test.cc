// SPDX-License-Identifier: Apache-2.0
#include "diagnose/admission_wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_pods.h"
#include "diagnose/withheld_pods.h"

namespace schedlens::diagnose {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::Pods;

const Symbol kFlavor{"h100"};

// Two queues of one cohort with eight GPUs each.
struct Kueue : Pods {
  Kueue() {
    k.local_queues.emplace().push_back(
        {Symbol("default"), "team-a", Symbol("cq-a"), {}, std::nullopt, std::nullopt});
    k.cluster_queues.emplace();
    for (const char* name : {"cq-a", "cq-b"}) {
      model::ClusterQueue q;
      q.name = Symbol(name);
      q.cohort = Symbol("all");
      q.quotas.push_back({kFlavor, testing::kGpuName, 8, std::nullopt, std::nullopt, 0, 0});
      k.cluster_queues->push_back(q);
    }
    k.admission_workloads.emplace();
  }
  model::ClusterQueue& queue(std::size_t i = 0) { return (*k.cluster_queues)[i]; }
  model::AdmissionWorkload& workload(std::int64_t gpus, std::int32_t pods = 1,
                                     std::int32_t priority = 0) {
    const auto number = std::to_string(k.admission_workloads->size());
    model::AdmissionWorkload w;
    w.ns = Symbol("default");
    w.name = "job-train-" + number;
    w.owners.push_back({Symbol("Job"), "train-" + number, "job-uid-" + number});
    w.queue = "team-a";
    w.priority = priority;
    w.created = Timestamp{kNow - 1000 + static_cast<std::int64_t>(k.admission_workloads->size())};
    model::PodSet set;
    set.name = "main";
    set.count = pods;
    set.request.set(testing::kGpuName, gpus);
    w.pod_sets.push_back(set);
    k.admission_workloads->push_back(w);
    return k.admission_workloads->back();
  }
  static model::PodCondition says(std::string_view type, bool status, std::string message = "") {
    model::PodCondition c;
    c.type = Symbol(type);
    c.status = status;
    c.message = std::move(message);
    return c;
  }
  AdmissionWait wait_of(std::size_t i) {
    ready();
    return admission_wait(s, (*s.kubernetes->admission_workloads)[i]);
  }
};

TEST(AdmissionWait, NamesWhatIsShortAndByHowMuch) {
  Kueue c;
  c.workload(4, 2).conditions.push_back(Kueue::says("QuotaReserved", false, "no room"));
  c.queue(0).quotas[0].reserved = 6;
  c.queue(1).quotas[0].reserved = 8;
  const auto wait = c.wait_of(0);
  EXPECT_EQ(wait.cause, RootCause::kLimit);
  EXPECT_THAT(wait.summary, HasSubstr("8 nvidia.com/gpu asked, 6 of 8 in use in flavor h100, so 6 "
                                      "too few"));
  ASSERT_EQ(wait.limits.size(), 1u);
  EXPECT_EQ(wait.limits[0].holder, "ClusterQueue cq-a, flavor h100, cohort all");
  EXPECT_EQ(wait.limits[0].requested, 8);
  EXPECT_THAT(wait.details, Contains("Kueue says: no room"));
}

TEST(AdmissionWait, BorrowsFromItsCohortAsFarAsItMay) {
  Kueue c;
  c.workload(12);
  EXPECT_EQ(c.wait_of(0).cause, RootCause::kNotConsidered);
  c.queue(0).quotas[0].borrowing_limit = 2;
  EXPECT_EQ(c.wait_of(0).cause, RootCause::kLimit);
  EXPECT_THAT(c.wait_of(0).summary, HasSubstr("so 2 too few"));
  c.queue(0).quotas[0].borrowing_limit.reset();
  c.queue(1).quotas[0].lending_limit = 1;
  c.queue(0).quotas[0].reserved = 8;
  EXPECT_THAT(c.wait_of(0).details, Contains(HasSubstr("Lending limits")));
}

TEST(AdmissionWait, WithoutACohortMoreThanTheQuotaIsImpossible) {
  Kueue c;
  c.queue(0).cohort = {};
  c.workload(9);
  EXPECT_EQ(c.wait_of(0).cause, RootCause::kImpossible);
  c.workload(1).pod_sets[0].request.set(Symbol("rdma/hca"), 1);
  EXPECT_THAT(c.wait_of(1).summary, HasSubstr("1 rdma/hca asked, which it has no quota for"));
}

TEST(AdmissionWait, PlaceByPriorityThenTime) {
  Kueue c;
  c.workload(1);
  c.workload(1);
  c.workload(1, 1, 10);
  c.workload(1, 1, 20).conditions.push_back(Kueue::says("Admitted", true));
  c.workload(1, 1, 20).active = false;
  c.ready();
  const auto& all = *c.s.kubernetes->admission_workloads;
  EXPECT_EQ(admission_place(*c.s.kubernetes, all[2])->place, 1u);
  EXPECT_EQ(admission_place(*c.s.kubernetes, all[0])->place, 2u);
  EXPECT_EQ(admission_place(*c.s.kubernetes, all[1])->place, 3u);
  EXPECT_EQ(admission_place(*c.s.kubernetes, all[1])->waiting, 3u);
  const auto wait = c.wait_of(1);
  EXPECT_EQ(wait.cause, RootCause::kPriority);
  EXPECT_THAT(wait.details, Contains("It is number 3 of 3 that wait in ClusterQueue cq-a."));
}

TEST(AdmissionWait, QueuesAndChecks) {
  Kueue c;
  c.workload(1).queue = "none";
  EXPECT_EQ(c.wait_of(0).cause, RootCause::kDependency);
  c.workload(1);
  c.queue(0).stop_policy = Symbol("HoldAndDrain");
  EXPECT_EQ(c.wait_of(1).cause, RootCause::kHold);
  c.queue(0).stop_policy = Symbol("None");
  c.queue(0).conditions.push_back(Kueue::says("Active", false, "flavor h100 is missing"));
  EXPECT_THAT(c.wait_of(1).summary, HasSubstr("not active: flavor h100 is missing"));
  auto& w = c.workload(1);
  w.conditions.push_back(Kueue::says("QuotaReserved", true));
  w.checks.push_back({"provisioning", Symbol("Pending"), "nodes are being made"});
  w.checks.push_back({"done", Symbol("Ready"), ""});
  EXPECT_THAT(c.wait_of(2).summary, HasSubstr("provisioning (Pending: nodes are being made)."));
  c.workload(1).active = false;
  EXPECT_EQ(c.wait_of(3).cause, RootCause::kHold);
  c.k.cluster_queues.reset();
  EXPECT_EQ(c.wait_of(1).cause, RootCause::kUnknown);
}

TEST(AdmissionWait, SuspendedJobsAndGatedPods) {
  Kueue c;
  c.workload(8, 2);
  c.queue(0).quotas[0].reserved = 8;
  c.ready();
  const auto list = withheld_pods(c.s);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].owner, "train-0");
  EXPECT_EQ(list[0].missing, 2u);
  EXPECT_EQ(list[0].cause, RootCause::kLimit);
  EXPECT_THAT(list[0].summary, HasSubstr("Kueue keeps it suspended."));

  auto d = c.draft();
  d.pod.gates.push_back(Symbol("kueue.x-k8s.io/admission"));
  d.pod.owner = model::OwnerReference{Symbol("Job"), "train-0", "job-uid-0"};
  auto v = c.why(c.wait(d));
  EXPECT_EQ(v.cause, RootCause::kLimit);
  EXPECT_EQ(v.limits.size(), 1u);
  EXPECT_THAT(v.owners,
              ElementsAre(Pair(Symbol("Job"), "train-0"), Pair(Symbol("Workload"), "job-train-0"),
                          Pair(Symbol("LocalQueue"), "team-a")));
  // A gate of somebody else's beside it keeps the pod whatever Kueue does.
  d.pod.gates.push_back(Symbol("example.com/wait"));
  EXPECT_EQ(c.why(c.wait(d)).cause, RootCause::kHold);
  c.k.admission_workloads.reset();
  d.pod.gates.pop_back();
  EXPECT_THAT(c.why(c.wait(d)).details, ElementsAre(HasSubstr("was not read")));
  c.ready();
  EXPECT_THAT(withheld_pods(c.s), IsEmpty());
}

struct Volcano : Pods {
  Volcano() {
    model::PodGroup g;
    g.api = Symbol("scheduling.volcano.sh");
    g.ns = Symbol("default");
    g.name = "train";
    g.min_members = 2;
    g.min_resources.set(testing::kGpuName, 16);
    g.queue = "research";
    g.phase = Symbol("Pending");
    k.pod_groups.emplace().push_back(g);
    model::GroupQueue q;
    q.name = "research";
    q.state = Symbol("Open");
    q.capability.emplace().set(testing::kGpuName, 32);
    q.allocated.set(testing::kGpuName, 24);
    k.group_queues.emplace().push_back(q);
  }
  Verdict member() {
    auto d = draft();
    d.spec.scheduler = Symbol("volcano");
    d.pod.group = "train";
    return why(wait(d));
  }
};

TEST(GangWait, VolcanoNamesTheResourceOfTheQueue) {
  Volcano c;
  auto v = c.member();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  EXPECT_THAT(v.summary, HasSubstr("does not fit into queue research: 24 of 32 nvidia.com/gpu used "
                                   "and 16 asked"));
  c.k.group_queues->front().state = Symbol("Closed");
  EXPECT_EQ(c.member().cause, RootCause::kHold);
  c.k.group_queues->clear();
  EXPECT_EQ(c.member().cause, RootCause::kDependency);
}

TEST(GangWait, AFinishedGroupThatStillCountsIsNamed) {
  Volcano c;
  auto ended = c.k.pod_groups->front();
  ended.name = "ended";
  ended.phase = Symbol("Inqueue");
  ended.succeeded = 2;
  c.k.pod_groups->push_back(ended);
  EXPECT_THAT(c.member().details, Contains(HasSubstr("default/ended (16 nvidia.com/gpu)")));
  auto d = c.draft();
  d.pod.group = "ended";
  c.run(0, d);  // a pod of it is left
  EXPECT_THAT(c.member().details, ::testing::Not(Contains(HasSubstr("default/ended"))));
}

// "pod group is not ready" says nothing where the group is complete but for this pod.
TEST(GangWait, AGroupThatLacksOnlyThisPodIsNoReason) {
  Volcano c;
  auto& group = c.k.pod_groups->front();
  group.min_members = 1;
  group.phase = Symbol("Inqueue");
  for (int i = 0; i < 8; ++i) c.run(i, c.draft().gpu(8));
  auto d = c.draft().gpu(8);
  d.spec.scheduler = Symbol("volcano");
  d.pod.group = "train";
  const auto pod = c.wait(d);
  c.scheduler_says(pod, "pod group is not ready, 1 Pending, 1 minAvailable");
  const auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_THAT(v.summary, HasSubstr("asks for 8 nvidia.com/gpu on one node"));
  EXPECT_THAT(v.details, Contains(HasSubstr("phase is Inqueue")));
  EXPECT_EQ(Explainer(c.s).classify(pod), RootCause::kCapacity);
  // With two needed it is the group that waits.
  c.k.pod_groups->front().min_members = 2;
  EXPECT_EQ(c.why(pod).cause, RootCause::kGang);
  // So it is where nodes would take it.
  Volcano roomy;
  roomy.k.pod_groups->front().min_members = 1;
  roomy.k.pod_groups->front().phase = Symbol("Inqueue");
  const auto fitting = roomy.wait(d);
  roomy.scheduler_says(fitting, "pod group is not ready, 1 Pending, 1 minAvailable");
  EXPECT_EQ(roomy.why(fitting).cause, RootCause::kGang);
}

TEST(GangWait, MembersThatExistAndWait) {
  Volcano c;
  c.k.pod_groups->front().phase = Symbol("Inqueue");
  EXPECT_THAT(c.member().summary, HasSubstr("Only 1 pod of its group train exists, and the group "
                                            "needs 2"));
  auto v = c.member();
  EXPECT_EQ(v.cause, RootCause::kGang);
  EXPECT_THAT(v.summary, HasSubstr("at least 2 pods or not at all; 2 exist, 0 have a node and 2 "
                                   "wait"));
}

}  // namespace
}  // namespace schedlens::diagnose
