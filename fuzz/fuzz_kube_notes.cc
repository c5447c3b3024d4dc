// SPDX-License-Identifier: Apache-2.0
// What others write for people and we read all the same: refusals by a quota, and the status of
// the cluster autoscaler.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnose/withheld_pods.h"
#include "kube/autoscaler_status.h"
#include "kube/credentials.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto refusal = diagnose::parse_quota_refusal(text)) {
    for (const auto& amount : refusal->amounts) {
      if (amount.name.size() > size) std::abort();
    }
  }
  (void)diagnose::parse_amount(text);
  (void)kube::read_autoscaler_status(text);
  (void)kube::decode_autoscaler_status(text);
  (void)kube::parse_rfc3339(text);
  return 0;
}
