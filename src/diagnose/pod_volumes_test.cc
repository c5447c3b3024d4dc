// SPDX-License-Identifier: Apache-2.0
// Claims and volumes as kube-scheduler 1.36.2 was seen to treat them.

#include <gtest/gtest.h>

#include "diagnose/test_pods.h"
#include "model/kubernetes.h"

namespace schedlens::diagnose {
namespace {

using model::LabelOperator;
using testing::kGiB;
using testing::kHostname;
using testing::kZone;
using testing::labels;
using testing::Pods;

TEST(PodVolumeClaims, WhatStopsTheWholePod) {
  Pods c(2);
  EXPECT_EQ(c.head(c.wait(c.draft().claim("nope"))),  // pvc_missing
            "0/2 nodes are available: persistentvolumeclaim \"nope\" not found.");
  c.storage_class(false, "csi.example.com");
  c.volume_claim("pending");
  EXPECT_EQ(c.head(c.wait(c.draft().claim("pending"))),  // pvc_unbound
            "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.");
  c.volume_claim("ending").deleting = true;
  EXPECT_EQ(c.head(c.wait(c.draft().claim("ending"))),  // pvc_deleting
            "0/2 nodes are available: persistentvolumeclaim \"ending\" is being deleted.");
  auto& lost = c.volume_claim("lost", "pv-gone");
  lost.phase = model::ClaimPhase::kLost;
  EXPECT_EQ(c.head(c.wait(c.draft().claim("lost"))),
            "0/2 nodes are available: persistentvolumeclaim \"lost\" bound to non-existent "
            "persistentvolume \"pv-gone\".");
  auto ephemeral = c.draft();
  ephemeral.pod.volumes.push_back({"pod-scratch", true});
  EXPECT_EQ(c.head(c.wait(ephemeral)),
            "0/2 nodes are available: waiting for ephemeral volume controller to create the "
            "persistentvolumeclaim \"pod-scratch\".");
}

TEST(PodVolumeClaims, AClaimForOnePodOnly) {
  Pods c(2);
  c.volume("pv");
  c.volume_claim("single", "pv").read_write_once_pod = true;
  c.run(0, c.draft().claim("single"));
  EXPECT_EQ(c.head(c.wait(c.draft().claim("single"))),  // rwop
            "0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with "
            "ReadWriteOncePod access mode already in-use by another pod.");
}

std::vector<model::NodeSelectorTerm> on_host(std::string name) {
  return {{{{kHostname, LabelOperator::kIn, {std::move(name)}}}, {}}};
}

TEST(PodVolumeClaims, ABoundVolumeHoldsThePodWhereItIs) {
  Pods c(3);
  c.volume("pv").node_affinity = on_host("gpu-1");
  c.volume_claim("data", "pv");
  c.run(1, c.draft().gpu(8));
  EXPECT_EQ(c.head(c.wait(c.draft().claim("data").gpu(1))),
            "0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't match "
            "PersistentVolume's node affinity.");
  c.volume_claim("gone", "pv-2");
  EXPECT_EQ(c.head(c.wait(c.draft().claim("gone"))),
            "0/3 nodes are available: 3 node(s) unavailable due to one or more pvc(s) bound to "
            "non-existent pv(s).");
}

TEST(PodVolumeClaims, WaitingForTheFirstConsumer) {
  Pods c(3);
  c.storage_class(true, "kubernetes.io/no-provisioner");
  c.volume_claim("local");
  auto pod = c.wait(c.draft().claim("local"));
  EXPECT_EQ(c.head(pod),  // wffc_no_pv
            "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.");
  c.volume("small").capacity_bytes = kGiB;
  c.volume("taken").claim = "default/other";
  c.volume("pv-1").node_affinity = on_host("gpu-1");
  auto a = c.answer(pod);
  EXPECT_FALSE(a.passes({0}));
  EXPECT_TRUE(a.passes({1}));
  // Two claims need two volumes.
  c.volume_claim("second");
  auto both = c.wait(c.draft().claim("local").claim("second"));
  EXPECT_FALSE(c.answer(both).passes({1}));
  c.volume("pv-2");
  EXPECT_TRUE(c.answer(both).passes({1}));
}

TEST(PodVolumeClaims, AProvisionerMakesVolumesWhereItsTopologyAllows) {
  Pods c(4);
  auto& fast = c.storage_class(true, "csi.example.com");
  c.volume_claim("data");
  auto pod = c.wait(c.draft().claim("data"));
  EXPECT_TRUE(c.answer(pod).passes({0}));
  fast.allowed_topologies = {{{{kZone, LabelOperator::kIn, {"b"}}}, {}}};
  EXPECT_FALSE(c.answer(pod).passes({0}));
  EXPECT_TRUE(c.answer(pod).passes({1}));
}

TEST(PodVolumeClaims, TheVolumesZone) {
  Pods c(4);
  c.volume("pv").labels = labels({{"topology.kubernetes.io/zone", "b__c"}});
  c.volume_claim("data", "pv");
  c.unlabel(2, kZone);
  c.taint(1, "t");
  c.taint(3, "t");
  auto pod = c.wait(c.draft().claim("data"));
  auto a = c.answer(pod);
  EXPECT_EQ(a.failed[0], PodReasons::of(PodReason::kVolumeZone));
  EXPECT_EQ(a.failed[1], PodReasons::of(PodReason::kTaint));
  EXPECT_TRUE(a.passes({2}));  // a node without any zone label is not asked
}

TEST(PodVolumeClaims, ListsThatWereNotReadAreUnknown) {
  Pods c(2);
  auto pod = c.wait(c.draft().claim("data"));
  c.k.volume_claims.reset();
  auto a = c.answer(pod);
  EXPECT_TRUE(a.whole_pod.empty());
  EXPECT_TRUE(a.may_pass({0}));
  EXPECT_FALSE(a.passes({0}));
}

}  // namespace
}  // namespace schedlens::diagnose
