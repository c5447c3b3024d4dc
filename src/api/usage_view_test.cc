// SPDX-License-Identifier: Apache-2.0
#include "api/usage_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "api/openapi.h"
#include "api/schema_check_test.h"
#include "diagnose/test_usage.h"

namespace schedlens::api {
namespace {

using diagnose::testing::Measured;
using diagnose::testing::sample_usage;
using testing::HasSubstr;
using testing::IsEmpty;

std::string document(Measured& c, const UsageChoice& choice) {
  const auto report = c.report();
  const auto chosen = choose_usage(c.s, report, choice);
  if (!chosen) return chosen.error().message();
  JsonWriter json(1);
  write_usage(json, c.s, report, *chosen);
  return json.take();
}

// The expected document; SCHEDLENS_UPDATE=1 in the environment writes it instead.
std::string golden(const std::string& actual) {
  const std::string path = SCHEDLENS_FIXTURES "/api/usage.json";
  if (std::getenv("SCHEDLENS_UPDATE")) std::ofstream(path) << actual << '\n';
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  auto expected = text.str();
  if (!expected.empty()) expected.pop_back();
  return expected;
}

TEST(UsageView, Nodes) {
  auto c = sample_usage();
  const auto actual = document(c, {UsageBy::kNode});
  EXPECT_EQ(actual, golden(actual));
}

TEST(UsageView, EveryKindOfRowKeepsToItsSchema) {
  test::SchemaCheck check(openapi_json("1"));
  for (auto by : {UsageBy::kPod, UsageBy::kOwner, UsageBy::kNamespace, UsageBy::kNode}) {
    auto c = sample_usage();
    EXPECT_THAT(check.check("Usage", document(c, {by})), IsEmpty());
  }
}

TEST(UsageView, NamespacesAreChosen) {
  auto c = sample_usage();
  const auto report = c.report();
  const auto chosen = choose_usage(c.s, report, {UsageBy::kPod, {"infer"}});
  ASSERT_TRUE(chosen);
  ASSERT_EQ(chosen->rows.size(), 1u);
  EXPECT_EQ(chosen->rows[0].ns.view(), "infer");
  EXPECT_THAT(chosen->findings, IsEmpty());
}

TEST(UsageView, WhatCannotBeChosenIsSaid) {
  auto c = sample_usage();
  EXPECT_THAT(document(c, {UsageBy::kNode, {"infer"}}), HasSubstr("nodes are of no namespace"));
  c.s.kubernetes = nullptr;
  c.s.scheduler = "slurm";
  EXPECT_THAT(choose_usage(c.s, {}, {}).error().message(), HasSubstr("a cluster of slurm"));
  EXPECT_THAT(parse_usage_by("job").error().message(), HasSubstr("none of pod, owner"));
}

}  // namespace
}  // namespace schedlens::api
