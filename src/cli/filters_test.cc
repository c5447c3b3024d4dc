// SPDX-License-Identifier: Apache-2.0
#include "cli/filters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/sample_cluster_test.h"

namespace schedlens::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Filters : public testing::Test {
 protected:
  std::vector<std::string> ids(const QueueFilter& filter) const {
    auto found = select_workloads(s_, api::causes_by_id(s_, test::sample_causes(s_)), filter);
    std::vector<std::string> out;
    EXPECT_TRUE(found.has_value()) << found.error().message();
    if (!found) return out;
    for (auto id : *found) out.push_back(model::display_id(s_.workload(id)));
    return out;
  }

  std::vector<std::string> nodes(const NodeFilter& filter) const {
    std::vector<std::string> out;
    for (auto id : select_nodes(s_, filter)) out.push_back(s_.node(id).name.str());
    return out;
  }

  model::Snapshot s_ = test::sample_cluster();
};

TEST_F(Filters, WaitingInSchedulerOrderThenRunningByWhatTheyHold) {
  EXPECT_THAT(ids({}), ElementsAre("201", "202_[3-12]", "203", "204", "101", "104", "102", "103",
                                   "105", "106"));
  EXPECT_THAT(ids({.phase = Phase::kWaiting}), ElementsAre("201", "202_[3-12]", "203", "204"));
  EXPECT_THAT(ids({.phase = Phase::kRunning, .users = {"carol"}}), ElementsAre("104", "105"));
  EXPECT_EQ(ids({.phase = Phase::kAll}).back(), "90");
}

TEST_F(Filters, ByName) {
  EXPECT_THAT(ids({.users = {"alice", "erin"}}), ElementsAre("201", "202_[3-12]", "101"));
  EXPECT_THAT(ids({.accounts = {"speech"}}), ElementsAre("202_[3-12]", "106"));
  EXPECT_THAT(ids({.queues = {"dev"}}), ElementsAre("203", "106"));
  EXPECT_THAT(ids({.qos = {"high"}}), IsEmpty());
  EXPECT_THAT(ids({.users = {"ali"}}), IsEmpty());  // names are whole
  EXPECT_THAT(ids({.users = {"alice"}, .accounts = {"speech"}}), IsEmpty());
}

TEST_F(Filters, ByStateReasonCauseAndSize) {
  EXPECT_THAT(ids({.states = {"completed"}}), ElementsAre("90"));
  EXPECT_THAT(ids({.reasons = {"qos"}}), ElementsAre("202_[3-12]"));
  EXPECT_THAT(ids({.reasons = {"ReqNodeNotAvail, Unavail"}}), ElementsAre("204"));
  EXPECT_THAT(ids({.causes = {"limit", "priority"}}), ElementsAre("202_[3-12]", "203"));
  EXPECT_THAT(ids({.gpus_min = 12}), ElementsAre("204", "101", "104"));
}

TEST_F(Filters, AnUnknownClassNamesTheNearest) {
  auto found = select_workloads(s_, api::causes_by_id(s_, {}), {.causes = {"fragmentatoin"}});
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found.error().message(), HasSubstr("did you mean fragmentation?"));
  found = select_workloads(s_, api::causes_by_id(s_, {}), {.causes = {"x"}});
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found.error().message(), HasSubstr("hold, dependency"));
}

TEST_F(Filters, Nodes) {
  EXPECT_EQ(nodes({}).size(), s_.nodes.size());
  EXPECT_THAT(nodes({.states = {"drained"}}), ElementsAre("node0006"));
  EXPECT_THAT(nodes({.states = {"DRAIN"}}), ElementsAre("node0006", "node0007"));
  EXPECT_THAT(nodes({.queues = {"dev"}}), ElementsAre("hopper2"));
  EXPECT_THAT(nodes({.features = {"h100"}}), ElementsAre("hopper1", "hopper2"));
  EXPECT_THAT(nodes({.gpu_types = {"h100"}, .free_gpus = 2}), ElementsAre("hopper2"));
  EXPECT_THAT(nodes({.free_gpus = 3}), ElementsAre("node0003"));  // drained ones have more
  EXPECT_THAT(nodes({.out_of_service = true}), ElementsAre("node0006", "node0007", "hopper1"));
}

TEST_F(Filters, NodesWhoseUseIsUnknownHaveNoFreeGpus) {
  s_.nodes[1].gres[0].used.reset();
  EXPECT_THAT(nodes({.free_gpus = 0, .out_of_service = false}),
              testing::Not(testing::Contains("node0001")));
}

}  // namespace
}  // namespace schedlens::cli
