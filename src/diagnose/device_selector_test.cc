// SPDX-License-Identifier: Apache-2.0
#include "diagnose/device_selector.h"

#include <gtest/gtest.h>

namespace schedlens::diagnose {
namespace {

model::Device device() {
  model::Device d;
  d.name = "gpu-0";
  auto add = [&](const char* name, model::AttributeKind kind, const char* value) {
    d.attributes.push_back({Symbol(name), kind, value});
  };
  using Kind = model::AttributeKind;
  add("gpu.test/model", Kind::kText, "H100");
  add("gpu.test/memory", Kind::kInteger, "80");
  add("gpu.test/mig", Kind::kBoolean, "false");
  add("gpu.test/driver", Kind::kVersion, "550.54.15");
  add("gpu.test/odd", Kind::kVersion, "1.0.0-rc1");
  add("gpu.test/links", Kind::kList, "");
  add("other.test/numa", Kind::kInteger, "1");
  d.capacity.set(Symbol("gpu.test/memory"), 80LL * 1024 * 1024 * 1024 * 1000);
  return d;
}

// "yes", "no", "error: why", "unknown", or "not evaluated: what".
std::string test(std::string_view expression) {
  const auto selector = DeviceSelector::parse(expression);
  if (!selector) return "not evaluated: " + selector.error().message();
  std::string why;
  switch (selector->test(Symbol("gpu.test"), device(), &why)) {
    case Selection::kYes:
      return "yes";
    case Selection::kNo:
      return "no";
    case Selection::kError:
      return "error: " + why;
    case Selection::kUnknown:
      break;
  }
  return "unknown";
}

TEST(DeviceSelector, ComparesAttributes) {
  EXPECT_EQ(test(R"(device.driver == "gpu.test")"), "yes");
  EXPECT_EQ(test(R"(device.driver == 'other.test')"), "no");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].model == "H100")"), "yes");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"]["model"] != "H100")"), "no");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].memory >= 80)"), "yes");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].memory < 80)"), "no");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].memory > -1)"), "yes");
  EXPECT_EQ(test(R"(!device.attributes["gpu.test"].mig)"), "yes");
  EXPECT_EQ(test(R"(device.attributes["other.test"].numa == 1)"), "yes");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].model in ["A100", "H100"])"), "yes");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].model in [])"), "no");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].model.lowerAscii().startsWith("h"))"), "yes");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].model.contains("200"))"), "no");
  // Of another kind: not equal, and without an order.
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].model == 100)"), "no");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].model > 100)"), "error: no such overload");
}

TEST(DeviceSelector, QuantitiesAndVersions) {
  const std::string memory = R"(device.capacity["gpu.test"].memory)";
  EXPECT_EQ(test(memory + R"(.compareTo(quantity("80Gi")) == 0)"), "yes");
  EXPECT_EQ(test(memory + R"(.isGreaterThan(quantity("80Gi")))"), "no");
  EXPECT_EQ(test(memory + R"( == quantity("81920Mi"))"), "yes");
  EXPECT_EQ(test(memory + R"( >= quantity("1"))"), "error: no such overload");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].driver.isLessThan(semver("550.54.100")))"),
            "yes");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].driver.compareTo(semver("551.0.0")) >= 0)"),
            "no");
  // Which of two such versions is the newer one is not decided here.
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].odd.isLessThan(semver("1.0.0")))"), "unknown");
}

TEST(DeviceSelector, WhatIsAbsentIsAnError) {
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].speed > 3)"), "error: no such key: speed");
  EXPECT_EQ(test(R"(device.attributes["none.test"].model == "a")"), "error: no such key: model");
  EXPECT_EQ(test(R"(has(device.attributes["gpu.test"].speed))"), "no");
  EXPECT_EQ(test(R"(has(device.attributes["gpu.test"].model))"), "yes");
  EXPECT_EQ(test(R"("speed" in device.attributes["gpu.test"])"), "no");
  EXPECT_EQ(test(R"("other.test" in device.attributes)"), "yes");
  // One side that decides hides the error of the other, whichever comes first.
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].speed > 3 && device.driver == "x")"), "no");
  EXPECT_EQ(test(R"(device.driver == "gpu.test" || device.attributes["gpu.test"].speed > 3)"),
            "yes");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].speed > 3 || device.driver == "x")"),
            "error: no such key: speed");
  EXPECT_EQ(
      test(
          R"("speed" in device.attributes["gpu.test"] ? device.attributes["gpu.test"].speed > 3 : true)"),
      "yes");
}

TEST(DeviceSelector, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].model.matches("H.*"))"),
            "not evaluated: \"matches\" is not evaluated");
  EXPECT_EQ(test(R"(cel.bind(x, 1, x == 1))"),
            "not evaluated: \"cel.bind(x, 1, x == 1)\" is not evaluated");
  EXPECT_EQ(test("device.driver =="), "not evaluated: it ends too soon");
  EXPECT_EQ(test("1 + 1 == 2"), "not evaluated: \"+ 1 == 2\" is not evaluated");
  EXPECT_EQ(test(R"(device.driver == "a\x62")"), "not evaluated: \"\"a\\x62\"\" is not evaluated");
  EXPECT_EQ(test("1.5 < 2"), "not evaluated: \"1.5 < 2\" is not evaluated");
  EXPECT_EQ(test(R"(device.attributes["gpu.test"].links == 1)"), "unknown");
  EXPECT_EQ(test(std::string(500, '(')).substr(0, 13), "not evaluated");
  EXPECT_EQ(test(std::string(500, '!')).substr(0, 13), "not evaluated");
  EXPECT_EQ(test(""), "not evaluated: it ends too soon");
}

TEST(DeviceSelector, BindsAsCelDoes) {
  EXPECT_EQ(test("true || false && false"), "yes");
  EXPECT_EQ(test("(true || false) && false"), "no");
  EXPECT_EQ(test("!true || true"), "yes");
  EXPECT_EQ(test("true ? false : true"), "no");
  EXPECT_EQ(test("1 == 1 == true"), "yes");
}

}  // namespace
}  // namespace schedlens::diagnose
