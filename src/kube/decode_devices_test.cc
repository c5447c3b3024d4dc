// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_devices.h"

#include <gtest/gtest.h>

#include <map>

#include "base/text.h"
#include "kube/samples_test.h"

namespace schedlens::kube {
namespace {

// The object of that kind in devices.hex, which Kubernetes' own encoder has written.
std::string encoded(std::string_view kind) {
  const auto lines = sample("devices.hex");
  for (const auto line : split(lines, '\n')) {
    const auto sides = cut(line, ' ');
    if (!sides || sides->first != kind) continue;
    std::string bytes;
    for (std::size_t i = 0; i + 1 < sides->second.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(std::string(sides->second.substr(i, 2)), nullptr, 16));
    }
    return bytes;
  }
  ADD_FAILURE() << kind;
  return {};
}

class DecodeDevices : public testing::TestWithParam<std::string> {
 protected:
  DeviceApi api() const { return device_api("resource.k8s.io/" + GetParam()); }
  std::string object(const std::string& kind) const { return encoded(GetParam() + "/" + kind); }
};

TEST_P(DecodeDevices, Claims) {
  const auto decoded = decode_resource_claim(object("ResourceClaim"), api());
  ASSERT_TRUE(decoded) << decoded.error().message();
  const auto& c = decoded->object;
  EXPECT_EQ(c.ns.view(), "ml");
  EXPECT_EQ(c.owner->uid, "pod-uid");
  ASSERT_EQ(c.requests.size(), 3u);
  const auto& gpu = c.requests[0];
  EXPECT_EQ(gpu.name, "gpu");
  EXPECT_EQ(gpu.device_class.view(), "gpu");
  EXPECT_EQ(gpu.count, 2);
  EXPECT_EQ(gpu.selectors, std::vector<std::string>{R"(device.driver == "gpu.test")"});
  ASSERT_EQ(gpu.tolerations.size(), 1u);
  EXPECT_EQ(gpu.tolerations[0].key.view(), "fault");
  EXPECT_TRUE(gpu.takes_capacity);
  EXPECT_FALSE(gpu.all || gpu.admin);
  const auto& watch = c.requests[1];
  EXPECT_TRUE(watch.all && watch.admin);
  EXPECT_FALSE(watch.takes_capacity);
  const auto& any = c.requests[2].first_available;
  ASSERT_EQ(any.size(), 2u);
  EXPECT_EQ(any[0].name, "all");
  EXPECT_TRUE(any[0].all);
  EXPECT_EQ(any[0].tolerations.size(), 1u);
  EXPECT_FALSE(any[0].takes_capacity);
  EXPECT_EQ(any[1].device_class.view(), "small");
  EXPECT_EQ(any[1].count, 2);
  EXPECT_TRUE(any[1].takes_capacity);

  ASSERT_EQ(c.constraints.size(), 2u);
  EXPECT_EQ(c.constraints[0].same.view(), "gpu.test/numa");
  EXPECT_EQ(c.constraints[0].requests, std::vector<std::string>{"gpu"});
  EXPECT_EQ(c.constraints[1].different.view(), "gpu.test/pci");
  ASSERT_TRUE(c.allocation);
  ASSERT_EQ(c.allocation->devices.size(), 3u);
  EXPECT_EQ(c.allocation->devices[0].device, "dev-1");
  EXPECT_FALSE(c.allocation->devices[0].admin || c.allocation->devices[0].shared);
  EXPECT_TRUE(c.allocation->devices[1].admin);
  EXPECT_TRUE(c.allocation->devices[2].shared);
  ASSERT_TRUE(c.allocation->nodes);
  EXPECT_TRUE((*c.allocation->nodes)[0].selects({}, "gpu-003"));
  ASSERT_EQ(c.reserved_for.size(), 1u);
  EXPECT_EQ(c.reserved_for[0].uid, "u");
}

TEST_P(DecodeDevices, Slices) {
  const auto decoded = decode_resource_slice(object("ResourceSlice"), api());
  ASSERT_TRUE(decoded) << decoded.error().message();
  const auto& s = decoded->object;
  EXPECT_EQ(s.driver.view(), "gpu.test");
  EXPECT_EQ(s.pool, "fabric");
  EXPECT_EQ(s.generation, 3);
  EXPECT_EQ(s.slices_in_pool, 2);
  EXPECT_TRUE(s.place_by_device);
  ASSERT_EQ(s.counters.size(), 1u);
  EXPECT_EQ(s.counters[0].counters.get(Symbol("memory")), 80LL * 1024 * 1024 * 1024 * 1000);
  ASSERT_EQ(s.devices.size(), 4u);
  const auto& d = s.devices[0];
  EXPECT_EQ(d.name, "dev-1");
  std::map<std::string, std::pair<model::AttributeKind, std::string>> attributes;
  for (const auto& a : d.attributes) attributes[a.name.str()] = {a.kind, a.value};
  using Kind = model::AttributeKind;
  EXPECT_EQ(attributes.size(), 4u);
  EXPECT_EQ(attributes["gpu.test/model"], std::pair(Kind::kText, std::string("H100")));
  EXPECT_EQ(attributes["gpu.test/memory"], std::pair(Kind::kInteger, std::string("80")));
  EXPECT_EQ(attributes["gpu.test/mig"], std::pair(Kind::kBoolean, std::string("true")));
  EXPECT_EQ(attributes["gpu.test/driver"], std::pair(Kind::kVersion, std::string("1.2.3")));
  EXPECT_EQ(d.capacity.get(Symbol("gpu.test/cores")), 500);
  ASSERT_EQ(d.taints.size(), 1u);
  EXPECT_EQ(to_text(d.taints[0]), "fault=true:NoExecute");
  ASSERT_EQ(d.consumes.size(), 1u);
  EXPECT_EQ(d.consumes[0].set, "gpu-0");
  EXPECT_TRUE(d.several_claims && d.binding_conditions);
  EXPECT_EQ(s.devices[1].place.node.view(), "gpu-001");
  EXPECT_TRUE(s.devices[2].place.everywhere);
  EXPECT_TRUE(s.devices[3].place.nodes);
}

TEST_P(DecodeDevices, Classes) {
  const auto decoded = decode_device_class(object("DeviceClass"));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->object.selectors, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(decoded->object.extended_resource.view(), "example.com/gpu");
}

INSTANTIATE_TEST_SUITE_P(Versions, DecodeDevices, testing::Values("v1", "v1beta1"));

}  // namespace
}  // namespace schedlens::kube
