// SPDX-License-Identifier: Apache-2.0
#include "cli/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/gpu_map.h"
#include "cli/job.h"
#include "cli/node_share.h"
#include "cli/request_text.h"
#include "cli/sample_cluster_test.h"
#include "cli/sources.h"

namespace schedlens::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Words, NounsFollowTheirNumber) {
  EXPECT_EQ(counted(0, "GPU"), "no GPUs");
  EXPECT_EQ(counted(1, "GPU"), "1 GPU");
  EXPECT_EQ(counted(2, "GPU"), "2 GPUs");
}

TEST(Words, WhatIsNotKnownIsAQuestionMarkNotZero) {
  EXPECT_EQ(number(std::nullopt), "?");
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(duration(std::nullopt), "?");
  EXPECT_EQ(bytes(std::nullopt), "?");
  EXPECT_EQ(load(std::nullopt), "?");
  EXPECT_EQ(load(0.0), "0.0");
  EXPECT_EQ(relative(std::nullopt, {100}), "?");
  EXPECT_EQ(cycle_time(std::nullopt), "?");
  EXPECT_EQ(percent(1, 0), "?");
}

TEST(Words, MomentsAndTimes) {
  EXPECT_EQ(relative(Timestamp{100}, {160}), "1m0s ago");
  EXPECT_EQ(relative(Timestamp{160}, {100}), "in 1m0s");
  EXPECT_EQ(relative(Timestamp{100}, {100}), "now");
  EXPECT_EQ(cycle_time(999), "999 us");
  EXPECT_EQ(cycle_time(1'500), "1.5 ms");
  EXPECT_EQ(cycle_time(150'000), "150 ms");
  EXPECT_EQ(cycle_time(1'500'000), "1.5 s");
  EXPECT_EQ(amount(16, ""), "16");
  EXPECT_EQ(amount(2.5, "jobs"), "2.5");
  EXPECT_EQ(amount(1 << 30, "bytes"), "1 GiB");
  EXPECT_EQ(amount(90, "minutes"), "1h30m");
}

TEST(GpuMap, ShowsIndexesOnlyWhereTheyAreKnown) {
  auto n = test::node("n1", "a100", 8, 3);
  n.gres[0].used_indexes = {0, 5, 7};
  EXPECT_EQ(gpu_map(n), "#....#.#");
  EXPECT_EQ(gpu_use(n), "3/8");
  n.gres[0].used_indexes.clear();
  EXPECT_EQ(gpu_map(n), "");  // three of them, but which?
  n.gres[0].used.reset();
  EXPECT_EQ(gpu_map(n), "");
  EXPECT_EQ(gpu_use(n), "?/8");
  n.gres.clear();
  EXPECT_EQ(gpu_map(n), "");
  EXPECT_EQ(gpu_use(n), "-");
}

TEST(GpuMap, TypesShareOneNumbering) {
  auto n = test::node("n1", "a100", 2, 1);
  n.gres[0].used_indexes = {1};
  n.gres.push_back({model::names::kGpu, Symbol("h100"), 2, 1, {2}, ""});
  EXPECT_EQ(gpu_map(n), ".##.");
  EXPECT_EQ(gpu_types(n), "a100,h100");
  n.gres[1].used_indexes = {9};  // beyond the node's devices: the numbering is not understood
  EXPECT_EQ(gpu_map(n), "");
}

TEST(GpuMap, IndexLists) {
  EXPECT_EQ(index_list({}), "");
  EXPECT_EQ(index_list({0, 1, 2, 5}), "0-2,5");
}

TEST(NodeShare, KnownForOneNodeOrAfterADetailedRead) {
  auto s = test::sample_cluster();
  auto detailed = share_of(s.workloads[0], {1});
  EXPECT_EQ(detailed.gpus, 6u);
  EXPECT_EQ(detailed.gpu_indexes, "0-5");
  EXPECT_EQ(detailed.cpus, 48u);
  auto single = share_of(s.workloads[1], {2});
  EXPECT_EQ(single.gpus, 6u);
  EXPECT_EQ(single.gpu_indexes, "?");
  auto spread = share_of(s.workloads[3], {4});
  EXPECT_FALSE(spread.gpus.has_value());
  EXPECT_FALSE(spread.cpus.has_value());
}

TEST(Request, IsSaidInTheFormInWhichItWasMade) {
  auto w = test::job(1, "alice", "llm", 8);
  EXPECT_EQ(request_sentence(w), "1 node, gpu:8, 64 CPUs, 800 GiB per node");
  w.request.min_nodes = 2;
  w.request.max_nodes = 4;
  w.request.gres_per_node = {{model::names::kGpu, Symbol("a100"), 4}};
  w.request.memory = {};
  w.request.sharing = model::Sharing::kWholeNode;
  w.request.cpus_per_gpu = 8;
  EXPECT_EQ(request_sentence(w),
            "2 to 4 nodes, 8 GPUs in all, gpu:a100:4 per node, 64 CPUs, 8 CPUs per GPU, all memory "
            "of each node, whole nodes");
}

TEST(Efficiency, SpeaksOnlyOfNodesThatTheJobHasForItself) {
  auto s = test::sample_cluster();
  auto facts = efficiency_facts(s, s.workloads[0]);
  EXPECT_THAT(facts, ElementsAre(HasSubstr("alone on 2 of its nodes: their load is 59.5"),
                                 HasSubstr("used 13% of its time limit")));
  s.workloads[1].allocation.nodes.push_back({0});  // now they share a node
  s.build_index();
  EXPECT_THAT(efficiency_facts(s, s.workloads[0])[0], HasSubstr("alone on 1 of its nodes"));
  EXPECT_TRUE(efficiency_facts(s, s.workloads[6]).empty());  // it waits
}

TEST(Sources, TroubleIsNamedWithTheAgeOfTheData) {
  auto s = test::sample_cluster();
  EXPECT_EQ(render_troubled_sources(s, {}),
            "attention sdiag failed, data are 10m5s old: sdiag: exit 1: Unable to contact slurm "
            "controller\n");
  s.sources[0].state = model::SourceState::kPartial;
  s.sources[0].unreadable_records = 2;
  s.sources[0].warnings = {"line 7: 12 fields"};
  EXPECT_THAT(render_troubled_sources(s, {}),
              HasSubstr("squeue partial, data are 3s old, 2 records not understood: line 7"));
  EXPECT_EQ(render_sources(s, {}).substr(0, 70),
            "data age  3s squeue, scontrol show node; 10m5s sdiag\nattention squeue ");
  Style screen{.colour = false, .width = 100, .height = 40};
  EXPECT_THAT(render_sources(s, screen), HasSubstr("3s from 3 sources, the oldest 10m5s (sdiag)"));
  s.sources.clear();
  EXPECT_EQ(render_sources(s, {}), "");
}

}  // namespace
}  // namespace schedlens::cli
