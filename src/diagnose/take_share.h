// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a node has left when a workload that waits has been put on it.

#include <cstdint>

#include "diagnose/node_class.h"
#include "diagnose/shape.h"

namespace schedlens::diagnose {

// Takes from the node the part of one that gets so many nodes in all.
void take_share(NodeView& view, const Shape& shape, std::uint32_t nodes,
                const model::Snapshot& snapshot);

}  // namespace schedlens::diagnose
