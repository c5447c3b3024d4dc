// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kinds of objects that are read from a cluster, and where its API server has them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kube/envelope.h"

namespace schedlens::kube {

struct GroupVersion {
  std::string_view group;  // empty: the core group
  std::string_view version;
};

struct Resource {
  std::string_view name;               // plural, as in the URL: "pods"
  std::string_view feeds;              // as SourceStatus::feeds
  std::vector<GroupVersion> versions;  // tried in this order
  bool namespaced = true;
  Encoding encoding = Encoding::kProtobuf;
  std::string_view field_selector = "";  // what is not worth being sent is left out
  bool details_only = false;             // watched only where its details are chosen
  // Clusters without it are in order: then it is no source at all.
  bool optional = false;
  std::string_view title = "";  // where the plural alone is another's: "podgroups.x.io"
};

// What the resource is called among all that are read.
std::string_view title(const Resource& resource);

std::span<const Resource> resources();
const Resource* find_resource(std::string_view title);  // null when there is none

// "policy/v1", "v1"
std::string api_version(const GroupVersion& version);
// "/apis/batch/v1/namespaces/ml/jobs"; an empty namespace means all.
std::string collection_path(const Resource& resource, const GroupVersion& version,
                            std::string_view ns);

}  // namespace schedlens::kube
