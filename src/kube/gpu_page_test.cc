// SPDX-License-Identifier: Apache-2.0
#include "kube/gpu_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace schedlens::kube {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<MeasuredGpu> read(const std::string& text) {
  auto gpus = read_gpu_page(text);
  EXPECT_TRUE(gpus) << gpus.error().message();
  return gpus ? std::move(*gpus) : std::vector<MeasuredGpu>();
}

std::vector<MeasuredGpu> read_file(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(SCHEDLENS_FIXTURES "/kube/usage/" + name).rdbuf();
  return read(text.str());
}

TEST(GpuPage, MemoryIsWhatIsUsedOfAllThereIs) {
  const auto gpus = read_file("dcgm.prom");
  ASSERT_EQ(gpus.size(), 4u);
  const auto& gpu = gpus[0].gpu;
  EXPECT_EQ(gpu.uuid, "GPU-a");
  EXPECT_EQ(gpu.type, "NVIDIA H100 80GB HBM3");
  EXPECT_DOUBLE_EQ(*gpu.busy, 0.92);
  EXPECT_EQ(gpu.memory, mebibytes(60'000));
  EXPECT_EQ(gpu.memory_total, mebibytes(80'559));
  EXPECT_EQ(gpu.last_xid, 31u);
  EXPECT_EQ(gpus[0].host, "gpu-001");
  EXPECT_THAT(gpus[0].holders, ElementsAre("ml/train-0"));
}

TEST(GpuPage, PodsThatTakeTurnsShareOneDevice) {
  const auto gpus = read_file("dcgm.prom");
  EXPECT_THAT(gpus[1].holders, ElementsAre("ml/share-0", "ml/share-1"));
  EXPECT_DOUBLE_EQ(*gpus[1].gpu.busy, 0.8);
}

TEST(GpuPage, ADeviceOfNobodyAndAValueThatWasNotMeasured) {
  const auto gpus = read_file("dcgm.prom");
  EXPECT_TRUE(gpus[2].gpu.pods_known);
  EXPECT_THAT(gpus[2].holders, IsEmpty());
  EXPECT_DOUBLE_EQ(*gpus[2].gpu.busy, 0.9);
  EXPECT_FALSE(gpus[3].gpu.busy);
}

TEST(GpuPage, MigInstancesAreDevicesOfTheirOwn) {
  const auto gpus = read_file("dcgm-mig.prom");
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].gpu.mig_profile.view(), "1g.5gb");
  EXPECT_EQ(gpus[0].gpu.mig_instance, "7");
  EXPECT_DOUBLE_EQ(*gpus[0].gpu.busy, 0.75);  // not the utilisation, which is not measured there
  EXPECT_THAT(gpus[0].holders, ElementsAre("ml/small-0"));
  EXPECT_TRUE(gpus[1].gpu.pods_known);
  EXPECT_EQ(gpus[0].host, "gpu-002");
}

TEST(GpuPage, WithoutAnyPodOnMigInstancesTheirHoldersAreNotKnown) {
  const auto gpus = read(
      "DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu=\"0\",UUID=\"GPU-m\",GPU_I_PROFILE=\"1g.5gb\",GPU_I_ID="
      "\"7\",pod=\"\"} 0.5\n"
      "DCGM_FI_DEV_GPU_UTIL{gpu=\"1\",UUID=\"GPU-w\",namespace=\"n\",pod=\"p\"} 5\n");
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_FALSE(gpus[0].gpu.pods_known);
  EXPECT_TRUE(gpus[1].gpu.pods_known);
}

TEST(GpuPage, AnExporterThatKnowsNoPods) {
  const auto gpus = read("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",uuid=\"GPU-a\"} 5\n");
  EXPECT_FALSE(gpus.at(0).gpu.pods_known);
  EXPECT_EQ(gpus.at(0).gpu.uuid, "GPU-a");
}

TEST(GpuPage, PrometheusRenamesThePod) {
  const auto gpus = read(
      "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\",namespace=\"gpu-operator\",pod=\"dcgm-1\","
      "exported_namespace=\"ml\",exported_pod=\"train\",exported_container=\"main\"} 5 "
      "1800000000000\n");
  EXPECT_THAT(gpus.at(0).holders, ElementsAre("ml/train"));
  EXPECT_EQ(gpus.at(0).gpu.sampled, Timestamp{1'800'000'000});
}

TEST(GpuPage, OldNamesOfTheLabels) {
  const auto gpus = read(
      "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\",pod_name=\"train\",pod_namespace=\"ml\","
      "container_name=\"main\"} 5\n");
  EXPECT_THAT(gpus.at(0).holders, ElementsAre("ml/train"));
}

TEST(GpuPage, AnotherPageIsRefused) {
  EXPECT_FALSE(read_gpu_page("up 1\n"));
}

}  // namespace
}  // namespace schedlens::kube
