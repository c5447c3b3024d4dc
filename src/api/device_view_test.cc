// SPDX-License-Identifier: Apache-2.0
#include "api/device_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/json_views.h"
#include "api/openapi.h"
#include "api/schema_check_test.h"
#include "diagnose/test_pods.h"

namespace schedlens::api {
namespace {

using diagnose::testing::kGpuName;
using diagnose::testing::Pods;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DeviceView, OfANodeAndOfAPod) {
  Pods c(2);
  c.allocatable(1, kGpuName, 6);
  auto draft = c.draft();
  draft.gpu(2);
  draft.pod.devices.emplace() = {{kGpuName, "GPU-a", model::DeviceState::kHealthy, ""},
                                 {kGpuName, "GPU-b", model::DeviceState::kUnhealthy, "ECC errors"}};
  const auto pod = c.run(1, draft);
  c.ready();

  JsonWriter node(1), job(1), other(1);
  write_node(node, c.s, {1});
  const auto text = node.take();
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("NodeDetail", text), IsEmpty());
  JsonWriter parts;
  parts.object([&] { write_node_devices(parts, View(c.s), {1}); });
  const std::string health =
      R"("device_health":[{"pod":"default/pod-0","resource":"nvidia.com/gpu","device":"GPU-a","state":"healthy","message":null},)"
      R"({"pod":"default/pod-0","resource":"nvidia.com/gpu","device":"GPU-b","state":"unhealthy","message":"ECC errors"}])";
  EXPECT_EQ(parts.take(),
            R"({"unhealthy_devices":[{"resource":"nvidia.com/gpu","unhealthy":2,"total":8}],)" +
                health + '}');

  const model::WorkloadId records[] = {pod};
  write_job(job, c.s, records);
  const auto record = job.take();
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("Job", record), IsEmpty());
  EXPECT_THAT(record, HasSubstr("ECC errors"));
}

}  // namespace
}  // namespace schedlens::api
