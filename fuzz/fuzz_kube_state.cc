// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kube/decode_state.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view object(reinterpret_cast<const char*>(data), size);
  (void)kube::decode_node_state(object);
  (void)kube::decode_namespace_state(object);
  (void)kube::decode_quota_state(object);
  (void)kube::decode_deployment_state(object);
  (void)kube::decode_replica_set_state(object);
  (void)kube::decode_stateful_set_state(object);
  (void)kube::decode_daemon_set_state(object);
  (void)kube::decode_job_state(object);
  (void)kube::decode_cron_job_state(object);
  (void)kube::decode_autoscaler_state(object);
  (void)kube::decode_budget_state(object);
  (void)kube::decode_claim_state(object);
  (void)kube::decode_volume_state(object);
  return 0;
}
