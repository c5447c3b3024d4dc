// SPDX-License-Identifier: Apache-2.0
#include "kube/resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <set>

namespace schedlens::kube {
namespace {

using Right = std::pair<std::string, std::string>;  // group, resource

const std::string kManifests = SCHEDLENS_FIXTURES "/../../deploy/kubernetes/";

YAML::Node cluster_role(const std::string& file) {
  for (auto& document : YAML::LoadAllFromFile(kManifests + file)) {
    if (document["kind"].Scalar() == "ClusterRole") return document;
  }
  return {};
}

std::vector<std::string> list(const YAML::Node& node) {
  return node ? node.as<std::vector<std::string>>() : std::vector<std::string>();
}

const std::string kMetricsApi = "metrics.k8s.io";

// What a role gives besides the metrics of kube-scheduler.
std::set<Right> rights(const YAML::Node& role) {
  std::set<Right> given;
  for (const auto& rule : role["rules"]) {
    const auto names = list(rule["resources"]);
    if (names.empty()) {
      EXPECT_THAT(list(rule["nonResourceURLs"]), testing::ElementsAre("/metrics"));
      EXPECT_THAT(list(rule["verbs"]), testing::ElementsAre("get"));
      continue;
    }
    // The Metrics API has no watches.
    const bool watched = list(rule["apiGroups"]) != std::vector<std::string>{kMetricsApi};
    EXPECT_EQ(list(rule["verbs"]), watched ? std::vector<std::string>({"get", "list", "watch"})
                                           : std::vector<std::string>({"get", "list"}));
    for (const auto& group : list(rule["apiGroups"])) {
      for (const auto& name : names) given.emplace(group, name);
    }
  }
  return given;
}

TEST(Resources, TheManifestsGiveTheRightsThatAreUsedAndNoOthers) {
  // What is used is asked for beside the resources.
  std::set<Right> always = {{kMetricsApi, "pods"}, {kMetricsApi, "nodes"}};
  std::set<Right> cluster_scope = {{kMetricsApi, "nodes"}};
  std::set<Right> for_details;
  for (const auto& resource : resources()) {
    auto& used = resource.details_only ? for_details : always;
    for (const auto& version : resource.versions) {
      used.emplace(version.group, resource.name);
      if (!resource.namespaced) cluster_scope.emplace(version.group, resource.name);
    }
  }
  EXPECT_EQ(rights(cluster_role("rbac.yaml")), always);
  EXPECT_EQ(rights(cluster_role("rbac-kube-state.yaml")), for_details);
  EXPECT_EQ(rights(cluster_role("rbac-cluster-scope.yaml")), cluster_scope);
}

TEST(Resources, PathsNameGroupVersionAndNamespace) {
  const auto* pods = find_resource("pods");
  const auto* jobs = find_resource("jobs");
  const auto* nodes = find_resource("nodes");
  ASSERT_TRUE(pods && jobs && nodes);
  EXPECT_EQ(collection_path(*pods, pods->versions[0], ""), "/api/v1/pods");
  EXPECT_EQ(collection_path(*jobs, jobs->versions[0], "ml"), "/apis/batch/v1/namespaces/ml/jobs");
  EXPECT_EQ(collection_path(*nodes, nodes->versions[0], "ml"), "/api/v1/nodes");
  EXPECT_EQ(find_resource("gateways"), nullptr);
}

}  // namespace
}  // namespace schedlens::kube
