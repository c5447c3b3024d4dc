// SPDX-License-Identifier: Apache-2.0
// Nodes and, as their messages are read by the same code, every other object.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kube/decode_node.h"
#include "kube/decode_objects.h"
#include "kube/to_model.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const kube::GpuNames& gpus = *new kube::GpuNames;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto node = kube::decode_node(bytes)) (void)kube::to_node(*node, {}, gpus);
  (void)kube::decode_meta(bytes);
  (void)kube::decode_namespace(bytes);
  (void)kube::decode_priority_class(bytes);
  (void)kube::decode_resource_quota(bytes);
  (void)kube::decode_disruption_budget(bytes);
  (void)kube::decode_volume_claim(bytes);
  (void)kube::decode_volume(bytes);
  (void)kube::decode_storage_class(bytes);
  (void)kube::decode_job(bytes);
  (void)kube::decode_replica_set(bytes);
  (void)kube::decode_deployment(bytes);
  (void)kube::decode_stateful_set(bytes);
  (void)kube::decode_daemon_set(bytes);
  (void)kube::decode_core_event(bytes);
  (void)kube::decode_event(bytes);
  return 0;
}
