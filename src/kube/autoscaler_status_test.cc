// SPDX-License-Identifier: Apache-2.0
#include "kube/autoscaler_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/samples_test.h"

namespace schedlens::kube {
namespace {

using testing::HasSubstr;

constexpr std::string_view kText =
    R"(Cluster-autoscaler status at 2026-11-30 12:00:05.123 +0000 UTC:
Cluster-wide:
  Health:      Healthy (ready=4 unready=0 notStarted=0 registered=4 longUnregistered=0)
               LastProbeTime:      2026-11-30 12:00:04 +0000 UTC m=+9.1
  ScaleUp:     NoActivity (ready=4 registered=4)

NodeGroups:
  Name:        gpu-a100
  Health:      Healthy (ready=3 unready=0 registered=3 cloudProviderTarget=3 (minSize=1, maxSize=3))
               LastProbeTime:      2026-11-30 12:00:04 +0000 UTC m=+9.1
  ScaleUp:     NoActivity (ready=3 cloudProviderTarget=3)
  ScaleDown:   NoCandidates (candidates=0)

  Name:        gpu-h100
  Health:      Healthy (ready=1 registered=1 cloudProviderTarget=1 (minSize=0, maxSize=8))
  ScaleUp:     Backoff (ready=1 cloudProviderTarget=1)
)";

constexpr std::string_view kYaml = R"(time: 2026-11-30 12:00:05.1 +0000 UTC
autoscalerStatus: Running
clusterWide:
  health:
    status: Healthy
nodeGroups:
- name: gpu-a100
  health:
    status: Healthy
    cloudProviderTarget: 3
    minSize: 1
    maxSize: 3
  scaleUp:
    status: NoActivity
- name: gpu-h100
  health:
    status: Healthy
    cloudProviderTarget: 1
    minSize: 0
    maxSize: 8
  scaleUp:
    status: Backoff
    backoffInfo:
      errorCode: QUOTA_EXCEEDED
      errorMessage: no quota for H100 in this region
)";

TEST(AutoscalerStatus, BothForms) {
  for (const auto text : {kText, kYaml}) {
    const auto status = read_autoscaler_status(text);
    ASSERT_TRUE(status) << status.error().message();
    EXPECT_EQ(status->time, Timestamp{1796040005});
    ASSERT_EQ(status->groups.size(), 2u);
    const auto& full = status->groups[0];
    EXPECT_EQ(full.name, "gpu-a100");
    EXPECT_EQ(full.health, "Healthy");
    EXPECT_EQ(full.target, 3);
    EXPECT_EQ(full.min, 1);
    EXPECT_EQ(full.max, 3);
    EXPECT_EQ(full.scale_up, "NoActivity");
    EXPECT_EQ(status->groups[1].scale_up, "Backoff");
    EXPECT_EQ(status->groups[1].max, 8);
  }
  EXPECT_EQ(read_autoscaler_status(kYaml)->groups[1].backoff, "no quota for H100 in this region");
}

TEST(AutoscalerStatus, OddTexts) {
  EXPECT_EQ(read_autoscaler_status("Cluster-autoscaler status at ")->groups.size(), 0u);
  EXPECT_EQ(
      read_autoscaler_status("nodeGroups: 5\nautoscalerStatus: Initializing\n")->groups.size(), 0u);
  const auto bare = read_autoscaler_status("nodeGroups:\n- name: a\n- 7\n");
  ASSERT_TRUE(bare);
  ASSERT_EQ(bare->groups.size(), 1u);
  EXPECT_FALSE(bare->groups[0].max);
  EXPECT_THAT(read_autoscaler_status("").error().message(), HasSubstr("not the text of"));
  EXPECT_THAT(read_autoscaler_status("{a: [").error().message(), HasSubstr("nor YAML"));
}

TEST(AutoscalerStatus, FromTheConfigMap) {
  const auto meta = Message().text(1, "cluster-autoscaler-status").text(3, "kube-system");
  const auto object = Message().message(1, meta).entry(2, "status", kYaml);
  const auto decoded = decode_autoscaler_status(object.bytes());
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(decoded->meta.name, "cluster-autoscaler-status");
  EXPECT_EQ(decoded->object.groups.size(), 2u);
}

}  // namespace
}  // namespace schedlens::kube
