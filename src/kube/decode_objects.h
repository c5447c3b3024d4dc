// SPDX-License-Identifier: Apache-2.0
#pragma once
// The objects beside nodes and pods, each from its protobuf bytes.

#include <string_view>

#include "base/result.h"
#include "kube/meta.h"
#include "model/kubernetes.h"

namespace schedlens::kube {

template <class T>
struct Decoded {
  Meta meta;
  T object;
};

Result<Decoded<model::Namespace>> decode_namespace(std::string_view object);
Result<Decoded<model::PriorityClass>> decode_priority_class(std::string_view object);
// "cpu", "requests.cpu" and "limits.cpu" in thousandths, all else in whole units.
Result<Decoded<model::ResourceQuota>> decode_resource_quota(std::string_view object);
Result<Decoded<model::DisruptionBudget>> decode_disruption_budget(std::string_view object);
// Of policy/v1beta1, where an empty selector is of no pods.
Result<Decoded<model::DisruptionBudget>> decode_beta_disruption_budget(std::string_view object);
Result<Decoded<model::VolumeClaim>> decode_volume_claim(std::string_view object);
Result<Decoded<model::Volume>> decode_volume(std::string_view object);
Result<Decoded<model::StorageClass>> decode_storage_class(std::string_view object);

// batch/v1 and apps/v1. existing counts the pods that the controller counts: not those that are
// over, nor those being deleted.
Result<Decoded<model::Controller>> decode_job(std::string_view object);
Result<Decoded<model::Controller>> decode_replica_set(std::string_view object);
Result<Decoded<model::Controller>> decode_deployment(std::string_view object);
Result<Decoded<model::Controller>> decode_stateful_set(std::string_view object);
Result<Decoded<model::Controller>> decode_daemon_set(std::string_view object);

// An Event of core/v1, and one of events.k8s.io/v1. meta names the event, object what it is about.
Result<Decoded<model::Event>> decode_core_event(std::string_view object);
Result<Decoded<model::Event>> decode_event(std::string_view object);

}  // namespace schedlens::kube
