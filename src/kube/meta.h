// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every Kubernetes object says about itself.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/symbol.h"
#include "base/units.h"
#include "model/labels.h"
#include "model/pod.h"

namespace schedlens::kube {

class Fields;

struct Meta {
  Symbol ns;  // empty for what belongs to no namespace
  std::string name;
  std::string uid;
};

// The metadata alone, of an object of any core type.
Result<Meta> decode_meta(std::string_view object);

// As a decoder of one type reads it.
struct ObjectMeta {
  Meta meta;
  std::optional<Timestamp> created;
  std::optional<Timestamp> deleting;
  std::vector<model::Label> labels;
  std::vector<model::Label> annotations;            // the few that something reads
  std::optional<model::OwnerReference> controller;  // the owner that is the controller
  std::optional<Timestamp> scheduler_wrote_status;  // managedFields of kube-scheduler

  // A label, or else an annotation, of that name; empty where there is neither.
  std::string_view labelled(Symbol key) const;
  std::string_view annotation(Symbol key) const;
};
ObjectMeta read_object_meta(Fields fields);

namespace names {
inline const Symbol kVolcanoGroup{"scheduling.k8s.io/group-name"};
inline const Symbol kCoschedulingGroup{"scheduling.x-k8s.io/pod-group"};
inline const Symbol kOldCoschedulingGroup{"pod-group.scheduling.sigs.k8s.io"};
inline const Symbol kOldestCoschedulingGroup{"pod-group.scheduling.sigs.k8s.io/name"};
inline const Symbol kKueueGroup{"kueue.x-k8s.io/pod-group-name"};
inline const Symbol kBetaStorageClass{"volume.beta.kubernetes.io/storage-class"};
inline const Symbol kDefaultStorageClass{"storageclass.kubernetes.io/is-default-class"};
inline const Symbol kBetaDefaultStorageClass{"storageclass.beta.kubernetes.io/is-default-class"};
}  // namespace names

}  // namespace schedlens::kube
