// SPDX-License-Identifier: Apache-2.0
#include "kube/gpu_names.h"

#include <gtest/gtest.h>

namespace schedlens::kube {
namespace {

const GpuNames kGpus;

TEST(GpuNames, WholeDevices) {
  for (const char* name : {"nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915",
                           "gpu.intel.com/xe", "habana.ai/gaudi"}) {
    const auto gpu = kGpus.find(Symbol(name));
    ASSERT_TRUE(gpu) << name;
    EXPECT_EQ(gpu->kind, GpuKind::kWhole) << name;
    EXPECT_EQ(gpu->pool, Symbol("gpu")) << name;
  }
  EXPECT_EQ(kGpus.find(Symbol("nvidia.com/gpu"))->type_label, Symbol("nvidia.com/gpu.product"));
}

TEST(GpuNames, MigSlicesByProfile) {
  const auto slice = kGpus.find(Symbol("nvidia.com/mig-1g.5gb"));
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->kind, GpuKind::kSlice);
  EXPECT_EQ(slice->pool, Symbol("mig"));
  EXPECT_EQ(slice->type, Symbol("1g.5gb"));
  EXPECT_EQ(kGpus.find(Symbol("nvidia.com/mig-1g.10gb.me"))->type, Symbol("1g.10gb.me"));
}

TEST(GpuNames, SharesAreNoDevices) {
  for (const auto& [name, pool] : {std::pair{"nvidia.com/gpu.shared", "gpu.shared"},
                                   {"aliyun.com/gpu-mem", "gpu-mem"},
                                   {"nvidia.com/gpumem", "gpumem"},
                                   {"nvidia.com/gpucores", "gpucores"}}) {
    const auto gpu = kGpus.find(Symbol(name));
    ASSERT_TRUE(gpu) << name;
    EXPECT_EQ(gpu->kind, GpuKind::kShared) << name;
    EXPECT_EQ(gpu->pool, Symbol(pool)) << name;
  }
}

TEST(GpuNames, OthersAreNot) {
  for (const char* name : {"cpu", "rdma/hca", "nvidia.com/gpux", "nvidia.com/GPU", "nvidia.com/mi",
                           "gpu.intel.com/i915_monitoring", "example.com/gpu"}) {
    EXPECT_FALSE(kGpus.find(Symbol(name))) << name;
  }
}

TEST(GpuNames, ACallerAddsItsOwn) {
  GpuNames gpus;
  gpus.add({"example.com/gpu", GpuKind::kWhole, "example.com/model"});
  gpus.add({"example.com/part-*", GpuKind::kSlice, ""});
  gpus.add({"nvidia.com/gpu", GpuKind::kShared, ""});
  EXPECT_EQ(gpus.find(Symbol("example.com/gpu"))->type_label, Symbol("example.com/model"));
  EXPECT_EQ(gpus.find(Symbol("example.com/part-4"))->pool, Symbol("part"));
  EXPECT_EQ(gpus.find(Symbol("example.com/part-4"))->type, Symbol("4"));
  // What a plugin on this cluster shares out under the usual name.
  EXPECT_EQ(gpus.find(Symbol("nvidia.com/gpu"))->kind, GpuKind::kShared);
}

}  // namespace
}  // namespace schedlens::kube
