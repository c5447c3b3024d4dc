// SPDX-License-Identifier: Apache-2.0
#include "api/json_views.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "api/sample_snapshot_test.h"

namespace schedlens::api {
namespace {

using diagnose::RootCause;

// The expected document; SCHEDLENS_UPDATE=1 in the environment writes it instead.
std::string golden(const std::string& name, const std::string& actual) {
  auto path = std::string(SCHEDLENS_FIXTURES) + "/api/" + name;
  if (std::getenv("SCHEDLENS_UPDATE")) std::ofstream(path) << actual << '\n';
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  auto expected = text.str();
  if (!expected.empty()) expected.pop_back();
  return expected;
}

diagnose::Fragmentation sample_fragmentation() {
  diagnose::Fragmentation f;
  f.nodes.push_back({{0}, 8, 2, 2, 0, diagnose::Stranding::kNone, 0.75, true});
  f.nodes.push_back({{1}, 8, 2, 0, 2, diagnose::Stranding::kCpu, 1.0, true});
  f.nodes.push_back({{2}, 8, 4, 0, 0, diagnose::Stranding::kNone, 1.0, false});
  f.gpus_total = 24;
  f.gpus_used = 16;
  f.gpus_free = 4;
  f.gpus_out_of_service = 4;
  f.gpus_allocatable = 2;
  f.gpus_stranded = 2;
  f.stranded_by[diagnose::Stranding::kCpu] = 2;
  f.largest_hole = 2;
  f.by_size[1] = 0.0;
  f.by_size[8] = std::nullopt;
  f.standard.push_back({"8 gpu", 8, "", 0, 0, 0});
  f.queue.push_back({"8 gpu", 8, "train", 1, 0, 0});
  f.queue_gpus_waiting = 18;
  f.needs.push_back({Symbol("train"), 4, mebibytes(32768), {}, "DefCpuPerGPU"});
  f.unsure.push_back("the sockets of n2 are not known");
  return f;
}

diagnose::Verdict sample_verdict() {
  diagnose::Verdict v;
  v.workload = {2};
  v.cause = RootCause::kFragmentation;
  v.summary = "8 GPUs are wanted on one node; the largest hole has 2";
  v.details = {"4 GPUs are free on 2 nodes"};
  v.scheduler_reason = "Resources";
  v.constraints.push_back({"gres/gpu", "8 gpu on one node", {{0}, {1}, {2}}, {{0}, {1}}});
  v.constraints.push_back({"drain", "", {{2}}, {}});
  v.limits.push_back({"QOS normal",
                      "GrpTRES",
                      Symbol("gres/gpu"),
                      "",
                      16,
                      16.0,
                      8,
                      false,
                      {{"alice", 12}, {"bob", 4}}});
  v.reservations.push_back({Symbol("maint"), Timestamp{1'796'003'600}, std::nullopt, {{1}}, "x"});
  v.unhealthy_nodes.push_back({{2}, "drained", "ECC error on GPU 3", false});
  v.ahead = {{3}};
  v.gpus = {8, 8, 4, 4, 0, 2, 4};
  v.fit = {false, {}, 0, 1};
  v.preemption = diagnose::PodPreemption{true, {1}, {{0}}, 1, Seconds{30}, 3, 2};
  v.hole = diagnose::PodHole{{1}, {{0}}, {Timestamp{1'796'004'000}, Timestamp{1'796'003'000}, 4}};
  v.remedies = {{diagnose::Actor::kOperator,
                 diagnose::RemedyKind::kEndWorkloads,
                 "scontrol release 105\nscontrol requeuehold 101",
                 "Takes 1 job off node0.",
                 diagnose::Starts::kNow,
                 {{0}},
                 {{3}}}};
  v.forecast = diagnose::StartForecast{Timestamp{1'796'001'000}, Timestamp{1'796'001'500},
                                       Timestamp{1'796'004'000}, 30, ""};
  return v;
}

// Every view must be JSON that another reader accepts, with the facts of the snapshot in it.
simdjson::dom::element parsed(simdjson::dom::parser& parser, const std::string& text) {
  simdjson::dom::element root;
  EXPECT_EQ(parser.parse(text).get(root), simdjson::SUCCESS) << text;
  EXPECT_EQ(std::int64_t(root["version"]), 1);
  EXPECT_EQ(std::string_view(root["snapshot"]["cluster"]), "sample");
  EXPECT_EQ(std::int64_t(root["snapshot"]["sources"].at(1)["age_seconds"]), 30);
  return root;
}

class JsonViews : public testing::Test {
 protected:
  void expect_golden(const std::string& name) {
    auto text = json_.take();
    EXPECT_EQ(golden(name, text), text);
    parsed(parser_, text);
  }

  model::Snapshot snapshot_ = test::sample_snapshot();
  std::vector<CauseGroup> causes_ =
      group_by_cause(snapshot_, {{{2}, RootCause::kFragmentation}, {{3}, RootCause::kPriority}});
  JsonWriter json_{2};
  simdjson::dom::parser parser_;
};

TEST_F(JsonViews, Status) {
  write_status(json_, snapshot_, diagnose::holdings(snapshot_), sample_fragmentation(), causes_);
  expect_golden("status.json");
}

TEST_F(JsonViews, Queue) {
  auto ids = std::to_array<model::WorkloadId>({{2}, {3}, {0}});
  write_queue(json_, snapshot_, ids, causes_by_id(snapshot_, causes_));
  expect_golden("queue.json");
}

TEST_F(JsonViews, Nodes) {
  auto ids = std::to_array<model::NodeId>({{0}, {2}});
  write_nodes(json_, snapshot_, ids);
  expect_golden("nodes.json");
}

TEST_F(JsonViews, Job) {
  snapshot_.workloads[0].allocation.per_node = {
      {{0}, 8, mebibytes(1024), {{model::names::kGpu, Symbol("a100"), 6, {}, {0, 1, 5}, ""}}, {}}};
  auto ids = std::to_array<model::WorkloadId>({{0}});
  write_job(json_, snapshot_, ids);
  expect_golden("job.json");
}

TEST_F(JsonViews, Node) {
  model::Reservation r;
  r.name = Symbol("maint");
  r.nodes = {{2}};
  snapshot_.reservations = {r};
  write_node(json_, snapshot_, {2});
  expect_golden("node.json");
}

TEST_F(JsonViews, Why) {
  auto verdicts = std::to_array<diagnose::Verdict>({sample_verdict()});
  write_why(json_, snapshot_, verdicts);
  expect_golden("why.json");
}

TEST_F(JsonViews, WhyOfSeveralRecordsPutsTheRestInOthers) {
  auto verdicts = std::vector{sample_verdict(), sample_verdict()};
  verdicts[1].workload = {3};
  verdicts[1].cause = RootCause::kPriority;
  write_why(json_, snapshot_, verdicts);
  auto root = parsed(parser_, json_.str());
  EXPECT_EQ(std::string_view(root["workload"]["id"]), "103");
  EXPECT_EQ(std::string_view(root["others"].at(0)["workload"]["id"]), "104_[1-5]");
  EXPECT_EQ(std::string_view(root["others"].at(0)["root_cause"]["class"]), "priority");
}

TEST_F(JsonViews, WhyAll) {
  write_why_all(json_, snapshot_, causes_);
  expect_golden("why_all.json");
}

TEST_F(JsonViews, Frag) {
  write_frag(json_, snapshot_, sample_fragmentation());
  expect_golden("frag.json");
}

TEST_F(JsonViews, Sources) {
  write_sources(json_, snapshot_);
  expect_golden("sources.json");
}

TEST_F(JsonViews, AgesCountFromTheMomentOfTheView) {
  write_sources(json_, View(snapshot_, snapshot_.time + Seconds{300}));
  simdjson::dom::element root;
  ASSERT_EQ(parser_.parse(json_.str()).get(root), simdjson::SUCCESS);
  EXPECT_EQ(std::int64_t(root["sources"].at(0)["age_seconds"]), 300);
  EXPECT_EQ(std::int64_t(root["snapshot"]["as_of"]), 1'796'000'300);
  EXPECT_EQ(std::int64_t(root["snapshot"]["time"]), 1'796'000'000);
}

TEST_F(JsonViews, WhatIsNotKnownIsNull) {
  snapshot_.sources[0].last_success.reset();
  snapshot_.workloads[2].priority.reset();
  snapshot_.workloads[2].time_limit = {};
  snapshot_.nodes[0].gres[0].used.reset();
  auto ids = std::to_array<model::WorkloadId>({{2}});
  write_queue(json_, snapshot_, ids, causes_by_id(snapshot_, causes_));
  auto queue = json_.take();
  EXPECT_NE(queue.find("\"age_seconds\": null"), std::string::npos);
  EXPECT_NE(queue.find("\"priority\": null"), std::string::npos);
  EXPECT_NE(queue.find("\"time_limit\": null"), std::string::npos);
  JsonWriter nodes(2);
  auto node = std::to_array<model::NodeId>({{0}});
  write_nodes(nodes, snapshot_, node);
  EXPECT_NE(nodes.str().find("\"gpus_used\": null"), std::string::npos);
}

TEST_F(JsonViews, NoLimitIsSaidAsUnlimited) {
  snapshot_.workloads[2].time_limit = Bound<Seconds>::unlimited();
  auto ids = std::to_array<model::WorkloadId>({{2}});
  write_queue(json_, snapshot_, ids, causes_by_id(snapshot_, causes_));
  EXPECT_NE(json_.str().find("\"time_limit\": \"unlimited\""), std::string::npos);
}

TEST(PendingCauses, CountsTasksOfArraysAndTheirGpus) {
  auto s = test::sample_snapshot();
  auto groups = group_by_cause(s, {{{2}, RootCause::kCapacity}, {{3}, RootCause::kPriority}});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].cause, RootCause::kPriority);  // 5 tasks of 2 GPUs outweigh one of 8
  EXPECT_EQ(groups[0].tasks, 5u);
  EXPECT_EQ(groups[0].gpus, 10u);
  EXPECT_EQ(groups[0].longest_wait, (Seconds{1000}));
  EXPECT_EQ(groups[1].gpus, 8u);
}

TEST(RecordsToExplain, PrefersThoseThatWait) {
  auto s = test::sample_snapshot();
  auto all = std::to_array<model::WorkloadId>({{0}, {2}, {3}});
  EXPECT_EQ(records_to_explain(s, all), (std::vector<model::WorkloadId>{{2}, {3}}));
  EXPECT_EQ(records_to_explain(s, std::span(all).first(1)), (std::vector<model::WorkloadId>{{0}}));
}

}  // namespace
}  // namespace schedlens::api
