// SPDX-License-Identifier: Apache-2.0
#include "diagnose/withheld_pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_pods.h"
#include "model/kubernetes.h"

namespace schedlens::diagnose {
namespace {

using testing::Pods;

constexpr std::string_view kExceeded =
    "Error creating: pods \"job-in-quota-hfvm8\" is forbidden: exceeded quota: gpu-quota, "
    "requested: requests.nvidia.com/gpu=2, used: requests.nvidia.com/gpu=4, limited: "
    "requests.nvidia.com/gpu=4";

model::Event refused(std::string_view note, std::int64_t ago = 10) {
  model::Event e;
  e.kind = Symbol("Job");
  e.ns = Symbol("quota");
  e.name = "job-in-quota";
  e.reason = Symbol("FailedCreate");
  e.note = std::string(note);
  e.last = Timestamp{Pods::kNow - ago};
  return e;
}

model::Controller job(int desired, int existing) {
  model::Controller c;
  c.kind = Symbol("Job");
  c.ns = Symbol("quota");
  c.name = "job-in-quota";
  c.desired = desired;
  c.existing = existing;
  return c;
}

TEST(QuotaRefusal, Parse) {
  auto r = parse_quota_refusal(kExceeded);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->quota, "gpu-quota");
  ASSERT_EQ(r->amounts.size(), 1u);
  EXPECT_EQ(r->amounts[0].name, "requests.nvidia.com/gpu");
  EXPECT_EQ(r->amounts[0].requested, 2);
  EXPECT_EQ(r->amounts[0].used, 4);
  EXPECT_EQ(r->amounts[0].limited, 4);
  r = parse_quota_refusal(
      "pods \"x\" is forbidden: exceeded quota: q, requested: "
      "limits.cpu=500m,requests.memory=10Gi, "
      "used: limits.cpu=8,requests.memory=0, limited: limits.cpu=8,requests.memory=5Gi");
  ASSERT_TRUE(r);
  ASSERT_EQ(r->amounts.size(), 2u);
  EXPECT_EQ(r->amounts[0].requested, 0.5);
  EXPECT_EQ(r->amounts[1].limited, 5.0 * (1 << 30));
  r = parse_quota_refusal(
      "pods \"x\" is forbidden: failed quota: q: must specify requests.nvidia.com/gpu for: main");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->quota, "q");
  EXPECT_EQ(r->must_specify, "requests.nvidia.com/gpu for: main");
  EXPECT_FALSE(parse_quota_refusal("maximum nvidia.com/gpu usage per Container is 4"));
  EXPECT_FALSE(parse_amount("ten"));
  EXPECT_EQ(parse_amount("1e3"), 1000);
}

TEST(WithheldPods, OwnersThatStillLackPods) {
  Pods c(1);
  c.k.events->push_back(refused(kExceeded, 60));
  c.k.events->push_back(refused(kExceeded, 5));
  c.k.controllers->push_back(job(4, 2));
  c.ready();
  auto list = withheld_pods(c.s);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].cause, RootCause::kLimit);
  EXPECT_EQ(list[0].missing, 2u);
  EXPECT_EQ(list[0].tries, 2u);
  EXPECT_EQ(list[0].last_try, (Timestamp{Pods::kNow - 5}));
  ASSERT_EQ(list[0].limits.size(), 1u);
  EXPECT_EQ(list[0].limits[0].limit, 4);
  EXPECT_FALSE(list[0].room_now);
  EXPECT_EQ(list[0].summary,
            "The quota gpu-quota in namespace quota is full: 4 of 4 used and 2 asked of "
            "requests.nvidia.com/gpu.");
}

TEST(WithheldPods, NotThoseThatHaveThemByNowOrAreGone) {
  Pods c(1);
  c.k.events->push_back(refused(kExceeded));
  c.ready();
  EXPECT_TRUE(withheld_pods(c.s).empty());  // the owner is gone
  c.k.controllers->push_back(job(2, 2));
  c.ready();
  EXPECT_TRUE(withheld_pods(c.s).empty());
  c.k.controllers->back().existing = 1;
  c.k.controllers->back().suspended = true;
  c.ready();
  EXPECT_TRUE(withheld_pods(c.s).empty());
}

TEST(WithheldPods, CountsThatWereNotReadAreNotZero) {
  Pods c(1);
  c.k.events->push_back(refused(kExceeded));
  c.k.controllers.reset();
  c.ready();
  auto list = withheld_pods(c.s);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_FALSE(list[0].missing);
}

TEST(WithheldPods, AQuotaThatHasRoomByNow) {
  Pods c(1);
  c.k.events->push_back(refused(kExceeded));
  c.k.controllers->push_back(job(1, 0));
  model::ResourceQuota quota;
  quota.ns = Symbol("quota");
  quota.name = "gpu-quota";
  quota.hard.set(Symbol("requests.nvidia.com/gpu"), 8);
  quota.used.set(Symbol("requests.nvidia.com/gpu"), 4);
  c.k.quotas->push_back(quota);
  c.ready();
  auto list = withheld_pods(c.s);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_TRUE(list[0].room_now);
  ASSERT_EQ(list[0].remedies.size(), 1u);
  EXPECT_EQ(list[0].remedies[0].kind, RemedyKind::kWake);
}

TEST(WithheldPods, OtherRefusalsKeepTheirText) {
  Pods c(1);
  c.k.events->push_back(refused(
      "Error creating: pods \"x\" is forbidden: maximum nvidia.com/gpu usage per Container is 4, "
      "but limit is 8"));
  c.k.controllers->push_back(job(1, 0));
  c.ready();
  auto list = withheld_pods(c.s);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_TRUE(list[0].limits.empty());
  EXPECT_THAT(list[0].summary, ::testing::HasSubstr("usage per Container is 4"));
}

TEST(WithheldPods, ALimitRangeIsKeptOrRaised) {
  Pods c(1);
  c.k.events->push_back(refused(
      "Error creating: pods \"x\" is forbidden: [maximum nvidia.com/gpu usage per Container is 4, "
      "but limit is 8, minimum cpu usage per Container is 500m, but request is 100m]"));
  c.k.controllers->push_back(job(1, 0));
  c.ready();
  const auto list = withheld_pods(c.s);
  ASSERT_EQ(list.size(), 1u);
  ASSERT_EQ(list[0].remedies.size(), 2u);
  const auto& user = list[0].remedies[0];
  EXPECT_EQ(user.who, Actor::kUser);
  EXPECT_THAT(user.command,
              ::testing::StartsWith(
                  "kubectl get job -n quota job-in-quota -o json | jq '(.spec.template.spec | "
                  ".containers[], .initContainers[]? | .resources | (.limits, .requests) | "
                  "select(.[\"nvidia.com/gpu\"]?) | .[\"nvidia.com/gpu\"]) = \"4\" | (.spec"));
  EXPECT_THAT(user.command, ::testing::HasSubstr("| .[\"cpu\"]) = \"500m\" | del("));
  const auto& raised = list[0].remedies[1];
  EXPECT_EQ(raised.kind, RemedyKind::kRaiseLimit);
  EXPECT_EQ(
      raised.command,
      "kubectl get limitrange -n quota -o json | jq '(.items[].spec.limits[] | select(.type == "
      "\"Container\") | .max | select(.[\"nvidia.com/gpu\"]? == \"4\") | "
      ".[\"nvidia.com/gpu\"]) = \"8\" | (.items[].spec.limits[] | select(.type == "
      "\"Container\") | .min | select(.[\"cpu\"]? == \"500m\") | .[\"cpu\"]) = \"100m\"' | "
      "kubectl replace -f -\nkubectl annotate job/job-in-quota -n quota --overwrite "
      "\"tried-again=$(date +%s)\"");
}

// A ReplicaSet's template is put right again by its Deployment; a pod's sum is nobody's container.
TEST(WithheldPods, WhoseTemplateItIs) {
  Pods c(1);
  auto event = refused(
      "Error creating: pods \"x\" is forbidden: maximum cpu usage per Pod is 4, but limit is 8.");
  event.kind = Symbol("ReplicaSet");
  event.name = "web-5d";
  c.k.events->push_back(event);
  auto set = job(1, 0);
  set.kind = Symbol("ReplicaSet");
  set.name = "web-5d";
  set.owner = model::OwnerReference{Symbol("Deployment"), "web", "uid"};
  c.k.controllers->push_back(set);
  c.ready();
  auto list = withheld_pods(c.s);
  ASSERT_EQ(list[0].remedies.size(), 1u);
  EXPECT_EQ(list[0].remedies[0].who, Actor::kOperator);
  c.k.events->back().note =
      "Error creating: pods \"x\" is forbidden: maximum cpu usage per Container is 4, but limit is "
      "8";
  c.ready();
  list = withheld_pods(c.s);
  ASSERT_EQ(list[0].remedies.size(), 2u);
  EXPECT_THAT(list[0].remedies[0].command,
              ::testing::StartsWith("kubectl get deployment -n quota web -o json"));
  EXPECT_THAT(list[0].remedies[0].command, ::testing::EndsWith("| kubectl replace -f -"));
}

TEST(WithheldPods, WhatAQuotaCountsIsNamed) {
  Pods c(1);
  c.k.events->push_back(
      refused("Error creating: pods \"x\" is forbidden: failed quota: team: must specify "
              "limits.cpu for: a,b; requests.memory for: a"));
  c.k.controllers->push_back(job(1, 0));
  c.ready();
  const auto list = withheld_pods(c.s);
  ASSERT_EQ(list[0].remedies.size(), 2u);
  const auto container = [](std::string name, std::string what) {
    return "(.spec.template.spec | .containers[], .initContainers[]? | select(.name == \"" + name +
           "\") | .resources." + what;
  };
  EXPECT_THAT(list[0].remedies[0].command,
              ::testing::HasSubstr(container("a", "limits[\"cpu\"]) = \"1\" | ") +
                                   container("b", "limits[\"cpu\"]) = \"1\" | ") +
                                   container("a", "requests[\"memory\"]) = \"1Gi\"")));
  EXPECT_THAT(list[0].remedies[1].command,
              ::testing::StartsWith(
                  R"(echo '{"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": )"
                  R"("team-defaults"}, "spec": {"limits": [{"type": "Container", )"
                  R"("defaultRequest": {"memory": "1Gi"}, "default": {"cpu": "1"}}]}}')"));
}

TEST(WithheldPods, AFullQuotaIsRaisedForAllThatAreMissing) {
  Pods c(1);
  c.k.events->push_back(refused(kExceeded));
  c.k.controllers->push_back(job(4, 2));
  c.ready();
  auto list = withheld_pods(c.s);
  ASSERT_EQ(list.size(), 1u);
  ASSERT_EQ(list[0].remedies.size(), 1u);
  const auto& remedy = list[0].remedies[0];
  EXPECT_EQ(remedy.who, Actor::kOperator);
  EXPECT_EQ(remedy.kind, RemedyKind::kRaiseLimit);
  EXPECT_EQ(remedy.command,
            "kubectl patch resourcequota gpu-quota -n quota --type=merge -p "
            "'{\"spec\":{\"hard\":{\"requests.nvidia.com/gpu\":\"8\"}}}'\n"
            "kubectl annotate job/job-in-quota -n quota --overwrite \"tried-again=$(date +%s)\"");
}

}  // namespace
}  // namespace schedlens::diagnose
