// SPDX-License-Identifier: Apache-2.0
#include "cli/device_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::cli {
namespace {

using model::DeviceState;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

model::DeviceHealth device(std::string name, DeviceState state, std::string message = "",
                           const char* resource = "nvidia.com/gpu") {
  return {Symbol(resource), std::move(name), state, std::move(message)};
}

model::Pod pod(std::vector<model::DeviceHealth> devices) {
  model::Pod p;
  p.ns = Symbol("ml");
  p.spec = std::make_shared<const model::PodSpec>();
  p.devices = std::move(devices);
  return p;
}

TEST(DeviceWords, HealthyOnesAreCountedAndTheOthersNamed) {
  const auto p = pod({device("GPU-a", DeviceState::kHealthy),
                      device("GPU-b", DeviceState::kUnhealthy, "ECC errors"),
                      device("GPU-c", DeviceState::kHealthy),
                      device("nic-0", DeviceState::kUnknown, "", "claim:nic/one")});
  EXPECT_EQ(device_health_text(p),
            "claim:nic/one: nic-0 of unknown health; nvidia.com/gpu: 2 healthy, GPU-b unhealthy "
            "(ECC errors)");
  EXPECT_EQ(device_health_text(pod({device("GPU-a", DeviceState::kHealthy)})),
            "nvidia.com/gpu: 1 healthy");
}

TEST(DeviceWords, NothingWhereNobodyReportsIt) {
  EXPECT_EQ(device_health_text(model::Pod()), "");
}

TEST(DeviceWords, ANodeNamesThePodsThatAreConcerned) {
  model::Snapshot s;
  s.nodes.emplace_back().name = Symbol("n1");
  const auto add = [&](const char* name, std::vector<model::DeviceHealth> devices) {
    auto& w = s.workloads.emplace_back();
    w.name = name;
    w.state = model::WorkloadState::kRunning;
    w.allocation.nodes = {model::NodeId{0}};
    w.pod = std::make_shared<const model::Pod>(pod(std::move(devices)));
  };
  add("well", {device("GPU-a", DeviceState::kHealthy)});
  add("ill", {device("GPU-b", DeviceState::kUnhealthy)});
  s.build_index();
  EXPECT_THAT(node_device_facts(s, {0}),
              ElementsAre(Pair("pod's devices", "ml/ill: nvidia.com/gpu: GPU-b unhealthy")));
}

}  // namespace
}  // namespace schedlens::cli
