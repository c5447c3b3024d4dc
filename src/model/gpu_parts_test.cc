// SPDX-License-Identifier: Apache-2.0
#include "model/gpu_parts.h"

#include <gtest/gtest.h>

#include "model/node_object.h"

namespace schedlens::model {
namespace {

const Symbol kGpu{"nvidia.com/gpu"};

Node with_slices(std::string_view product) {
  NodeObject object;
  object.labels = Labels({{Symbol("nvidia.com/gpu.product"), std::string(product)}});
  Node node;
  node.object = std::make_shared<const NodeObject>(std::move(object));
  return node;
}

TEST(GpuParts, PartsInWholeGpus) {
  auto node = with_slices("NVIDIA-H100-80GB-HBM3");
  EXPECT_FALSE(parts_worth(node));
  node.gres.push_back({Symbol("mig"), Symbol("1g.12gb"), 4, 1, {}, ""});
  node.gres.push_back({Symbol("mig"), Symbol("3g.47gb.me"), 1, 1, {}, ""});
  node.gres.push_back({Symbol("mig"), Symbol("odd"), 9, 9, {}, ""});
  node.gres.push_back({Symbol("gpu.shared"), {}, 9, 9, {}, ""});
  EXPECT_DOUBLE_EQ(parts_worth(node)->total, 1);
  EXPECT_DOUBLE_EQ(parts_worth(node)->used.value(), 4.0 / 7);
  node.gres[0].used.reset();
  EXPECT_FALSE(parts_worth(node)->used);

  auto small = with_slices("NVIDIA-A30");
  small.gres.push_back({Symbol("mig"), Symbol("2g.12gb"), 2, 0, {}, ""});
  EXPECT_DOUBLE_EQ(parts_worth(small)->total, 1);
}

TEST(GpuParts, ASharesWorthIsWhatItsNodeSays) {
  NodeObject object;
  object.labels = Labels({{Symbol("nvidia.com/gpu.replicas"), "4"}});
  Node node;
  node.gres.push_back({Symbol("gpu.shared"), {}, 16, 6, {}, ""});
  node.gres.push_back({Symbol("gpumem"), {}, 80'000, 5'000, {}, ""});
  node.gres.push_back({Symbol("gpu"), {}, 8, 1, {}, ""});
  node.gres.push_back({Symbol("rdma/hca"), {}, 8, 1, {}, ""});
  EXPECT_FALSE(is_gpu_part(node, node.gres[0]));  // of a node of Slurm these are its own names
  EXPECT_FALSE(parts_worth(node));
  node.object = std::make_shared<const NodeObject>(object);
  EXPECT_DOUBLE_EQ(parts_worth(node)->total, 4);
  EXPECT_DOUBLE_EQ(parts_worth(node)->used.value(), 1.5);
  EXPECT_TRUE(is_gpu_part(node, node.gres[0]));
  EXPECT_TRUE(is_gpu_part(node, node.gres[1]));
  EXPECT_FALSE(worth_of_part(node, node.gres[1]));
  EXPECT_FALSE(is_gpu_part(node, node.gres[2]));
  EXPECT_FALSE(is_gpu_part(node, node.gres[3]));
  object.labels = Labels({{Symbol("nvidia.com/gpu.replicas"), "0"}});
  node.object = std::make_shared<const NodeObject>(object);
  EXPECT_FALSE(parts_worth(node));
}

TEST(GpuParts, WholeGpusBesideSlices) {
  NodeObject node;
  node.capacity.set(kGpu, 8);
  EXPECT_FALSE(mixed_gpus(node));
  node.capacity.set(Symbol("nvidia.com/mig-7g.40gb"), 8);
  ASSERT_TRUE(mixed_gpus(node));
  EXPECT_EQ(mixed_gpus(node)->slice.view(), "nvidia.com/mig-7g.40gb");
  EXPECT_EQ(mixed_gpus(node)->slice_count, 8);
  EXPECT_FALSE(mixed_gpus(node)->stale);  // how many there are is not known
  node.labels = Labels({{Symbol("nvidia.com/gpu.count"), "8"}});
  EXPECT_TRUE(mixed_gpus(node)->stale);
  node.capacity.set(kGpu, 6);
  EXPECT_FALSE(mixed_gpus(node)->stale);  // two are split
  node.capacity.set(kGpu, 0);
  EXPECT_FALSE(mixed_gpus(node));
}

}  // namespace
}  // namespace schedlens::model
