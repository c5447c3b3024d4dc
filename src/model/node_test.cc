// SPDX-License-Identifier: Apache-2.0
#include "model/node.h"

#include <gtest/gtest.h>

#include <set>

namespace schedlens::model {
namespace {

Node node(NodeState state, std::initializer_list<NodeFlag> flags = {}) {
  Node n;
  n.state = state;
  for (auto f : flags) n.flags.set(f);
  return n;
}

TEST(NodeBucket, DrainCountsAsOutOfServiceWhateverElseIsTrue) {
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kDrain})), "drained");
  EXPECT_EQ(display_state(node(NodeState::kMixed, {NodeFlag::kDrain})), "draining");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kDrain, NodeFlag::kReserved})),
            "drained");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kDrain, NodeFlag::kCompleting})),
            "draining");
  EXPECT_EQ(display_state(node(NodeState::kDown, {NodeFlag::kDrain})), "drained");
}

TEST(NodeBucket, FlagsOnWorkingNodes) {
  EXPECT_EQ(display_state(node(NodeState::kIdle)), "idle");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kPlanned})), "planned");
  EXPECT_EQ(display_state(node(NodeState::kMixed, {NodeFlag::kPlanned})), "mixed");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kReserved})), "reserved");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kMaintenance})), "maint");
  EXPECT_EQ(display_state(node(NodeState::kAllocated, {NodeFlag::kMaintenance})), "allocated");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kNotResponding})), "no_resp");
  EXPECT_EQ(display_state(node(NodeState::kDown, {NodeFlag::kNotResponding})), "down");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kInvalidRegistration})), "invalid");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kRebootIssued})), "reboot");
  EXPECT_EQ(display_state(node(NodeState::kDown, {NodeFlag::kRebootIssued})), "reboot");
  EXPECT_EQ(display_state(node(NodeState::kMixed, {NodeFlag::kRebootRequested})), "mixed");
  EXPECT_EQ(display_state(node(NodeState::kIdle, {NodeFlag::kCloud, NodeFlag::kPoweredDown})),
            "powered_down");
}

TEST(NodeBucket, EveryBucketHasItsOwnName) {
  std::set<std::string_view> names;
  for (int i = 0; i < static_cast<int>(NodeBucket::kCount); ++i) {
    names.insert(bucket_name(static_cast<NodeBucket>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(NodeBucket::kCount));
  EXPECT_FALSE(names.contains(""));
}

TEST(NodeService, BusyPlannedAndReservedNodesServe) {
  EXPECT_TRUE(in_service(node(NodeState::kAllocated)));
  EXPECT_TRUE(in_service(node(NodeState::kMixed, {NodeFlag::kPlanned})));
  EXPECT_TRUE(in_service(node(NodeState::kIdle, {NodeFlag::kReserved})));
  // Slurm starts jobs on a cloud node that is powered down; it boots it for them.
  EXPECT_TRUE(in_service(node(NodeState::kIdle, {NodeFlag::kPoweredDown})));
  // As Slurm has them: it does not answer before it is up, and takes further jobs meanwhile.
  auto starting = node(NodeState::kMixed, {NodeFlag::kNotResponding, NodeFlag::kPoweringUp});
  EXPECT_TRUE(in_service(starting));
  EXPECT_EQ(display_state(starting), "powering_up");
  EXPECT_TRUE(in_service(node(NodeState::kMixed, {NodeFlag::kPowerDown})));
  EXPECT_FALSE(in_service(node(NodeState::kIdle, {NodeFlag::kPowerDown})));
  EXPECT_FALSE(in_service(node(NodeState::kIdle, {NodeFlag::kPoweringDown})));
  auto stuck = node(NodeState::kIdle, {NodeFlag::kNotResponding, NodeFlag::kPoweredDown});
  EXPECT_FALSE(in_service(stuck));
  EXPECT_EQ(display_state(stuck), "no_resp");
}

TEST(NodeService, OutOfService) {
  EXPECT_FALSE(in_service(node(NodeState::kDown)));
  EXPECT_FALSE(in_service(node(NodeState::kUnknown)));
  EXPECT_FALSE(in_service(node(NodeState::kIdle, {NodeFlag::kDrain})));
  EXPECT_FALSE(in_service(node(NodeState::kIdle, {NodeFlag::kFail})));
  EXPECT_FALSE(in_service(node(NodeState::kIdle, {NodeFlag::kNotResponding})));
  EXPECT_FALSE(in_service(node(NodeState::kIdle, {NodeFlag::kInvalidRegistration})));
}

TEST(NodeGpus, UnknownUseIsNotZero) {
  Node n = node(NodeState::kIdle);
  n.gres = {{names::kGpu, Symbol("a100"), 4, 1, {}, ""},
            {names::kGpu, Symbol("h100"), 2, 2, {}, ""}};
  EXPECT_EQ(gpus_total(n), 6u);
  EXPECT_EQ(gpus_used(n), 3u);
  n.gres[1].used.reset();
  EXPECT_EQ(gpus_used(n), std::nullopt);
}

TEST(NodeState, FullStateKeepsUnknownWords) {
  auto n = node(NodeState::kMixed, {NodeFlag::kDrain, NodeFlag::kPlanned});
  n.unknown_states.push_back("HOVERING");
  EXPECT_EQ(full_state(n), "MIXED+DRAIN+PLANNED+HOVERING");
}

}  // namespace
}  // namespace schedlens::model
