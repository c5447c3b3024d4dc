// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diagnose/device_selector.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace schedlens;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto selector = diagnose::DeviceSelector::parse(text);
  if (!selector) return 0;
  model::Device device;
  device.attributes.push_back({Symbol("a/b"), model::AttributeKind::kText, "c"});
  device.attributes.push_back({Symbol("a/n"), model::AttributeKind::kInteger, "7"});
  device.attributes.push_back({Symbol("a/v"), model::AttributeKind::kVersion, "1.2.3"});
  device.capacity.set(Symbol("a/m"), 1000);
  (void)selector->test(Symbol("a"), device);
  return 0;
}
