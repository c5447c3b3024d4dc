// SPDX-License-Identifier: Apache-2.0
#include "diagnose/remedies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/remedy_text.h"
#include "diagnose/smallest_hole.h"
#include "diagnose/test_cluster.h"
#include "diagnose/what_if.h"

namespace schedlens::diagnose {
namespace {

using model::WorkloadId;
using testing::Cluster;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::gib;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNow;
using testing::limit;
using ::testing::Not;

std::vector<Remedy> remedies(Cluster& c) {
  const auto verdict = c.why();
  Explainer explainer(c.s);
  return find_remedies(c.s, explainer, verdict);
}

std::vector<std::string> commands(const std::vector<Remedy>& remedies) {
  std::vector<std::string> all;
  for (const auto& r : remedies) all.push_back(r.command);
  return all;
}

std::optional<Starts> starts_after(const std::vector<Remedy>& remedies, std::string_view command) {
  for (const auto& r : remedies) {
    if (r.command == command) return r.starts;
  }
  return std::nullopt;
}

const Remedy* first_of(const std::vector<Remedy>& remedies, RemedyKind kind) {
  for (const auto& r : remedies) {
    if (r.kind == kind) return &r;
  }
  return nullptr;
}

// Slurm looks at a singleton once it is not held; until then it calls it unfulfilled.
TEST(Remedies, AHeldSingletonWaitsForThoseOfItsNameAlone) {
  const auto command = [](const std::string& user, const std::string& name) {
    Cluster c;
    c.run(user, {0}, 1).name = name;
    auto& w = c.wait("alice");
    w.name = "one";
    w.priority = 0;
    w.reason = Symbol("JobHeldUser");
    w.dependency = "singleton(unfulfilled)";
    const auto id = std::to_string(w.job_id);
    return commands(remedies(c)).at(0) == "scontrol release " + id;
  };
  EXPECT_TRUE(command("alice", "two"));
  EXPECT_TRUE(command("bob", "one"));
  EXPECT_FALSE(command("alice", "one"));
}

TEST(Remedies, AHeldJobIsReleasedByWhoHeldIt) {
  Cluster c;
  auto& w = c.wait();
  w.priority = 0;
  w.reason = Symbol("JobHeldUser");
  auto found = remedies(c);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].who, Actor::kUser);
  EXPECT_EQ(found[0].command, "scontrol release 1");
  EXPECT_EQ(found[0].starts, Starts::kNow);
  c.s.workloads[0].reason = Symbol("JobHeldAdmin");
  EXPECT_EQ(remedies(c).at(0).who, Actor::kOperator);
}

TEST(Remedies, AHeldJobThatWouldNotFitNeedsMore) {
  Cluster c(1);
  c.run("bob", {0}, 64, 8);
  auto& w = c.wait("alice", 8);
  w.priority = 0;
  w.reason = Symbol("JobHeldAdmin");
  auto found = remedies(c);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].command, "scontrol release 2\nscontrol requeuehold 1");
  EXPECT_EQ(found[0].kind, RemedyKind::kEndWorkloads);
  EXPECT_THAT(found[0].ends, ElementsAre(WorkloadId{0}));
}

TEST(Remedies, AHoldIsNotLiftedByABeginTime) {
  Cluster c;
  auto& w = c.wait();
  w.priority = 0;
  w.reason = Symbol("JobHeldAdmin");
  w.eligible = Timestamp{kNow + 600};
  EXPECT_THAT(commands(remedies(c)),
              ElementsAre("scontrol release 1\nscontrol update JobId=1 StartTime=now"));
}

TEST(Remedies, ADependencyIsDropped) {
  Cluster c;
  auto& w = c.wait();
  w.dependency = "afterok:12(failed)";
  w.reason = Symbol("DependencyNeverSatisfied");
  EXPECT_THAT(commands(remedies(c)), ElementsAre("scontrol update JobId=1 Dependency="));
}

TEST(Remedies, ABeginTimeIsBroughtForward) {
  Cluster c;
  auto& w = c.wait();
  w.eligible = Timestamp{kNow + 600};
  w.reason = Symbol("BeginTime");
  EXPECT_THAT(commands(remedies(c)), ElementsAre("scontrol update JobId=1 StartTime=now"));
}

TEST(Remedies, WhereTheHoleIsSmallerTheJobMayBe) {
  Cluster c(2);
  c.run("bob", {0, 1}, 8, 4);
  c.wait("alice", 8);
  auto found = remedies(c);
  EXPECT_THAT(commands(found), Contains("scontrol update JobId=2 Gres=gpu:4"));
  const auto* end = first_of(found, RemedyKind::kEndWorkloads);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->command, "scontrol requeuehold 1");
  EXPECT_EQ(end->who, Actor::kOperator);
  EXPECT_EQ(found.front().who, Actor::kUser);
}

TEST(Remedies, MemoryThatIsNotThereNeedNotBeAskedFor) {
  Cluster c(1);
  c.run("bob", {0}, 8, 1, gib(900));
  auto& w = c.wait("alice", 1);
  w.request.memory = gib(200);
  EXPECT_THAT(commands(remedies(c)), Contains("scontrol update JobId=2 MinMemoryNode=102400"));
}

TEST(Remedies, DrainedNodesComeBackAsFarAsTheyAreNeeded) {
  Cluster c(3);
  for (int i = 0; i < 3; ++i) c.drain(i, "switch broken");
  auto& w = c.wait("alice", 8);
  w.request.min_nodes = w.request.max_nodes.emplace(2);
  w.request.cpus = 2;
  auto found = remedies(c);
  const auto* back = first_of(found, RemedyKind::kReturnNodes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->command, "scontrol update NodeName=n0,n1 State=RESUME");
  EXPECT_THAT(back->effect, HasSubstr("n0 is drained ('switch broken', root)"));
}

TEST(Remedies, ANodeThatDoesNotAnswerIsNotResumed) {
  Cluster c(1);
  c.node(0).state = model::NodeState::kDown;
  c.node(0).flags.set(model::NodeFlag::kNotResponding);
  c.wait("alice", 8);
  EXPECT_THAT(remedies(c), IsEmpty());
}

TEST(Remedies, AJobThatEndsBeforeTheReservationMayStart) {
  Cluster c(1);
  c.reserve("maint", {0}, 1800, 7200);
  c.wait();
  auto found = remedies(c);
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0].command, "scontrol update JobId=1 TimeLimit=0-00:29:00");
  EXPECT_EQ(found[1].command, "scontrol delete ReservationName=maint");
}

TEST(Remedies, AnotherPartitionIsNamedWhereItHasRoom) {
  Cluster c(2);
  c.queue().nodes = {{0}};
  c.add_queue("spare", {1});
  c.run("bob", {0}, 64, 8);
  c.wait("alice", 8);
  EXPECT_THAT(commands(remedies(c)), Contains("scontrol update JobId=2 Partition=spare"));
}

TEST(Remedies, ALimitThatOthersFillIsKeptOrRaised) {
  Cluster c;
  c.qos("normal").limits = {limit(model::LimitKind::kGrpTres, "gres/gpu", 8, 6)};
  c.run("bob", {0}, 8, 6);
  c.wait("alice", 4);
  auto found = remedies(c);
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0].command, "scontrol update JobId=2 Gres=gpu:2");
  const auto* raised = first_of(found, RemedyKind::kRaiseLimit);
  ASSERT_TRUE(raised);
  EXPECT_EQ(raised->command, "sacctmgr -i modify qos where name=normal set GrpTRES=gres/gpu=10");
}

TEST(Remedies, APartitionsRuleIsKeptOrLoosened) {
  Cluster c;
  c.queue().max_time = Bound<Seconds>::of({1800});
  c.wait();
  auto found = remedies(c);
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0].command, "scontrol update JobId=1 TimeLimit=0-00:30:00");
  EXPECT_EQ(found[1].command, "scontrol update PartitionName=main MaxTime=0-01:00:00");
}

TEST(Remedies, WhatItWishesForItCanDoWithout) {
  Cluster c(2);
  c.node(1).features = {Symbol("h100")};
  c.run("bob", {1}, 64, 8);
  auto& w = c.wait("alice", 8);
  w.request.features = "h100";
  EXPECT_THAT(commands(remedies(c)), Contains("scontrol update JobId=2 Features="));
}

TEST(Remedies, BehindAnotherItIsMovedToTheFrontOrMadeShort) {
  Cluster c(2);
  c.run("bob", {0}, 8, 8);
  auto& big = c.wait("carol", 8);
  big.request.min_nodes = big.request.max_nodes.emplace(2);
  big.request.cpus = 2;
  big.start = Timestamp{kNow + 3000};
  c.wait("alice", 1).reason = Symbol("Priority");
  auto found = remedies(c);
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0].command, "scontrol update JobId=3 TimeLimit=0-00:49:00");
  EXPECT_EQ(found[1].command, "scontrol update JobId=3 Priority=9999");
  EXPECT_EQ(found[1].who, Actor::kOperator);
}

TEST(Remedies, SaysWhoMustWaitInstead) {
  Cluster c(1);
  c.run("bob", {0}, 8, 6);
  c.wait("carol", 2);                              // would start now
  c.wait("alice", 2).reason = Symbol("Priority");  // the room goes to carol's
  auto found = remedies(c);
  const auto* first = first_of(found, RemedyKind::kRaisePriority);
  ASSERT_TRUE(first);
  EXPECT_THAT(first->delays, ElementsAre(WorkloadId{1}));
  EXPECT_TRUE(delays_known(c.s, *first));
  Remedy in_turn;
  in_turn.starts = Starts::kInTurn;
  EXPECT_FALSE(delays_known(c.s, in_turn));
}

TEST(Remedies, NoStepIsThereThatIsNotNeeded) {
  Cluster c(4);
  c.queue().nodes = {{0}, {1}};
  c.add_queue("other", {2, 3});
  c.add_queue("third", {1, 2});
  c.run("bob", {0, 1}, 8, 5);
  c.run("bob", {2, 3}, 8, 6);
  c.wait("alice", 8);
  const auto found = remedies(c);
  EXPECT_THAT(commands(found), Contains("scontrol update JobId=3 Gres=gpu:3"));
  for (const auto& r : found) {
    EXPECT_THAT(r.command, Not(HasSubstr("Partition="))) << r.command;
    EXPECT_EQ(std::count_if(found.begin(), found.end(),
                            [&](const auto& other) { return other.command == r.command; }),
              1);
  }
}

TEST(Remedies, NothingForWhatCannotBeHelped) {
  Cluster c;
  auto& w = c.wait();
  w.request.min_nodes = 9;
  w.request.max_nodes = 9;
  w.request.cpus = 9;
  auto found = remedies(c);
  EXPECT_THAT(commands(found), ElementsAre("scontrol update JobId=1 NumNodes=8-8 NumCPUs=8"));
  c.run("bob", {0}, 1);
  EXPECT_THAT(remedies(c), IsEmpty());  // it runs
}

// With a number of tasks on each node all of them would not fit on fewer nodes.
TEST(Remedies, FewerNodesHaveFewerTasks) {
  Cluster c;
  c.queue().max_nodes = Bound<std::uint32_t>::of(1);
  auto& w = c.wait();
  w.request.min_nodes = 3;
  w.request.max_nodes = 3;
  w.request.tasks = 6;
  w.request.tasks_per_node = 2;
  w.request.cpus_per_task = 4;
  w.request.cpus = 24;
  EXPECT_THAT(commands(remedies(c)),
              Contains("scontrol update JobId=1 NumNodes=1-1 NumTasks=2 NumCPUs=8"));
}

// A limit that is raised for one is raised for those ahead of it, too, and they take it.
TEST(Remedies, WhatIsRaisedGoesToThoseAheadFirst) {
  const auto starts = [](double jobs_ahead) {
    Cluster c;
    c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpJobs, "", 1, 1));
    c.run("bob", {0}, 1);
    for (int i = 0; i < jobs_ahead; ++i) c.wait("carol").priority = 1000;
    c.wait("alice").priority = 10;
    const auto found = remedies(c);
    const auto* raised = first_of(found, RemedyKind::kRaiseLimit);
    return raised ? std::optional(raised->starts) : std::nullopt;
  };
  EXPECT_EQ(starts(0), Starts::kNow);
  EXPECT_EQ(starts(1), Starts::kInTurn);
}

// Between two commands the scheduler may come by, and give to others what was raised.
TEST(Remedies, APlaceInTheQueueIsGivenBeforeRoomIsMade) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpJobs, "", 1, 1));
  c.run("bob", {0}, 1);
  c.wait("carol").priority = 1000;
  c.wait("alice").priority = 10;
  EXPECT_THAT(commands(remedies(c)),
              Contains("scontrol update JobId=3 Priority=1001\n"
                       "sacctmgr -i modify qos where name=normal set GrpJobs=2"));
}

// One ahead that may be backfilled may take the limit as well.
TEST(Remedies, WhatIsRaisedMayGoToOneThatIsBackfilled) {
  Cluster c(2);
  c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpJobs, "", 1, 1));
  c.run("bob", {0}, 8, 8);
  auto& first = c.wait("dave", 8);
  first.qos = Symbol("other");
  first.request.min_nodes = 2;
  first.request.max_nodes = 2;
  first.request.cpus = 2;
  first.priority = 2000;
  c.wait("carol", 4).priority = 1000;
  c.wait("alice", 4).priority = 10;
  const auto found = remedies(c);
  const auto* raised = first_of(found, RemedyKind::kRaiseLimit);
  ASSERT_TRUE(raised);
  EXPECT_EQ(raised->starts, Starts::kInTurn);
}

// Whoever is ended for the room leaves some of a limit, too, and one ahead may have waited for it.
TEST(Remedies, AnEndedJobGivesBackWhatItTookOfLimits) {
  Cluster c(1);
  c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpJobs, "", 1, 1));
  c.run("bob", {0}, 8, 8);
  c.wait("carol", 8).priority = 1000;
  auto& w = c.wait("alice", 8);
  w.qos = Symbol("other");
  w.priority = 10;
  EXPECT_EQ(starts_after(remedies(c), "scontrol requeuehold 1"), Starts::kInTurn);
}

TEST(Remedies, AReservationInUseIsNotDeleted) {
  Cluster c(1);
  c.reserve("maint", {0}, 1800, 7200);
  c.wait("bob").reservation = Symbol("maint");
  c.wait();
  for (const auto& r : remedies(c)) EXPECT_NE(r.kind, RemedyKind::kReleaseReservation);
}

TEST(Remedies, LicencesGoToThoseAheadFirst) {
  const auto starts = [](std::uint64_t asked_ahead) {
    Cluster c;
    c.s.licences.push_back({Symbol("matlab"), 2, 2, 0, {}, false});
    c.run("bob", {0}, 1).request.licences = {{Symbol("matlab"), Symbol(), 2}};
    auto& ahead = c.wait("carol");
    ahead.priority = 1000;
    if (asked_ahead > 0) ahead.request.licences = {{Symbol("matlab"), Symbol(), asked_ahead}};
    auto& w = c.wait("alice");
    w.priority = 10;
    w.request.licences = {{Symbol("matlab"), Symbol(), 1}};
    return starts_after(remedies(c), "scontrol requeuehold 1");
  };
  EXPECT_EQ(starts(0), Starts::kNow);
  EXPECT_EQ(starts(1), Starts::kNow);
  EXPECT_EQ(starts(2), Starts::kInTurn);
}

// One ahead had no plan as long as the limit held it up; then it gets one, on the node that is
// free.
TEST(Remedies, WhatIsRaisedMayBePlannedForThoseAhead) {
  const auto starts = [](Seconds run) {
    Cluster c(1);
    c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpJobs, "", 1, 1));
    c.run("bob", {0}, 1, 4);
    c.add_queue("other", {0});
    auto& ahead = c.wait("carol", 8);
    ahead.priority = 1000;
    ahead.queues = {Symbol("other")};
    auto& w = c.wait("alice", 4);
    w.priority = 10;
    w.time_limit = Bound<Seconds>::of(run);
    c.qos("normal").limits.front().kind = model::LimitKind::kGrpJobs;
    return starts_after(remedies(c), "sacctmgr -i modify qos where name=normal set GrpJobs=2");
  };
  EXPECT_EQ(starts({1800}), Starts::kNow);
  EXPECT_EQ(starts({7200}), Starts::kInTurn);
}

// Otherwise another one of its account takes what was raised before it fits itself.
TEST(Remedies, TheJobIsChangedBeforeALimitIsRaised) {
  Cluster c(1);
  c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpJobs, "", 1, 1));
  c.run("bob", {0}, 1, 4);
  auto& w = c.wait("alice", 8);
  w.request.totals.set(model::names::kGresGpu, 8);
  const auto found = remedies(c);
  EXPECT_THAT(commands(found), Contains("scontrol update JobId=2 Gres=gpu:4\n"
                                        "sacctmgr -i modify qos where name=normal set GrpJobs=2"));
}

// The holders do not end in the same moment, and one that needs less may come between.
TEST(Remedies, LicencesOfSeveralHoldersMayGoToOthers) {
  const auto starts = [](bool wanted_by_another) {
    Cluster c;
    c.s.licences.push_back({Symbol("matlab"), 2, 2, 0, {}, false});
    c.run("bob", {0}, 1).request.licences = {{Symbol("matlab"), Symbol(), 1}};
    c.run("bob", {0}, 1).request.licences = {{Symbol("matlab"), Symbol(), 1}};
    auto& w = c.wait("alice");
    w.priority = 1000;
    w.request.licences = {{Symbol("matlab"), Symbol(), 2}};
    auto& other = c.wait("carol");
    other.priority = 10;
    if (wanted_by_another) other.request.licences = {{Symbol("matlab"), Symbol(), 1}};
    std::swap(c.s.workloads[2], c.s.workloads[3]);
    return starts_after(remedies(c), "scontrol requeuehold 1,2");
  };
  EXPECT_EQ(starts(false), Starts::kNow);
  EXPECT_EQ(starts(true), Starts::kInTurn);
}

// Between the first and the second command, another one of its account starts.
TEST(Remedies, WhatIsRaisedFirstMayBeTakenBeforeTheSecond) {
  const auto starts = [](bool another) {
    Cluster c(2);
    c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpJobs, "", 1, 1));
    c.run("bob", {0}, 64, 8);
    c.drain(1);
    c.wait("alice", 8).priority = 1000;
    if (another) {
      auto& other = c.wait("carol");
      other.priority = 10;
      other.request.cpus = 1;
      c.add_queue("cpu", {2});
      c.add_node("n2").gres.clear();
      other.queues = {Symbol("cpu")};
      std::swap(c.s.workloads[1], c.s.workloads[2]);
    }
    const auto found = remedies(c);
    const auto* raised = first_of(found, RemedyKind::kRaiseLimit);
    return raised ? std::optional(raised->starts) : std::nullopt;
  };
  EXPECT_EQ(starts(false), Starts::kNow);
  EXPECT_NE(starts(true), Starts::kNow);
}

TEST(SmallestHole, PrefersTheNodeWithTheFewestJobsInTheWay) {
  Cluster c(2);
  for (int i = 0; i < 4; ++i) c.run("bob", {0}, 2, 2);
  c.run("carol", {1}, 8, 6);
  c.run("dave", {1}, 8, 2);
  const auto id = WorkloadId{static_cast<std::uint32_t>(c.s.workloads.size())};
  c.wait("alice", 8);
  c.s.build_index();
  auto hole = smallest_hole(c.s, id);
  ASSERT_TRUE(hole);
  EXPECT_THAT(hole->ends, ElementsAre(WorkloadId{4}, WorkloadId{5}));
  EXPECT_EQ(hole->by_itself, (Timestamp{kNow + 3000}));
}

TEST(SmallestHole, OneJobMayFreeSeveralNodes) {
  Cluster c(3);
  c.run("bob", {0}, 8, 8);
  c.run("carol", {1, 2}, 8, 8);
  const auto id = WorkloadId{static_cast<std::uint32_t>(c.s.workloads.size())};
  auto& w = c.wait("alice", 8);
  w.request.min_nodes = w.request.max_nodes.emplace(2);
  w.request.cpus = 2;
  c.s.build_index();
  auto hole = smallest_hole(c.s, id);
  ASSERT_TRUE(hole);
  EXPECT_LE(hole->ends.size(), 2u);
}

TEST(WhatIf, LeavesTheSnapshotAsItWas) {
  Cluster c(1);
  c.run("bob", {0}, 64, 8);
  c.wait("alice", 8);
  c.s.build_index();
  auto after = what_if(c.s, {1}, {[](model::Snapshot& s) { end_workload(s, {0}); }});
  EXPECT_TRUE(after.starts);
  EXPECT_EQ(c.node(0).cpus_allocated, 64u);
  EXPECT_EQ(*c.node(0).gres.front().used, 8u);
  EXPECT_TRUE(model::holds_resources(c.s.workload({0})));
  EXPECT_EQ(after.snapshot->node({0}).cpus_allocated, 0u);
}

TEST(RemedyText, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("Gres=gpu:a100:4"), "Gres=gpu:a100:4");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word("$(reboot)"), "'$(reboot)'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Remedies, RunningJobsThatFillALimitAreEnded) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpTres, "gres/gpu", 8, 8));
  c.run("bob", {0}, 1, 2);
  c.run("carol", {1}, 1, 6);
  c.wait("alice", 4);
  const auto found = remedies(c);
  const auto* ends = first_of(found, RemedyKind::kEndWorkloads);
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->command, "scontrol requeuehold 2");
  EXPECT_EQ(ends->starts, Starts::kNow);
  EXPECT_THAT(ends->effect, HasSubstr("which fill GrpTRES of QOS normal,"));
}

TEST(Remedies, OneWhoseRequestAloneExceedsALimitEndsNobody) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpTres, "gres/gpu", 8, 8));
  c.run("bob", {0}, 1, 8);
  c.wait("alice", 8).request.gres_per_node.front().count = 9;
  EXPECT_FALSE(first_of(remedies(c), RemedyKind::kEndWorkloads));
}

}  // namespace
}  // namespace schedlens::diagnose
