// SPDX-License-Identifier: Apache-2.0
#include "slurm/collector.h"

#include "slurm/fake_slurm_test.h"

namespace schedlens::slurm {
namespace {

TEST_F(Collecting, EverythingTheFirstTime) {
  auto s = collect();
  ASSERT_TRUE(s);
  EXPECT_EQ(s->cluster, "lab");
  EXPECT_EQ(s->scheduler_version, "22.05.8");
  EXPECT_EQ(s->time, clock.now());
  EXPECT_EQ(s->nodes.size(), 8u);
  EXPECT_EQ(s->workloads.size(), 24u);
  EXPECT_EQ(s->queues.size(), 3u);
  EXPECT_EQ(s->qos.size(), 5u);
  EXPECT_EQ(s->associations.size(), 13u);
  EXPECT_EQ(s->reservations.size(), 2u);
  EXPECT_EQ(s->licences.size(), 1u);
  EXPECT_TRUE(s->config);
  EXPECT_TRUE(s->vitals);
  EXPECT_EQ(s->sources.size(), 11u);
  for (const auto& status : s->sources) {
    EXPECT_EQ(status.state, SourceState::kFresh) << status.name << " " << status.error;
    EXPECT_EQ(status.last_success, clock.now()) << status.name;
  }
  // What different commands say about one job is together.
  const auto& w = s->workload(s->find_workloads("76").at(0));
  ASSERT_TRUE(w.request.excluded_nodes);
  EXPECT_THAT(*w.request.excluded_nodes, IsEmpty());
  ASSERT_TRUE(w.factors);
  EXPECT_EQ(w.factors->tres, 258);
  EXPECT_EQ(s->find_qos(Symbol("urgent"))->preempts->size(), 2u);
  EXPECT_EQ(s->workloads_on(*s->find_node(Symbol("node0002"))).size(), 4u);
  EXPECT_EQ(collector.current(), s);
}

TEST_F(Collecting, EachCommandOncePerIntervalHoweverManyReaders) {
  auto first = collect();
  int after_first = runner.total();
  EXPECT_EQ(after_first, 11);
  clock.seconds = 29;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(collect(), first);
  EXPECT_EQ(runner.total(), after_first);
  clock.seconds = 30;
  auto second = collect();
  EXPECT_NE(second, first);
  EXPECT_EQ(runner.count("squeue"), 2);
  EXPECT_EQ(runner.count("node"), 2);
  EXPECT_EQ(runner.count("config"), 1) << "slow";
  EXPECT_EQ(runner.count("qos"), 1);
  EXPECT_EQ(runner.count("excluded"), 1);
  EXPECT_TRUE(second->config) << "kept between slow reads";
  EXPECT_EQ(second->find_qos(Symbol("urgent"))->preempts->size(), 2u);
  EXPECT_TRUE(second->workload(second->find_workloads("76").at(0)).request.excluded_nodes);
  clock.seconds = 300;
  collect();
  EXPECT_EQ(runner.count("config"), 2);
}

// A failed read is never an empty cluster.
TEST_F(Collecting, AFailingCommandKeepsItsLastDataWithTheirAge) {
  collect();
  runner.failures["squeue"] = "squeue: exit 1: slurm_load_jobs error: Invalid user id";
  clock.seconds = 30;
  auto s = collect();
  EXPECT_EQ(s->workloads.size(), 24u);
  const auto& jobs = source(s, "squeue");
  EXPECT_EQ(jobs.state, SourceState::kFailed);
  EXPECT_EQ(jobs.error, "squeue: exit 1: slurm_load_jobs error: Invalid user id");
  EXPECT_EQ(jobs.last_success, Timestamp{1796000000});
  EXPECT_EQ(jobs.last_attempt, Timestamp{1796000030});
  EXPECT_EQ(jobs.failures, 1u);
  EXPECT_EQ(jobs.reads, 2u);
  EXPECT_EQ(source(s, "scontrol show node").state, SourceState::kFresh);
  runner.failures.clear();
  clock.seconds = 60;
  s = collect();
  EXPECT_EQ(source(s, "squeue").state, SourceState::kFresh);
  EXPECT_EQ(source(s, "squeue").error, "");
}

// The interval is 30 seconds, a command may take as long, and what changes rarely is read every
// five minutes.
TEST_F(Collecting, WhatNobodyReadsAgainBecomesStale) {
  auto read = collect();
  clock.seconds = 90;
  EXPECT_EQ(collector.current(), read);
  clock.seconds = 91;
  auto old = collector.current();
  EXPECT_EQ(source(old, "squeue").state, SourceState::kStale);
  EXPECT_EQ(source(old, "squeue").last_success, Timestamp{1796000000});
  EXPECT_EQ(source(old, "scontrol show config").state, SourceState::kFresh);
  EXPECT_EQ(old->workloads.size(), 24u);
  EXPECT_EQ(source(read, "squeue").state, SourceState::kFresh);
  EXPECT_EQ(collector.current(), old);
  clock.seconds = 901;
  EXPECT_EQ(source(collector.current(), "scontrol show config").state, SourceState::kStale);
  EXPECT_EQ(source(collect(), "squeue").state, SourceState::kFresh);
}

TEST_F(Collecting, AFailedSourceStaysFailedHoweverOld) {
  collect();
  runner.failures["squeue"] = "squeue: exit 1: no";
  clock.seconds = 30;
  collect();
  clock.seconds = 500;
  EXPECT_EQ(source(collector.current(), "squeue").state, SourceState::kFailed);
}

// A round in which every command is slow takes longer than its first answers stay fresh.
TEST_F(Collecting, ARoundThatTakesTooLongIsPartlyStaleWhenItEnds) {
  runner.on_run = [&](const std::string&) { clock.seconds += 25; };
  auto s = collect();
  EXPECT_EQ(source(s, "scontrol show node").state, SourceState::kStale);
  EXPECT_EQ(source(s, "sdiag").state, SourceState::kFresh);
}

TEST_F(Collecting, OutputThatCannotBeReadIsAFailureToo) {
  collect();
  runner.texts["node"] = "Segmentation fault\n";
  runner.texts["squeue"] = "garbage";
  clock.seconds = 30;
  auto s = collect();
  EXPECT_EQ(s->nodes.size(), 8u);
  EXPECT_EQ(s->workloads.size(), 24u);
  EXPECT_THAT(source(s, "scontrol show node").error, HasSubstr("scontrol show node: none of 1"));
  EXPECT_THAT(source(s, "squeue").error, HasSubstr("squeue: output is cut off"));
}

TEST_F(Collecting, AControllerThatDoesNotAnswerIsNotAskedOnAndOn) {
  collect();
  runner.down = true;
  clock.seconds = 300;
  int before = runner.total();
  auto s = collect();
  ASSERT_TRUE(s);
  EXPECT_EQ(runner.total() - before, 3) << "two that asked the controller, one the database";
  EXPECT_EQ(s->nodes.size(), 8u);
  EXPECT_THAT(source(s, "squeue").error, HasSubstr("not asked in this round, after "));
  EXPECT_THAT(source(s, "squeue").error, HasSubstr("Unable to contact slurm controller"));
  for (const auto& status : s->sources)
    EXPECT_EQ(status.state, SourceState::kFailed) << status.name;
}

TEST_F(Collecting, SuddenlyNoNodesIsNotBelieved) {
  collect();
  runner.texts["node"] = "No nodes in the system\n";
  clock.seconds = 30;
  auto s = collect();
  EXPECT_EQ(s->nodes.size(), 8u);
  EXPECT_EQ(source(s, "scontrol show node").state, SourceState::kPartial);
  EXPECT_THAT(source(s, "scontrol show node").warnings,
              Contains(HasSubstr("suddenly lists no nodes")));
}

TEST_F(Collecting, PrivateDataHidesJobs) {
  auto config = fixture("22.05/config.txt");
  auto at = config.find("PrivateData");
  config.replace(at, config.find('\n', at) - at, "PrivateData             = jobs");
  runner.texts["config"] = config;
  auto sdiag = fixture("22.05/sdiag.txt");
  at = sdiag.find("Jobs running:");
  sdiag.replace(at, sdiag.find('\n', at) - at, "Jobs running:   40");
  runner.texts["sdiag"] = sdiag;
  auto s = collect();
  EXPECT_EQ(source(s, "squeue").state, SourceState::kPartial);
  EXPECT_THAT(source(s, "squeue").warnings,
              ElementsAre("partial view: squeue shows 7 running jobs, slurmctld counts 40: "
                          "PrivateData=jobs hides others"));
  runner.texts.erase("config");
  clock.seconds = 300;
  EXPECT_EQ(source(collect(), "squeue").state, SourceState::kFresh) << "nothing is private";
}

TEST_F(Collecting, UnreadableRecordsMakeASourcePartial) {
  auto node = fixture("22.05/node.txt");
  runner.texts["node"] = node + "NodeName=broken State=IDLE\n";
  auto s = collect();
  const auto& status = source(s, "scontrol show node");
  EXPECT_EQ(status.state, SourceState::kPartial);
  EXPECT_EQ(status.unreadable_records, 1u);
  EXPECT_EQ(status.records, 8u);
  EXPECT_THAT(status.warnings, ElementsAre(HasSubstr("NodeName=broken")));
}

TEST_F(Collecting, NodesThatOtherCommandsNameButThatAreNotListed) {
  auto node = fixture("22.05/node.txt");
  runner.texts["node"] = node.substr(0, node.find("NodeName=node0006"));
  auto s = collect();
  EXPECT_EQ(s->nodes.size(), 6u);
  EXPECT_EQ(source(s, "squeue").state, SourceState::kPartial);
  EXPECT_THAT(source(s, "squeue").warnings, Contains(HasSubstr("node0006")));
  EXPECT_THAT(s->queues[1].unknown_nodes, ElementsAre("node0006", "node0007"));
}

TEST_F(Collecting, KeptJobsFollowTheirNodesWhenTheListOfNodesChanges) {
  collect();
  auto node = fixture("22.05/node.txt");
  runner.texts["node"] = node.substr(node.find("NodeName=node0001"));
  runner.failures["squeue"] = "squeue: no answer within 30 s; killed";
  clock.seconds = 30;
  auto s = collect();
  ASSERT_EQ(s->nodes.size(), 7u);
  const auto& w = s->workload(s->find_workloads("64").at(0));
  ASSERT_EQ(w.allocation.nodes.size(), 1u) << "node0000 is gone";
  EXPECT_EQ(s->node(w.allocation.nodes[0]).name, Symbol("node0001"));
  const auto& ex = s->workload(s->find_workloads("67").at(0));
  EXPECT_EQ(s->node(ex.allocation.nodes[0]).name, Symbol("node0006"));
}

TEST_F(Collecting, WithoutADatabaseItsCommandIsNotRun) {
  auto config = fixture("22.05/config.txt");
  auto at = config.find("AccountingStorageType");
  config.replace(at, config.find('\n', at) - at,
                 "AccountingStorageType   = accounting_storage/none");
  at = config.find("PriorityType ");
  config.replace(at, config.find('\n', at) - at, "PriorityType            = priority/basic");
  runner.texts["config"] = config;
  auto s = collect();
  EXPECT_EQ(runner.count("qos"), 0);
  EXPECT_EQ(runner.count("sprio"), 0);
  EXPECT_FALSE(s->find_source("sacctmgr show qos")) << "absent, not failed";
  EXPECT_FALSE(s->find_source("sprio"));
}

TEST_F(Collecting, EnvironmentOfTheCommands) {
  ::setenv("SQUEUE_FORMAT", "%i", 1);
  ::setenv("SLURM_TIME_FORMAT", "relative", 1);
  collector.set_options({.slurm_conf = "/dev/null", .bin_dir = "/x/bin"});
  collect();
  const auto& command = runner.last["squeue"];
  EXPECT_EQ(command.argv[0], "/x/bin/squeue");
  EXPECT_THAT(command.environment, Contains("LC_ALL=C"));
  EXPECT_THAT(command.environment, Contains("SLURM_BITSTR_LEN=0"));
  EXPECT_THAT(command.environment, Contains("SLURM_CONF=/dev/null"));
  EXPECT_THAT(command.environment, Contains(HasSubstr("PATH=/x/bin:")));
  EXPECT_THAT(command.environment, Not(Contains(HasSubstr("SQUEUE_FORMAT"))));
  EXPECT_THAT(command.environment, Not(Contains(HasSubstr("SLURM_TIME_FORMAT"))));
  ::unsetenv("SQUEUE_FORMAT");
  ::unsetenv("SLURM_TIME_FORMAT");
}

// Its partition train has the higher tier, whichever of its two priorities squeue shows.
TEST_F(Collecting, AJobInSeveralPartitionsHasThePriorityOfTheFirst) {
  using Seen = std::pair<std::optional<std::uint64_t>, double>;
  auto priority_of_17 = [&](const char* shown) {
    runner.texts["config"] = fixture("26.05/config.txt");
    runner.texts["partition"] = fixture("26.05/partition.txt");
    runner.texts["sprio"] = fixture("26.05/sprio.txt");
    auto jobs = fixture("26.05/squeue.txt");
    auto row = jobs.find("\n17\x1f");
    auto at = jobs.find("\x1f", jobs.find("AssocGrpNodeLimit", row)) + 1;
    runner.texts["squeue"] = jobs.replace(at, jobs.find("\x1f", at) - at, shown);
    clock.seconds += 300;
    auto s = collect();
    const auto& w = s->workload(s->find_workloads("17").at(0));
    return Seen(w.priority, w.factors ? w.factors->queue : -1);
  };
  EXPECT_EQ(priority_of_17("11733"), Seen(11733, 2000));
  EXPECT_EQ(priority_of_17("9807"), Seen(11733, 2000));
  EXPECT_EQ(priority_of_17("50000"), Seen(50000, 2000)) << "somebody has set it";
}

std::string config_of(const std::string& version) {
  auto config = fixture("22.05/config.txt");
  auto at = config.find("22.05.8");
  return config.replace(at, 7, version);
}

TEST_F(Collecting, SqueueIsAskedForWhatItsVersionHas) {
  collect();
  EXPECT_THAT(runner.last["squeue"].argv, Not(Contains(HasSubstr("exclusive:"))));
  runner.texts["config"] = config_of("26.05.5");
  runner.texts["squeue"] = fixture("26.05/squeue.txt");
  clock.seconds = 300;
  auto s = collect();
  EXPECT_THAT(runner.last["squeue"].argv, Contains(HasSubstr("exclusive:")));
  EXPECT_EQ(source(s, "squeue").state, SourceState::kFresh) << source(s, "squeue").error;
  const auto& whole = s->workload(s->find_workloads("8").at(0));
  EXPECT_EQ(whole.request.sharing, model::Sharing::kWholeNode);
}

TEST_F(Collecting, ASqueueOlderThanItsControllerIsAskedForLess) {
  runner.texts["config"] = config_of("26.05.5");
  runner.refused_column = "exclusive";
  auto s = collect();
  EXPECT_EQ(runner.count("squeue"), 2);
  EXPECT_EQ(source(s, "squeue").state, SourceState::kFresh) << source(s, "squeue").error;
  EXPECT_EQ(s->workload(s->find_workloads("67").at(0)).request.sharing, model::Sharing::kWholeNode);
  clock.seconds = 30;
  collect();
  EXPECT_EQ(runner.count("squeue"), 3) << "known by now";
  runner.refused_column = "no such";
  runner.texts["squeue"] = fixture("26.05/squeue.txt");
  clock.seconds = 300;
  s = collect();
  EXPECT_EQ(runner.count("squeue"), 4) << "updated: asked for everything again";
  EXPECT_EQ(s->workload(s->find_workloads("8").at(0)).request.sharing, model::Sharing::kWholeNode);
}

TEST_F(Collecting, TheNonceIsNewEachRound) {
  collect();
  auto first = runner.last["squeue"].argv;
  clock.seconds = 30;
  collect();
  EXPECT_NE(runner.last["squeue"].argv, first);
}

TEST_F(Collecting, ASlurmConfThatIsNamedAndMissingIsSaidWithoutAskingAnybody) {
  collector.set_options({.slurm_conf = "/nonexistent/slurm.conf", .bin_dir = "/x/bin"});
  auto s = collector.collect();
  ASSERT_FALSE(s);
  EXPECT_THAT(s.error().message(), HasSubstr("/nonexistent/slurm.conf (not there)"));
  EXPECT_TRUE(runner.last.empty());
}

TEST_F(Collecting, NoSlurmAtAllSaysWhatWasLookedForAndWhere) {
  runner.down = true;
  collector.set_options({.slurm_conf = "/nonexistent/slurm.conf", .bin_dir = "/nonexistent/bin"});
  auto s = collector.collect();
  ASSERT_FALSE(s);
  EXPECT_THAT(s.error().message(), HasSubstr("scontrol, squeue and sdiag in /nonexistent/bin"));
  EXPECT_THAT(s.error().message(), HasSubstr("/nonexistent/slurm.conf (not there)"));
  Options nowhere;
  nowhere.bin_dir = "/nonexistent/bin";
  collector.set_options(nowhere);
  ::unsetenv("SLURM_CONF");
  clock.seconds = 30;
  s = collector.collect();
  ASSERT_FALSE(s);
  EXPECT_THAT(s.error().message(), HasSubstr("$SLURM_CONF (not set), /etc/slurm/slurm.conf"));
  EXPECT_THAT(s.error().message(), HasSubstr("/etc/slurm-llnl/slurm.conf"));
  EXPECT_EQ(collector.current(), nullptr);
}

TEST_F(Collecting, AnInstalledSlurmThatIsDownIsASnapshotOfFailures) {
  auto folder = std::filesystem::temp_directory_path() / fmt::format("collector_test.{}", getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "scontrol") << "#!/bin/sh\n";
  std::ofstream(folder / "slurm.conf") << "\n";
  ::chmod((folder / "scontrol").c_str(), 0755);
  runner.down = true;
  collector.set_options({.slurm_conf = folder / "slurm.conf", .bin_dir = folder});
  auto s = collect();
  ASSERT_TRUE(s);
  EXPECT_EQ(source(s, "scontrol show node").state, SourceState::kFailed);
  EXPECT_FALSE(source(s, "scontrol show node").last_success);
  std::filesystem::remove_all(folder);
}

TEST_F(Collecting, OneJobInDetail) {
  collect();
  auto s = collector.collect_with_detail("64");
  ASSERT_TRUE(s) << s.error().message();
  const auto& w = (*s)->workload((*s)->find_workloads("64").at(0));
  EXPECT_TRUE(w.detailed);
  EXPECT_EQ(w.allocation.per_node.size(), 2u);
  EXPECT_EQ(runner.count("job_64"), 1);
  EXPECT_TRUE(collector.collect_with_detail("64"));
  EXPECT_EQ(runner.count("job_64"), 1) << "known until the next round";
  EXPECT_EQ(collector.current(), *s);
}

TEST_F(Collecting, ATaskThatStillWaitsIsPartOfItsArraysRecord) {
  auto s = collector.collect_with_detail("65_33");
  ASSERT_TRUE(s) << s.error().message();
  EXPECT_EQ(runner.count("job_65"), 1);
  EXPECT_TRUE((*s)->workload((*s)->find_workloads("65_[11-99:2]").at(0)).detailed);
}

TEST_F(Collecting, AJobNewerThanTheLastRoundIsAskedForByItself) {
  auto rows = fixture("22.05/squeue.txt");
  auto end = std::string(1, kSeparator) + kNonce + "\n";
  std::string without, only;
  for (std::size_t at = 0; at < rows.size();) {
    auto next = rows.find(end, at) + end.size();
    auto row = rows.substr(at, next - at);
    (row.starts_with("64\x1f") ? only : without) += row;
    at = next;
  }
  runner.texts["squeue"] = without;
  runner.texts["row"] = only;
  auto s = collector.collect_with_detail("64");
  ASSERT_TRUE(s) << s.error().message();
  EXPECT_EQ((*s)->find_workloads("64").size(), 1u);
  EXPECT_EQ((*s)->workloads.size(), 24u);
  runner.texts["row"] = "";
  auto none = collector.collect_with_detail("4711");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message(), "slurm: there is no job 4711");
}

TEST_F(Collecting, WhatIsNoJobIdIsNotPassedToACommand) {
  for (auto text : {"", "--help", "1;rm", "abc", "1 2"}) {
    auto s = collector.collect_with_detail(text);
    ASSERT_FALSE(s) << text;
    EXPECT_THAT(s.error().message(), HasSubstr("is no job id"));
  }
  EXPECT_EQ(runner.total(), 0);
}

}  // namespace
}  // namespace schedlens::slurm
