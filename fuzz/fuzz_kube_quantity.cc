// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kube/quantity.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto amount =
      kube::parse_quantity(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!amount) return 0;
  auto sum = *amount;
  sum += *amount;
  // Adding what is not negative never makes less, however large.
  if (*amount >= kube::Amount() && (sum < *amount || sum.value() < amount->value())) std::abort();
  if (amount->value() > 0 && amount->milli_value() <= 0) std::abort();
  return 0;
}
