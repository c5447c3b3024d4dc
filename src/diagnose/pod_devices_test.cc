// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_devices.h"

namespace schedlens::diagnose {
namespace {

using testing::Devices;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string counts(const Verdict& v) {
  std::string text;
  for (const auto& c : v.as_scheduler) {
    text += (text.empty() ? "" : ", ") + std::to_string(c.count) + " " + c.reason;
  }
  return text;
}

TEST(PodDevices, FreeDevicesFit) {
  Devices c;
  c.pool(0, 2);
  c.give("theirs", 0, {0});
  c.claim("mine", 1);
  const auto v = c.why(c.pod_with({"mine"}));
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
  ASSERT_EQ(v.fit.nodes.size(), 1u);
  EXPECT_EQ(v.fit.nodes[0].index, 0u);
  EXPECT_THAT(v.unsure, ElementsAre(HasSubstr("A scheduler that is not running")));
}

TEST(PodDevices, TakenDevices) {
  Devices c;
  c.pool(0, 2);
  c.pool(1, 2);
  c.give("one", 0, {0, 1});
  c.give("two", 1, {1});
  c.claim("mine", 2);
  auto v = c.why(c.pod_with({"mine"}));
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_EQ(counts(v), "4 cannot allocate all claims");
  ASSERT_EQ(v.devices.size(), 1u);
  EXPECT_EQ(v.devices[0].nodes.size(), 2u);
  EXPECT_EQ(v.devices[0].nodes[1].free, 1u);
  EXPECT_THAT(v.devices[0].held_by, ElementsAre("default/one", "default/two"));
  // Two that are free on two nodes.
  c.pool(2, 2);
  c.give("three", 2, {0});
  v = c.why(c.pod_with({"mine"}));
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_THAT(v.summary, HasSubstr("2 of 6 devices for request gpu free on 3 nodes, at most 1 on"));
}

TEST(PodDevices, NeverEnough) {
  Devices c;
  c.pool(0, 2);
  c.claim("mine", 3);
  EXPECT_EQ(c.why(c.pod_with({"mine"})).cause, RootCause::kImpossible);
  c.claim("other", 1, {R"(device.attributes["gpu.test"].index == 7)"});
  EXPECT_EQ(c.why(c.pod_with({"other"})).cause, RootCause::kImpossible);
}

// 10 and 30 GiB are 40 in sum, and none of two devices with 20.
TEST(PodDevices, HolesOfUnequalSize) {
  Devices c(1);
  auto& slice = c.pool(0, 2);
  const Symbol memory("gpu.test/memory");  // in thousandths
  slice.devices[0].capacity.set(memory, 10 * testing::kGiB * 1000);
  slice.devices[1].capacity.set(memory, 30 * testing::kGiB * 1000);
  const std::string large =
      R"(device.capacity["gpu.test"].memory.compareTo(quantity("20Gi")) >= 0)";
  c.claim("two", 2, {large});
  auto v = c.why(c.pod_with({"two"}));
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  ASSERT_EQ(v.devices.size(), 1u);
  ASSERT_EQ(v.devices[0].nodes.size(), 1u);
  EXPECT_EQ(v.devices[0].nodes[0].matching, 1u);
  c.claim("one", 1, {large});
  EXPECT_EQ(c.why(c.pod_with({"one"})).cause, RootCause::kNotConsidered);
}

TEST(PodDevices, ASharedClaimKeepsItsNode) {
  Devices c;
  c.pool(0, 1);
  c.give("shared", 0, {0});
  c.run(0, c.draft().gpu(8));
  auto d = c.draft();
  d.gpu(1);
  d.pod.resource_claims.push_back({"shared", "shared", ""});
  const auto v = c.why(c.wait(d));
  EXPECT_EQ(counts(v), "1 Insufficient nvidia.com/gpu, 3 resourceclaim not available on the node");
  EXPECT_EQ(v.cause, RootCause::kConstraint);
}

TEST(PodDevices, TaintsAreHealth) {
  Devices c;
  c.pool(0, 1).devices[0].taints.push_back(
      {Symbol("fault"), "", model::TaintEffect::kNoSchedule, {}});
  auto& mine = c.claim("mine", 1);
  auto v = c.why(c.pod_with({"mine"}));
  EXPECT_EQ(v.cause, RootCause::kUnhealthyNodes);
  EXPECT_THAT(v.summary, HasSubstr("dev-0 of gpu-0: fault:NoSchedule"));
  model::Toleration all;
  all.op = model::TolerationOperator::kExists;
  mine.requests[0].tolerations.push_back(all);
  EXPECT_TRUE(c.why(c.pod_with({"mine"})).fit.fits_now);
}

TEST(PodDevices, TwoRequestsNeedTwoDevices) {
  Devices c;
  c.pool(0, 2);
  // Either device would do for the first, only one for the second.
  auto& mine = c.claim("mine", 1);
  mine.requests.push_back(mine.requests[0]);
  mine.requests[1].name = "zero";
  mine.requests[1].selectors = {R"(device.attributes["gpu.test"].index == 0)"};
  EXPECT_TRUE(c.why(c.pod_with({"mine"})).fit.fits_now);
  mine.requests[0].selectors = mine.requests[1].selectors;
  EXPECT_EQ(c.why(c.pod_with({"mine"})).cause, RootCause::kImpossible);
}

TEST(PodDevices, FirstAvailable) {
  Devices c;
  c.pool(0, 3);
  c.give("theirs", 0, {2});
  auto& mine = c.claim("mine", 1);
  auto large = mine.requests[0], small = mine.requests[0];
  large.name = "large";
  large.selectors = {R"(device.attributes["gpu.test"].index == 2)"};
  small.name = "small";
  small.count = 2;
  mine.requests[0].first_available = {large, small};
  const auto v = c.why(c.pod_with({"mine"}));
  EXPECT_TRUE(v.fit.fits_now);
  ASSERT_EQ(v.devices.size(), 2u);
  EXPECT_EQ(v.devices[1].request, "gpu/small");
  mine.requests[0].first_available[1].count = 3;
  EXPECT_EQ(c.why(c.pod_with({"mine"})).cause, RootCause::kCapacity);
}

TEST(PodDevices, ConstraintsOnAttributes) {
  Devices c;
  auto& slice = c.pool(0, 4);
  for (int i = 0; i < 4; ++i) {
    slice.devices[static_cast<std::size_t>(i)].attributes.push_back(
        {Symbol("gpu.test/group"), model::AttributeKind::kInteger, std::to_string(i / 2)});
  }
  auto& mine = c.claim("mine", 2);
  mine.constraints.push_back({{}, Symbol("gpu.test/group"), {}});
  EXPECT_TRUE(c.why(c.pod_with({"mine"})).fit.fits_now);
  mine.requests[0].count = 3;
  EXPECT_FALSE(c.why(c.pod_with({"mine"})).fit.fits_now);
  EXPECT_EQ(c.why(c.pod_with({"mine"})).cause, RootCause::kImpossible);
}

TEST(PodDevices, PartsShareCounters) {
  Devices c;
  auto& slice = c.pool(0, 3);
  const Symbol memory{"memory"};
  auto some = [&](std::int64_t amount) {
    model::DeviceCounters counters;
    counters.set = "gpu-0";
    counters.counters.set(memory, amount);
    return counters;
  };
  slice.counters.push_back(some(80));
  slice.devices[0].consumes = {some(80)};
  slice.devices[1].consumes = {some(40)};
  slice.devices[2].consumes = {some(40)};
  c.claim("mine", 1, {R"(device.attributes["gpu.test"].index == 0)"});
  EXPECT_TRUE(c.why(c.pod_with({"mine"})).fit.fits_now);
  c.give("half", 0, {1});
  EXPECT_EQ(c.why(c.pod_with({"mine"})).cause, RootCause::kCapacity);
  c.claim("other", 1, {R"(device.attributes["gpu.test"].index == 2)"});
  EXPECT_TRUE(c.why(c.pod_with({"other"})).fit.fits_now);
}

TEST(PodDevices, AnIncompletePoolGivesNothing) {
  Devices c;
  c.pool(0, 2).slices_in_pool = 2;
  c.claim("mine", 1);
  EXPECT_EQ(counts(c.why(c.pod_with({"mine"}))), "4 cannot allocate all claims");
  // An older generation has gone out of use.
  auto& newer = c.pool(0, 1);
  newer.name = "gpu-0-newer";
  newer.generation = 2;
  const auto v = c.why(c.pod_with({"mine"}));
  EXPECT_TRUE(v.fit.fits_now);
  EXPECT_EQ(v.devices[0].nodes[0].matching, 1u);
}

TEST(PodDevices, WhatIsNotEvaluatedIsSaid) {
  Devices c;
  c.pool(0, 1);
  c.claim("mine", 1, {R"(device.attributes["gpu.test"].index.matches("x"))"});
  auto pod = c.pod_with({"mine"});
  auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kUnknown);
  EXPECT_THAT(v.unsure, ElementsAre(HasSubstr("\"matches\" is not evaluated")));
  // More than there are: whatever the selector means.
  c.claim("many", 2, {R"(device.attributes["gpu.test"].index.matches("x"))"});
  EXPECT_EQ(c.why(c.pod_with({"many"})).cause, RootCause::kImpossible);
  // A share of a device.
  c.claim("share", 1).requests[0].takes_capacity = true;
  EXPECT_EQ(c.why(c.pod_with({"share"})).cause, RootCause::kUnknown);
}

TEST(PodDevices, AMissingClassStopsTheWholePod) {
  Devices c;
  c.claim("mine", 1).requests[0].device_class = Symbol("none");
  const auto v = c.why(c.pod_with({"mine"}));
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  EXPECT_THAT(v.summary, HasSubstr("request gpu: device class none does not exist"));
}

TEST(PodDevices, ClaimsOfTemplates) {
  Devices c;
  auto d = c.draft();
  d.pod.resource_claims.push_back({"gpus", "", "each"});
  EXPECT_THAT(c.why(c.wait(d)).summary, HasSubstr("ResourceClaimTemplate each does not exist"));
  c.k.claim_templates->push_back({Symbol("default"), "each"});
  EXPECT_THAT(c.why(c.wait(d)).summary, HasSubstr("has not been made yet"));
  c.claim("of-another", 1).owner = {Symbol("Pod"), "p", "another-uid"};
  d.pod.resource_claims.back().claim = "of-another";
  EXPECT_THAT(c.why(c.wait(d)).summary, HasSubstr("made for another pod"));
}

TEST(PodDevices, AClassMayStandForAResource) {
  Devices c;
  const Symbol name{"example.com/gpu"};
  auto d = c.draft();
  d.ask(name, 1);
  EXPECT_EQ(c.why(c.wait(d)).cause, RootCause::kImpossible);
  c.k.device_classes->front().extended_resource = name;
  const auto v = c.why(c.wait(d));
  EXPECT_NE(v.cause, RootCause::kImpossible);
  EXPECT_THAT(v.unsure, ElementsAre(HasSubstr("DeviceClass gpu stands for example.com/gpu")));
}

}  // namespace
}  // namespace schedlens::diagnose
