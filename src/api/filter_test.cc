// SPDX-License-Identifier: Apache-2.0
#include "api/filter.h"

#include <gtest/gtest.h>

#include "api/sample_snapshot_test.h"

namespace schedlens::api {
namespace {

class Filter : public testing::Test {
 protected:
  std::vector<std::uint32_t> jobs(const WorkloadFilter& filter) {
    auto ids = select_workloads(snapshot_, filter);
    if (!ids) throw std::runtime_error(ids.error().message());
    std::vector<std::uint32_t> out;
    for (auto id : *ids) out.push_back(snapshot_.workload(id).job_id);
    return out;
  }
  std::vector<std::string> nodes(const NodeFilter& filter) {
    auto ids = select_nodes(snapshot_, filter);
    if (!ids) throw std::runtime_error(ids.error().message());
    std::vector<std::string> out;
    for (auto id : *ids) out.push_back(snapshot_.node(id).name.str());
    return out;
  }
  void add(std::uint32_t id, model::WorkloadState state, std::int64_t start, std::int64_t end) {
    auto w = test::job(id, "dave", state, 0);
    w.start = Timestamp{start};
    w.end = Timestamp{end};
    snapshot_.workloads.push_back(w);
    snapshot_.build_index();
  }

  model::Snapshot snapshot_ = test::sample_snapshot();
};

using Ids = std::vector<std::uint32_t>;
using Names = std::vector<std::string>;

TEST_F(Filter, WaitingFirstThenRunningThenFinished) {
  add(90, model::WorkloadState::kCompleted, 10, 20);
  add(91, model::WorkloadState::kFailed, 10, 30);
  add(92, model::WorkloadState::kRunning, 5, 0);
  EXPECT_EQ(jobs({}), (Ids{103, 104, 92, 101, 102}));
  EXPECT_EQ(jobs({.state = "all"}), (Ids{103, 104, 92, 101, 102, 91, 90}));
  EXPECT_EQ(jobs({.state = "completed"}), (Ids{90}));
}

TEST_F(Filter, ConditionsMustAllHold) {
  EXPECT_EQ(jobs({.user = "carol"}), (Ids{103, 104}));
  EXPECT_EQ(jobs({.user = "carol", .reason = "resources"}), (Ids{103}));
  EXPECT_EQ(jobs({.user = "carol", .state = "running"}), Ids{});
  EXPECT_EQ(jobs({.account = "vision"}), Ids{});
  EXPECT_EQ(jobs({.queue = "train", .state = "running"}), (Ids{101, 102}));
  EXPECT_EQ(jobs({.gpu = false}), Ids{});
  EXPECT_EQ(jobs({.user = "nobody"}), Ids{});
}

TEST_F(Filter, OnANodeMeansHoldingIt) {
  EXPECT_EQ(jobs({.node = "n2"}), (Ids{101}));
  EXPECT_EQ(select_workloads(snapshot_, {.node = "n9"}).error().message(), "no node is named 'n9'");
}

TEST_F(Filter, FlagsAreStatesToo) {
  snapshot_.workloads[0].flags.set(model::WorkloadFlag::kCompleting);
  EXPECT_EQ(jobs({.state = "completing"}), (Ids{101}));
  EXPECT_EQ(jobs({.state = "running"}), (Ids{101, 102}));
}

TEST_F(Filter, UnknownWordsAreErrorsNotEmptyAnswers) {
  EXPECT_EQ(select_workloads(snapshot_, {.state = "runing"}).error().message(),
            "no job state is named 'runing'");
  EXPECT_EQ(select_workloads(snapshot_, {.queue = "trian"}).error().message(),
            "no partition is named 'trian'");
  EXPECT_EQ(select_nodes(snapshot_, {.queue = "trian"}).error().message(),
            "no partition is named 'trian'");
  EXPECT_EQ(select_nodes(snapshot_, {.state = "drianed"}).error().message(),
            "no node state is named 'drianed'");
}

TEST_F(Filter, NodesByStateAndFeature) {
  snapshot_.nodes[1].features = {Symbol("roce")};
  EXPECT_EQ(nodes({}), (Names{"n1", "n2", "n3"}));
  EXPECT_EQ(nodes({.state = "unhealthy"}), (Names{"n3"}));
  EXPECT_EQ(nodes({.state = "drain"}), (Names{"n3"}));
  EXPECT_EQ(nodes({.state = "draining"}), (Names{"n3"}));
  EXPECT_EQ(nodes({.state = "mixed"}), (Names{"n1", "n2", "n3"}));
  EXPECT_EQ(nodes({.feature = "ib"}), (Names{"n1", "n3"}));
  EXPECT_EQ(nodes({.gpu = false}), Names{});
}

}  // namespace
}  // namespace schedlens::api
