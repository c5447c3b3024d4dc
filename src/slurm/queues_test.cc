// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "slurm/fixture_test.h"
#include "slurm/nodes.h"
#include "slurm/partitions.h"
#include "slurm/reservations.h"

namespace schedlens::slurm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

NodeTable table_of(const std::string& file) {
  TimeReader time;
  return NodeTable(parse_nodes(fixture(file), time)->records);
}

TEST(Partitions, Version2205) {
  auto nodes = table_of("22.05/node.txt");
  auto parsed = parse_partitions(fixture("22.05/partition.txt"), nodes);
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->complaints.examples(), IsEmpty());
  ASSERT_EQ(parsed->records.size(), 3u);
  const auto& train = parsed->records[0];
  EXPECT_EQ(train.name, Symbol("train"));
  EXPECT_TRUE(train.is_default);
  EXPECT_EQ(train.state, model::QueueState::kUp);
  EXPECT_EQ(train.nodes.size(), 6u);
  EXPECT_EQ(train.total_nodes, 6u);
  EXPECT_EQ(train.max_nodes, Bound<std::uint32_t>::unlimited());
  EXPECT_EQ(train.max_time, Bound<Seconds>::of(Seconds{604800}));
  EXPECT_EQ(train.default_time, Seconds{3600});
  EXPECT_EQ(train.default_memory_per_cpu, mebibytes(4000));
  EXPECT_EQ(train.priority_tier, 10u);
  EXPECT_TRUE(train.allow_qos.all);
  EXPECT_TRUE(train.qos.empty());
  EXPECT_EQ(train.preempt_mode, "REQUEUE");
  EXPECT_EQ(model::gpu_count(train.totals), 48u);
  EXPECT_EQ(parsed->records[1].max_nodes, Bound<std::uint32_t>::of(2));
  const auto& all = parsed->records[2];
  EXPECT_FALSE(all.allow_qos.all);
  EXPECT_TRUE(all.allow_qos.allows(Symbol("scavenger")));
  EXPECT_FALSE(all.allow_qos.allows(Symbol("capped")));
  EXPECT_FALSE(all.default_time);
}

TEST(Partitions, Version2411And2605) {
  for (std::string version : {"24.11", "26.05"}) {
    auto nodes = table_of(version + "/node.txt");
    auto parsed = parse_partitions(fixture(version + "/partition.txt"), nodes);
    ASSERT_TRUE(parsed) << version;
    ASSERT_EQ(parsed->records.size(), 2u);
    EXPECT_EQ(parsed->records[0].nodes.size(), 8u);
    EXPECT_FALSE(parsed->records[0].exclusive);
    EXPECT_FALSE(parsed->records[0].exclusive_user);
    EXPECT_EQ(parsed->records[0].totals.get(Symbol("mem")), 7812.5 * (1ULL << 30));
    EXPECT_EQ(parsed->records[1].max_nodes, Bound<std::uint32_t>::of(1));
  }
}

model::Queue one(const std::string& keys) {
  NodeTable nodes{{}};
  auto parsed = parse_partitions("PartitionName=p State=UP " + keys + "\n", nodes);
  EXPECT_TRUE(parsed) << keys;
  return parsed ? parsed->records.front() : model::Queue{};
}

TEST(Partitions, KeysThatThoseClustersDidNotUse) {
  EXPECT_TRUE(one("OverSubscribe=EXCLUSIVE").exclusive);
  EXPECT_TRUE(one("Exclusive=NODE OverSubscribe=NO").exclusive);
  EXPECT_TRUE(one("Exclusive=USER").exclusive_user);
  EXPECT_TRUE(one("ExclusiveUser=YES").exclusive_user);
  EXPECT_TRUE(one("OverSubscribe=FORCE:4").oversubscribe_force);
  EXPECT_EQ(one("OverSubscribe=FORCE:4").jobs_per_cpu, 4u);
  EXPECT_FALSE(one("OverSubscribe=YES:2").oversubscribe_force);
  EXPECT_EQ(one("OverSubscribe=YES:2").jobs_per_cpu, 2u);
  EXPECT_EQ(one("OverSubscribe=NO").jobs_per_cpu, 1u);
  EXPECT_EQ(one("JobDefaults=DefCpuPerGPU=6,DefMemPerGPU=1000").default_cpus_per_gpu, 6u);
  EXPECT_EQ(one("JobDefaults=DefCpuPerGPU=6,DefMemPerGPU=1000").default_memory_per_gpu,
            mebibytes(1000));
  EXPECT_THAT(one("DenyAccounts=a,b AllowQos=ALL").deny_accounts,
              ElementsAre(Symbol("a"), Symbol("b")));
  EXPECT_TRUE(one("DenyAccounts=a,b").allow_accounts.all);
  EXPECT_THAT(one("DenyQos=low").deny_qos, ElementsAre(Symbol("low")));
  EXPECT_EQ(one("MaxMemPerNode=UNLIMITED").max_memory_per_node, Bound<Bytes>::unlimited());
  EXPECT_EQ(one("MaxMemPerCPU=8000").max_memory_per_cpu, Bound<Bytes>::of(mebibytes(8000)));
  EXPECT_EQ(one("QoS=part").qos, Symbol("part"));
}

TEST(Partitions, AStarIsPartOfTheName) {
  NodeTable nodes{{}};
  auto parsed = parse_partitions(
      "PartitionName=gpu* Default=NO State=UP\nPartitionName=gpu Default=YES State=UP\n", nodes);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->records[0].name, Symbol("gpu*"));
  EXPECT_FALSE(parsed->records[0].is_default);
  EXPECT_TRUE(parsed->records[1].is_default);
}

TEST(Partitions, NodesWithoutARecordAreNamed) {
  NodeTable nodes{{}};
  auto parsed = parse_partitions(
      "PartitionName=p State=UP Nodes=n[1-2]\nPartitionName=q State=UP "
      "Nodes=n2\n",
      nodes);
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->records[0].unknown_nodes, ElementsAre("n1", "n2"));
  EXPECT_THAT(parsed->records[1].unknown_nodes, ElementsAre("n2"));
}

TEST(Partitions, WhatIsNoAnswerIsAnError) {
  NodeTable nodes{{}};
  EXPECT_FALSE(parse_partitions("", nodes));
  EXPECT_FALSE(parse_partitions("PartitionName=p State=U", nodes));
  EXPECT_FALSE(parse_partitions("nonsense\n", nodes));
  EXPECT_FALSE(parse_partitions("PartitionName=p State=UP Nodes=n[1-\n", nodes));
}

TEST(Reservations, AllVersions) {
  auto nodes = table_of("22.05/node.txt");
  TimeReader time;
  auto parsed = parse_reservations(fixture("22.05/reservation.txt"), nodes, time);
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->records.size(), 2u);
  const auto& maint = parsed->records[0];
  EXPECT_EQ(maint.name, Symbol("maint1"));
  EXPECT_EQ(maint.start, at("2026-11-30T09:50:35"));
  EXPECT_EQ(maint.end, at("2026-11-30T11:50:35"));
  EXPECT_FALSE(maint.active);
  EXPECT_THAT(maint.flags, ElementsAre("MAINT", "IGNORE_JOBS", "SPEC_NODES"));
  EXPECT_THAT(maint.users, ElementsAre(Symbol("root")));
  EXPECT_THAT(maint.accounts, IsEmpty());
  EXPECT_EQ(maint.core_count, 64u);
  EXPECT_EQ(maint.totals.get(Symbol("cpu")), 64);
  EXPECT_TRUE(parsed->records[1].active);
  EXPECT_THAT(parsed->records[1].accounts, ElementsAre(Symbol("llm")));
  EXPECT_THAT(parsed->records[1].nodes, ElementsAre(model::NodeId{5}));
  for (std::string version : {"24.11", "26.05"}) {
    auto later = parse_reservations(fixture(version + "/reservation.txt"), nodes, time);
    ASSERT_TRUE(later) << version;
    ASSERT_EQ(later->records.size(), 1u);
    EXPECT_THAT(later->records[0].nodes, ElementsAre(model::NodeId{4}));
    EXPECT_THAT(later->records[0].users, ElementsAre(Symbol("root")));
  }
}

// A sentence is no reservation.
TEST(Reservations, NoneIsNoneAndNothingIsAnError) {
  NodeTable nodes{{}};
  TimeReader time;
  auto none = parse_reservations("No reservations in the system\n", nodes, time);
  ASSERT_TRUE(none);
  EXPECT_THAT(none->records, IsEmpty());
  EXPECT_FALSE(parse_reservations("", nodes, time));
  EXPECT_FALSE(parse_reservations("some error\n", nodes, time));
  EXPECT_FALSE(parse_reservations("ReservationName=x StartTime=2026", nodes, time));
}

TEST(Licences, OnOneLineOrTwo) {
  for (auto file : {"22.05/licenses.txt", "22.05/licenses_two_lines.txt", "24.11/licenses.txt",
                    "26.05/licenses.txt"}) {
    auto parsed = parse_licence_pool(fixture(file));
    ASSERT_TRUE(parsed) << file;
    ASSERT_EQ(parsed->records.size(), 1u) << file;
    EXPECT_EQ(parsed->records[0].name, Symbol("matlab"));
    EXPECT_EQ(parsed->records[0].total, 2u);
    EXPECT_FALSE(parsed->records[0].remote);
    EXPECT_FALSE(parsed->records[0].deficit);
  }
  EXPECT_EQ(parse_licence_pool(fixture("22.05/licenses_two_lines.txt"))->records[0].used, 2u);
  auto remote = parse_licence_pool(
      "LicenseName=a@b Total=5 Used=1 Free=4 Reserved=2 Remote=yes LastConsumed=1 LastDeficit=3\n");
  EXPECT_TRUE(remote->records[0].remote);
  EXPECT_EQ(remote->records[0].deficit, 3u);
  EXPECT_EQ(remote->records[0].reserved, 2u);
}

TEST(Licences, NoneIsNoneAndNothingIsAnError) {
  auto none = parse_licence_pool("No licenses configured in Slurm.\n");
  ASSERT_TRUE(none);
  EXPECT_THAT(none->records, IsEmpty());
  EXPECT_FALSE(parse_licence_pool(""));
  EXPECT_FALSE(parse_licence_pool("LicenseName=matlab Total=\n"));
}

}  // namespace
}  // namespace schedlens::slurm
