// SPDX-License-Identifier: Apache-2.0
// Custom resources in JSON, and the devices of resource.k8s.io in protobuf. The first byte picks
// the kind.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kube/decode_admission.h"
#include "kube/decode_devices.h"
#include "kube/decode_groups.h"
#include "kube/json_meta.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace schedlens::kube;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 12) {
    case 0:
      (void)decode_pod_group(text);
      break;
    case 1:
      (void)decode_group_queue(text);
      break;
    case 2:
      (void)decode_job_set(text);
      break;
    case 3:
      (void)decode_volcano_job(text);
      break;
    case 4:
      (void)decode_admission_workload(text);
      break;
    case 5:
      (void)decode_local_queue(text);
      break;
    case 6:
      (void)decode_cluster_queue(text);
      break;
    case 7:
      (void)decode_resource_flavor(text);
      break;
    case 8:
      (void)decode_json_meta(text);
      break;
    case 9:
      (void)decode_resource_claim(text, DeviceApi::kV1);
      (void)decode_resource_claim(text, DeviceApi::kV1Beta1);
      break;
    case 10:
      (void)decode_resource_slice(text, DeviceApi::kV1);
      (void)decode_resource_slice(text, DeviceApi::kV1Beta1);
      break;
    default:
      (void)decode_device_class(text);
      break;
  }
  return 0;
}
