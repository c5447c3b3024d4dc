// SPDX-License-Identifier: Apache-2.0
#include "model/unhealthy_devices.h"

#include <gtest/gtest.h>

namespace schedlens::model {
namespace {

const Symbol kGpu{"nvidia.com/gpu"};

NodeObject node(std::int64_t capacity, std::int64_t allocatable, std::string counted = "") {
  NodeObject object;
  object.capacity.set(kGpu, capacity);
  object.allocatable.set(kGpu, allocatable);
  object.capacity.set(Symbol("cpu"), 64'000);
  object.allocatable.set(Symbol("cpu"), 60'000);
  if (!counted.empty()) object.labels = Labels({{Symbol("nvidia.com/gpu.count"), counted}});
  return object;
}

TEST(UnhealthyDevices, AreInCapacityAndNotAllocatable) {
  EXPECT_EQ(unhealthy_devices(node(8, 7)).get(kGpu), 1);
  EXPECT_EQ(unhealthy_devices(node(16, 0)).get(kGpu), 16);
  // In use is not unhealthy, and what a node keeps for itself is no device.
  EXPECT_TRUE(unhealthy_devices(node(8, 8)).empty());
}

// The kubelet takes the devices of a plugin that is gone out of both; the label stays.
TEST(UnhealthyDevices, AreThoseOfAPluginThatIsGone) {
  EXPECT_EQ(unhealthy_devices(node(0, 0, "8")).get(kGpu), 8);
  EXPECT_EQ(devices_there(node(0, 0, "8"), kGpu), 8);
  EXPECT_TRUE(unhealthy_devices(node(0, 0)).empty());
  EXPECT_TRUE(unhealthy_devices(node(0, 0, "many")).empty());
  EXPECT_TRUE(unhealthy_devices(node(0, 0, "-3")).empty());
  // Back again.
  EXPECT_TRUE(unhealthy_devices(node(8, 8, "8")).empty());
}

TEST(UnhealthyDevices, AreNotGpusThatAreAllInSlices) {
  auto split = node(0, 0, "8");
  split.capacity.set(Symbol("nvidia.com/mig-1g.12gb"), 2);
  split.allocatable.set(Symbol("nvidia.com/mig-1g.12gb"), 2);
  EXPECT_TRUE(unhealthy_devices(split).empty());
}

// Whose devices are claimed has no such resource at all.
TEST(UnhealthyDevices, NeedAResource) {
  NodeObject claimed;
  claimed.labels = Labels({{Symbol("nvidia.com/gpu.count"), "8"}});
  EXPECT_TRUE(unhealthy_devices(claimed).empty());
}

}  // namespace
}  // namespace schedlens::model
