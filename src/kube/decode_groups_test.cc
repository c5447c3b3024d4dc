// SPDX-License-Identifier: Apache-2.0
// Custom resources as their controllers write them, cut to what matters and what surrounds it.
#include "kube/decode_groups.h"

#include <gtest/gtest.h>

#include "kube/decode_admission.h"
#include "kube/json_meta.h"

namespace schedlens::kube {
namespace {

TEST(DecodeGroups, Volcano) {
  const auto group = decode_pod_group(R"({"apiVersion":"scheduling.volcano.sh/v1beta1",
    "kind":"PodGroup","metadata":{"name":"podgroup-1","namespace":"ml","uid":"u1",
      "creationTimestamp":"2026-11-30T03:39:21Z","annotations":{"a":"b"},
      "ownerReferences":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","name":"train",
        "uid":"u2","controller":true,"blockOwnerDeletion":true}]},
    "spec":{"minMember":3,"minTaskMember":{"worker":2},"queue":"research",
      "minResources":{"cpu":"1500m","memory":"2Gi","nvidia.com/gpu":24}},
    "status":{"phase":"Pending","running":1,"conditions":[{"type":"Unschedulable","status":"True",
      "lastTransitionTime":"2026-11-30T03:40:00Z","reason":"NotEnoughResources",
      "message":"3/3 tasks in gang unschedulable","transitionID":"x"}]}})");
  ASSERT_TRUE(group) << group.error().message();
  const auto& g = group->object;
  EXPECT_EQ(g.api.view(), "scheduling.volcano.sh");
  EXPECT_EQ(g.name, "podgroup-1");
  EXPECT_EQ(g.owner->name, "train");
  EXPECT_EQ(g.min_members, 3);
  EXPECT_EQ(g.min_resources.get(model::names::kKubeCpu), 1500);
  EXPECT_EQ(g.min_resources.get(Symbol("nvidia.com/gpu")), 24);
  EXPECT_EQ(g.phase.view(), "Pending");
  EXPECT_EQ(g.running, 1);
  EXPECT_FALSE(g.failed);
  EXPECT_EQ(*g.condition(Symbol("Unschedulable"))->message, "3/3 tasks in gang unschedulable");

  const auto queue = decode_group_queue(R"({"metadata":{"name":"research"},"spec":{"weight":4,
    "capability":{"nvidia.com/gpu":"64"},"guarantee":{"resource":{"cpu":8}},"reclaimable":true},
    "status":{"state":"Open","allocated":{"cpu":"0","nvidia.com/gpu":"40"},"pending":3}})");
  ASSERT_TRUE(queue);
  EXPECT_EQ(queue->object.capability->get(Symbol("nvidia.com/gpu")), 64);
  EXPECT_EQ(queue->object.allocated.get(Symbol("nvidia.com/gpu")), 40);
  EXPECT_EQ(queue->object.guarantee.get(model::names::kKubeCpu), 8000);
  EXPECT_FALSE(decode_group_queue(R"({"metadata":{"name":"x"}})")->object.capability);
  const auto job = decode_volcano_job(
      R"({"metadata":{"name":"train","uid":"u2"},"status":{"state":{"phase":"Completed"}}})");
  EXPECT_TRUE(job->object.finished);
}

TEST(DecodeGroups, CoschedulingAndKubernetesOwn) {
  const auto co = decode_pod_group(R"({"apiVersion":"scheduling.x-k8s.io/v1alpha1",
    "metadata":{"name":"pg","namespace":"ml"},"spec":{"minMember":4,"scheduleTimeoutSeconds":60},
    "status":{"phase":"PreScheduling","occupiedBy":"ml/x"}})");
  EXPECT_EQ(co->object.min_members, 4);
  const auto own = decode_pod_group(R"({"apiVersion":"scheduling.k8s.io/v1alpha2",
    "metadata":{"name":"pg","namespace":"ml"},
    "spec":{"schedulingPolicy":{"gang":{"minCount":5}}},"status":{}})");
  EXPECT_EQ(own->object.min_members, 5);
  const auto set = decode_job_set(R"({"metadata":{"name":"s","uid":"u"},"spec":{"suspend":true},
    "status":{"terminalState":null}})");
  EXPECT_TRUE(set->object.suspended);
  EXPECT_FALSE(set->object.finished);
}

TEST(DecodeAdmission, Workloads) {
  const auto decoded = decode_admission_workload(R"({"apiVersion":"kueue.x-k8s.io/v1beta2",
    "metadata":{"name":"job-train-1a2b3","namespace":"ml","uid":"w1",
      "creationTimestamp":"2026-11-30T03:39:21Z",
      "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"train","uid":"j1",
        "controller":true}]},
    "spec":{"active":true,"queueName":"team-a","priority":100,
      "priorityClassRef":{"group":"kueue.x-k8s.io","kind":"WorkloadPriorityClass","name":"high"},
      "podSets":[{"name":"main","count":2,"template":{"metadata":{},"spec":{
        "initContainers":[{"name":"fetch","resources":{"requests":{"cpu":"4"}}}],
        "containers":[{"name":"a","resources":{"requests":{"cpu":"500m"},
          "limits":{"cpu":"2","nvidia.com/gpu":"8"}}},{"name":"b","resources":{}}]}}}]},
    "status":{"admission":{"clusterQueue":"cq-a","podSetAssignments":[{"name":"main","count":2,
        "flavors":{"nvidia.com/gpu":"h100"},"resourceUsage":{"nvidia.com/gpu":"16"}}]},
      "admissionChecks":[{"name":"prov","state":"Pending","message":"wait"}],
      "requeueState":{"count":1,"requeueAt":"2026-11-30T04:00:00Z"},
      "conditions":[{"type":"QuotaReserved","status":"True","reason":"QuotaReserved",
        "message":"Quota reserved in ClusterQueue cq-a"}]}})");
  ASSERT_TRUE(decoded) << decoded.error().message();
  const auto& w = decoded->object;
  EXPECT_EQ(w.owners.at(0).uid, "j1");
  EXPECT_EQ(w.priority, 100);
  EXPECT_EQ(w.priority_class.view(), "high");
  ASSERT_EQ(w.pod_sets.size(), 1u);
  EXPECT_EQ(w.pod_sets[0].request.get(model::names::kKubeCpu), 4000);
  EXPECT_EQ(w.pod_sets[0].request.get(Symbol("nvidia.com/gpu")), 8);
  EXPECT_EQ(w.pod_sets[0].admitted.at(0).amount, 16);
  EXPECT_EQ(w.cluster_queue.view(), "cq-a");
  EXPECT_EQ(w.checks.at(0).state.view(), "Pending");
  EXPECT_TRUE(w.requeue_at);
  EXPECT_TRUE(w.condition(Symbol("QuotaReserved"))->status);
}

TEST(DecodeAdmission, QueuesOfBothVersions) {
  const std::string groups = R"("resourceGroups":[{"coveredResources":["cpu","nvidia.com/gpu"],
    "flavors":[{"name":"h100","resources":[{"name":"cpu","nominalQuota":"96"},
      {"nominalQuota":"8","name":"nvidia.com/gpu","borrowingLimit":"4","lendingLimit":null}]}]}])";
  const std::string status = R"("status":{"pendingWorkloads":3,"admittedWorkloads":1,
    "flavorsReservation":[{"name":"h100","resources":[{"name":"nvidia.com/gpu","total":"10",
      "borrowed":"2"}]}],"conditions":[{"type":"Active","status":"True"}]})";
  for (const std::string cohort : {R"("cohort":"all")", R"("cohortName":"all")"}) {
    const auto decoded = decode_cluster_queue(R"({"metadata":{"name":"cq-a"},"spec":{)" + cohort +
                                              R"(,"queueingStrategy":"StrictFIFO",
      "namespaceSelector":{"matchLabels":{"team":"a"}},)" +
                                              groups + "}," + status + "}");
    ASSERT_TRUE(decoded) << decoded.error().message();
    const auto& q = decoded->object;
    EXPECT_EQ(q.cohort.view(), "all");
    EXPECT_EQ(to_text(*q.namespaces), "team=a");
    ASSERT_EQ(q.quotas.size(), 2u);
    EXPECT_EQ(q.quotas[0].nominal, 96'000);
    EXPECT_EQ(q.quotas[1].nominal, 8);
    EXPECT_EQ(q.quotas[1].borrowing_limit, 4);
    EXPECT_FALSE(q.quotas[1].lending_limit);
    EXPECT_EQ(q.quotas[1].reserved, 10);
    EXPECT_EQ(q.pending, 3);
  }
  const auto local = decode_local_queue(
      R"({"metadata":{"name":"team-a","namespace":"ml"},"spec":{"clusterQueue":"cq-a",
      "stopPolicy":"Hold"},"status":{"pendingWorkloads":2}})");
  EXPECT_EQ(local->object.cluster_queue.view(), "cq-a");
  EXPECT_EQ(local->object.stop_policy.view(), "Hold");
  const auto flavor = decode_resource_flavor(
      R"({"metadata":{"name":"h100"},"spec":{"nodeLabels":{"gpu":"h100"},
      "nodeTaints":[{"key":"gpu","effect":"NoSchedule"}]}})");
  EXPECT_EQ(flavor->object.node_labels.at(0).value, "h100");
  EXPECT_EQ(flavor->object.node_taints.at(0).effect, model::TaintEffect::kNoSchedule);
}

TEST(DecodeGroups, WhatIsWrongNamesItsPlace) {
  EXPECT_FALSE(decode_pod_group("[]"));
  EXPECT_FALSE(decode_pod_group(R"({"metadata":{"name":)"));
  const auto wrong = decode_pod_group(R"({"metadata":{"name":"x"},"spec":{"minMember":"three"}})");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message().substr(0, 15), "spec.minMember:");
  EXPECT_FALSE(decode_pod_group(R"({"spec":{"minMember":5000000000}})"));
  EXPECT_FALSE(decode_pod_group(R"({"spec":{"minResources":{"cpu":"many"}}})"));
  EXPECT_FALSE(decode_json_meta("7"));
}

}  // namespace
}  // namespace schedlens::kube
