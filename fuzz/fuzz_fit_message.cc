// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnose/fit_message.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto message = diagnose::parse_fit_message(text);
  if (!message) return 0;
  const auto reasons = diagnose::canonical(message->reasons);
  for (const auto& r : reasons) (void)diagnose::filter_of_reason(r.reason);
  // The words of 1.36 stay as they are.
  if (diagnose::canonical(reasons) != reasons) std::abort();
  return 0;
}
