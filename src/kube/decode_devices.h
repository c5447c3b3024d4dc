// SPDX-License-Identifier: Apache-2.0
#pragma once
// Claims, classes and slices of resource.k8s.io, each from its protobuf bytes. v1 and v1beta2 write
// alike; in v1beta1 a device and a request lie one level differently.

#include <string_view>

#include "base/result.h"
#include "kube/decode_objects.h"
#include "model/devices.h"

namespace schedlens::kube {

enum class DeviceApi : std::uint8_t { kV1, kV1Beta1 };
DeviceApi device_api(std::string_view api_version);  // "resource.k8s.io/v1beta1"

Result<Decoded<model::ResourceClaim>> decode_resource_claim(std::string_view object, DeviceApi api);
Result<Decoded<model::ResourceClaimTemplate>> decode_claim_template(std::string_view object);
Result<Decoded<model::ResourceSlice>> decode_resource_slice(std::string_view object, DeviceApi api);
Result<Decoded<model::DeviceClass>> decode_device_class(std::string_view object);

}  // namespace schedlens::kube
