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

Resource device(std::string_view name, std::string_view feeds, bool namespaced) {
  Resource r{name, feeds, {}, namespaced};
  for (std::string_view version : {"v1", "v1beta2", "v1beta1"}) {
    r.versions.push_back({"resource.k8s.io", version});
  }
  r.optional = true;
  return r;
}

// Only JSON is served of custom resources.
Resource custom(std::string_view name, std::string_view feeds, std::vector<GroupVersion> versions,
                bool namespaced, std::string_view title = "") {
  Resource r{name, feeds, std::move(versions), namespaced, Encoding::kJson};
  r.optional = true;
  r.title = title;
  return r;
}

Resource kueue(std::string_view name, std::string_view feeds, bool namespaced,
               std::string_view title = "") {
  return custom(name, feeds, {{"kueue.x-k8s.io", "v1beta2"}, {"kueue.x-k8s.io", "v1beta1"}},
                namespaced, title);
}

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
      device("resourceclaims", "resource_claims", kNamespaced),
      device("resourceclaimtemplates", "claim_templates", kNamespaced),
      device("resourceslices", "resource_slices", kClusterWide),
      device("deviceclasses", "device_classes", kClusterWide),
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
      // Only the status of the cluster autoscaler.
      {"configmaps",
       "autoscaler",
       {{"", "v1"}},
       kNamespaced,
       Encoding::kProtobuf,
       "metadata.name=cluster-autoscaler-status"},
      {"events",
       "events",
       {{"events.k8s.io", "v1"}, {"", "v1"}},
       kNamespaced,
       Encoding::kProtobuf,
       kTellingEvents},
      kueue("workloads", "admission_workloads", kNamespaced, "workloads.kueue.x-k8s.io"),
      kueue("localqueues", "local_queues", kNamespaced),
      kueue("clusterqueues", "cluster_queues", kClusterWide),
      kueue("resourceflavors", "resource_flavors", kClusterWide),
      custom("podgroups", "pod_groups", {{"scheduling.volcano.sh", "v1beta1"}}, kNamespaced,
             "podgroups.scheduling.volcano.sh"),
      custom("queues", "group_queues", {{"scheduling.volcano.sh", "v1beta1"}}, kClusterWide,
             "queues.scheduling.volcano.sh"),
      custom("jobs", "controllers", {{"batch.volcano.sh", "v1alpha1"}}, kNamespaced,
             "jobs.batch.volcano.sh"),
      custom("podgroups", "pod_groups", {{"scheduling.x-k8s.io", "v1alpha1"}}, kNamespaced,
             "podgroups.scheduling.x-k8s.io"),
      custom("podgroups", "pod_groups", {{"scheduling.k8s.io", "v1alpha2"}}, kNamespaced,
             "podgroups.scheduling.k8s.io"),
      custom("jobsets", "controllers", {{"jobset.x-k8s.io", "v1alpha2"}}, kNamespaced),
  };
  return all;
}

}  // namespace

std::span<const Resource> resources() {
  return table();
}

std::string_view title(const Resource& resource) {
  return resource.title.empty() ? resource.name : resource.title;
}

const Resource* find_resource(std::string_view name) {
  auto at = std::find_if(table().begin(), table().end(),
                         [&](const Resource& r) { return title(r) == name; });
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
