// SPDX-License-Identifier: Apache-2.0
#pragma once
// Objects in the detail that kube-state-metrics shows of them, each from its protobuf bytes.

#include <string_view>

#include "base/result.h"
#include "model/kube_state.h"

namespace schedlens::kube {

Result<model::NodeFacts> decode_node_state(std::string_view object);
Result<model::NamespaceFacts> decode_namespace_state(std::string_view object);
Result<model::QuotaFacts> decode_quota_state(std::string_view object);

// apps/v1
Result<model::DeploymentFacts> decode_deployment_state(std::string_view object);
Result<model::ReplicaSetFacts> decode_replica_set_state(std::string_view object);
Result<model::StatefulSetFacts> decode_stateful_set_state(std::string_view object);
Result<model::DaemonSetFacts> decode_daemon_set_state(std::string_view object);

// batch/v1
Result<model::JobFacts> decode_job_state(std::string_view object);
Result<model::CronJobFacts> decode_cron_job_state(std::string_view object);

// autoscaling/v2, policy/v1
Result<model::AutoscalerFacts> decode_autoscaler_state(std::string_view object);
Result<model::BudgetFacts> decode_budget_state(std::string_view object);

Result<model::ClaimFacts> decode_claim_state(std::string_view object);
Result<model::VolumeFacts> decode_volume_state(std::string_view object);

}  // namespace schedlens::kube
