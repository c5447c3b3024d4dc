// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tests that one node must pass for one shape, each by itself, so that for every node all the
// tests that rule it out are known and not only the first.

#include <array>
#include <cstdint>
#include <string>

#include "diagnose/node_class.h"
#include "diagnose/shape.h"

namespace schedlens::diagnose {

enum class Test : std::uint8_t {
  kPartition,
  kFeatures,
  kExcluded,
  kRequired,  // the node is not among those the job insists on, and no other is taken
  kState,
  kCompleting,
  kPoweringDown,
  kReserved,
  kOwnReservation,
  kOwner,
  kExclusive,
  kSharing,
  kCpus,
  kMaxCpusPerNode,
  kMemory,
  kTmpDisk,
  kSockets,
  kCoreSpec,
  kFirstDevice,  // and one more for each further kind of device
};
constexpr std::size_t kMostDeviceKinds = 8;

// A set of tests.
struct Tests {
  std::uint32_t bits = 0;

  static constexpr Tests of(Test t) { return {std::uint32_t{1} << static_cast<unsigned>(t)}; }
  static constexpr Tests device(std::size_t i) {
    return {std::uint32_t{1} << (static_cast<unsigned>(Test::kFirstDevice) + i)};
  }
  bool has(Test t) const { return (bits & of(t).bits) != 0; }
  bool empty() const { return bits == 0; }
  Tests without(Tests other) const { return {bits & ~other.bits}; }
  Tests operator|(Tests other) const { return {bits | other.bits}; }
  Tests& operator|=(Tests other) {
    bits |= other.bits;
    return *this;
  }
  friend bool operator==(Tests, Tests) = default;
};

// Which resources count: what is free now, or all there is, as if nothing ran.
enum class Use : std::uint8_t { kNow, kNothing };

// The tests that the node fails. features: the alternatives of the shape's feature expression that
// the node can serve. With Use::kNothing the node is also taken to be in service and unreserved.
Tests failed_tests(const Shape& shape, const model::Queue& queue, const NodeView& node,
                   std::uint32_t features, Use use);

// CPUs free for the shape: those that nobody uses, or those that it may share with others.
std::uint32_t cpus_open(const Shape& shape, const NodeView& node);

// What one node can give to the shape at most, in the units in which it adds up over nodes.
struct Share {
  std::uint32_t cpus = 0;
  std::uint32_t tasks = 0;
  std::array<std::uint32_t, kMostDeviceKinds> devices{};  // in the order of Shape::devices

  friend bool operator==(const Share&, const Share&) = default;
};
Share share_of(const Shape& shape, const model::Queue& queue, const NodeView& node, Use use);

// GPUs of the kinds asked for that are free on the node, and how many of them are of use to the
// shape: none without the CPUs and memory that its share of a node needs.
struct FreeGpus {
  std::uint64_t free = 0;
  std::uint64_t allocatable = 0;
};
FreeGpus free_gpus(const Shape& shape, const model::Queue& queue, const NodeView& node);

// The name of a test in the scheduler's own words; for kState the node's own word.
std::string test_name(Test test, const Shape& shape, const NodeView& node);

}  // namespace schedlens::diagnose
