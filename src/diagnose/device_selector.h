// SPDX-License-Identifier: Apache-2.0
#pragma once
// Selectors of devices. Kubernetes writes them in CEL; here is the part of it that selectors are
// made of in practice, evaluated as the API does, errors included:
//
//   device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].model in ["a", "b"]
//   device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0
//
// An expression with anything else in it is refused as a whole, so that nothing is guessed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/devices.h"

namespace schedlens::diagnose {

// kError: the expression fails on this device, for which the scheduler gives up the whole pod.
// kUnknown: a value of a kind that is not evaluated.
enum class Selection : std::uint8_t { kNo, kYes, kError, kUnknown };

class DeviceSelector {
 public:
  // An error names what is not evaluated.
  static Result<DeviceSelector> parse(std::string_view expression);

  // why becomes the reason of an error ("no such key: model").
  Selection test(Symbol driver, const model::Device& device, std::string* why = nullptr) const;

  enum class Op : std::uint8_t {
    kBoolean,
    kInteger,
    kText,
    kQuantity,
    kVersion,
    kList,
    kDevice,
    kField,
    kIndex,
    kMethod,
    kHas,
    kNot,
    kAnd,
    kOr,
    kCompare,
    kIn,
    kIf
  };
  struct Node {
    Op op = Op::kBoolean;
    std::string text;  // of a literal, a field, a method; "<=" of a comparison
    std::int64_t number = 0;
    std::vector<std::uint32_t> parts;
  };

 private:
  std::vector<Node> nodes_;
  std::uint32_t root_ = 0;
};

}  // namespace schedlens::diagnose
