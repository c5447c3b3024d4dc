// SPDX-License-Identifier: Apache-2.0
#include "api/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/sample_snapshot_test.h"

namespace schedlens::api {
namespace {

using diagnose::RootCause;
using testing::HasSubstr;

using Ids = std::vector<std::uint32_t>;
using Names = std::vector<std::string>;

class Filter : public testing::Test {
 protected:
  Causes causes() const {
    Causes all(snapshot_.workloads.size(), RootCause::kNone);
    all[2] = RootCause::kFragmentation;
    all[3] = RootCause::kPriority;
    return all;
  }
  Ids jobs(const WorkloadFilter& filter) const {
    auto ids = select_workloads(snapshot_, causes(), filter);
    if (!ids) throw std::runtime_error(ids.error().message());
    Ids out;
    for (auto id : *ids) out.push_back(snapshot_.workload(id).job_id);
    return out;
  }
  std::string jobs_error(const WorkloadFilter& filter) const {
    auto ids = select_workloads(snapshot_, causes(), filter);
    return ids ? "none" : ids.error().message();
  }
  Names nodes(const NodeFilter& filter) const {
    auto ids = select_nodes(snapshot_, filter);
    if (!ids) throw std::runtime_error(ids.error().message());
    Names out;
    for (auto id : *ids) out.push_back(snapshot_.node(id).name.str());
    return out;
  }
  std::string nodes_error(const NodeFilter& filter) const {
    auto ids = select_nodes(snapshot_, filter);
    return ids ? "none" : ids.error().message();
  }
  model::Workload& add(std::uint32_t id, model::WorkloadState state, std::int64_t start,
                       std::int64_t end = 0) {
    auto w = test::job(id, "dave", state, 4);
    w.start = Timestamp{start};
    if (end) w.end = Timestamp{end};
    snapshot_.workloads.push_back(w);
    snapshot_.build_index();
    return snapshot_.workloads.back();
  }

  model::Snapshot snapshot_ = test::sample_snapshot();
};

TEST_F(Filter, WaitingThenMostGpusThenLongestRunningThenLatestEnd) {
  add(90, model::WorkloadState::kCompleted, 10, 20);
  add(91, model::WorkloadState::kFailed, 10, 30);
  add(92, model::WorkloadState::kRunning, 5);
  EXPECT_EQ(jobs({}), (Ids{103, 104, 101, 92, 102}));
  EXPECT_EQ(jobs({.phase = Phase::kAll}), (Ids{103, 104, 101, 92, 102, 91, 90}));
  EXPECT_EQ(jobs({.phase = Phase::kWaiting}), (Ids{103, 104}));
  EXPECT_EQ(jobs({.phase = Phase::kHolding}), (Ids{101, 92, 102}));
  EXPECT_EQ(jobs({.phase = Phase::kHolding, .users = {"bob"}}), (Ids{102}));
}

TEST_F(Filter, NamesAreWholeAndListsMeanAnyOfThem) {
  EXPECT_EQ(jobs({.users = {"carol"}}), (Ids{103, 104}));
  EXPECT_EQ(jobs({.users = {"alice", "bob"}}), (Ids{101, 102}));
  EXPECT_EQ(jobs({.users = {"ali"}}), Ids{});
  EXPECT_EQ(jobs({.users = {"carol"}, .states = {"running"}}), Ids{});
  EXPECT_EQ(jobs({.accounts = {"vision"}}), Ids{});
  EXPECT_EQ(jobs({.accounts = {"vision", "llm"}}), (Ids{103, 104, 101, 102}));
  EXPECT_EQ(jobs({.queues = {"train"}, .states = {"running"}}), (Ids{101, 102}));
  EXPECT_EQ(jobs({.qos = {"high"}}), Ids{});
}

TEST_F(Filter, StatesAreWordsAndFlagsOfAnyCase) {
  add(90, model::WorkloadState::kCompleted, 10, 20);
  snapshot_.workloads[0].flags.set(model::WorkloadFlag::kCompleting);
  EXPECT_EQ(jobs({.states = {"completing"}}), (Ids{101}));
  EXPECT_EQ(jobs({.states = {"Running"}}), (Ids{101, 102}));
  EXPECT_EQ(jobs({.states = {"completed"}}), (Ids{90}));
  EXPECT_EQ(jobs({.states = {"completed", "pending"}}), (Ids{103, 104, 90}));
  EXPECT_EQ(jobs({.states = {"active"}}), (Ids{103, 104, 101, 102}));
  EXPECT_EQ(jobs({.states = {"all"}}), (Ids{103, 104, 101, 102, 90}));
  EXPECT_EQ(jobs({.phase = Phase::kHolding, .states = {"completed"}}), Ids{});
}

TEST_F(Filter, WhatHasEndedButNotLetGoIsActive) {
  add(93, model::WorkloadState::kCancelled, 10, 20).flags.set(model::WorkloadFlag::kCompleting);
  EXPECT_EQ(jobs({}), (Ids{103, 104, 101, 102, 93}));
}

TEST_F(Filter, ByReasonCauseSizeAndPlace) {
  EXPECT_EQ(jobs({.reasons = {"resources"}}), (Ids{103}));
  EXPECT_EQ(jobs({.reasons = {"Res", "prio"}}), (Ids{103, 104}));
  snapshot_.workloads[2].reason_text = "ReqNodeNotAvail, UnavailableNodes:n3";
  EXPECT_EQ(jobs({.reasons = {"ReqNodeNotAvail, Unavail"}}), (Ids{103}));
  EXPECT_EQ(jobs({.causes = {"fragmentation", "limit"}}), (Ids{103}));
  EXPECT_EQ(jobs({.gpus_min = 8}), (Ids{103, 101}));
  EXPECT_EQ(jobs({.gpu = false}), Ids{});
  EXPECT_EQ(jobs({.nodes = {"n2"}}), (Ids{101}));
  EXPECT_EQ(jobs({.nodes = {"n2", "n3"}}), (Ids{101, 102}));
}

TEST_F(Filter, UnknownWordsAreErrorsThatNameTheNearest) {
  EXPECT_EQ(jobs_error({.states = {"runing"}}),
            "no job state is named 'runing', did you mean running?");
  EXPECT_EQ(jobs_error({.queues = {"trian"}}),
            "no partition is named 'trian', did you mean train?");
  EXPECT_EQ(jobs_error({.nodes = {"gpu-1-17"}}), "no node is named 'gpu-1-17'");
  EXPECT_EQ(jobs_error({.causes = {"fragmentatoin"}}),
            "no root cause class is named 'fragmentatoin', did you mean fragmentation?");
  EXPECT_THAT(jobs_error({.causes = {"x"}}), HasSubstr("hold, dependency"));
  EXPECT_EQ(nodes_error({.queues = {"trian"}}),
            "no partition is named 'trian', did you mean train?");
  EXPECT_EQ(nodes_error({.states = {"drianed"}}),
            "no node state is named 'drianed', did you mean drained?");
}

TEST_F(Filter, NodesByState) {
  EXPECT_EQ(nodes({}), (Names{"n1", "n2", "n3"}));
  EXPECT_EQ(nodes({.states = {"unhealthy"}}), (Names{"n3"}));
  EXPECT_EQ(nodes({.states = {"drain"}}), (Names{"n3"}));
  EXPECT_EQ(nodes({.states = {"DRAINING"}}), (Names{"n3"}));
  EXPECT_EQ(nodes({.states = {"mixed"}}), (Names{"n1", "n2", "n3"}));
  EXPECT_EQ(nodes({.states = {"idle"}}), Names{});
}

TEST_F(Filter, NodesByWhatTheyHave) {
  snapshot_.nodes[1].features = {Symbol("roce")};
  EXPECT_EQ(nodes({.features = {"ib"}}), (Names{"n1", "n3"}));
  EXPECT_EQ(nodes({.queues = {"train"}, .features = {"roce"}}), (Names{"n2"}));
  EXPECT_EQ(nodes({.gpu_types = {"a100"}}), (Names{"n1", "n2", "n3"}));
  EXPECT_EQ(nodes({.gpu_types = {"h100"}}), Names{});
  EXPECT_EQ(nodes({.free_gpus = 2}), (Names{"n1", "n2"}));  // the drained one has more
  EXPECT_EQ(nodes({.free_gpus = 3}), Names{});
  EXPECT_EQ(nodes({.gpu = false}), Names{});
}

TEST_F(Filter, NodesWhoseUseIsUnknownHaveNoFreeGpus) {
  snapshot_.nodes[1].gres[0].used.reset();
  EXPECT_EQ(nodes({.free_gpus = 0}), (Names{"n1"}));
}

}  // namespace
}  // namespace schedlens::api
