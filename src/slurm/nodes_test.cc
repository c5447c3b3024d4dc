// SPDX-License-Identifier: Apache-2.0
#include "slurm/nodes.h"

#include <gmock/gmock.h>

#include "slurm/fixture_test.h"
#include "slurm/node_state.h"

namespace schedlens::slurm {
namespace {

using model::NodeBucket;
using model::NodeFlag;
using model::NodeState;
using testing::ElementsAre;
using testing::HasSubstr;

model::Node with_state(std::string_view text) {
  model::Node node;
  parse_node_state(text, node);
  return node;
}

struct StateCase {
  const char* text;
  NodeState state;
  std::vector<NodeFlag> flags;
  NodeBucket bucket;
  bool in_service;
};

class NodeStates : public testing::TestWithParam<StateCase> {};

TEST_P(NodeStates, BaseStateFlagsAndBucket) {
  const auto& expected = GetParam();
  auto node = with_state(expected.text);
  EXPECT_EQ(node.state, expected.state) << model::full_state(node);
  model::Flags<NodeFlag> flags;
  for (auto flag : expected.flags) flags.set(flag);
  EXPECT_EQ(node.flags, flags) << model::full_state(node);
  EXPECT_EQ(model::bucket(node), expected.bucket) << model::bucket_name(model::bucket(node));
  EXPECT_EQ(model::in_service(node), expected.in_service);
  EXPECT_TRUE(node.unknown_states.empty());
}

using F = NodeFlag;
using S = NodeState;
using B = NodeBucket;
INSTANTIATE_TEST_SUITE_P(
    Rows, NodeStates,
    testing::Values(
        StateCase{"IDLE", S::kIdle, {}, B::kIdle, true},
        StateCase{"idle*", S::kIdle, {F::kNotResponding}, B::kNotResponding, false},
        StateCase{"mixed-", S::kMixed, {F::kPlanned}, B::kMixed, true},
        StateCase{"MIXED+PLANNED", S::kMixed, {F::kPlanned}, B::kMixed, true},
        StateCase{"MIXED+DRAIN", S::kMixed, {F::kDrain}, B::kDraining, false},
        StateCase{"IDLE+DYNAMIC_NORM+MAINTENANCE",
                  S::kIdle,
                  {F::kDynamicNormal, F::kMaintenance},
                  B::kMaintenance,
                  true},
        StateCase{"inval", S::kUnknown, {F::kInvalidRegistration}, B::kInvalid, false},
        StateCase{"planned", S::kIdle, {F::kPlanned}, B::kPlanned, true},
        StateCase{"drng", S::kMixed, {F::kDrain}, B::kDraining, false},
        StateCase{"drained", S::kIdle, {F::kDrain}, B::kDrained, false},
        StateCase{"DOWN+NOT_RESPONDING", S::kDown, {F::kNotResponding}, B::kDown, false},
        StateCase{"DOWN*+DRAIN", S::kDown, {F::kNotResponding, F::kDrain}, B::kDrained, false},
        StateCase{"RESERVED+DRAIN", S::kIdle, {F::kReserved, F::kDrain}, B::kDrained, false},
        StateCase{
            "IDLE+RESERVED+PLANNED", S::kIdle, {F::kReserved, F::kPlanned}, B::kReserved, true},
        StateCase{
            "DOWN+DRAIN+MAINTENANCE", S::kDown, {F::kDrain, F::kMaintenance}, B::kDrained, false},
        StateCase{"drained$", S::kIdle, {F::kDrain, F::kMaintenance}, B::kDrained, false},
        StateCase{"MIXED+MAINTENANCE+RESERVED",
                  S::kMixed,
                  {F::kMaintenance, F::kReserved},
                  B::kMixed,
                  true},
        StateCase{"mixed*", S::kMixed, {F::kNotResponding}, B::kNotResponding, false},
        StateCase{"idle-", S::kIdle, {F::kPlanned}, B::kPlanned, true},
        StateCase{"maint", S::kIdle, {F::kMaintenance}, B::kMaintenance, true},
        StateCase{"boot", S::kIdle, {F::kRebootRequested}, B::kRebooting, true},
        StateCase{"boot^", S::kIdle, {F::kRebootRequested, F::kRebootIssued}, B::kRebooting, false},
        StateCase{"failg", S::kMixed, {F::kFail}, B::kFail, false},
        StateCase{"unk*", S::kUnknown, {F::kNotResponding}, B::kUnknown, false},
        StateCase{"DRAINED~", S::kIdle, {F::kDrain, F::kPoweredDown}, B::kDrained, false},
        StateCase{"ALLOCATED+DRAIN", S::kAllocated, {F::kDrain}, B::kDraining, false},
        StateCase{"resv", S::kIdle, {F::kReserved}, B::kReserved, true},
        StateCase{"alloc+", S::kAllocated, {F::kCompleting}, B::kAllocated, true},
        StateCase{"idle~", S::kIdle, {F::kPoweredDown}, B::kPoweredDown, true}));

TEST(NodeState, EveryFlagUnderItsOwnName) {
  for (unsigned i = 0; i < static_cast<unsigned>(F::kCount); ++i) {
    auto flag = static_cast<F>(i);
    auto node = with_state("IDLE+" + std::string(model::flag_name(flag)));
    EXPECT_TRUE(node.flags.has(flag)) << model::flag_name(flag);
    EXPECT_TRUE(node.unknown_states.empty()) << model::flag_name(flag);
    EXPECT_EQ(node.state, S::kIdle) << model::flag_name(flag);
  }
}

TEST(NodeState, UnknownWordsAreKept) {
  auto node = with_state("MIXED+QUANTUM+DRAIN");
  EXPECT_EQ(node.state, S::kMixed);
  EXPECT_TRUE(node.flags.has(F::kDrain));
  EXPECT_THAT(node.unknown_states, ElementsAre("QUANTUM"));
  EXPECT_THAT(with_state("ENTANGLED").unknown_states, ElementsAre("ENTANGLED"));
  EXPECT_EQ(with_state("ENTANGLED").state, S::kUnknown);
}

std::vector<model::Node> nodes_of(const std::string& file) {
  TimeReader time;
  auto parsed = parse_nodes(fixture(file), time);
  EXPECT_TRUE(parsed) << file << ": " << (parsed ? "" : parsed.error().message());
  if (!parsed) return {};
  EXPECT_THAT(parsed->complaints.examples(), ElementsAre()) << file;
  return parsed->records;
}

TEST(Nodes, Version2205) {
  auto nodes = nodes_of("22.05/node_busy.txt");
  ASSERT_EQ(nodes.size(), 8u);
  const auto& n = nodes[0];
  EXPECT_EQ(n.name, Symbol("node0000"));
  EXPECT_EQ(n.state, S::kMixed);
  EXPECT_EQ(n.cpus, 64u);
  EXPECT_EQ(n.cpus_effective, 64u);
  EXPECT_EQ(n.cpus_allocated, 4u);
  EXPECT_EQ(n.cpu_load, 46.06);
  EXPECT_EQ(n.sockets, 2u);
  EXPECT_EQ(n.cores_per_socket, 32u);
  EXPECT_EQ(n.threads_per_core, 1u);
  EXPECT_EQ(n.memory, mebibytes(1000000));
  EXPECT_EQ(n.memory_allocated, mebibytes(16000));
  EXPECT_EQ(n.memory_free, mebibytes(10700));
  ASSERT_EQ(n.gres.size(), 1u);
  EXPECT_EQ(n.gres[0].total, 8u);
  EXPECT_EQ(n.gres[0].used, 8u);
  EXPECT_THAT(n.gres[0].used_indexes, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(n.features, ElementsAre(Symbol("a100"), Symbol("ib"), Symbol("rackA")));
  EXPECT_TRUE(n.features_available.empty()) << "the same as usable now";
  EXPECT_THAT(n.queues, ElementsAre(Symbol("train"), Symbol("all")));
  EXPECT_EQ(n.weight, 10u);
  EXPECT_TRUE(n.owner.empty());
  EXPECT_EQ(n.boot_time, at("2026-11-30T02:38:27"));
  EXPECT_EQ(n.last_busy, at("2026-11-30T03:39:02"));
  EXPECT_EQ(n.version, "22.05.8");
  EXPECT_FALSE(n.reason);
  // A reason without a drain.
  const auto& down = nodes.back();
  EXPECT_EQ(down.state, S::kDown);
  ASSERT_TRUE(down.reason);
  EXPECT_EQ(down.reason->author, "root");
}

TEST(Nodes, ReasonIsFreeTextWithItsStampAtTheEnd) {
  auto nodes = nodes_of("22.05/node.txt");
  ASSERT_EQ(nodes.size(), 8u);
  const auto& n = nodes[3];
  EXPECT_EQ(n.state, S::kIdle);
  EXPECT_TRUE(n.flags.has(F::kDrain));
  ASSERT_TRUE(n.reason);
  EXPECT_EQ(n.reason->text, "ECC error State=IDLE on GPU 3, see ticket [x]");
  EXPECT_EQ(n.reason->author, "root");
  EXPECT_EQ(n.reason->since, at("2026-11-30T07:50:35"));
}

TEST(Nodes, ReasonsInOtherShapes) {
  TimeReader time;
  EXPECT_EQ(parse_node_reason("Not responding [slurm@2026-11-30T03:07:11]", time).author, "slurm");
  auto bare = parse_node_reason("bad dimm", time);
  EXPECT_EQ(bare.text, "bad dimm");
  EXPECT_EQ(bare.author, "");
  EXPECT_FALSE(bare.since);
  EXPECT_EQ(parse_node_reason("see [a@b]", time).text, "see [a@b]");
  EXPECT_EQ(parse_node_reason("x [root@Unknown]", time).author, "root");
}

TEST(Nodes, Version2411And2605) {
  for (auto file : {"24.11/node.txt", "26.05/node.txt"}) {
    auto nodes = nodes_of(file);
    ASSERT_EQ(nodes.size(), 8u) << file;
    const auto& drained = nodes[5];
    EXPECT_EQ(model::bucket(drained), NodeBucket::kDrained) << file;
    ASSERT_TRUE(drained.reason) << file;
    EXPECT_EQ(drained.reason->text, "XID 79 GPU fallen off bus") << file;
    EXPECT_EQ(model::gpus_used(drained), 0u) << file;
    EXPECT_EQ(model::gpus_total(nodes[0]), 8u) << file;
    EXPECT_THAT(nodes[7].queues, ElementsAre(Symbol("train"), Symbol("dev"))) << file;
  }
  auto latest = nodes_of("26.05/node.txt");
  EXPECT_TRUE(latest[0].flags.has(F::kPlanned));
  EXPECT_THAT(latest[0].gres[0].used_indexes, ElementsAre(0, 2, 3, 4, 6));
}

TEST(Nodes, OneUnreadableRecordIsCountedAndTheOthersStay) {
  TimeReader time;
  auto parsed = parse_nodes(
      "NodeName=a CPUTot=4 State=IDLE Gres=gpu:2\nNodeName=b CPUTot=4 State=IDLE Gres=gpu:a100:\n",
      time);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->records.size(), 1u);
  EXPECT_EQ(parsed->complaints.unreadable_records(), 1u);
  EXPECT_THAT(parsed->complaints.examples(), ElementsAre(HasSubstr("NodeName=b")));
  EXPECT_FALSE(model::gpus_used(parsed->records[0])) << "use was not printed: unknown, not zero";
}

// With types in slurm.conf only, use is printed without them: of which type it is cannot be told.
TEST(Nodes, UseThatCannotBeToldIsUnknownAndTheNodeStays) {
  TimeReader time;
  auto parsed = parse_nodes(
      "NodeName=a CPUTot=4 State=MIXED+DRAIN Gres=gpu:aa:3,gpu:bb:2 GresUsed=gpu:2\n"
      "NodeName=b CPUTot=4 State=MIXED Gres=gpu:aa:8 GresUsed=gpu:aa:3(IDX:0,4\n",
      time);
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->records.size(), 2u);
  EXPECT_EQ(model::gpus_total(parsed->records[0]), 5u);
  EXPECT_FALSE(model::gpus_used(parsed->records[0]));
  EXPECT_EQ(model::bucket(parsed->records[0]), NodeBucket::kDraining);
  EXPECT_FALSE(model::gpus_used(parsed->records[1]));
  EXPECT_EQ(parsed->complaints.unreadable_records(), 0u);
  EXPECT_THAT(parsed->complaints.examples(),
              ElementsAre(HasSubstr("a: GRES in use 'gpu:'"), HasSubstr("is cut off")));
}

TEST(Nodes, LongNamesStayWhole) {
  TimeReader time;
  auto parsed = parse_nodes(
      "NodeName=very-long-node-name-01x.rack-12.example.org CPUTot=4 State=IDLE "
      "Gres=gpu:a_very_long_type_name_of_a_device:4(S:0-1),gpu:other:2 "
      "GresUsed=gpu:a_very_long_type_name_of_a_device:1(IDX:2),gpu:other:0(IDX:N/A) "
      "Partitions=a_partition_with_a_long_name,gpu*\n",
      time);
  ASSERT_TRUE(parsed);
  const auto& n = parsed->records.at(0);
  EXPECT_EQ(n.name, Symbol("very-long-node-name-01x.rack-12.example.org"));
  EXPECT_EQ(model::gpus_total(n), 6u);
  EXPECT_EQ(model::gpus_used(n), 1u);
  EXPECT_THAT(n.queues, ElementsAre(Symbol("a_partition_with_a_long_name"), Symbol("gpu*")))
      << "a star is part of the name";
}

TEST(Nodes, WhatIsNoAnswerIsAnError) {
  TimeReader time;
  EXPECT_FALSE(parse_nodes("", time));
  EXPECT_FALSE(parse_nodes("\n", time));
  EXPECT_FALSE(parse_nodes("Segmentation fault\n", time));
  EXPECT_FALSE(parse_nodes("NodeName=a CPUTot=4 State=ID", time)) << "cut off";
  auto none = parse_nodes("No nodes in the system\n", time);
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->records.empty());
}

TEST(Nodes, EnormousNumbersAreNotBelieved) {
  TimeReader time;
  auto parsed = parse_nodes(
      "NodeName=a CPUTot=99999999999999999999 State=IDLE RealMemory=99999999999999999999 "
      "CPULoad=nan FreeMem=18446744073709551614\n",
      time);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->records[0].cpus, 0u);
  EXPECT_EQ(parsed->records[0].memory, Bytes{0});
  EXPECT_FALSE(parsed->records[0].memory_free);
  EXPECT_FALSE(parsed->records[0].cpu_load);
}

}  // namespace
}  // namespace schedlens::slurm
