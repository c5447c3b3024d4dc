// SPDX-License-Identifier: Apache-2.0
#pragma once
// Placing waiting GPU workloads one after the other, each on the nodes with the fewest free GPUs
// that hold it; part of fragmentation().

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "diagnose/fragmentation_shape.h"

namespace schedlens::diagnose::fitting {

// GPUs that a room can give to one spread job, at most so many.
std::int64_t spread_gpus(const Room& room, const Share& whole, std::int64_t most);
// GPUs that the next node of a spread job may give, so that each node still to come gives one.
std::int64_t next_part(const Shape& shape, std::int64_t missing, std::size_t used);

class Placer {
 public:
  // Starts with these rooms. The pools are those of the book that makes the shapes, and must
  // outlive it; they may grow.
  Placer(std::vector<Room> rooms, const std::vector<Pool>& pools);

  // By NodeId.
  using Taken = std::vector<std::pair<std::uint32_t, std::int64_t>>;
  // False when it finds no place; otherwise taken() says where it went, and with how many GPUs.
  bool place(const Shape& shape);
  const Taken& taken() const { return taken_; }
  const Room& left(std::uint32_t node) const { return left_[node]; }

 private:
  bool on_nodes(const Shape& shape, const Pool& pool);
  bool spread(const Shape& shape, const Pool& pool);
  void take_from(std::uint32_t node, const Share& share);
  void shelve(std::uint32_t node);

  const std::vector<Pool>& pools_;
  std::vector<Room> left_;
  std::vector<std::vector<std::uint32_t>> shelf_;  // the open nodes by their free GPUs
  std::vector<std::uint32_t> place_on_shelf_;
  Taken taken_;
  // Nodes that have one of a shape of which each takes one only.
  std::set<std::pair<const Shape*, std::uint32_t>> had_;
};

}  // namespace schedlens::diagnose::fitting
