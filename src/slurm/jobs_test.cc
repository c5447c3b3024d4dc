// SPDX-License-Identifier: Apache-2.0
#include "slurm/jobs.h"

#include <gmock/gmock.h>

#include <map>

#include "slurm/exclusions.h"
#include "slurm/fixture_test.h"
#include "slurm/job_detail.h"
#include "slurm/nodes.h"
#include "slurm/rows.h"

namespace schedlens::slurm {
namespace {

using model::GresCount;
using model::MemoryPer;
using model::WorkloadState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<model::Node> eight_nodes() {
  std::vector<model::Node> nodes(8);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[i].name = Symbol(fmt::format("node{:04}", i));
  return nodes;
}

class Jobs : public testing::Test {
 protected:
  NodeTable nodes{eight_nodes()};
  TimeReader time;

  Result<Parsed<model::Workload>> parse(std::string_view text, int version = 2205) {
    return parse_jobs(text, {nodes, time, kNonce, version});
  }
  std::map<std::string, model::Workload> real(const char* release = "22.05", int version = 2205) {
    auto parsed = parse(fixture(std::string(release) + "/squeue.txt"), version);
    EXPECT_TRUE(parsed) << parsed.error().message();
    EXPECT_THAT(parsed->complaints.examples(), IsEmpty());
    std::map<std::string, model::Workload> by_id;
    for (auto& w : parsed->records) by_id[model::display_id(w)] = w;
    return by_id;
  }
  // The first row of the fixture with some columns changed.
  std::string row(std::map<std::size_t, std::string> changes, std::string name = "x") {
    auto text = fixture("22.05/squeue.txt");
    auto first = text.substr(0, text.find(std::string(1, kSeparator) + kNonce));
    auto fields = split(first, kSeparator);
    std::string made;
    for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
      made += changes.contains(i) ? changes[i] : std::string(fields[i]);
      made += kSeparator;
    }
    return made + name + kSeparator + kNonce + "\n";
  }
};

TEST_F(Jobs, RunningJobOnTwoNodes) {
  auto w = real().at("64");
  EXPECT_EQ(w.state, WorkloadState::kRunning);
  EXPECT_EQ(w.name, "train-llm");
  EXPECT_EQ(w.user, Symbol("alice"));
  EXPECT_EQ(w.account, Symbol("llm"));
  EXPECT_EQ(w.qos, Symbol("normal"));
  EXPECT_THAT(w.queues, ElementsAre(Symbol("train")));
  EXPECT_EQ(w.priority, 3903u);
  EXPECT_EQ(w.submitted, at("2026-11-30T07:50:35"));
  EXPECT_EQ(w.start, at("2026-11-30T07:50:35"));
  EXPECT_EQ(w.end, at("2026-11-30T08:50:35"));
  EXPECT_EQ(w.time_limit, Bound<Seconds>::of(Seconds{3600}));
  EXPECT_FALSE(w.time_min);
  EXPECT_FALSE(w.deadline);
  EXPECT_THAT(w.allocation.nodes, ElementsAre(model::NodeId{0}, model::NodeId{1}));
  EXPECT_EQ(model::gpus_held(w), 16u);
  EXPECT_EQ(w.request.cpus, 64u);
  EXPECT_EQ(w.request.tasks, 16u);
  EXPECT_EQ(w.request.cpus_per_task, 4u);
  EXPECT_EQ(w.request.tasks_per_node, 8u);
  EXPECT_EQ(w.request.min_cpus_per_node, 32u);
  EXPECT_EQ(w.request.memory_per, MemoryPer::kCpu);
  EXPECT_EQ(w.request.memory, mebibytes(4000));
  EXPECT_THAT(w.request.gres_per_node, ElementsAre(GresCount{Symbol("gpu"), {}, 8}));
  EXPECT_EQ(w.request.sharing, model::Sharing::kShareable);
  EXPECT_FALSE(w.request.excluded_nodes) << "this command does not tell";
  EXPECT_FALSE(w.exit);
  EXPECT_THAT(w.allocation.per_node, IsEmpty());
}

TEST_F(Jobs, ArrayAndItsTasks) {
  auto all = real();
  const auto& waiting = all.at("65_[11-99:2]");
  EXPECT_EQ(waiting.job_id, 65u);
  EXPECT_EQ(model::task_count(waiting), 45u);
  EXPECT_EQ(waiting.array->max_running, 5u);
  EXPECT_EQ(waiting.reason, Symbol("JobArrayTaskLimit"));
  EXPECT_EQ(waiting.request.cpus_per_gpu, 3u);
  EXPECT_EQ(waiting.request.memory_per_gpu, mebibytes(2048));
  EXPECT_EQ(waiting.request.memory_per, MemoryPer::kGpu);
  EXPECT_THAT(waiting.request.gres_per_job, ElementsAre(GresCount{Symbol("gpu"), {}, 2}));
  EXPECT_FALSE(waiting.request.max_nodes) << "two GPUs may be on two nodes";
  const auto& task = all.at("65_9");
  EXPECT_EQ(task.job_id, 86u);
  EXPECT_EQ(task.array->job_id, 65u);
  EXPECT_EQ(model::gpus_held(task), 2u);
}

// GPUs asked for by task, per job, per socket are in the sums.
TEST_F(Jobs, GpusInEveryForm) {
  auto all = real();
  EXPECT_THAT(all.at("67").request.gres_per_task, ElementsAre(GresCount{Symbol("gpu"), {}, 1}));
  EXPECT_EQ(model::gpus_held(all.at("67")), 8u);
  const auto& w = all.at("76");
  EXPECT_THAT(w.request.gres_per_job, ElementsAre(GresCount{Symbol("gpu"), {}, 24}));
  EXPECT_THAT(w.request.gres_per_socket, ElementsAre(GresCount{Symbol("gpu"), {}, 4}));
  EXPECT_EQ(w.request.sockets_per_node, 2u);
  EXPECT_EQ(model::gpus_requested(w), 24u);
  EXPECT_THAT(all.at("80").request.gres_per_node,
              ElementsAre(GresCount{Symbol("gpu"), Symbol("a100"), 4}));
}

TEST_F(Jobs, TheNumberOfNodesIsWhatWasAskedAndNotAnEstimate) {
  auto all = real();
  EXPECT_EQ(all.at("76").request.min_nodes, 1u) << "--gpus=24 named no number";
  EXPECT_FALSE(all.at("76").request.max_nodes);
  EXPECT_EQ(all.at("80").request.min_nodes, 2u);
  EXPECT_EQ(all.at("80").request.max_nodes, 2u);
  EXPECT_EQ(all.at("2").request.max_nodes, 4u);
}

// -N 1 -n 4 -c 8 is printed as an estimate of 2 nodes, of which 1 at most.
TEST_F(Jobs, AMostBelowTheEstimateWasAskedFor) {
  const std::map<std::size_t, std::string> waiting = {
      {6, "PENDING"}, {20, "2"}, {21, "1"}, {23, "4"}, {28, "0"}, {29, "cpu=32,mem=125G,node=1"}};
  auto one = parse(row(waiting));
  ASSERT_TRUE(one);
  ASSERT_THAT(one->records, testing::SizeIs(1));
  EXPECT_EQ(one->records[0].request.min_nodes, 1u);
  EXPECT_EQ(one->records[0].request.max_nodes, 1u);
  auto any_number = waiting;
  any_number[21] = "2";
  auto any = parse(row(any_number));
  ASSERT_TRUE(any);
  EXPECT_FALSE(any->records[0].request.max_nodes);
}

TEST_F(Jobs, HetDependencyTimesAndLicences) {
  auto all = real();
  EXPECT_EQ(all.at("68+1").job_id, 69u);
  EXPECT_EQ(all.at("68+1").het->job_id, 68u);
  EXPECT_EQ(all.at("71").dependency, "afterok:70(unfulfilled)");
  EXPECT_THAT(all.at("72").request.licences, ElementsAre(GresCount{Symbol("matlab"), {}, 2}));
  const auto& later = all.at("74");
  EXPECT_EQ(later.reason, Symbol("BeginTime"));
  EXPECT_EQ(later.eligible, at("2026-11-30T08:50:35"));
  EXPECT_EQ(later.deadline, at("2026-11-30T12:50:35"));
  EXPECT_EQ(later.time_min, Seconds{300});
  EXPECT_EQ(later.request.features, "a100&ib");
  EXPECT_EQ(later.request.sockets_per_node, 1u);
  EXPECT_EQ(later.request.cores_per_socket, 2u);
  EXPECT_EQ(later.request.threads_per_core, 1u);
  EXPECT_FALSE(all.at("70").eligible) << "held: never eligible so far";
  EXPECT_EQ(all.at("70").priority, 0u);
}

TEST_F(Jobs, WholeNodesAndAllTheirMemory) {
  auto all = real();
  EXPECT_EQ(all.at("67").request.sharing, model::Sharing::kWholeNode);
  EXPECT_EQ(all.at("67").request.memory_per, MemoryPer::kNode);
  EXPECT_EQ(all.at("67").request.memory, mebibytes(10240));
  const auto& big = all.at("78");
  EXPECT_EQ(big.request.memory_per, MemoryPer::kNode) << "--mem=0 is the whole node's memory";
  EXPECT_EQ(big.request.memory, Bytes{0});
  EXPECT_EQ(big.time_limit, Bound<Seconds>::unlimited());
  EXPECT_EQ(big.request.totals.get(model::names::kMemory), 5000000.0 * (1 << 20));
}

TEST_F(Jobs, NodesRequiredPlannedAndNotAvailable) {
  auto all = real();
  EXPECT_THAT(all.at("75").request.required_nodes, ElementsAre(model::NodeId{3}));
  EXPECT_EQ(all.at("75").reason, Symbol("ReqNodeNotAvail"));
  EXPECT_EQ(all.at("75").reason_text, "ReqNodeNotAvail, UnavailableNodes:node0003");
  EXPECT_THAT(all.at("80").planned_nodes, ElementsAre(model::NodeId{6}, model::NodeId{7}));
}

// Finished jobs are there, with how they ended.
TEST_F(Jobs, FinishedJobs) {
  auto all = real();
  EXPECT_EQ(all.at("79").state, WorkloadState::kFailed);
  EXPECT_FALSE(all.at("79").request.tasks) << "4294967294 is Slurm's way to say: not set";
  EXPECT_EQ(all.at("81").exit->signal, 9);
  EXPECT_EQ(all.at("81").exit->code, 0);
  EXPECT_EQ(all.at("2").state, WorkloadState::kCancelled);
  EXPECT_EQ(model::gpus_held(all.at("66")), 0u) << "done: holds nothing";
}

using Sharing = model::Sharing;

// The same jobs on both, but for the order in which they were started.
TEST_F(Jobs, Versions2411And2605) {
  for (auto [release, version] : {std::pair{"24.11", 2411}, std::pair{"26.05", 2605}}) {
    SCOPED_TRACE(release);
    auto all = real(release, version);
    const auto& big = all.at("2");
    EXPECT_EQ(big.state, WorkloadState::kRunning);
    EXPECT_EQ(big.name, "train-llm");
    EXPECT_THAT(big.allocation.nodes, ElementsAre(model::NodeId{0}, model::NodeId{1}));
    EXPECT_EQ(model::gpus_held(big), 16u);
    EXPECT_EQ(big.request.memory_per, MemoryPer::kCpu);
    EXPECT_EQ(big.request.tasks_per_node, 8u);
    EXPECT_THAT(big.request.gres_per_task, IsEmpty()) << "cpu=4 is no device";
    EXPECT_EQ(big.request.sharing, Sharing::kShareable);
    EXPECT_EQ(all.at("3").request.memory_per_gpu, mebibytes(1024));
    EXPECT_THAT(all.at("3").request.gres_per_task, ElementsAre(GresCount{Symbol("gpu"), {}, 2}));
    EXPECT_EQ(model::task_count(all.at("4_[7-99:2]")), 47u);
    EXPECT_EQ(all.at("4_[7-99:2]").array->max_running, 3u);
    EXPECT_EQ(all.at("4_3").array->task_id, 3u);
    EXPECT_EQ(all.at("8").request.sharing, Sharing::kWholeNode);
    EXPECT_EQ(all.at("9+1").het->offset, 1u);
    EXPECT_EQ(all.at("12").dependency, "afterok:11(unfulfilled)");
    EXPECT_EQ(all.at("13").reason, Symbol("BeginTime"));
    EXPECT_EQ(all.at("13").request.features, "a100&ib");
    EXPECT_EQ(all.at("13").time_min, Seconds{300});
    EXPECT_EQ(all.at("17").name, "we|ird,na me=\u00fc \"q\" State=IDLE");
    EXPECT_THAT(all.at("17").queues, ElementsAre(Symbol("train"), Symbol("all")));
    EXPECT_EQ(all.at("18").name, "evil\nname\x1fwith |sep");
    EXPECT_THAT(all.at("18").request.gres_per_socket, ElementsAre(GresCount{Symbol("gpu"), {}, 4}));
    EXPECT_EQ(all.at("19").user, Symbol("averyveryverylongusername01"));
    EXPECT_EQ(all.at("19").time_limit, Bound<Seconds>::unlimited());
    EXPECT_EQ(all.at("19").request.memory, Bytes{0}) << "--mem=0";
    EXPECT_EQ(all.at("20").request.sharing, Sharing::kUser);
    EXPECT_THAT(all.at("21").request.required_nodes, ElementsAre(model::NodeId{2}));
    EXPECT_THAT(all.at("21").request.gres_per_node,
                ElementsAre(GresCount{Symbol("gpu"), Symbol("a100"), 4}));
    EXPECT_EQ(all.at("28").nice, 100);
    EXPECT_TRUE(all.at("28").request.contiguous);
    EXPECT_EQ(all.at("29").reservation, Symbol("llmres"));
  }
}

TEST_F(Jobs, HowNodesAreSharedInVersion2605) {
  auto all = real("26.05", 2605);
  EXPECT_EQ(all.at("30").request.sharing, Sharing::kWholeNode);
  EXPECT_EQ(all.at("31").request.sharing, Sharing::kUser);
  EXPECT_EQ(all.at("32").request.sharing, Sharing::kMcs);
  EXPECT_EQ(all.at("33").request.sharing, Sharing::kUnspecified) << "a whole block: not modelled";
  EXPECT_EQ(all.at("34").request.sharing, Sharing::kOversubscribe);
  EXPECT_EQ(all.at("35").request.sharing, Sharing::kShareable);
}

TEST_F(Jobs, ARangeOfNodesAndFinishedJobsInLaterVersions) {
  auto all = real("26.05", 2605);
  EXPECT_EQ(all.at("14").request.min_nodes, 2u);
  EXPECT_EQ(all.at("14").request.max_nodes, 4u) << "-N2-4";
  EXPECT_EQ(all.at("39").exit->code, 3);
  EXPECT_EQ(all.at("40").exit->signal, 9);
  EXPECT_EQ(all.at("40").reason, Symbol("RaisedSignal"));
  EXPECT_EQ(all.at("41").state, WorkloadState::kCancelled);
  EXPECT_EQ(real("24.11", 2411).at("30").exit->code, 3);
}

TEST_F(Jobs, AlternativeLicencesAreReadAndTheJobStays) {
  auto all = real("26.05", 2605);
  EXPECT_EQ(all.at("37").request.licences.size(), 2u);
  EXPECT_TRUE(all.at("37").request.any_licence);
  EXPECT_EQ(all.at("38").request.licences.size(), 2u);
  EXPECT_FALSE(all.at("38").request.any_licence);
}

// squeue -O cuts columns without a colon after their name to 20 characters.
TEST(JobFormat, EveryColumnEndsWithASeparatorSoThatNoneIsCut) {
  auto format = job_format(kNonce, 2205);
  EXPECT_GT(job_format(kNonce, 2605).size(), format.size());
  auto columns = split(format, ',');
  ASSERT_GT(columns.size(), 40u);
  EXPECT_EQ(columns.back(), std::string("name:") + kSeparator + kNonce);
  columns.pop_back();
  for (auto column : columns) {
    EXPECT_TRUE(column.ends_with(std::string(":") + kSeparator)) << column;
  }
}

// Free text never shifts a column, whatever stands in it.
TEST_F(Jobs, NamesMayHoldLineEndsAndSeparators) {
  EXPECT_EQ(real().at("2").name, "evil\nname\x1fwith |sep");
  EXPECT_EQ(real().at("66").state, WorkloadState::kCompleted);
  auto forged = row({},
                    "a\x1f"
                    "0000000000000000\n99" +
                        row({}, "x").substr(2, 60));
  auto parsed = parse(forged);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->records.size(), 1u) << "a wrong number ends no record";
}

TEST_F(Jobs, NoOutputIsNoJobs) {
  auto parsed = parse("");
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->records, IsEmpty());
}

TEST_F(Jobs, CutOutputIsAnErrorWhereverItIsCut) {
  auto text = fixture("22.05/squeue.txt");
  auto end = std::string(1, kSeparator) + kNonce + "\n";
  for (std::size_t length = 1; length < text.size(); ++length) {
    auto part = std::string_view(text).substr(0, length);
    EXPECT_EQ(parse(part).has_value(), part.ends_with(end)) << length;
  }
}

TEST_F(Jobs, UnreadableRecordsAreCounted) {
  auto parsed = parse(row({}) + row({{0, "what"}}) + row({{29, "cpu="}}) + row({{1, ""}}));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->records.size(), 1u);
  EXPECT_EQ(parsed->complaints.unreadable_records(), 3u);
  EXPECT_THAT(parsed->complaints.examples()[0], HasSubstr("'what' is no job id"));
}

TEST_F(Jobs, AMissingColumnIsAnErrorAndNotAShift) {
  auto text = row({});
  text.erase(0, text.find(kSeparator) + 1);
  auto parsed = parse(text);
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error().message(), HasSubstr("none of 1 records can be read"));
}

TEST_F(Jobs, EnormousNumbersAndListsAreRefusedOneByOne) {
  auto parsed = parse(row({}) + row({{36, "n[0-999999999]"}}) + row({{1, "99999999999999"}}) +
                      row({{8, "99999999999999999999999"},
                           {22, "18446744073709551615"},
                           {35, "gres:gpu:9999999999999999999"}}));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->records.size(), 2u);
  EXPECT_FALSE(parsed->records[1].request.memory_per_gpu);
  EXPECT_FALSE(parsed->records[1].priority);
}

// Several partitions stay in the order asked.
TEST_F(Jobs, SeveralPartitions) {
  auto parsed = parse(row({{2, "train,all"}}));
  EXPECT_THAT(parsed->records[0].queues, ElementsAre(Symbol("train"), Symbol("all")));
}

TEST_F(Jobs, UsersWithACommonBeginningStayTwo) {
  auto parsed =
      parse(row({{3, "averyveryverylongusername1"}}) + row({{3, "averyveryverylongusername2"}}));
  ASSERT_EQ(parsed->records.size(), 2u);
  EXPECT_NE(parsed->records[0].user, parsed->records[1].user);
}

TEST_F(Jobs, UnknownNodesAreRemembered) {
  auto parsed = parse(row({{36, "node0006,ghost[1-2]"}}));
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->records[0].allocation.nodes, ElementsAre(model::NodeId{6}));
  EXPECT_THAT(nodes.take_unknown(), ElementsAre("ghost1", "ghost2"));
}

TEST_F(Jobs, WithoutKnowingTheVersionNoOversubscriptionMayMeanEither) {
  EXPECT_EQ(parse(row({{45, "NO"}}), 0)->records[0].request.sharing, model::Sharing::kUnspecified);
  EXPECT_EQ(parse(row({{45, "OK"}}), 0)->records[0].request.sharing, model::Sharing::kShareable);
  EXPECT_EQ(parse(row({{45, "NO"}}))->records[0].request.sharing, model::Sharing::kWholeNode);
}

TEST_F(Jobs, Exclusions) {
  auto parsed = parse_exclusions(fixture("22.05/excluded.txt"), nodes, kNonce);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->records.size(), 13u);
  for (auto release : {"24.11", "26.05"}) {
    auto later = parse_exclusions(fixture(std::string(release) + "/excluded.txt"), nodes, kNonce);
    ASSERT_TRUE(later) << release;
    EXPECT_THAT(later->records[0].nodes.size() + later->records[1].nodes.size(), 2) << release;
  }
  auto one = parse_exclusions(fmt::format("5\x1fnode[0001,0003]\x1f{0}\n6\x1f\x1f{0}\n", kNonce),
                              nodes, kNonce);
  ASSERT_TRUE(one);
  EXPECT_THAT(one->records[0].nodes, ElementsAre(model::NodeId{1}, model::NodeId{3}));
  EXPECT_THAT(one->records[1].nodes, IsEmpty());
  EXPECT_FALSE(parse_exclusions("5\x1fnode0001\x1f", nodes, kNonce));
}

class Details : public Jobs {
 protected:
  Complaints complaints;
  Result<std::uint64_t> complete(const std::string& text, std::vector<model::Workload*> list) {
    return complete_with_details(text, list, nodes, complaints);
  }
};

TEST_F(Details, PerNodeAllocationWithDevices) {
  auto w = real().at("64");
  auto done = complete(fixture("22.05/job_64.txt"), {&w});
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_TRUE(w.detailed);
  ASSERT_EQ(w.allocation.per_node.size(), 2u);
  const auto& on = w.allocation.per_node[1];
  EXPECT_EQ(on.node, model::NodeId{1});
  EXPECT_EQ(on.cpus, 32u);
  EXPECT_EQ(on.memory, mebibytes(128000));
  EXPECT_EQ(on.cpu_ids.back(), 47u);
  EXPECT_THAT(on.gres[0].used_indexes, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(*w.request.excluded_nodes, IsEmpty()) << "now known: none";
}

TEST_F(Details, NameWithALineEndAndExclusions) {
  auto w = real().at("66");
  ASSERT_TRUE(complete(fixture("22.05/job_66.txt"), {&w}));
  EXPECT_THAT(*w.request.excluded_nodes, ElementsAre(model::NodeId{1}));
  EXPECT_EQ(w.allocation.per_node.size(), 2u);
  w.name = "other";
  EXPECT_FALSE(complete(fixture("22.05/job_66.txt"), {&w})) << "a record of another name";
}

TEST_F(Details, AllTasksOfAnArray) {
  auto all = real();
  std::vector<model::Workload*> list;
  for (auto& [id, w] : all) {
    if (w.array) list.push_back(&w);
  }
  auto done = complete(fixture("22.05/job_65.txt"), list);
  ASSERT_TRUE(done);
  EXPECT_EQ(*done, 6u);
  EXPECT_EQ(all.at("65_3").allocation.per_node.size(), 1u);
  EXPECT_EQ(all.at("65_3").allocation.per_node[0].gres[0].total, 2u);
  EXPECT_EQ(all.at("65_[11-99:2]").request.memory_per, MemoryPer::kGpu);
}

model::Workload named(std::uint32_t id, const char* name, WorkloadState state) {
  model::Workload w;
  w.job_id = id;
  w.name = name;
  w.state = state;
  return w;
}

TEST_F(Details, Version2411And2605) {
  auto running = named(41, "rank-10", WorkloadState::kRunning);
  ASSERT_TRUE(complete(fixture("26.05/job_41.txt"), {&running}));
  ASSERT_EQ(running.allocation.per_node.size(), 2u) << "two groups of one node each";
  EXPECT_EQ(running.allocation.per_node[1].node, model::NodeId{2});
  EXPECT_THAT(running.allocation.per_node[1].gres[0].used_indexes, ElementsAre(0, 1));
  EXPECT_EQ(running.request.totals.get(Symbol("cpu")), 40);
  EXPECT_EQ(running.allocation.totals.get(Symbol("cpu")), 64);
  EXPECT_EQ(running.request.memory_per, MemoryPer::kGpu);
  EXPECT_EQ(running.request.memory, mebibytes(20480));
  EXPECT_EQ(running.request.sharing, model::Sharing::kShareable);

  auto waiting = named(39, "train-llm-1", WorkloadState::kPending);
  ASSERT_TRUE(complete(fixture("26.05/job_39.txt"), {&waiting}));
  EXPECT_EQ(waiting.request.min_nodes, 2u);
  EXPECT_EQ(waiting.request.max_nodes, 2u);
  EXPECT_EQ(model::gpus_requested(waiting), 16u);
  EXPECT_TRUE(waiting.allocation.totals.empty());

  auto earlier = named(48, "train-llm-1", WorkloadState::kRunning);
  ASSERT_TRUE(complete(fixture("24.11/job_48.txt"), {&earlier}));
  EXPECT_FALSE(earlier.allocation.per_node.empty());
}

TEST_F(Details, ACommentCannotPassForARecord) {
  auto w = named(7, "mine", WorkloadState::kPending);
  auto done = complete(
      "JobId=7 JobName=mine UserId=a(1) NumNodes=2-4 ExcNodeList=node0001 MinMemoryNode=1G "
      "Command=(null) Comment=x ExcNodeList=node0002 NumNodes=9-9\n",
      {&w});
  ASSERT_TRUE(done);
  EXPECT_EQ(w.request.min_nodes, 2u);
  EXPECT_EQ(w.request.max_nodes, 4u);
  EXPECT_THAT(*w.request.excluded_nodes, ElementsAre(model::NodeId{1}));
  auto other = named(8, "mine", WorkloadState::kPending);
  EXPECT_FALSE(complete("JobId=7 JobName=x\nComment=JobId=8 JobName=mine NumNodes=1\n", {&other}));
}

TEST_F(Details, BrokenAllocationChangesNothing) {
  auto w = named(7, "mine", WorkloadState::kRunning);
  EXPECT_FALSE(
      complete("JobId=7 JobName=mine NumNodes=1 Nodes=node0001 GRES=gpu:a100:1(IDX:\n", {&w}));
  EXPECT_FALSE(w.detailed);
  EXPECT_FALSE(complete("", {&w}));
}

}  // namespace
}  // namespace schedlens::slurm
