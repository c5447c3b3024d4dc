// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which part of a pod decides what it asks for of one resource: not its containers' sum where an
// init container asks for more, where the pod as a whole says so, or where overhead is added.

#include <cstdint>
#include <string>

#include "base/symbol.h"

namespace schedlens::model {

enum class RequestPart : std::uint8_t {
  kContainers,     // all of them together, sidecars included
  kInitContainer,  // one that asks for more than they, beside the sidecars before it
  kPodLevel        // spec.resources
};

struct RequestTerm {
  Symbol resource;
  RequestPart part = RequestPart::kContainers;
  std::string container;         // the init container
  std::int64_t overhead = 0;     // of the request, in the units of Quantities
  std::uint32_t containers = 0;  // that ask for the resource, of any kind
  friend bool operator==(const RequestTerm&, const RequestTerm&) = default;
};

}  // namespace schedlens::model
