// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "slurm/hostlist.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t names = 0;
  constexpr std::size_t kLimit = 5000;
  auto done = slurm::for_each_host(
      text, [&](std::string_view) { ++names; }, kLimit);
  if (names > kLimit || (!done && names > 0)) __builtin_trap();
  return 0;
}
