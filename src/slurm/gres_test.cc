// SPDX-License-Identifier: Apache-2.0
#include "slurm/gres.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::slurm {
namespace {

using model::GresCount;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Symbol kGpu{"gpu"};

std::vector<model::GresPool> pools(std::string_view config, std::string_view used) {
  auto parsed = parse_gres_config(config);
  EXPECT_TRUE(parsed) << config;
  auto done = apply_gres_used(used, *parsed);
  EXPECT_TRUE(done) << used;
  return *parsed;
}

// Types and socket suffixes.
TEST(Gres, TypedAndWithSockets) {
  auto parsed = parse_gres_config("gpu:h9:6(S:0-1)");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->size(), 1u);
  EXPECT_EQ(parsed->front().name, kGpu);
  EXPECT_EQ(parsed->front().type, Symbol("h9"));
  EXPECT_EQ(parsed->front().total, 6u);
  EXPECT_EQ(parsed->front().sockets, "0-1");
  EXPECT_FALSE(parsed->front().used);
  EXPECT_EQ(parse_gres_config("gpu:6(S:0,2)")->front().total, 6u);
  EXPECT_EQ(parse_gres_config("gpu:6(S:0,2)")->front().sockets, "0,2");
}

// Commas inside index lists separate nothing.
TEST(Gres, IndexListsAndShards) {
  auto all = pools("gpu:zz_40:8,shard:16", "gpu:zz_40:3(IDX:0,4-5),shard:0(0/4,0/4)");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].used, 3u);
  EXPECT_THAT(all[0].used_indexes, ElementsAre(0, 4, 5));
  EXPECT_EQ(all[1].used, 0u);
  EXPECT_EQ(all[1].total, 16u);
  auto shards = pools("gpu:8,shard:16", "gpu:0,shard:5(3/4,0/4,2/4,-/4)")[1];
  EXPECT_EQ(shards.used, 5u);
  EXPECT_EQ(shards.used_indexes, (std::vector<std::uint16_t>{0, 2}));
}

TEST(Gres, SeveralTypesOnOneNode) {
  auto all = pools("gpu:aa:3,gpu:bb:2", "gpu:aa:1(IDX:2),gpu:bb:2(IDX:3-4)");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].total + all[1].total, 5u);
  EXPECT_EQ(all[0].used, 1u);
  EXPECT_EQ(all[1].used, 2u);
  EXPECT_THAT(all[1].used_indexes, ElementsAre(3, 4));
}

// What was cut off is an error and not a small number.
TEST(Gres, CutTokensAreErrors) {
  for (auto text : {"gpu:longtypename:4,gpu:oth", "gpu:", "gpu:a100:", "gpu:a100:8(S:0-1",
                    "gpu:a100:8(S:0-", "gpu:a100:8,", ":8", "gpu:a:b:c:4", "gpu:4)"}) {
    EXPECT_FALSE(parse_gres_config(text)) << text;
  }
  for (auto text : {"shard:h10", "gpu", "gpu:a100", "gpu:a100:3(IDX:0,4", "gpu:a100:3(IDX:0,x)",
                    "gpu:a100:3(IDX:5-2)", "gpu:a100:3(IDX:0-60000)"}) {
    auto config = parse_gres_config("gpu:a100:8,shard:h100:2");
    EXPECT_FALSE(apply_gres_used(text, *config)) << text;
  }
  EXPECT_THAT(parse_gres_config("gpu:a100:8,gpu:oth").error().message(), HasSubstr("no count"));
  EXPECT_EQ(parse_gres_config("gpu")->front().total, 1u) << "a bare name is one in a configuration";
}

// Totals and types are not added.
TEST(Gres, UntypedAndTypedTotalsAreOneThing) {
  auto counts = parse_tres("cpu=1,gres/gpu=4,gres/gpu:xx=4");
  ASSERT_TRUE(counts);
  EXPECT_EQ(model::gpu_count(*counts), 4u);
  EXPECT_EQ(model::gpu_count(*parse_tres("cpu=1,gres/gpu:xx=4,gres/gpu:yy=2")), 6u);
}

// Three spellings of one request, and those without a count, which sbatch takes as one.
TEST(Gres, RequestsInEverySpelling) {
  for (auto text : {"gres:gpu:8", "gres/gpu:8", "gres/gpu=8", "gpu:8", "gpu=8"}) {
    EXPECT_THAT(*parse_gres_request(text), ElementsAre(GresCount{kGpu, {}, 8})) << text;
  }
  for (auto text : {"gres:gpu:a100:2", "gres/gpu:a100:2", "gres/gpu:a100=2", "gpu:a100:2"}) {
    EXPECT_THAT(*parse_gres_request(text), ElementsAre(GresCount{kGpu, Symbol("a100"), 2})) << text;
  }
  EXPECT_THAT(*parse_gres_request("gres:gpu"), ElementsAre(GresCount{kGpu, {}, 1}));
  EXPECT_THAT(*parse_gres_request("gres:gpu:a100"),
              ElementsAre(GresCount{kGpu, Symbol("a100"), 1}));
  EXPECT_THAT(*parse_gres_request("N/A"), IsEmpty());
  EXPECT_THAT(*parse_gres_request("cpu=4,gres/gpu:1"), ElementsAre(GresCount{kGpu, {}, 1}));
  EXPECT_THAT(*parse_gres_request("gres:gpu:a100:1,gres:gpu:h100:2"),
              ElementsAre(GresCount{kGpu, Symbol("a100"), 1}, GresCount{kGpu, Symbol("h100"), 2}));
  EXPECT_FALSE(parse_gres_request("gres:gpu:"));
  EXPECT_FALSE(parse_gres_request("gres/gpu=x"));
}

// The spellings of nothing.
TEST(Gres, NothingInUseIsZeroAndNotUnknown) {
  EXPECT_EQ(pools("gpu:qq:4", "gpu:qq:0(IDX:N/A)")[0].used, 0u);
  EXPECT_EQ(pools("gpu:qq:4", "gpu:0")[0].used, 0u);
  EXPECT_EQ(pools("gpu:qq:4", "(null)")[0].used, 0u);
  EXPECT_THAT(pools("gpu:qq:4", "gpu:qq:0(IDX:N/A)")[0].used_indexes, IsEmpty());
  EXPECT_THAT(*parse_gres_config("(null)"), IsEmpty());
  EXPECT_THAT(pools("(null)", "gpu:0"), IsEmpty());
}

TEST(Gres, UseOfAnUnknownDeviceIsAnError) {
  auto config = parse_gres_config("gpu:aa:3,gpu:bb:2");
  EXPECT_FALSE(apply_gres_used("gpu:cc:1", *config));
  EXPECT_FALSE(apply_gres_used("gpu:2", *config)) << "of which type it is cannot be told";
  EXPECT_EQ(pools("gpu:aa:3", "gpu:2")[0].used, 2u);
  EXPECT_EQ(pools("gpu:3", "gpu:aa:2(IDX:0-1)")[0].used, 2u);
}

// What is printed once per group of devices is one pool's use.
TEST(Gres, UseOfOneTypeInSeveralParts) {
  auto all = pools("gpu:a100:4(S:0),gpu:a100:4(S:1)", "gpu:a100:2(IDX:4-5),gpu:a100:1(IDX:0)");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].used, 3u);
  EXPECT_THAT(all[0].used_indexes, ElementsAre(0, 4, 5));
}

TEST(Gres, TypesThatAreNumbers) {
  EXPECT_EQ(parse_gres_config("gpu:3090:4")->front().type, Symbol("3090"));
  EXPECT_EQ(parse_gres_config("gpu:3090:4")->front().total, 4u);
  EXPECT_EQ(pools("gpu:3090:4", "gpu:3090:2(IDX:0-1)")[0].used, 2u);
  for (auto text : {"gres:gpu:3090:2", "gres/gpu:3090:2", "gres/gpu:3090=2"}) {
    EXPECT_THAT(*parse_gres_request(text), ElementsAre(GresCount{kGpu, Symbol("3090"), 2})) << text;
  }
  EXPECT_THAT(*parse_gres_request("gres:gpu:2"), ElementsAre(GresCount{kGpu, {}, 2}));
  EXPECT_EQ(model::gpu_count(*parse_tres("cpu=1,gres/gpu:3090=2")), 2u);
}

// Slurm gives a GPU either whole or in parts.
TEST(Gres, AGpuSharedInPartsIsNotFree) {
  for (auto used : {"gpu:a100:2(IDX:1-2),shard:a100:3(3/4,-/4,-/4,0/4)",
                    "gpu:a100:2(IDX:1-2),shard:a100:3(3/4,0/4,0/4,0/4)"}) {
    auto all = pools("gpu:a100:4,shard:a100:16", used);
    EXPECT_EQ(all[0].used, 3u) << used;
    EXPECT_THAT(all[0].used_indexes, ElementsAre(0, 1, 2)) << used;
    EXPECT_EQ(all[1].used, 3u) << used;
  }
  EXPECT_EQ(pools("gpu:4,shard:16", "gpu:0(IDX:N/A),shard:5(3/4,0/4,0/4,2/4)")[0].used, 2u);
  EXPECT_EQ(pools("gpu:4,shard:16", "gpu:0(IDX:N/A),shard:0(0/4,0/4,0/4,0/4)")[0].used, 0u);
  EXPECT_EQ(pools("gpu:4,shard:8", "gpu:1(IDX:0),shard:5(3/4,2/4)")[0].used, 1u)
      << "which devices are shared cannot be told";
}

TEST(Gres, LargeCountsAndNoConsume) {
  EXPECT_EQ(parse_gres_config("bandwidth:lustre:4K")->front().total, 4096u);
  EXPECT_EQ(parse_gres_config("bandwidth:lustre:no_consume:4M")->front().total, 4u << 20);
  EXPECT_EQ(parse_gres_config("gpu:1g.10gb:7")->front().type, Symbol("1g.10gb"));
}

TEST(Gres, TheSameTypeListedPerSocketIsOnePool) {
  auto parsed = parse_gres_config("gpu:a100:4(S:0),gpu:a100:4(S:1)");
  ASSERT_EQ(parsed->size(), 1u);
  EXPECT_EQ(parsed->front().total, 8u);
  EXPECT_EQ(parsed->front().sockets, "0,1");
}

TEST(Gres, HeldByAJob) {
  auto held = parse_gres_held("gpu:a100:8(IDX:0-7)");
  ASSERT_TRUE(held);
  EXPECT_EQ(held->front().total, 8u);
  EXPECT_EQ(held->front().used_indexes.size(), 8u);
  EXPECT_THAT(*parse_gres_held(""), IsEmpty());
  EXPECT_FALSE(parse_gres_held("gpu:a100:8(IDX:0-"));
}

// Units, and a last field that was cut.
TEST(Tres, AmountsWithUnits) {
  auto counts = parse_tres("cpu=4,mem=500G,node=4,billing=4,gres/gpu=32,gres/gpu:a100=32");
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->get(Symbol("cpu")), 4);
  EXPECT_EQ(counts->get(Symbol("mem")), 500.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(counts->get(Symbol("gres/gpu:a100")), 32);
  EXPECT_FALSE(counts->get(Symbol("energy")));
  EXPECT_EQ(parse_tres("mem=1.5T")->get(Symbol("mem")), 1.5 * (1ULL << 40));
  EXPECT_EQ(parse_tres("mem=8000M")->get(Symbol("mem")), 8000.0 * (1 << 20));
  EXPECT_EQ(parse_tres("mem=8000")->get(Symbol("mem")), 8000.0 * (1 << 20));
  EXPECT_TRUE(parse_tres("(null)")->empty());
  for (auto bad : {"cpu=2,mem=512M,node=", "cpu", "cpu=2,mem", "=4", "cpu=x", "cpu=-4"}) {
    EXPECT_FALSE(parse_tres(bad)) << bad;
  }
}

TEST(Licences, Requests) {
  EXPECT_THAT(*parse_licences("matlab:2,ansys"),
              ElementsAre(GresCount{Symbol("matlab"), {}, 2}, GresCount{Symbol("ansys"), {}, 1}));
  EXPECT_THAT(*parse_licences("matlab@flex:2"),
              ElementsAre(GresCount{Symbol("matlab@flex"), {}, 2}));
  EXPECT_THAT(*parse_licences("(null)"), IsEmpty());
  for (auto text : {"matlab:1;ansys:2", "matlab:1|ansys:2"}) {
    EXPECT_THAT(*parse_licences(text),
                ElementsAre(GresCount{Symbol("matlab"), {}, 1}, GresCount{Symbol("ansys"), {}, 2}))
        << text;
  }
  EXPECT_FALSE(parse_licences("matlab:x"));
}

}  // namespace
}  // namespace schedlens::slurm
