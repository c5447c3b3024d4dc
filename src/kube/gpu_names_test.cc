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

TEST(GpuNames, ReadsATable) {
  const auto names =
      parse_gpu_names(" example.com/gpu=whole,example.com/part-* = slice, a.b/mem=shared,");
  ASSERT_TRUE(names) << names.error().message();
  ASSERT_EQ(names->size(), 3u);
  EXPECT_EQ((*names)[0], (GpuName{"example.com/gpu", GpuKind::kWhole, ""}));
  EXPECT_EQ((*names)[1], (GpuName{"example.com/part-*", GpuKind::kSlice, ""}));
  EXPECT_EQ((*names)[2], (GpuName{"a.b/mem", GpuKind::kShared, ""}));
  EXPECT_TRUE(parse_gpu_names("")->empty());
}

TEST(GpuNames, SaysWhatIsWrongWithATable) {
  for (const auto& [text, problem] :
       {std::pair{"example.com/gpu", "'example.com/gpu' is not NAME=KIND"},
        {"example.com/gpu=half", "'half' is none of whole, slice, shared"},
        {"gpu=whole", "'gpu' is no resource"},
        {"/gpu=whole", "'/gpu' is no resource"},
        {"a.b/=whole", "'a.b/' is no resource"},
        {"a.b/*x=whole", "'a.b/*x' is no resource"},
        {"a.b/part=slice", "'a.b/part' must end with a star"}}) {
    const auto names = parse_gpu_names(text);
    ASSERT_FALSE(names) << text;
    EXPECT_EQ(names.error().message().find(problem), 0u) << names.error().message();
  }
}

}  // namespace
}  // namespace schedlens::kube
