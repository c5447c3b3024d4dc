// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/remedies.h"
#include "diagnose/test_devices.h"
#include "diagnose/what_if.h"

namespace schedlens::diagnose {
namespace {

using ::testing::Contains;
using testing::Devices;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Pods;
using ::testing::SizeIs;

struct Case : Devices {
  std::vector<Remedy> remedies(model::WorkloadId id) {
    const auto verdict = why(id);
    Explainer explainer(s);
    return find_remedies(s, explainer, verdict);
  }
  std::vector<std::string> commands(model::WorkloadId id) {
    std::vector<std::string> list;
    for (const auto& r : remedies(id)) list.push_back(r.command);
    return list;
  }
  // A pod that runs on the node and uses the claim.
  model::WorkloadId uses(const std::string& name, int node) {
    const auto id = run(node, draft().gpu(0));
    change_pod(id, [&](model::Pod& pod) { pod.resource_claims.push_back({name, name, ""}); });
    for (auto& c : *k.resource_claims) {
      if (c.name != name) continue;
      c.reserved_for.push_back(
          {"pods", s.workloads[id.index].name, s.workloads[id.index].pod->uid});
    }
    return id;
  }
};

std::string anew(const std::string& filter) {
  return "kubectl get resourceclaim -n default mine -o json | jq '(.spec.devices.requests[] | "
         "select(.name == \"gpu\") | .exactly) |= (" +
         filter +
         ") | del(.metadata.uid, .metadata.resourceVersion, .status)' | kubectl replace "
         "--force -f -";
}

TEST(PodDeviceSteps, AMissingClaimIsMade) {
  Case c;
  c.pool(0, 1);
  const auto pod = c.pod_with({"mine"});
  const auto found = c.remedies(pod);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found.front().starts, Starts::kNow);
  EXPECT_EQ(found.front().command,
            R"(echo '{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": )"
            R"({"name": "mine"}, "spec": {"devices": {"requests": [{"name": "device", "exactly": )"
            R"({"deviceClassName": "gpu"}}]}}}' | kubectl create -n default -f -)");
  c.s.scheduler_version = "1.33.4";
  EXPECT_THAT(c.remedies(pod), IsEmpty()) << "claims were written otherwise then";
}

TEST(PodDeviceSteps, AMissingTemplateIsMade) {
  Case c;
  c.pool(0, 1);
  auto d = Pods::draft();
  d.pod.resource_claims.push_back({"own", "", "one-gpu"});
  EXPECT_THAT(c.remedies(c.wait(d)).front().command,
              HasSubstr(R"("kind": "ResourceClaimTemplate", "metadata": {"name": "one-gpu"}, )"
                        R"("spec": {"spec": {"devices")"));
}

// Where no device is free a claim alone does not do it.
TEST(PodDeviceSteps, AClaimThatWouldFindNothing) {
  Case c;
  c.pool(0, 1);
  c.give("theirs", 0, {0});
  EXPECT_THAT(c.commands(c.pod_with({"mine"})), Not(Contains(HasSubstr("requests"))));
}

TEST(PodDeviceSteps, AClassThatDoesNotExist) {
  Case c;
  c.pool(0, 1);
  c.claim("mine", 1).requests.front().device_class = Symbol("none");
  EXPECT_THAT(c.commands(c.pod_with({"mine"})), Contains(anew(".deviceClassName = \"gpu\"")));
}

// Of two nodes one has a free device and the other two, of three that are asked for.
TEST(PodDeviceSteps, AsManyDevicesAsAreFree) {
  Case c;
  c.pool(0, 4);
  c.pool(1, 4);
  c.give("one", 0, {0, 1, 2});
  c.give("two", 1, {0, 1});
  c.claim("mine", 3);
  const auto found = c.remedies(c.pod_with({"mine"}));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().kind, RemedyKind::kSmallerRequest);
  EXPECT_EQ(found.front().command, anew(".count = 2"));
}

// What was made from a template would come back as it was.
TEST(PodDeviceSteps, AClaimOfATemplateIsNotChanged) {
  Case c;
  c.pool(0, 2);
  c.give("one", 0, {0});
  c.claim("mine", 2);
  const auto pod = c.pod_with({"mine"});
  c.k.resource_claims->back().owner =
      model::OwnerReference{Symbol("Pod"), "pod-0", c.s.workloads[pod.index].pod->uid};
  EXPECT_THAT(c.remedies(pod), IsEmpty());
}

TEST(PodDeviceSteps, ATaintIsTolerated) {
  Case c;
  auto& slice = c.pool(0, 1);
  slice.devices[0].taints = {{Symbol("fault"), "true", model::TaintEffect::kNoSchedule, {}}};
  c.claim("mine", 1);
  EXPECT_THAT(c.commands(c.pod_with({"mine"})),
              Contains(anew(R"(.tolerations += [{"key": "fault", "operator": "Equal", "value": )"
                            R"("true", "effect": "NoSchedule"}])")));
}

// One claim of three devices, used by two pods, on one node; three claims of one pod each on the
// other: two are short on each.
TEST(PodDeviceSteps, TheFewestPodsThatHaveTheDevices) {
  Case c;
  c.pool(0, 3);
  c.pool(1, 3);
  c.give("three", 0, {0, 1, 2});
  for (int i = 0; i < 3; ++i) c.give("one-" + std::to_string(i), 1, {i});
  c.claim("mine", 1);
  c.uses("three", 0);
  c.uses("three", 0);
  for (int i = 0; i < 3; ++i) c.uses("one-" + std::to_string(i), 1);
  const auto found = c.remedies(c.pod_with({"mine"}));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found.front().kind, RemedyKind::kEndWorkloads);
  EXPECT_EQ(found.front().command, "kubectl delete pod -n default pod-2");
  EXPECT_EQ(found.front().starts, Starts::kNow);
  EXPECT_THAT(found.front().ends, SizeIs(1));
}

// The pod beside it still uses the claim, so its devices stay with it.
TEST(PodDeviceSteps, ASharedClaimKeepsItsDevices) {
  Case c;
  c.pool(0, 1);
  c.give("shared", 0, {0});
  c.claim("mine", 1);
  const auto first = c.uses("shared", 0);
  const auto second = c.uses("shared", 0);
  const auto pod = c.pod_with({"mine"});
  c.ready();
  const auto end = [](model::WorkloadId id) {
    return [id](model::Snapshot& s) { end_workload(s, id); };
  };
  EXPECT_FALSE(what_if(c.s, pod, {end(first)}).starts);
  EXPECT_TRUE(what_if(c.s, pod, {end(first), end(second)}).starts);
  EXPECT_THAT(c.remedies(pod).front().ends, SizeIs(2));
}

}  // namespace
}  // namespace schedlens::diagnose
