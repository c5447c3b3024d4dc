// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "slurm/assoc_mgr.h"
#include "slurm/qos_records.h"
#include "slurm/sprio.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)slurm::parse_assoc_mgr(text);
  (void)slurm::parse_qos_records(text);
  (void)slurm::parse_sprio(text);
  return 0;
}
