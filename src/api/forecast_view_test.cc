// SPDX-License-Identifier: Apache-2.0
// The documents that rest on what was seen over time.

#include "api/forecast_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/observed_file.h"
#include "api/openapi.h"
#include "api/schema_check_test.h"
#include "api/starvation_view.h"
#include "diagnose/test_cluster.h"

namespace schedlens::api {
namespace {

using diagnose::testing::Cluster;
using diagnose::testing::kNow;
using testing::HasSubstr;
using testing::IsEmpty;

// One node, full; seven jobs of its size have ended, each after half of its limit and a wait of 10
// s.
Cluster cluster() {
  Cluster c(1);
  for (int i = 0; i < 7; ++i) {
    auto& w = c.run("bob", {}, 1);
    w.state = model::WorkloadState::kCompleted;
    w.request.gres_per_node.push_back({Symbol("gpu"), Symbol(), 8});
    w.allocation.totals.set(model::names::kGresGpu, 8);
    w.start = Timestamp{kNow - 4000 + i};
    w.end = *w.start + Seconds{1800};
    w.eligible = *w.start + Seconds{-10};
  }
  c.run("bob", {0}, 8, 8).start = Timestamp{kNow - 600};
  auto& w = c.wait("alice", 8);
  w.eligible = Timestamp{kNow - 3600};
  w.start = Timestamp{kNow + 3000};
  c.wait("carol", 8).priority = 0;
  c.s.build_index();
  return c;
}

diagnose::Observed observed(const Cluster& c) {
  diagnose::Observed all;
  all.observe(c.s);
  return all;
}

std::string forecasts(const Cluster& c, const std::vector<std::string>& users = {}) {
  const auto all = observed(c);
  JsonWriter json;
  write_forecasts(json, c.s, forecast_rows(c.s, metrics::forecast_all(c.s, all), users),
                  all.run_times.size(), ForecastScores{{3, Seconds{20}, 2}, {}});
  return json.take();
}

TEST(ForecastView, KeepsToItsSchema) {
  const auto c = cluster();
  const auto text = forecasts(c);
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("Forecast", text), IsEmpty());
  EXPECT_THAT(text, HasSubstr(R"("observed_run_times":7,"scores":{"schedlens":{"scored":3,)"
                              R"("median_error":20,"within_range":2},"scheduler":{"scored":0,)"
                              R"("median_error":null,"within_range":0}})"));
  EXPECT_THAT(text, HasSubstr(R"("expected":1800001200)")) << "half of an hour, less ten minutes";
  EXPECT_THAT(text, HasSubstr(R"("unknown":"it is held, and nobody knows until when")"));
  EXPECT_THAT(text, HasSubstr(R"("schedulers":1800003000)"));
}

TEST(ForecastView, IsOfTheUsersThatAreNamed) {
  const auto c = cluster();
  EXPECT_THAT(forecasts(c, {"carol"}), testing::Not(HasSubstr("alice")));
}

TEST(StarvationView, KeepsToItsSchema) {
  const auto c = cluster();
  diagnose::Explainer explainer(c.s);
  const auto starvation = diagnose::find_starving(c.s, observed(c).class_waits, explainer);
  ASSERT_EQ(starvation.workloads.size(), 1u);
  JsonWriter json;
  write_starvation(json, c.s, starvation);
  const auto text = json.take();
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("Starvation", text), IsEmpty());
  EXPECT_THAT(text, HasSubstr(R"("class":"5 to 8 GPUs in main","waited":3600,"class_starts":7,)"));
}

TEST(ObservedFile, IsReadAsItWasWritten) {
  const auto c = cluster();
  auto all = observed(c);
  all.lateness.add(1.5);
  JsonWriter json;
  write_observed(json, all);
  const auto text = json.take();
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("Observed", text), IsEmpty());
  const auto read = read_observed(text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->run_times.size(), 7u);
  JsonWriter again;
  write_observed(again, *read);
  EXPECT_EQ(again.take(), text);
}

TEST(ObservedFile, SaysWhatIsWrongAndWhere) {
  auto error = [](std::string_view text) {
    const auto read = read_observed(text);
    return read ? std::string() : read.error().message();
  };
  EXPECT_THAT(error("{"), HasSubstr("what was observed: no JSON"));
  EXPECT_EQ(error("{}"), "what was observed: /run_times: observed or kinds is missing");
  EXPECT_EQ(error(R"({"run_times":{"observed":1,"kinds":[{"kind":"xyz","parts":[]}]}})"),
            "what was observed: /run_times/kinds/0: kind or parts is missing");
  EXPECT_EQ(error(R"({"run_times":{"observed":1,"kinds":[{"kind":"1f","parts":[2]}]}})"),
            "what was observed: /run_times/kinds/0/parts: expected numbers from 0 to 1");
  EXPECT_EQ(error(R"({"run_times":{"observed":0,"kinds":[]},"class_waits":[{"queue":"a"}]})"),
            "what was observed: /class_waits/0: expected queue, gpus, size and starts");
}

}  // namespace
}  // namespace schedlens::api
