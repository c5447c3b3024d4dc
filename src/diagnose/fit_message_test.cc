// SPDX-License-Identifier: Apache-2.0
// Messages of real schedulers, 1.20.2 and 1.36.2, and of the versions between.

#include "diagnose/fit_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::diagnose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Form = FitMessage::Form;

FitMessage parsed(std::string_view text) {
  auto message = parse_fit_message(text);
  EXPECT_TRUE(message) << text;
  return message.value_or(FitMessage{});
}

TEST(FitMessage, CountsAndPreemptionOf136) {
  auto m = parsed(
      "0/64 nodes are available: 2 node(s) didn't match pod affinity rules, 4 node(s) had "
      "untolerated taint(s), 58 Insufficient nvidia.com/gpu. no new claims to deallocate, "
      "preemption: 0/64 nodes are available: 58 No preemption victims found for incoming pod, 6 "
      "Preemption is not helpful for scheduling.");
  EXPECT_EQ(m.form, Form::kCounts);
  EXPECT_EQ(m.nodes, 64u);
  EXPECT_THAT(m.reasons, ElementsAre(SchedulerCount{"node(s) didn't match pod affinity rules", 2},
                                     SchedulerCount{"node(s) had untolerated taint(s)", 4},
                                     SchedulerCount{"Insufficient nvidia.com/gpu", 58}));
  EXPECT_EQ(m.after_head, "no new claims to deallocate");
  EXPECT_EQ(m.preemption_nodes, 64u);
  EXPECT_THAT(m.preemption_reasons,
              ElementsAre(SchedulerCount{"No preemption victims found for incoming pod", 58},
                          SchedulerCount{"Preemption is not helpful for scheduling", 6}));
  EXPECT_TRUE(m.preemption.empty());
  EXPECT_FALSE(m.cut);
}

TEST(FitMessage, HeadAloneAfterPreemptionStarted) {
  auto m = parsed(
      "0/64 nodes are available: 4 node(s) had untolerated taint(s), 60 Insufficient "
      "nvidia.com/gpu.");
  EXPECT_THAT(m.reasons, ElementsAre(SchedulerCount{"node(s) had untolerated taint(s)", 4},
                                     SchedulerCount{"Insufficient nvidia.com/gpu", 60}));
  EXPECT_TRUE(m.after_head.empty());
  EXPECT_FALSE(m.preemption_nodes);
}

TEST(FitMessage, PreemptionThatFoundAPlace) {
  const std::string head = "0/64 nodes are available: 64 Insufficient cpu. preemption: ";
  auto m = parsed(head +
                  "found a potential placement for pod on node gpu-7.example, preempting 3 "
                  "victims.");
  EXPECT_EQ(m.placement, (FitMessage::Placement{"gpu-7.example", 3}));
  EXPECT_THAT(m.reasons, ElementsAre(SchedulerCount{"Insufficient cpu", 64}));
  EXPECT_THAT(m.preemption_reasons, IsEmpty());
  for (const char* other : {"not eligible due to preemptionPolicy=Never.",
                            "found a potential placement for pod on node gpu-7",
                            "found a potential placement for pod on node , preempting 3 victims",
                            "found a potential placement for pod on node a, preempting all"}) {
    EXPECT_FALSE(parsed(head + other).placement) << other;
  }
}

TEST(FitMessage, PreemptionNotEligible) {
  auto m = parsed(
      "0/64 nodes are available: 4 node(s) had untolerated taint(s), 60 Insufficient "
      "nvidia.com/gpu. no new claims to deallocate, preemption: not eligible due to "
      "preemptionPolicy=Never.");
  EXPECT_EQ(m.preemption, "not eligible due to preemptionPolicy=Never");
  EXPECT_THAT(m.preemption_reasons, IsEmpty());
}

TEST(FitMessage, WholePodForms) {
  auto m = parsed("0/64 nodes are available: persistentvolumeclaim \"nope\" not found. not found");
  EXPECT_EQ(m.form, Form::kWholePod);
  EXPECT_EQ(m.whole_pod, "persistentvolumeclaim \"nope\" not found");
  EXPECT_EQ(m.after_head, "not found");
  m = parsed(
      "0/64 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found");
  EXPECT_EQ(m.whole_pod, "pod has unbound immediate PersistentVolumeClaims");
  // 1.28 to 1.33
  m = parsed(
      "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 "
      "nodes are available: 3 Preemption is not helpful for scheduling..");
  EXPECT_EQ(m.form, Form::kWholePod);
  EXPECT_EQ(m.preemption_nodes, 3u);
  EXPECT_THAT(m.preemption_reasons,
              ElementsAre(SchedulerCount{"Preemption is not helpful for scheduling", 3}));
}

TEST(FitMessage, CommasAndBracesInsideReasonsOf120) {
  auto m = parsed(
      "0/64 nodes are available: 4 node(s) didn't match pod affinity rules, 4 node(s) didn't match "
      "pod affinity/anti-affinity, 4 node(s) had taint {maintenance: true}, that the pod didn't "
      "tolerate, 56 Insufficient nvidia.com/gpu.");
  EXPECT_THAT(
      m.reasons,
      ElementsAre(
          SchedulerCount{"node(s) didn't match pod affinity rules", 4},
          SchedulerCount{"node(s) didn't match pod affinity/anti-affinity", 4},
          SchedulerCount{"node(s) had taint {maintenance: true}, that the pod didn't tolerate", 4},
          SchedulerCount{"Insufficient nvidia.com/gpu", 56}));
  EXPECT_THAT(canonical(m.reasons),
              ElementsAre(SchedulerCount{"Insufficient nvidia.com/gpu", 56},
                          SchedulerCount{"node(s) didn't match pod affinity rules", 4},
                          SchedulerCount{"node(s) had untolerated taint(s)", 4}));
  m = parsed("0/64 nodes are available: 64 persistentvolumeclaim \"nope\" not found.");
  EXPECT_EQ(m.form, Form::kCounts);
  EXPECT_THAT(m.reasons,
              ElementsAre(SchedulerCount{"persistentvolumeclaim \"nope\" not found", 64}));
}

TEST(FitMessage, TaintsWithKeysAddUp) {
  auto m = parsed(
      "0/216 nodes are available: 10 node(s) had untolerated taint {team: a}, 3 node(s) had "
      "untolerated taint {node.kubernetes.io/unreachable: }, 203 node(s) didn't match Pod's node "
      "affinity/selector. preemption: 0/216 nodes are available: 216 Preemption is not helpful for "
      "scheduling.");
  EXPECT_THAT(canonical(m.reasons),
              ElementsAre(SchedulerCount{"node(s) didn't match Pod's node affinity/selector", 203},
                          SchedulerCount{"node(s) had untolerated taint(s)", 13}));
  EXPECT_TRUE(m.after_head.empty());
}

TEST(FitMessage, DoubledDotsAndBlanks) {
  auto m = parsed("0/3 nodes are available: 1 Insufficient cpu, 2 gang is rejected: no room.. ");
  EXPECT_THAT(m.reasons, ElementsAre(SchedulerCount{"Insufficient cpu", 1},
                                     SchedulerCount{"gang is rejected: no room", 2}));
}

TEST(FitMessage, CutNoteLosesTheHalfReason) {
  auto m = parsed("0/9 nodes are available: 1 Insufficient cpu, 3 node(s) had untolerated ta ...");
  EXPECT_TRUE(m.cut);
  EXPECT_THAT(m.reasons, ElementsAre(SchedulerCount{"Insufficient cpu", 1}));
  m = parsed(
      "0/9 nodes are available: 9 Insufficient cpu. no new claims to deallocate, preemption: 0/9 "
      "nodes are available: 4 No preemption victims found for incoming pod, 5 Preempt ...");
  EXPECT_TRUE(m.cut);
  EXPECT_THAT(m.reasons, ElementsAre(SchedulerCount{"Insufficient cpu", 9}));
  EXPECT_THAT(m.preemption_reasons,
              ElementsAre(SchedulerCount{"No preemption victims found for incoming pod", 4}));
}

TEST(FitMessage, NoNodes) {
  EXPECT_EQ(parsed("no nodes available to schedule pods").form, Form::kNoNodes);
}

TEST(FitMessage, DynamicResources) {
  auto m = parsed(
      "0/8 nodes are available: 8 cannot allocate all claims. still not schedulable, preemption: "
      "0/8 nodes are available: 8 Preemption is not helpful for scheduling.");
  EXPECT_EQ(m.after_head, "still not schedulable");
  EXPECT_EQ(filter_of_reason(m.reasons[0].reason), PodFilter::kDynamicResources);
}

// Counts are of reasons: one node may give several, and nodes that were not asked give none.
TEST(FitMessage, CountsNeedNotAddUpToTheNodes) {
  auto m = parsed(
      "0/64 nodes are available: 3 Insufficient nvidia.com/gpu, 5 node(s) had untolerated taint "
      "{team: a}, 61 node(s) didn't match Pod's node affinity/selector. preemption: 0/64 nodes are "
      "available: 3 No preemption victims found for incoming pod, 61 Preemption is not helpful for "
      "scheduling.");
  EXPECT_THAT(m.reasons,
              ElementsAre(SchedulerCount{"Insufficient nvidia.com/gpu", 3},
                          SchedulerCount{"node(s) had untolerated taint {team: a}", 5},
                          SchedulerCount{"node(s) didn't match Pod's node affinity/selector", 61}));
  EXPECT_EQ(m.preemption_nodes, 64u);
  ASSERT_EQ(m.preemption_reasons.size(), 2u);
  EXPECT_EQ(m.preemption_reasons[1].count, 61u);
  m = parsed("0/64 nodes are available: 10 Insufficient cpu, 2 Too many pods.");
  EXPECT_THAT(m.reasons, ElementsAre(SchedulerCount{"Insufficient cpu", 10},
                                     SchedulerCount{"Too many pods", 2}));
}

TEST(FitMessage, KeysAndValuesOfAnyForm) {
  auto m = parsed(
      "0/9 nodes are available: 1 node(s) had untolerated taint {a/b: c}, 2 node(s) had "
      "untolerated taint {2: 8.1}, 6 Insufficient a.b/c-d_e.");
  EXPECT_THAT(m.reasons, ElementsAre(SchedulerCount{"node(s) had untolerated taint {a/b: c}", 1},
                                     SchedulerCount{"node(s) had untolerated taint {2: 8.1}", 2},
                                     SchedulerCount{"Insufficient a.b/c-d_e", 6}));
}

TEST(FitMessage, OtherTextIsNone) {
  EXPECT_FALSE(parse_fit_message("Scheduling is blocked due to non-empty scheduling gates"));
  EXPECT_FALSE(parse_fit_message("skip schedule deleting pod: infer/x"));
  EXPECT_FALSE(parse_fit_message("0/x nodes are available: 1 y."));
  EXPECT_FALSE(parse_fit_message(""));
}

TEST(FitMessage, EveryReasonLeadsToItsFilter) {
  for (unsigned i = 0; i < static_cast<unsigned>(PodReason::kFirstResource); ++i) {
    auto r = static_cast<PodReason>(i);
    EXPECT_EQ(filter_of_reason(canonical_reason(reason_text(r))), filter_of(r));
  }
  EXPECT_EQ(filter_of_reason("Insufficient rdma/hca"), PodFilter::kNodeResourcesFit);
  EXPECT_EQ(filter_of_reason(canonical_reason("node(s) had volume node affinity conflict")),
            PodFilter::kVolumeBinding);
  EXPECT_FALSE(filter_of_reason("gang is rejected"));
}

TEST(FitMessage, ReasonsOfEveryPluginAreKnown) {
  const std::pair<const char*, PodFilter> reasons[] = {
      {"Insufficient nvidia.com/gpu", PodFilter::kNodeResourcesFit},
      {"Too many pods", PodFilter::kNodeResourcesFit},
      {"node(s) didn't match Pod's node affinity/selector", PodFilter::kNodeAffinity},
      {"node(s) didn't match Pod's node affinity", PodFilter::kNodeAffinity},
      {"node(s) didn't match node selector", PodFilter::kNodeAffinity},
      {"node(s) had untolerated taint {k: v}", PodFilter::kTaintToleration},
      {"node(s) had untolerated taint(s)", PodFilter::kTaintToleration},
      {"node(s) had taint {k: v}, that the pod didn't tolerate", PodFilter::kTaintToleration},
      {"node(s) were unschedulable", PodFilter::kNodeUnschedulable},
      {"node(s) didn't match pod affinity rules", PodFilter::kInterPodAffinity},
      {"node(s) didn't match pod anti-affinity rules", PodFilter::kInterPodAffinity},
      {"node(s) didn't satisfy existing pods anti-affinity rules", PodFilter::kInterPodAffinity},
      {"node(s) didn't match pod topology spread constraints", PodFilter::kPodTopologySpread},
      {"node(s) didn't match pod topology spread constraints (missing required label)",
       PodFilter::kPodTopologySpread},
      {"node(s) didn't have free ports for the requested pod ports", PodFilter::kNodePorts},
      {"node(s) didn't match the requested node name", PodFilter::kNodeName},
      {"node(s) had volume node affinity conflict", PodFilter::kVolumeBinding},
      {"node(s) didn't match PersistentVolume's node affinity", PodFilter::kVolumeBinding},
      {"node(s) didn't find available persistent volumes to bind", PodFilter::kVolumeBinding},
      {"pod has unbound immediate PersistentVolumeClaims", PodFilter::kVolumeBinding},
      {"node(s) did not have enough free storage", PodFilter::kVolumeBinding},
      {"node(s) exceed max volume count", PodFilter::kNodeVolumeLimits},
      {"node(s) had no available volume zone", PodFilter::kVolumeZone},
      {"cannot allocate all claims", PodFilter::kDynamicResources},
      {"resourceclaim not available on the node", PodFilter::kDynamicResources}};
  for (const auto& [reason, filter] : reasons) {
    EXPECT_EQ(filter_of_reason(canonical_reason(reason)), filter) << reason;
  }
}

}  // namespace
}  // namespace schedlens::diagnose
