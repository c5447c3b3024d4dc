// SPDX-License-Identifier: Apache-2.0
#include "kube/scheduler_metrics.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace schedlens::kube {
namespace {

std::string page(const std::string& version) {
  std::ifstream file(std::string(SCHEDLENS_FIXTURES) + "/kube/metrics/kube-scheduler-" + version +
                     ".prom");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double pods(const model::KubeScheduler& k, const char* queue) {
  for (const auto& q : k.queues) {
    if (q.queue.view() == queue) return q.pods;
  }
  return -1;
}

const model::SchedulingAttempts* attempts(const model::KubeScheduler& k, const char* result) {
  for (const auto& a : k.attempts) {
    if (a.result.view() == result) return &a;
  }
  return nullptr;
}

double named(const std::vector<model::NamedCount>& list, const char* name) {
  for (const auto& n : list) {
    if (n.name.view() == name) return n.count;
  }
  return -1;
}

TEST(SchedulerMetrics, ReadsWhatARealScheduler136Says) {
  const auto k = read_scheduler_metrics(page("1.36.2"));
  ASSERT_TRUE(k) << k.error().message();
  EXPECT_EQ(k->version, "1.36.2");
  EXPECT_EQ(k->started, Timestamp{1796009269});
  EXPECT_EQ(pods(*k, "unschedulable"), 29);
  EXPECT_EQ(pods(*k, "gated"), 2);
  ASSERT_TRUE(attempts(*k, "unschedulable"));
  EXPECT_EQ(attempts(*k, "unschedulable")->count, 128);
  EXPECT_EQ(attempts(*k, "scheduled")->durations->count, 3);
  EXPECT_EQ(k->preemption_attempts, 90);
  EXPECT_EQ(k->preemptions, 3);
  EXPECT_EQ(k->preemption_victims, 3);
  EXPECT_EQ(named(k->cache, "pods"), 10080);
  EXPECT_EQ(named(k->goroutines, "binding"), 0);
  EXPECT_EQ(k->scheduled_after_flush, 0);
  EXPECT_EQ(k->rejecting_plugins.size(), 11u);
  const auto filter = std::find_if(
      k->extension_points.begin(), k->extension_points.end(),
      [](const auto& p) { return p.name.view() == "Filter" && p.status.view() == "Success"; });
  ASSERT_NE(filter, k->extension_points.end());
  EXPECT_EQ(filter->durations.count, 93);
  EXPECT_DOUBLE_EQ(filter->durations.seconds, 0.135321222);
  EXPECT_TRUE(k->permit_waits.empty());
}

TEST(SchedulerMetrics, ReadsTheNamesOf120IntoTheSamePlaces) {
  const auto k = read_scheduler_metrics(page("1.20.2"));
  ASSERT_TRUE(k) << k.error().message();
  EXPECT_EQ(k->version, "1.20.2");
  EXPECT_EQ(pods(*k, "unschedulable"), 21);
  EXPECT_EQ(pods(*k, "gated"), -1);
  EXPECT_EQ(attempts(*k, "unschedulable")->durations->count, 65);
  EXPECT_EQ(named(k->cache, "pods"), 80);
  EXPECT_EQ(named(k->goroutines, "binding"), 0);
  EXPECT_FALSE(k->scheduled_after_flush);
  EXPECT_FALSE(k->waits_by_attempts.empty());
}

TEST(SchedulerMetrics, TheNewNameCountsWhereBothAreThere) {
  const auto k = read_scheduler_metrics(
      "scheduler_scheduler_cache_size{type=\"pods\"} 1\nscheduler_cache_size{type=\"pods\"} 2\n"
      "scheduler_e2e_scheduling_duration_seconds_count{result=\"scheduled\",profile=\"p\"} 9\n"
      "scheduler_scheduling_attempt_duration_seconds_count{result=\"scheduled\",profile=\"p\"} "
      "8\n");
  ASSERT_TRUE(k);
  ASSERT_EQ(k->cache.size(), 1u);
  EXPECT_EQ(k->cache[0].count, 2);
  EXPECT_EQ(k->attempts[0].durations->count, 8);
}

TEST(SchedulerMetrics, ANegativeQueueIsNoneAndSaysSo) {
  const auto k = read_scheduler_metrics("scheduler_pending_pods{queue=\"unschedulable\"} -1\n");
  ASSERT_TRUE(k);
  EXPECT_EQ(k->queues[0].pods, 0);
  EXPECT_TRUE(k->queues[0].negative);
}

TEST(SchedulerMetrics, CustomPluginsAndSecondProfilesKeepTheirNames) {
  const auto k = read_scheduler_metrics(
      "scheduler_plugin_execution_duration_seconds_count{plugin=\"Coscheduling\",extension_point="
      "\"Permit\",status=\"Wait\"} 4\n"
      "scheduler_schedule_attempts_total{profile=\"gpu\",result=\"error\"} 1\n"
      "scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"error\"} 2\n"
      "scheduler_permit_wait_duration_seconds_sum{result=\"Success\"} 12.5\n");
  ASSERT_TRUE(k);
  EXPECT_EQ(k->plugins[0].plugin.view(), "Coscheduling");
  EXPECT_EQ(k->plugins[0].sampled.count, 4);
  EXPECT_EQ(k->attempts.size(), 2u);
  EXPECT_EQ(k->permit_waits[0].durations.seconds, 12.5);
}

// The buckets of a plugin end at 22 ms; what takes seconds is in the last one only.
TEST(SchedulerMetrics, DurationsBeyondTheLastBucketKeepTheirSum) {
  const std::string name =
      "scheduler_plugin_execution_duration_seconds%{plugin=\"VolumeBinding\",extension_point="
      "\"PreBind\",status=\"Success\"";
  auto line = [&](std::string_view part, std::string_view rest) {
    auto text = name;
    return text.replace(text.find('%'), 1, part) + std::string(rest) + "\n";
  };
  const auto k = read_scheduler_metrics(line("_bucket", ",le=\"0.0219\"} 0") +
                                        line("_bucket", ",le=\"+Inf\"} 3") + line("_sum", "} 9.5") +
                                        line("_count", "} 3"));
  ASSERT_TRUE(k);
  ASSERT_EQ(k->plugins.size(), 1u);
  EXPECT_EQ(k->plugins[0].sampled.count, 3);
  EXPECT_EQ(k->plugins[0].sampled.seconds, 9.5);
}

TEST(SchedulerMetrics, NoNodesIsAResultLikeAnother) {
  const auto k = read_scheduler_metrics(
      "scheduler_schedule_attempts_total{profile=\"p\",result=\"unschedulable\"} 4\n"
      "scheduler_schedule_attempts_total{profile=\"p\",result=\"error\"} 0\n");
  ASSERT_TRUE(k);
  EXPECT_EQ(attempts(*k, "unschedulable")->count, 4);
  EXPECT_EQ(attempts(*k, "error")->count, 0);
}

TEST(SchedulerMetrics, AnotherProgramsPageIsAnError) {
  const auto k = read_scheduler_metrics("etcd_server_has_leader 1\nprocess_start_time_seconds 5\n");
  ASSERT_FALSE(k);
  EXPECT_EQ(k.error().message(),
            "no metric of a kube-scheduler on the page; is it another program's?");
  EXPECT_FALSE(read_scheduler_metrics(""));
}

}  // namespace
}  // namespace schedlens::kube
