// SPDX-License-Identifier: Apache-2.0
#include "memory/records.h"

#include <gmock/gmock.h>

#include "memory/record_table.h"
#include "memory/store_dir_test.h"

namespace schedlens::memory {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

using RecordsTest = StoreDir;

Timestamp december(std::int64_t seconds) {
  return {kDecember.unix_seconds + seconds};
}

EndedWorkload job(const std::string& id, std::int64_t started, std::int64_t ended) {
  EndedWorkload w;
  w.scheduler = "slurm";
  w.id = id;
  w.started = december(started);
  w.ended = december(ended);
  w.state = "COMPLETED";
  return w;
}

template <class R>
std::vector<std::string> ids(const std::vector<R>& records, std::string R::*member) {
  std::vector<std::string> out;
  for (const auto& record : records) out.push_back(record.*member);
  return out;
}

TEST_F(RecordsTest, EveryMemberComesBackAndAbsentStaysAbsent) {
  EndedWorkload full = job("12_3", 100, 4000);
  full.array_job = 12;
  full.name = "train 'x'; --";
  full.user = "alice";
  full.account = "ml";
  full.queue = "gpu";
  full.qos = "high";
  full.submitted = december(1);
  full.eligible = december(2);
  full.time_limit = Seconds{86400};
  full.state = "FAILED";
  full.exit_code = 1;
  full.exit_signal = 9;
  full.restarts = 0;
  full.nodes_count = 2;
  full.cpus = 64;
  full.gpus = 16;
  full.nodes = {"n1", "n2"};
  full.gpu_seconds = 62400.5;
  full.last_reason = "Resources";
  full.last_cause = "fragmentation";
  EndedWorkload empty;
  empty.scheduler = "slurm";
  empty.id = "13";
  empty.ended = december(5000);
  auto store = open();
  EXPECT_TRUE(store->put({full, empty}));
  flush(*store);
  auto back = reader().workloads({});
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), 2U);
  const auto expect_same = [](EndedWorkload a, EndedWorkload b) {
    // Member by member, so that one that is forgotten in the table shows.
    EXPECT_EQ(std::tie(a.scheduler, a.id, a.ended, a.array_job, a.name, a.user, a.account, a.queue,
                       a.qos, a.submitted, a.eligible, a.started),
              std::tie(b.scheduler, b.id, b.ended, b.array_job, b.name, b.user, b.account, b.queue,
                       b.qos, b.submitted, b.eligible, b.started));
    EXPECT_EQ(std::tie(a.time_limit, a.state, a.exit_code, a.exit_signal, a.restarts, a.nodes_count,
                       a.cpus, a.gpus, a.nodes, a.gpu_seconds, a.last_reason, a.last_cause),
              std::tie(b.time_limit, b.state, b.exit_code, b.exit_signal, b.restarts, b.nodes_count,
                       b.cpus, b.gpus, b.nodes, b.gpu_seconds, b.last_reason, b.last_cause));
  };
  expect_same((*back)[0], full);
  expect_same((*back)[1], empty);
}

TEST_F(RecordsTest, TheSameRecordTwiceIsOne) {
  auto store = open();
  NodeChange change{december(10), "n1", "IDLE", "IDLE+DRAIN", "disk", "root", december(9), 8};
  Finding finding{december(20), std::nullopt, "starvation", "job 7", "waits"};
  AlertRecord alert{december(30), std::nullopt,  "f00",   "NodesDown",
                    "critical",   R"(rack="1")", "3 down"};
  ConfigVersion config{december(40), "slurm.conf", "abc", "ClusterName=x\n"};
  for (int i = 0; i < 2; ++i) {
    store->put({job("1", 0, 50), change, finding, alert, config});
    flush(*store);
  }
  // What has ended since is the same record, and so is a run; a requeued job is another run.
  finding.to = december(100);
  alert.ends = december(200);
  store->put({finding, alert, job("1", 60, 90)});
  flush(*store);

  auto reader = this->reader();
  EXPECT_THAT(ids(*reader.workloads({}), &EndedWorkload::id), ElementsAre("1", "1"));
  auto changes = reader.node_changes({{}, "n1"});
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_EQ((*changes)[0].to, "IDLE+DRAIN");
  EXPECT_EQ((*changes)[0].reason_since, december(9));
  EXPECT_EQ((*changes)[0].gpus, 8);
  EXPECT_THAT(*reader.node_changes({{}, "n2"}), IsEmpty());
  auto findings = reader.findings({});
  ASSERT_EQ(findings->size(), 1U);
  EXPECT_EQ((*findings)[0].to, december(100));
  auto alerts = reader.alerts({{}, "NodesDown", ""});
  ASSERT_EQ(alerts->size(), 1U);
  EXPECT_EQ((*alerts)[0].ends, december(200));
  EXPECT_EQ((*alerts)[0].labels, R"(rack="1")");
  auto configs = reader.configs({{}, "slurm.conf"});
  ASSERT_EQ(configs->size(), 1U);
  EXPECT_EQ((*configs)[0].text, "ClusterName=x\n");
}

TEST_F(RecordsTest, AreFoundByTimeAndKeyOverTheMonths) {
  constexpr std::int64_t kMonth = 31 * 86400;
  auto store = open();
  auto other = job("3", 10, kMonth + 100);  // ends in January
  other.user = "bob";
  store->put({job("2", 0, 200), job("1", 0, 100), other});
  store->put(NodeChange{december(-5), "n1", "", "DOWN", "", "", {}, {}});
  flush(*store);
  EXPECT_TRUE(exists("records-2026-11.db") && exists("records-2026-12.db") &&
              exists("records-2027-01.db"));
  auto reader = this->reader();
  EXPECT_THAT(ids(*reader.workloads({}), &EndedWorkload::id), ElementsAre("1", "2", "3"));
  const auto found = [&](WorkloadQuery query) {
    return ids(*reader.workloads(query), &EndedWorkload::id);
  };
  EXPECT_THAT(found({.time = {at(kDecember, 100), at(kDecember, 200)}}), ElementsAre("1"));
  EXPECT_THAT(found({.user = "bob"}), ElementsAre("3"));
  EXPECT_THAT(found({.id = "2"}), ElementsAre("2"));
  // The runs that touch an hour in the middle.
  EXPECT_THAT(found({.time = {at(kDecember, 150), at(kDecember, 3750)}, .overlaps = true}),
              ElementsAre("2", "3"));
  std::vector<std::string> one;
  EXPECT_TRUE(reader.each_workload({}, [&](const EndedWorkload& w) {
    one.push_back(w.id);
    return false;
  }));
  EXPECT_THAT(one, ElementsAre("1"));
}

TEST_F(RecordsTest, AlertsAreFoundByTheTimeTheyHeld) {
  auto store = open();
  store->put({AlertRecord{december(-40 * 86400), std::nullopt, "old", "r", "warning", "", "open"},
              AlertRecord{december(0), december(100), "short", "r", "warning", "", "over"},
              AlertRecord{december(500), std::nullopt, "later", "r", "warning", "", "later"}});
  flush(*store);
  auto alerts = reader().alerts({{at(kDecember, 200), at(kDecember, 400)}, "", ""});
  EXPECT_THAT(ids(*alerts, &AlertRecord::fingerprint), ElementsAre("old"));
}

TEST_F(RecordsTest, BeyondTheBoundIsDroppedAndTold) {
  auto options = quick();
  options.batch_interval = std::chrono::hours(1);
  options.max_pending_records = 3;
  options.max_pending_points = 2;
  auto store = open(options);
  EXPECT_FALSE(store->put({job("1", 0, 1), job("2", 0, 1), job("3", 0, 1), job("4", 0, 1)}));
  EXPECT_FALSE(store->set_state("a", "b"));
  const auto id = store->series(make_key("x"));
  EXPECT_FALSE(store->append(
      {{id, at(kDecember, 0), 1}, {id, at(kDecember, 1), 1}, {id, at(kDecember, 2), 1}}));
  auto health = store->health();
  EXPECT_EQ(health.dropped_records, 2U);
  EXPECT_EQ(health.dropped_points, 1U);
  flush(*store);
  health = store->health();
  EXPECT_EQ(health.pending_records, 0U);
  EXPECT_EQ(health.written_records, 3U);
  EXPECT_EQ(health.written_points, 2U);
  EXPECT_EQ(health.last_written, kDecember);
  EXPECT_EQ(reader().workloads({})->size(), 3U);
}

}  // namespace
}  // namespace schedlens::memory
