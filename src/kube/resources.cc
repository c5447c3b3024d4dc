// SPDX-License-Identifier: Apache-2.0
#include "kube/resources.h"

#include <fmt/format.h>

#include <algorithm>

namespace schedlens::kube {
namespace {

constexpr bool kClusterWide = false;
constexpr bool kNamespaced = true;
constexpr bool kDetailsOnly = true;

// Steps of a start that goes well. They are most of all events, and the pod's status says them too.
constexpr std::string_view kTellingEvents =
    "reason!=Pulling,reason!=Pulled,reason!=Created,reason!=Started,reason!=Scheduled,"
    "reason!=Killing,reason!=SuccessfulCreate";

const std::vector<Resource>& table() {
  static const std::vector<Resource> all{
      {"nodes", "nodes", {{"", "v1"}}, kClusterWide},
      {"pods", "workloads", {{"", "v1"}}, kNamespaced},
      {"namespaces", "namespaces", {{"", "v1"}}, kClusterWide},
      {"priorityclasses", "priority_classes", {{"scheduling.k8s.io", "v1"}}, kClusterWide},
      {"resourcequotas", "quotas", {{"", "v1"}}, kNamespaced},
      {"poddisruptionbudgets",
       "disruption_budgets",
       {{"policy", "v1"}, {"policy", "v1beta1"}},
       kNamespaced},
      {"persistentvolumeclaims", "volume_claims", {{"", "v1"}}, kNamespaced},
      {"persistentvolumes", "volumes", {{"", "v1"}}, kClusterWide},
      {"storageclasses", "storage_classes", {{"storage.k8s.io", "v1"}}, kClusterWide},
      {"resourceclaims",
       "resource_claims",
       {{"resource.k8s.io", "v1"}, {"resource.k8s.io", "v1beta2"}, {"resource.k8s.io", "v1beta1"}},
       kNamespaced},
      {"jobs", "controllers", {{"batch", "v1"}}, kNamespaced},
      {"cronjobs",
       "cron_jobs",
       {{"batch", "v1"}},
       kNamespaced,
       Encoding::kProtobuf,
       "",
       kDetailsOnly},
      {"horizontalpodautoscalers",
       "autoscalers",
       {{"autoscaling", "v2"}},
       kNamespaced,
       Encoding::kProtobuf,
       "",
       kDetailsOnly},
      {"replicasets", "controllers", {{"apps", "v1"}}, kNamespaced},
      {"deployments", "controllers", {{"apps", "v1"}}, kNamespaced},
      {"statefulsets", "controllers", {{"apps", "v1"}}, kNamespaced},
      {"daemonsets", "controllers", {{"apps", "v1"}}, kNamespaced},
      {"events",
       "events",
       {{"events.k8s.io", "v1"}, {"", "v1"}},
       kNamespaced,
       Encoding::kProtobuf,
       kTellingEvents},
  };
  return all;
}

}  // namespace

std::span<const Resource> resources() {
  return table();
}

const Resource* find_resource(std::string_view name) {
  auto at = std::find_if(table().begin(), table().end(),
                         [&](const Resource& r) { return r.name == name; });
  return at == table().end() ? nullptr : &*at;
}

std::string api_version(const GroupVersion& version) {
  if (version.group.empty()) return std::string(version.version);
  return fmt::format("{}/{}", version.group, version.version);
}

std::string collection_path(const Resource& resource, const GroupVersion& version,
                            std::string_view ns) {
  auto path = (version.group.empty() ? "/api/" : "/apis/") + api_version(version);
  if (resource.namespaced && !ns.empty()) path += fmt::format("/namespaces/{}", ns);
  return fmt::format("{}/{}", path, resource.name);
}

}  // namespace schedlens::kube
