// SPDX-License-Identifier: Apache-2.0
// A request line's target, and what percent signs stand for.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/message.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  http::Request request;
  if (http::parse_target(text, request)) {
    if (request.path.empty() || request.path.find('?') != std::string::npos) __builtin_trap();
  }
  for (bool plus : {false, true}) {
    auto decoded = http::percent_decode(text, plus);
    if (decoded && decoded->size() > size) __builtin_trap();
  }
  return 0;
}
