// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "slurm/gres.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto bar = text.find("|");
  auto pools = slurm::parse_gres_config(text.substr(0, bar));
  if (pools && bar != std::string_view::npos) {
    (void)slurm::apply_gres_used(text.substr(bar + 1), *pools);
  }
  (void)slurm::parse_gres_held(text);
  (void)slurm::parse_gres_request(text);
  (void)slurm::parse_licences(text);
  (void)slurm::parse_tres(text);
  return 0;
}
