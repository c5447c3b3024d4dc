// SPDX-License-Identifier: Apache-2.0
#include "history/ended_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::history {
namespace {

using memory::EndedWorkload;
using model::Snapshot;
using model::Workload;
using model::WorkloadState;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kNow = 1'800'000'000;

// A cluster of two nodes that is looked at once a minute.
struct Watched {
  Snapshot s;
  EndedRuns runs;

  Watched() {
    s.time = {kNow};
    s.sources.resize(1);
    s.sources[0].feeds = "workloads";
    s.sources[0].state = model::SourceState::kFresh;
    for (auto name : {"n0", "n1"}) {
      model::Node node;
      node.name = Symbol(name);
      s.nodes.push_back(node);
    }
  }

  Workload& add(std::uint32_t id) {
    Workload w;
    w.job_id = id;
    w.name = "train";
    w.user = Symbol("alice");
    w.account = Symbol("llm");
    w.queues = {Symbol("main")};
    w.state = WorkloadState::kPending;
    w.reason = Symbol("Resources");
    w.submitted = w.eligible = Timestamp{kNow - 600};
    w.request.gres_per_node = {{model::names::kGpu, Symbol(), 4}};
    s.workloads.push_back(w);
    return s.workloads.back();
  }
  Workload& job(std::size_t i = 0) { return s.workloads[i]; }

  static void run(Workload& w, Timestamp start) {
    w.state = WorkloadState::kRunning;
    w.start = start;
    w.reason = Symbol("None");
    w.allocation.nodes = {{0}, {1}};
    w.allocation.totals.set(model::names::kGresGpu, 8);
    w.allocation.totals.set(model::names::kCpu, 2);
  }
  static void end(Workload& w, WorkloadState state, Timestamp at) {
    w.state = state;
    w.end = at;
  }

  std::vector<EndedWorkload> look() {
    s.time.unix_seconds += 60;
    s.build_index();
    return runs.feed(s, [](model::WorkloadId) { return "capacity"; });
  }
};

TEST(EndedRuns, WhatARunWas) {
  Watched c;
  c.add(7);
  EXPECT_THAT(c.look(), IsEmpty());
  Watched::run(c.job(), {kNow + 70});
  EXPECT_THAT(c.look(), IsEmpty());
  Watched::end(c.job(), WorkloadState::kFailed, {kNow + 170});
  c.job().exit = model::Exit{1, 0};
  const auto ended = c.look();
  ASSERT_THAT(ended, SizeIs(1));
  const auto& r = ended.front();
  EXPECT_EQ(r.id, "7");
  EXPECT_EQ(r.user, "alice");
  EXPECT_EQ(r.queue, "main");
  EXPECT_EQ(r.state, "FAILED");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_EQ(r.gpus, 8);
  EXPECT_EQ(r.gpu_seconds, 800);
  EXPECT_THAT(r.nodes, ElementsAre("n0", "n1"));
  EXPECT_EQ(r.last_reason, "Resources");
  EXPECT_EQ(r.last_cause, "capacity");
  EXPECT_THAT(c.look(), IsEmpty()) << "told once, however long it is shown";
}

TEST(EndedRuns, OneThatIsGoneBetweenTwoLooks) {
  Watched c;
  Watched::run(c.add(7), {kNow - 60});
  c.look();
  c.s.workloads.clear();
  const auto ended = c.look();
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(ended[0].state, "UNKNOWN");
  EXPECT_EQ(ended[0].ended, Timestamp{kNow + 120});
}

TEST(EndedRuns, ARequeuedJobHasTwoRuns) {
  Watched c;
  Watched::run(c.add(7), {kNow});
  c.look();
  c.job().state = WorkloadState::kPending;
  c.job().allocation = {};
  c.job().start.reset();
  const auto first = c.look();
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_EQ(first[0].state, "REQUEUED");
  EXPECT_EQ(first[0].started, Timestamp{kNow});
  Watched::run(c.job(), {kNow + 150});
  EXPECT_THAT(c.look(), IsEmpty());
  Watched::end(c.job(), WorkloadState::kCompleted, {kNow + 200});
  const auto second = c.look();
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_EQ(second[0].started, Timestamp{kNow + 150});
}

TEST(EndedRuns, OneThatNeverRanHeldNothing) {
  Watched c;
  c.add(7);
  c.look();
  Watched::end(c.job(), WorkloadState::kCancelled, c.s.time);
  c.job().start = c.s.time;
  const auto ended = c.look();
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_FALSE(ended[0].started);
  EXPECT_FALSE(ended[0].gpu_seconds);
  EXPECT_EQ(ended[0].gpus, 4) << "asked for";
}

// The record of those that wait changes its name whenever one starts.
TEST(EndedRuns, TasksOfAnArray) {
  Watched c;
  auto& waiting = c.add(20);
  waiting.array = model::ArrayPlace{20, {}, "1-2", 2, {}};
  EXPECT_THAT(c.look(), IsEmpty());
  auto& task = c.job();
  task.array = model::ArrayPlace{20, 1, "", 0, {}};
  Watched::run(task, c.s.time);
  EXPECT_THAT(c.look(), IsEmpty());
  Watched::end(c.job(), WorkloadState::kCompleted, c.s.time);
  const auto ended = c.look();
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(ended[0].id, "20_1");
  EXPECT_EQ(ended[0].array_job, 20);
  EXPECT_EQ(ended[0].last_cause, "capacity");
}

TEST(EndedRuns, AListThatWasNotReadEndsNobody) {
  Watched c;
  Watched::run(c.add(7), {kNow});
  c.look();
  c.s.workloads.clear();
  c.s.sources[0].state = model::SourceState::kStale;
  EXPECT_THAT(c.look(), IsEmpty());
}

TEST(EndedRuns, OneThatEndedBeforeTheFirstLook) {
  Watched c;
  Watched::run(c.add(7), {kNow - 600});
  Watched::end(c.job(), WorkloadState::kTimeout, {kNow - 100});
  const auto ended = c.look();
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(ended[0].state, "TIMEOUT");
  EXPECT_EQ(ended[0].gpus, 8);
  EXPECT_EQ(ended[0].gpu_seconds, 4000);
}

}  // namespace
}  // namespace schedlens::history
