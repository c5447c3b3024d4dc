// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Node of core/v1, from its protobuf bytes.

#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/meta.h"
#include "model/node_object.h"

namespace schedlens::kube {

struct DecodedNode {
  Meta meta;                    // the uid is in object
  std::string address;          // the first InternalIP, or else the first address there is
  model::NodeObjectPtr object;  // never null
};

Result<DecodedNode> decode_node(std::string_view object);

}  // namespace schedlens::kube
