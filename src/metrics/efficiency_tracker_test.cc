// SPDX-License-Identifier: Apache-2.0
#include "metrics/efficiency_tracker.h"

#include <gmock/gmock.h>

#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::metrics {
namespace {

using diagnose::GpuState;
using model::Snapshot;
using model::Workload;
using model::WorkloadState;
using testing::HasSubstr;
using testing::IsEmpty;
constexpr Seconds kGap{90};
constexpr std::int64_t kStart = 10'000;

diagnose::GpuLedger ledger(std::uint64_t in_use, std::uint64_t free) {
  diagnose::GpuLedger l;
  l.total = in_use + free;
  l.parts = {{GpuState::kInUse, {}, in_use}, {GpuState::kStranded, "cpu", free}};
  return l;
}

// A job with four GPUs on the first node.
Workload job(std::uint32_t id, WorkloadState state, std::int64_t start, const char* qos = "low") {
  Workload w;
  w.job_id = id;
  w.state = state;
  w.queues = {Symbol("train")};
  w.qos = Symbol(qos);
  w.start = Timestamp{start};
  if (state == WorkloadState::kPending) return w;
  w.allocation.nodes = {{0}};
  w.allocation.totals.set(model::names::kGresGpu, 4);
  return w;
}

Workload ended(std::uint32_t id, WorkloadState state, std::int64_t start, std::int64_t end) {
  auto w = job(id, state, start);
  w.end = Timestamp{end};
  return w;
}

struct Watched {
  EfficiencyTracker tracker;

  void at(std::int64_t time, std::vector<Workload> workloads,
          const std::function<void(Snapshot&)>& change = {}) {
    Snapshot s;
    s.time = {time};
    s.nodes.resize(1);
    s.nodes[0].name = Symbol("n0");
    s.config.emplace();
    s.config->entries = {{"PreemptType", "preempt/qos"}};
    for (const char* name : {"low", "high"}) {
      model::Qos qos;
      qos.name = Symbol(name);
      qos.preempts.emplace();
      if (qos.name.view() == "high") qos.preempts->push_back(Symbol("low"));
      s.qos.push_back(qos);
    }
    s.workloads = std::move(workloads);
    if (change) change(s);
    s.build_index();
    tracker.feed(s, ledger(4, 4), kGap);
  }
  RunTime lost(LossCause cause) const {
    return tracker.counts().lost[static_cast<std::size_t>(cause)];
  }
};

double seconds(const EfficiencyCounts& counts, GpuState state, std::string cause = "") {
  auto it = counts.gpu_seconds.find({state, std::move(cause)});
  return it == counts.gpu_seconds.end() ? 0 : it->second;
}

TEST(EfficiencyTracker, SharesTheTimeBetweenTwoLooksBetweenThem) {
  EfficiencyTracker tracker;
  Snapshot s;
  s.time = {kStart};
  tracker.feed(s, ledger(8, 0), kGap);
  s.time = {kStart + 30};
  tracker.feed(s, ledger(4, 4), kGap);
  auto counts = tracker.counts();
  EXPECT_EQ(seconds(counts, GpuState::kInUse), 180);
  EXPECT_EQ(seconds(counts, GpuState::kStranded, "cpu"), 60);
}

TEST(EfficiencyTracker, AGapAndAClockThatWasSetBackAreNotExtrapolated) {
  EfficiencyTracker tracker;
  Snapshot s;
  s.time = {kStart};
  tracker.feed(s, ledger(8, 0), kGap);
  s.time = {kStart - 500};
  tracker.feed(s, ledger(8, 0), kGap);
  EXPECT_THAT(tracker.counts().gpu_seconds, IsEmpty());
  s.time = {kStart + 500};
  tracker.feed(s, ledger(8, 0), kGap);
  auto counts = tracker.counts();
  EXPECT_EQ(seconds(counts, GpuState::kUnknown), 8'000);
  EXPECT_EQ(seconds(counts, GpuState::kInUse), 0);
}

TEST(RunTracker, ARunThatFailedIsLostAsAWholeAndOnce) {
  Watched w;
  w.at(kStart, {job(1, WorkloadState::kRunning, kStart - 1000)});
  for (int round = 1; round <= 3; ++round) {
    w.at(kStart + 30 * round, {ended(1, WorkloadState::kFailed, kStart - 1000, kStart + 10)});
  }
  EXPECT_EQ(w.lost(LossCause::kFailed).runs, 1u);
  EXPECT_EQ(w.lost(LossCause::kFailed).gpu_seconds, 4 * 1010);
}

TEST(RunTracker, WhatEndedBeforeTheFirstLookOrWellIsNotLost) {
  Watched w;
  w.at(kStart, {ended(1, WorkloadState::kFailed, kStart - 1000, kStart - 10),
                job(2, WorkloadState::kRunning, kStart - 500),
                job(3, WorkloadState::kRunning, kStart - 500)});
  w.at(kStart + 30, {ended(1, WorkloadState::kFailed, kStart - 1000, kStart - 10),
                     ended(2, WorkloadState::kCompleted, kStart - 500, kStart + 5),
                     ended(3, WorkloadState::kCancelled, kStart - 500, kStart + 5)});
  for (const auto& lost : w.tracker.counts().lost) EXPECT_EQ(lost.runs, 0u);
  EXPECT_EQ(w.tracker.counts().unseen.runs, 0u);
}

TEST(RunTracker, ARunThatBeganAndEndedBetweenTwoLooksCounts) {
  Watched w;
  w.at(kStart, {});
  w.at(kStart + 30, {ended(1, WorkloadState::kTimeout, kStart + 5, kStart + 25)});
  EXPECT_EQ(w.lost(LossCause::kTimeout).gpu_seconds, 80);
}

TEST(RunTracker, HowARunThatIsGoneEndedNobodyKnows) {
  Watched w;
  w.at(kStart, {job(1, WorkloadState::kRunning, kStart - 100)});
  w.at(kStart + 30, {}, [](Snapshot& s) {
    s.sources.resize(1);
    s.sources[0].feeds = "workloads";
    s.sources[0].state = model::SourceState::kFailed;
  });
  EXPECT_EQ(w.tracker.counts().unseen.runs, 0u) << "nobody could look";
  w.at(kStart + 60, {});
  EXPECT_EQ(w.tracker.counts().unseen.runs, 1u);
  EXPECT_EQ(w.tracker.counts().unseen.gpu_seconds, 400);
}

TEST(RunTracker, AJobThatIsRequeuedAsAnotherStartsIsProbablyPreempted) {
  Watched w;
  w.at(kStart, {job(1, WorkloadState::kRunning, kStart - 100)});
  w.at(kStart + 30, {job(1, WorkloadState::kPending, kStart + 150),
                     job(2, WorkloadState::kRunning, kStart + 20, "high")});
  EXPECT_EQ(w.lost(LossCause::kPreempted).runs, 1u);
  EXPECT_EQ(w.lost(LossCause::kPreempted).gpu_seconds, 4 * 115) << "up to the middle of the gap";
  auto counts = w.tracker.counts();
  ASSERT_EQ(counts.latest.size(), 1u);
  EXPECT_EQ(counts.latest[0].victim, "1");
  EXPECT_EQ(counts.latest[0].preemptor, "2");
  EXPECT_TRUE(counts.latest[0].inferred);
  PreemptionKind kind{Symbol("train"), Symbol("low"), Symbol("train"), Symbol("high")};
  EXPECT_EQ(counts.preemptions[kind], 1u);
}

TEST(RunTracker, WhoMayNotPreemptIsNoPreemptor) {
  Watched w;
  w.at(kStart, {job(1, WorkloadState::kRunning, kStart - 100)});
  const std::vector<Workload> then = {job(1, WorkloadState::kPending, kStart + 150),
                                      job(2, WorkloadState::kRunning, kStart + 20, "low")};
  w.at(kStart + 30, then);
  EXPECT_EQ(w.lost(LossCause::kRequeued).runs, 0u) << "the preemptor may start yet";
  w.at(kStart + 200, then);
  EXPECT_EQ(w.lost(LossCause::kRequeued).runs, 1u);
  EXPECT_THAT(w.tracker.counts().latest, IsEmpty());
}

TEST(RunTracker, AJobThatIsRequeuedOffADeadNodeIsLostToTheNode) {
  Watched w;
  w.at(kStart, {job(1, WorkloadState::kRunning, kStart - 100)});
  w.at(kStart + 30, {job(1, WorkloadState::kPending, kStart + 150)},
       [](Snapshot& s) { s.nodes[0].state = model::NodeState::kDown; });
  EXPECT_EQ(w.lost(LossCause::kNodeFail).runs, 1u);
}

TEST(RunTracker, AJobThatRunsAgainBeforeTheNextLookIsANewRun) {
  Watched w;
  w.at(kStart, {job(1, WorkloadState::kRunning, kStart - 100)});
  w.at(kStart + 30, {job(1, WorkloadState::kRunning, kStart + 4)});
  w.at(kStart + 200, {ended(1, WorkloadState::kNodeFail, kStart + 4, kStart + 104)});
  EXPECT_EQ(w.lost(LossCause::kRequeued).gpu_seconds, 4 * 104) << "it ended before it started";
  EXPECT_EQ(w.lost(LossCause::kNodeFail).gpu_seconds, 400);
}

TEST(RunTracker, APreemptionThatSlurmTellsOfNeedsNoPreemptor) {
  Watched w;
  w.at(kStart, {job(1, WorkloadState::kRunning, kStart - 100)});
  auto gone = ended(1, WorkloadState::kPreempted, kStart - 100, kStart + 10);
  w.at(kStart + 30, {gone});
  w.at(kStart + 160, {gone});
  EXPECT_EQ(w.lost(LossCause::kPreempted).gpu_seconds, 440);
  ASSERT_EQ(w.tracker.counts().latest.size(), 1u);
  EXPECT_EQ(w.tracker.counts().latest[0].preemptor, "");
}

Workload pod(const char* uid, const char* name, const char* priority, WorkloadState state) {
  Workload w;
  auto spec = std::make_shared<model::PodSpec>();
  spec->priority_class = Symbol(priority);
  auto p = std::make_shared<model::Pod>();
  p->ns = Symbol("team");
  p->uid = uid;
  p->spec = spec;
  w.pod = p;
  w.account = Symbol("team");
  w.name = name;
  w.state = state;
  w.request.gres_per_node = {{model::names::kGpu, {}, 2}};
  w.request.totals.set(model::names::kGresGpu, 2);
  if (state != WorkloadState::kRunning) return w;
  w.start = Timestamp{kStart - 100};
  w.allocation.nodes = {{0}};
  w.allocation.totals = w.request.totals;
  return w;
}

TEST(RunTracker, KubernetesNamesThePreemptorItself) {
  Watched w;
  w.at(kStart, {pod("u1", "victim", "low", WorkloadState::kRunning)});
  const auto then = [](Snapshot& s) {
    auto k = std::make_shared<model::Kubernetes>();
    auto gone = pod("u1", "victim", "low", WorkloadState::kRunning);
    auto p = std::make_shared<model::Pod>(*gone.pod);
    p->conditions.push_back(
        {Symbol("DisruptionTarget"), Symbol("PreemptionByScheduler"), true, false, {}, {}});
    p->deleting = Timestamp{kStart + 20};
    gone.pod = p;
    k->gone_pods.push_back(gone);
    model::Event event;
    event.kind = Symbol("Pod");
    event.ns = Symbol("team");
    event.name = "victim";
    event.uid = "u1";
    event.reason = Symbol("Preempted");
    event.note = "Preempted by pod u2 on node gpu-1";
    event.last = Timestamp{kStart + 20};
    k->events.emplace();
    k->events->push_back(event);
    s.kubernetes = k;
  };
  for (int round = 1; round <= 2; ++round) {
    w.at(kStart + 30 * round, {pod("u2", "boss", "high", WorkloadState::kPending)}, then);
  }
  auto counts = w.tracker.counts();
  ASSERT_EQ(counts.latest.size(), 1u) << "told once";
  EXPECT_EQ(counts.latest[0].victim, "team/victim");
  EXPECT_EQ(counts.latest[0].preemptor, "team/boss");
  EXPECT_FALSE(counts.latest[0].inferred);
  EXPECT_EQ(counts.latest[0].gpu_seconds, 2 * 120);
  EXPECT_EQ(w.lost(LossCause::kPreempted).gpu_seconds, 2 * 120);
  PreemptionKind kind{Symbol("team"), Symbol("low"), Symbol("team"), Symbol("high")};
  EXPECT_EQ(counts.preemptions[kind], 1u);
}

TEST(EfficiencyTracker, WritesEveryCauseFromTheStart) {
  Watched w;
  w.at(kStart, {});
  w.at(kStart + 10, {});
  std::string text;
  Exposition out([&](std::string_view piece) { text += piece; });
  w.tracker.write(out);
  out.finish();
  EXPECT_THAT(text,
              HasSubstr("schedlens_gpu_seconds_total{state=\"stranded\",cause=\"cpu\"} 40\n"));
  EXPECT_THAT(text, HasSubstr("schedlens_lost_gpu_seconds_total{cause=\"node_fail\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("schedlens_lost_gpu_runs_total{cause=\"evicted\"} 0\n"));
}

}  // namespace
}  // namespace schedlens::metrics
