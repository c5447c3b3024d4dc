// SPDX-License-Identifier: Apache-2.0
#include "history/node_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::history {
namespace {

using memory::NodeChange;
using model::NodeFlag;
using model::Snapshot;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kNow = 1'800'000'000;

Snapshot two_nodes() {
  Snapshot s;
  s.time = {kNow};
  s.sources.resize(1);
  s.sources[0].feeds = "nodes";
  s.sources[0].state = model::SourceState::kFresh;
  for (auto name : {"n0", "n1"}) {
    model::Node node;
    node.name = Symbol(name);
    node.state = model::NodeState::kIdle;
    node.gres = {{model::names::kGpu, Symbol(), 8, 0, {}, ""}};
    s.nodes.push_back(node);
  }
  s.build_index();
  return s;
}

void drain(model::Node& node, std::string why) {
  node.flags.set(NodeFlag::kDrain);
  node.reason = model::NodeReason{std::move(why), "root", Timestamp{kNow - 10}};
}

TEST(NodeChanges, ByWhomAndWhy) {
  auto s = two_nodes();
  NodeChanges changes;
  EXPECT_THAT(changes.feed(s), IsEmpty());
  drain(s.nodes[1], "ECC error");
  const auto out = changes.feed(s);
  ASSERT_THAT(out, SizeIs(1));
  EXPECT_EQ(out[0].node, "n1");
  EXPECT_EQ(out[0].from, "in service");
  EXPECT_EQ(out[0].to, "drained");
  EXPECT_EQ(out[0].reason, "ECC error");
  EXPECT_EQ(out[0].author, "root");
  EXPECT_EQ(out[0].gpus, 8);
  EXPECT_THAT(changes.feed(s), IsEmpty());
}

TEST(NodeChanges, JobsComeAndGo) {
  auto s = two_nodes();
  NodeChanges changes;
  changes.feed(s);
  s.nodes[0].state = model::NodeState::kAllocated;
  EXPECT_THAT(changes.feed(s), IsEmpty());
  drain(s.nodes[0], "later");
  EXPECT_THAT(changes.feed(s), SizeIs(1));
  s.nodes[0].state = model::NodeState::kIdle;
  EXPECT_THAT(changes.feed(s), IsEmpty()) << "draining or drained";
}

TEST(NodeChanges, AnotherReasonIsAChange) {
  auto s = two_nodes();
  NodeChanges changes;
  drain(s.nodes[0], "Kill task failed");
  EXPECT_THAT(changes.feed(s), SizeIs(1)) << "out of service when first seen";
  s.nodes[0].reason->text = "ADMIN: do not resume";
  EXPECT_THAT(changes.feed(s), SizeIs(1));
  s.nodes[0].flags = {};
  s.nodes[0].reason.reset();
  const auto back = changes.feed(s);
  ASSERT_THAT(back, SizeIs(1));
  EXPECT_EQ(back[0].from, "drained");
  EXPECT_EQ(back[0].to, "in service");
}

TEST(NodeChanges, WhatHappenedWhileNobodyLooked) {
  auto s = two_nodes();
  NodeChange before;
  before.node = "n0";
  before.to = "drained";
  before.reason = "ECC error";
  NodeChanges changes({before});
  const auto out = changes.feed(s);
  ASSERT_THAT(out, SizeIs(1));
  EXPECT_EQ(out[0].from, "drained");
  EXPECT_EQ(out[0].to, "in service");
}

TEST(NodeChanges, ANodeThatIsTakenAwayAndBroughtBack) {
  auto s = two_nodes();
  NodeChanges changes;
  changes.feed(s);
  const auto node = s.nodes.back();
  s.nodes.pop_back();
  s.build_index();
  const auto gone = changes.feed(s);
  ASSERT_THAT(gone, SizeIs(1));
  EXPECT_EQ(gone[0].to, "removed");
  EXPECT_THAT(changes.feed(s), IsEmpty());
  s.nodes.push_back(node);
  s.build_index();
  EXPECT_THAT(changes.feed(s), SizeIs(1));
}

TEST(NodeChanges, NodesThatWereNotRead) {
  auto s = two_nodes();
  NodeChanges changes;
  changes.feed(s);
  s.nodes.clear();
  s.build_index();
  s.sources[0].state = model::SourceState::kFailed;
  EXPECT_THAT(changes.feed(s), IsEmpty());
}

}  // namespace
}  // namespace schedlens::history
