// SPDX-License-Identifier: Apache-2.0
#include "api/efficiency_view.h"

#include <gmock/gmock.h>

#include "api/analyses.h"
#include "api/openapi.h"
#include "api/sample_snapshot_test.h"
#include "api/schema_check_test.h"

namespace schedlens::api {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

metrics::EfficiencyCounts sample_counts() {
  metrics::EfficiencyCounts counts;
  counts.since = Timestamp{1'795'000'000};
  counts.until = Timestamp{1'796'000'000};
  counts.gpu_seconds = {{{diagnose::GpuState::kInUse, ""}, 1.5},
                        {{diagnose::GpuState::kStranded, "cpu"}, 7}};
  counts.lost[2] = {3, 60.5};
  counts.unseen = {1, 4};
  const metrics::PreemptionKind kind{Symbol("train"), Symbol("low"), Symbol("dev"), Symbol()};
  counts.preemptions[kind] = 9;
  counts.latest = {{Timestamp{1'795'999'000}, "12_3", "15", kind, true, 8, 480},
                   {Timestamp{1'795'998'000}, "ns/pod", "", kind, false, 0, std::nullopt}};
  return counts;
}

std::string document(const metrics::EfficiencyCounts* counts) {
  auto s = test::sample_snapshot();
  Analyses analyses(s);
  const auto ledger = analyses.gpu_ledger();
  JsonWriter json;
  write_efficiency(json, s, ledger, diagnose::efficiency_findings(s, ledger, {}), counts);
  return json.take();
}

TEST(EfficiencyView, KeepsToItsSchema) {
  test::SchemaCheck check(openapi_json("1"));
  const auto counts = sample_counts();
  EXPECT_THAT(check.check("Efficiency", document(&counts)), IsEmpty());
  EXPECT_THAT(check.check("Efficiency", document(nullptr)), IsEmpty());
}

TEST(EfficiencyView, WithoutAServerNothingIsCounted) {
  EXPECT_THAT(document(nullptr), HasSubstr("\"counted\":null"));
  auto counts = read_counts(document(nullptr));
  ASSERT_TRUE(counts.has_value());
  EXPECT_FALSE(counts->has_value());
  EXPECT_FALSE(read_counts("<html>").has_value());
}

TEST(EfficiencyView, CountsAreReadAsTheyWereWritten) {
  const auto written = sample_counts();
  auto read = read_counts(document(&written));
  ASSERT_TRUE(read.has_value() && read->has_value());
  EXPECT_EQ(document(&**read), document(&written));
  EXPECT_EQ((*read)->latest[0].preemptor, "15");
  EXPECT_EQ((*read)->latest[1].gpu_seconds, std::nullopt);
}

}  // namespace
}  // namespace schedlens::api
