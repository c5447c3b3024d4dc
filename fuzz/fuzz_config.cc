// SPDX-License-Identifier: Apache-2.0
// The configuration file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cli/config.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto config = cli::parse_config(text, "file");
  // An error names its place.
  if (!config && !config.error().message().starts_with("file")) __builtin_trap();
  return 0;
}
