// SPDX-License-Identifier: Apache-2.0
// Root causes of waiting pods, gates, and the comparison with the scheduler's own message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_pods.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

using model::LabelOperator;
using model::NodeId;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kGpuName;
using testing::kHostname;
using testing::kRack;
using testing::kZone;
using testing::Pods;
using testing::selector;
using testing::term;

Constraint constraint(const Verdict& v, std::string_view name) {
  for (const auto& c : v.constraints) {
    if (c.name == name) return c;
  }
  return {};
}

TEST(PodGate, SchedulingGatesAreNamed) {
  Pods c;
  auto d = c.draft().gpu(1);
  d.pod.gates = {Symbol("kueue.x-k8s.io/admission"), Symbol("example.com/quota")};
  auto pod = c.wait(d);
  c.scheduler_says(pod, "Scheduling is blocked due to non-empty scheduling gates", 60,
                   "SchedulingGated");
  auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kHold);
  EXPECT_THAT(v.summary, HasSubstr("kueue.x-k8s.io/admission, example.com/quota"));
  EXPECT_THAT(v.details, Contains(HasSubstr("Kueue")));
}

TEST(PodGate, AForeignSchedulerIsSilence) {
  Pods c;
  auto d = c.draft();
  d.spec.scheduler = Symbol("volcano");
  auto pod = c.wait(d);
  EXPECT_EQ(c.why(pod).cause, RootCause::kNotConsidered);
  EXPECT_THAT(c.why(pod).summary, HasSubstr("\"volcano\""));
  c.k.scheduler_names = {Symbol("volcano")};
  auto v = c.why(pod);
  EXPECT_THAT(v.summary, Not(HasSubstr("nothing shows")));
  EXPECT_THAT(v.unsure, Contains(HasSubstr("other rules")));
}

TEST(PodGate, ResourceClaims) {
  Pods c;
  auto d = c.draft();
  d.pod.resource_claims.push_back({"gpus", "my-claim", ""});
  auto pod = c.wait(d);
  auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kDependency);
  EXPECT_THAT(v.summary, HasSubstr("my-claim does not exist"));
  c.k.resource_claims->push_back({Symbol("default"), "my-claim", false, {}, {}, {}, {}, {}});
  c.k.resource_slices.reset();
  EXPECT_EQ(c.why(pod).cause, RootCause::kUnknown);  // whether its devices are free is not known
  c.scheduler_says(pod,
                   "0/8 nodes are available: 8 cannot allocate all claims. still not schedulable, "
                   "preemption: 0/8 nodes are available: 8 Preemption is not helpful for "
                   "scheduling.");
  v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_THAT(v.summary, HasSubstr("cannot allocate all claims"));
  c.k.resource_claims->front().deleting = true;
  EXPECT_EQ(c.why(pod).cause, RootCause::kDependency);
  c.k.resource_claims.reset();  // not read: not missing
  EXPECT_EQ(c.why(pod).cause, RootCause::kCapacity);
}

TEST(PodGate, DeletingAndBoundByHand) {
  Pods c;
  auto d = c.draft();
  d.pod.deleting = Timestamp{Pods::kNow};
  auto v = c.why(c.wait(d));
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
  EXPECT_THAT(v.summary, HasSubstr("being deleted"));

  auto by_hand = c.wait(c.draft());
  c.change_pod(by_hand, [](auto& p) { p.node_name = Symbol("gpu-1"); });
  c.s.workloads[by_hand.index].state = model::WorkloadState::kRunning;  // it holds the room
  EXPECT_EQ(c.why(by_hand).cause, RootCause::kNotConsidered);
  EXPECT_THAT(c.why(by_hand).summary, HasSubstr("bound to gpu-1 by hand"));
  c.change_pod(by_hand, [](auto& p) { p.node_name = Symbol("gone"); });
  EXPECT_THAT(c.why(by_hand).summary, HasSubstr("does not exist"));
}

TEST(PodGate, GangsBelowQuorumAreSilentAndMembersTellForEachOther) {
  Pods c;
  auto d = c.draft().gpu(8);
  d.pod.group = "train-1";
  auto pod = c.wait(d);
  model::PodGroup group;
  group.api = Symbol("scheduling.k8s.io");
  group.ns = Symbol("default");
  group.name = "train-1";
  group.min_members = 4;
  c.k.pod_groups.emplace().push_back(group);
  auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kGang);
  EXPECT_THAT(v.summary, HasSubstr("Only 1 pod of its group train-1 exists"));
  EXPECT_THAT(v.summary, HasSubstr("needs 4"));

  auto member = c.wait(d);
  c.scheduler_says(member, "0/8 nodes are available: 8 Insufficient nvidia.com/gpu.");
  c.scheduler_says(
      pod,
      "0/1 nodes are available: 1 pod group is unschedulable, waiting for minCount pods from a "
      "gang to be scheduled, one or more plugins asked to wait and no plugin rejected pod.");
  v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kGang);
  EXPECT_THAT(v.details, Contains(HasSubstr("8 Insufficient nvidia.com/gpu")));
  EXPECT_NE(c.why(member).cause, RootCause::kGang);
}

TEST(PodCause, NotWaiting) {
  Pods c;
  EXPECT_EQ(c.why(c.run(0, c.draft())).cause, RootCause::kNone);
}

TEST(PodCause, CapacityAndFragmentation) {
  Pods c(4);
  for (int i = 0; i < 4; ++i) c.run(i, c.draft().gpu(6));
  auto v = c.why(c.wait(c.draft().gpu(4)));
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_THAT(v.summary, HasSubstr("8 nvidia.com/gpu free in all, at most 2 nvidia.com/gpu"));
  EXPECT_EQ(v.gpus.free, 8u);
  EXPECT_EQ(v.gpus.largest_hole, 2u);
  for (int i = 0; i < 3; ++i) c.run(i, c.draft().gpu(2));
  v = c.why(c.wait(c.draft().gpu(4)));
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_EQ(v.gpus.free, 2u);
}

TEST(PodCause, FreeGpusOnThreeNodes) {
  Pods c(3);
  c.run(0, c.draft().gpu(7));
  c.run(1, c.draft().gpu(6));
  c.run(2, c.draft().gpu(7));
  const auto v = c.why(c.wait(c.draft().gpu(4)));
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_EQ(v.gpus.free, 4u);
  EXPECT_EQ(v.gpus.largest_hole, 2u);
  EXPECT_THAT(v.summary, HasSubstr("4 nvidia.com/gpu free in all, at most 2 nvidia.com/gpu"));
}

TEST(PodCause, FreeGpusWithoutCpusAreStranded) {
  Pods c(2);
  c.run(0, c.draft().cpu(64));
  c.run(1, c.draft().gpu(8));
  auto v = c.why(c.wait(c.draft().gpu(4).cpu(8)));
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_EQ(v.gpus.stranded, 8u);
  EXPECT_EQ(v.gpus.free_allocatable, 0u);
}

TEST(PodCause, TotalsOfExcludedNodesDoNotCount) {
  Pods c(4);
  auto d = c.draft().gpu(4);
  d.spec.node_selector = {{kZone, "a"}};
  for (int i = 0; i < 4; ++i) c.run(i, c.draft().gpu(6));
  EXPECT_EQ(c.why(c.wait(d)).cause, RootCause::kFragmentation);
  c.run(0, c.draft().gpu(2));
  EXPECT_EQ(c.why(c.wait(d)).cause, RootCause::kCapacity);  // zone b has 4 free in sum
}

TEST(PodCause, ConstraintWhereTheRoomIsElsewhere) {
  Pods c(4);
  for (int i : {0, 2}) c.run(i, c.draft().gpu(8));
  c.taint(1, "team", "vision");
  auto d = c.draft().gpu(8);
  d.spec.node_selector = {{kZone, "a"}};
  auto v = c.why(c.wait(d));
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_THAT(v.summary, HasSubstr("NodeAffinity excludes 2 (topology.kubernetes.io/zone=a)"));
  EXPECT_THAT(constraint(v, "NodeAffinity").only, ElementsAre(NodeId{3}));
  EXPECT_EQ(constraint(v, "TaintToleration").detail, "team=vision:NoSchedule (1 node)");
  EXPECT_THAT(constraint(v, "TaintToleration").only, IsEmpty());
  EXPECT_EQ(constraint(v, "NodeResourcesFit").detail, "8 nvidia.com/gpu (short on 2 nodes)");
}

TEST(PodCause, TheControlPlanesRoomIsNobodys) {
  Pods c(2);
  c.taint(0, "node-role.kubernetes.io/control-plane");
  c.run(1, c.draft().cpu(60));
  EXPECT_EQ(c.why(c.wait(c.draft().cpu(8))).cause, RootCause::kCapacity);
}

TEST(PodCause, SpreadAndAffinityNameDomainsAndPods) {
  Pods c(4);
  auto d = c.draft().labelled({{"app", "x"}});
  model::SpreadConstraint spread;
  spread.topology_key = kZone;
  spread.pods = selector({{"app", "x"}});
  d.spec.spread.push_back(spread);
  c.run(0, d);
  c.run(1, c.draft().gpu(8));
  c.run(3, c.draft().gpu(8));
  auto v = c.why(c.wait(d.gpu(1)));
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_EQ(constraint(v, "PodTopologySpread").detail,
            "topology.kubernetes.io/zone of pods app=x, at most 1 apart: b 0, a 1");

  auto lonely = c.draft().labelled({{"app", "y"}});
  lonely.spec.anti_affinity.push_back(term(selector({{"app", "x"}}), kZone));
  lonely.spec.node_selector = {{kZone, "a"}};
  v = c.why(c.wait(lonely));
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_THAT(constraint(v, "InterPodAffinity").detail,
              HasSubstr("anti-affinity against pods app=x by topology.kubernetes.io/zone: pod-0"));
  auto seeking = c.draft();
  seeking.spec.affinity.push_back(term(selector({{"app", "none"}}), kRack));
  v = c.why(c.wait(seeking));
  EXPECT_THAT(constraint(v, "InterPodAffinity").detail, HasSubstr("by rack: none runs"));
}

// "0/216 nodes are available" and a dozen taints: which ones, and on how many nodes.
TEST(PodCause, ManyTaintsAreNamedWithTheirNodes) {
  Pods c(216);
  for (int i = 0; i < 216; ++i) {
    c.taint(i, i < 10 ? "team" : "pool", i < 10 ? "a" : std::to_string(i % 11));
  }
  auto d = c.draft();
  d.spec.tolerations.push_back(
      {Symbol("pool"), model::TolerationOperator::kEqual, "3", model::TaintEffect::kNone});
  d.spec.node_selector = {{kZone, "a"}};
  for (int i = 0; i < 216; ++i) {
    if (i >= 10 && i % 11 == 3) c.run(i, c.draft().gpu(8));
  }
  const auto v = c.why(c.wait(d.gpu(8)));
  EXPECT_EQ(v.as_scheduler.size(), 3u);
  EXPECT_THAT(constraint(v, "TaintToleration").detail, HasSubstr("and 6 more"));
  EXPECT_THAT(constraint(v, "TaintToleration").detail, HasSubstr("pool=0:NoSchedule (19 nodes)"));
  EXPECT_EQ(constraint(v, "TaintToleration").ruled_out.size(), 216u - 19u);
}

TEST(PodCause, ExistingPodsAntiAffinityNamesThem) {
  Pods c(2);
  auto picky = c.draft();
  picky.spec.anti_affinity.push_back(term(selector({{"app", "noisy"}}), kHostname));
  for (int i = 0; i < 2; ++i) c.run(i, picky);
  auto v = c.why(c.wait(c.draft().labelled({{"app", "noisy"}})));
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_EQ(constraint(v, "InterPodAffinity").detail,
            "anti-affinity of pod-0, pod-1 against app=noisy by kubernetes.io/hostname");
}

TEST(PodCause, UnhealthyNodes) {
  Pods c(4);
  for (int i = 0; i < 2; ++i) c.run(i, c.draft().gpu(8));
  c.cordon(2);
  c.taint(3, "node.kubernetes.io/not-ready", "", model::TaintEffect::kNoExecute);
  auto pod = c.wait(c.draft().gpu(8));
  auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kUnhealthyNodes);
  ASSERT_EQ(v.unhealthy_nodes.size(), 2u);
  EXPECT_EQ(v.unhealthy_nodes[0].state, "cordoned");
  EXPECT_TRUE(v.unhealthy_nodes[0].would_fit);
  EXPECT_EQ(v.unhealthy_nodes[1].state, "not-ready");
  EXPECT_EQ(v.gpus.out_of_service, 16u);
}

TEST(PodCause, UnhealthyDevices) {
  Pods c(2);
  for (int i = 0; i < 2; ++i) c.allocatable(i, kGpuName, 6);
  c.run(1, c.draft().gpu(2));
  auto v = c.why(c.wait(c.draft().gpu(8)));
  EXPECT_EQ(v.cause, RootCause::kUnhealthyNodes);  // plugin_unhealthy
  EXPECT_THAT(v.summary, HasSubstr("gpu-0 (2 of 8 nvidia.com/gpu unhealthy)"));
  ASSERT_EQ(v.unhealthy_nodes.size(), 2u);
  EXPECT_FALSE(v.unhealthy_nodes[1].would_fit);
}

// The kubelet lists none of its GPUs; the driver has counted them.
TEST(PodCause, DevicesOfAPluginThatIsGone) {
  Pods c(2);
  for (int i = 0; i < 2; ++i) {
    c.label(i, "nvidia.com/gpu.count", "8");
    c.change(i, [](auto& o) {
      o.capacity.set(kGpuName, 0);
      o.allocatable.set(kGpuName, 0);
    });
  }
  auto v = c.why(c.wait(c.draft().gpu(4)));
  EXPECT_EQ(v.cause, RootCause::kUnhealthyNodes);
  EXPECT_THAT(v.summary, HasSubstr("8 of 8 nvidia.com/gpu unhealthy"));
  EXPECT_EQ(v.gpus.out_of_service, 16u);
  EXPECT_EQ(c.why(c.wait(c.draft().gpu(9))).cause, RootCause::kImpossible);
}

TEST(PodCause, RoomThatLiesBadlyIsNotTheCordonsFault) {
  Pods c(3);
  for (int i = 0; i < 2; ++i) c.run(i, c.draft().gpu(4));
  c.cordon(2);
  auto v = c.why(c.wait(c.draft().gpu(8)));
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_THAT(v.details, Contains(HasSubstr("1 node that is cordoned or unhealthy would hold it")));
}

TEST(PodCause, Impossible) {
  Pods c(3);
  for (int i = 0; i < 3; ++i) c.run(i, c.draft().gpu(8));
  auto v = c.why(c.wait(c.draft().gpu(16)));  // over_largest
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  EXPECT_THAT(v.summary,
              HasSubstr("It asks for 16 nvidia.com/gpu, and the largest node it may use"));
  c.k.device_classes.reset();
  v = c.why(c.wait(c.draft().ask(Symbol("nvidia.com/mig-1g.5gb"), 1)));  // mig_profile
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  EXPECT_THAT(v.summary, HasSubstr("no node it may use has any"));
  EXPECT_THAT(v.unsure, Contains(HasSubstr("DeviceClass")));
  auto d = c.draft();
  d.spec.node_selector = {{Symbol("model"), "h100"}};
  v = c.why(c.wait(d));
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  EXPECT_THAT(v.summary, HasSubstr("model=h100"));
  // The healthy node with enough of it is not one that the selector allows.
  d.spec.node_selector = {{kHostname, "gpu-0"}};
  c.change(1, [](auto& o) { o.allocatable.set(kGpuName, 16); });
  EXPECT_EQ(c.why(c.wait(d.gpu(16))).cause, RootCause::kImpossible);
  EXPECT_EQ(c.why(c.wait(c.draft().gpu(16))).cause, RootCause::kCapacity);
  auto keyless = c.draft();
  keyless.spec.affinity.push_back(term(selector({{"app", "x"}}), Symbol("nvlink")));
  EXPECT_EQ(c.why(c.wait(keyless)).cause, RootCause::kImpossible);
}

TEST(PodCause, NominationsAreAboutPriority) {
  Pods c(2);
  for (int i = 0; i < 2; ++i) c.run(i, c.draft().gpu(8));
  auto victim = model::WorkloadId{1};
  c.change_pod(victim, [](auto& p) {
    p.deleting = Timestamp{Pods::kNow};
    p.priority = -5;
  });
  auto d = c.draft().gpu(8);
  d.pod.nominated_node = Symbol("gpu-1");
  d.pod.priority = 100;
  auto v = c.why(c.wait(d));
  EXPECT_EQ(v.cause, RootCause::kPriority);
  EXPECT_THAT(v.summary, HasSubstr("by preemption; 1 pod of lower priority is still ending"));

  Pods e(1);
  auto ahead = e.wait([&] {
    auto n = e.draft().gpu(8);
    n.pod.nominated_node = Symbol("gpu-0");
    n.pod.priority = 100;
    return n;
  }());
  v = e.why(e.wait(e.draft().gpu(8)));
  EXPECT_EQ(v.cause, RootCause::kPriority);
  EXPECT_THAT(v.ahead, ElementsAre(ahead));
}

TEST(PodCause, Volumes) {
  Pods c(2);
  auto v = c.why(c.wait(c.draft().claim("nope")));
  EXPECT_EQ(v.cause, RootCause::kVolume);
  EXPECT_THAT(v.summary, HasSubstr("persistentvolumeclaim \"nope\" not found"));
  c.volume("pv");
  c.volume_claim("single", "pv").read_write_once_pod = true;
  c.run(0, c.draft().claim("single"));
  v = c.why(c.wait(c.draft().claim("single")));
  EXPECT_EQ(v.cause, RootCause::kVolume);
  EXPECT_THAT(v.summary, HasSubstr("which pod-1 uses"));
  c.k.volume_claims.reset();
  v = c.why(c.wait(c.draft().claim("other")));
  EXPECT_EQ(v.cause, RootCause::kUnknown);
  EXPECT_THAT(v.unsure, Contains(HasSubstr("PersistentVolumeClaims were not read")));
  // A known obstacle decides, whatever was not read.
  EXPECT_EQ(c.why(c.wait(c.draft().claim("other").gpu(99))).cause, RootCause::kImpossible);
}

TEST(PodCause, NoNodes) {
  Pods c(0);
  EXPECT_EQ(c.why(c.wait(c.draft())).cause, RootCause::kCapacity);
}

TEST(PodAsleep, LongerThanTheBackoff) {
  Pods c(2);
  auto pod = c.wait(c.draft().gpu(1));
  c.scheduler_says(pod,
                   "0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity "
                   "rules. no new claims to deallocate, preemption: 0/2 nodes are available: 2 No "
                   "preemption victims found for incoming pod.",
                   60);
  auto v = c.why(pod);
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
  EXPECT_THAT(v.summary, HasSubstr("has not tried again since"));
  EXPECT_THAT(v.details, Contains(HasSubstr("PreferNoSchedule taint")));
  EXPECT_THAT(v.details, Contains(HasSubstr("namespaceSelector")));
  EXPECT_THAT(v.message_difference, HasSubstr("here nodes pass every filter"));
  EXPECT_THAT(v.fit.nodes, ElementsAre(NodeId{0}, NodeId{1}));

  auto fresh = c.wait(c.draft().gpu(1));
  c.scheduler_says(fresh, "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.", 4);
  EXPECT_THAT(c.why(fresh).summary, HasSubstr("tries again within 10s"));
  auto old = c.wait(c.draft().gpu(1));
  c.scheduler_says(old, "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.", 4000);
  EXPECT_THAT(c.why(old).details, Contains(HasSubstr("may not be running")));
  EXPECT_THAT(c.why(c.wait(c.draft())).summary, HasSubstr("says nothing about it"));
}

TEST(PodAsleep, TheEventTellsTheLastAttempt) {
  Pods c(2);
  auto pod = c.wait(c.draft().gpu(1));
  c.scheduler_says(pod, "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.", 400);
  model::Event e;
  e.kind = Symbol("Pod");
  e.ns = Symbol("default");
  e.name = "pod-0";
  e.uid = "uid-0";
  e.reason = Symbol("FailedScheduling");
  e.last = Timestamp{Pods::kNow - 3};
  c.k.events->push_back(e);
  EXPECT_THAT(c.why(pod).summary, HasSubstr("a moment ago"));
  c.k.events->back().uid = "of an earlier pod of that name";
  EXPECT_THAT(c.why(pod).summary, HasSubstr("has not tried again"));
}

TEST(PodMessages, EqualCountsMakeNoDifference) {
  Pods c(12);
  for (int i = 0; i < 10; ++i) c.run(i, c.draft().gpu(8));
  for (int i = 8; i < 12; ++i) c.taint(i, "maintenance", "true");
  auto pod = c.wait(c.draft().gpu(1));
  const std::string text =
      "0/12 nodes are available: 4 node(s) had untolerated taint(s), 8 Insufficient "
      "nvidia.com/gpu. no new claims to deallocate, preemption: 0/12 nodes are available: 4 "
      "Preemption is not helpful for scheduling, 8 No preemption victims found for incoming pod.";
  c.scheduler_says(pod, text);
  auto v = c.why(pod);
  EXPECT_EQ(v.scheduler_message, text);
  EXPECT_EQ(v.message_difference, "");
  EXPECT_THAT(v.as_scheduler, ElementsAre(SchedulerCount{"node(s) had untolerated taint(s)", 4},
                                          SchedulerCount{"Insufficient nvidia.com/gpu", 8}));
  // One more node came free since.
  c.taint(7, "maintenance", "true");
  v = c.why(pod);
  EXPECT_THAT(v.message_difference,
              HasSubstr("it counts 4 for \"node(s) had untolerated taint(s)\", here it is 5"));
  EXPECT_THAT(v.message_difference, HasSubstr("may be out of date"));
}

TEST(PodMessages, WherePreemptionWouldPlaceIt) {
  Pods c(1);
  c.run(0, c.draft().gpu(8));
  auto pod = c.wait(c.draft().gpu(1));
  c.scheduler_says(pod,
                   "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. preemption: found a "
                   "potential placement for pod on node gpu-0, preempting 2 victims.");
  EXPECT_THAT(c.why(pod).details,
              Contains("The scheduler has found a place for it on gpu-0 by preempting 2 pods."));
}

TEST(PodMessages, OtherVersionsWordsCompare) {
  Pods c(2);
  c.s.scheduler_version = "v1.20.2";
  c.taint(0, "maintenance", "true");
  c.run(1, c.draft().gpu(8));
  auto pod = c.wait(c.draft().gpu(1));
  c.scheduler_says(pod,
                   "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) had taint "
                   "{maintenance: true}, that the pod didn't tolerate.");
  EXPECT_EQ(c.why(pod).message_difference, "");
  auto missing = c.wait(c.draft().claim("nope"));
  c.scheduler_says(missing, "0/2 nodes are available: 2 persistentvolumeclaim \"nope\" not found.");
  EXPECT_EQ(c.why(missing).message_difference, "");
}

TEST(PodMessages, UnknownReasonsAreOtherPlugins) {
  Pods c(2);
  c.taint(0, "t");
  c.taint(1, "t");
  auto pod = c.wait(c.draft());
  c.scheduler_says(pod, "0/2 nodes are available: 2 node(s) lack licence.");
  EXPECT_THAT(c.why(pod).message_difference, HasSubstr("not the reason of a plugin"));
  auto other = c.wait(c.draft());
  c.scheduler_says(other, "0/5 nodes are available: 5 node(s) had untolerated taint(s).");
  EXPECT_THAT(c.why(other).message_difference, HasSubstr("it looked at 5 nodes, here there are 2"));
}

TEST(PodClassify, AgreesWithExplainAndSharesEvaluations) {
  Pods c(4);
  for (int i = 0; i < 4; ++i) c.run(i, c.draft().gpu(6));
  std::vector<model::WorkloadId> pods;
  for (int i = 0; i < 5; ++i) pods.push_back(c.wait(c.draft().gpu(4)));
  pods.push_back(c.wait(c.draft().gpu(2)));
  pods.push_back(c.wait(c.draft().gpu(99)));
  c.ready();
  Explainer explainer(c.s);
  for (auto pod : pods) EXPECT_EQ(explainer.classify(pod), explainer.explain(pod).cause);
  EXPECT_EQ(explainer.classify(pods[0]), RootCause::kFragmentation);
  EXPECT_EQ(explainer.classify(pods[5]), RootCause::kNotConsidered);
  EXPECT_EQ(explainer.classify(pods[6]), RootCause::kImpossible);
}

}  // namespace
}  // namespace schedlens::diagnose
