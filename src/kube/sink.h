// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who takes what a list-and-watch of one resource brings.

#include <string_view>

#include "base/result.h"

namespace schedlens::kube {

// Called by the stream's thread, one call at a time. Objects are the bytes of one object without
// its envelope: a protobuf message of the core types, a JSON document of custom resources.
class Sink {
 public:
  virtual ~Sink() = default;

  // The version of the API that objects are of from the next list on: "events.k8s.io/v1".
  virtual void use_version(std::string_view /*api_version*/) {}
  // A whole list begins: what it does not bring by end_list() no longer exists. Until then what is
  // known stays valid, and a list that is broken off is begun anew.
  virtual void begin_list() = 0;
  virtual void end_list() = 0;
  // New, or changed. An object that cannot be read is an error about it alone.
  virtual Status take(std::string_view object) = 0;
  virtual Status remove(std::string_view object) = 0;
};

}  // namespace schedlens::kube
