// SPDX-License-Identifier: Apache-2.0
#include "history/recorder.h"

#include <gmock/gmock.h>

#include "memory/store_dir_test.h"

namespace schedlens::history {
namespace {

using memory::test::kDecember;
using memory::test::kEver;
using model::Snapshot;
using model::WorkloadState;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class RecorderTest : public memory::test::StoreDir {
 protected:
  void SetUp() override {
    StoreDir::SetUp();
    s_.time = kDecember;
    for (auto feeds : {"workloads", "nodes"}) {
      model::SourceStatus source;
      source.feeds = feeds;
      source.state = model::SourceState::kFresh;
      s_.sources.push_back(source);
    }
    model::Node node;
    node.name = Symbol("n0");
    node.state = model::NodeState::kIdle;
    s_.nodes.push_back(node);
    model::Workload job;
    job.job_id = 7;
    job.state = WorkloadState::kPending;
    job.reason = Symbol("Resources");
    job.eligible = Timestamp{kDecember.unix_seconds - 60};
    s_.workloads.push_back(job);
  }

  Recorder begin(memory::Store& store) {
    auto recorder = Recorder::begin(store, reader());
    EXPECT_TRUE(recorder) << recorder.error().message();
    return std::move(*recorder);
  }
  void look(Recorder& recorder) {
    s_.time.unix_seconds += 30;
    s_.build_index();
    recorder.record(s_, [](model::WorkloadId) { return "capacity"; });
  }
  std::vector<memory::EndedWorkload> runs() { return *reader().workloads({}); }

  Snapshot s_;
};

TEST_F(RecorderTest, WhatEndsAndChangesIsStored) {
  auto store = open();
  auto recorder = begin(*store);
  look(recorder);
  auto& job = s_.workloads[0];
  job.state = WorkloadState::kRunning;
  job.start = s_.time;
  job.allocation.nodes = {{0}};
  look(recorder);
  job.state = WorkloadState::kCompleted;
  job.end = s_.time;
  s_.nodes[0].flags.set(model::NodeFlag::kDrain);
  look(recorder);
  flush(*store);
  ASSERT_THAT(runs(), SizeIs(1));
  EXPECT_EQ(runs()[0].state, "COMPLETED");
  EXPECT_EQ(runs()[0].last_cause, "capacity");
  const auto changes = *reader().node_changes({});
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].from, "in service");
  EXPECT_EQ(changes[0].to, "drained");
}

// The scheduler still shows the job; this process does not know what it waited for.
TEST_F(RecorderTest, TheNextProcessTellsNothingTwice) {
  {
    auto store = open();
    auto recorder = begin(*store);
    look(recorder);
    s_.workloads[0].state = WorkloadState::kCancelled;
    s_.workloads[0].end = s_.time;
    s_.nodes[0].state = model::NodeState::kDown;
    look(recorder);
  }
  auto store = open();
  auto recorder = begin(*store);
  look(recorder);
  look(recorder);
  flush(*store);
  ASSERT_THAT(runs(), SizeIs(1));
  EXPECT_EQ(runs()[0].last_cause, "capacity");
  EXPECT_THAT(*reader().node_changes({}), SizeIs(1));
}

TEST_F(RecorderTest, ValuesUnderNameAndLabels) {
  auto store = open();
  auto recorder = begin(*store);
  recorder.record(kDecember, {{"gpus", {{"type", "a"}}, 3}, {"gpus", {{"type", "b"}}, 4}});
  recorder.record(kDecember + Seconds{60}, {{"gpus", {{"type", "a"}}, 5}});
  flush(*store);
  const auto series = *reader().points({"gpus", {{"type", "a"}}}, kEver);
  ASSERT_THAT(series, SizeIs(1));
  ASSERT_THAT(series[0].points, SizeIs(2));
  EXPECT_EQ(series[0].points[1].value, 5);
  EXPECT_THAT(*reader().points({"gpus", {}}, kEver), SizeIs(2));
}

TEST_F(RecorderTest, WhatIsMissingFromAPartialListHasNotEnded) {
  auto store = open();
  auto recorder = begin(*store);
  look(recorder);
  s_.workloads.clear();
  s_.nodes.clear();
  for (auto& source : s_.sources) source.state = model::SourceState::kPartial;
  look(recorder);
  flush(*store);
  EXPECT_THAT(runs(), IsEmpty());
  EXPECT_THAT(*reader().node_changes({}), IsEmpty());
}

}  // namespace
}  // namespace schedlens::history
