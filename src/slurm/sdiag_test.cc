// SPDX-License-Identifier: Apache-2.0
#include "slurm/sdiag.h"

#include <gmock/gmock.h>

#include "slurm/config.h"
#include "slurm/fixture_test.h"

namespace schedlens::slurm {
namespace {

using testing::IsEmpty;

std::optional<std::uint64_t> count(const std::vector<model::CycleExit>& exits,
                                   std::string_view cause) {
  for (const auto& e : exits) {
    if (e.cause == cause) return e.count;
  }
  return std::nullopt;
}

TEST(Sdiag, Version2605) {
  auto v = parse_sdiag(fixture("26.05/sdiag.txt"));
  ASSERT_TRUE(v);
  EXPECT_EQ(v->time, Timestamp{1796008269});
  EXPECT_EQ(v->since, Timestamp{1796008020});
  EXPECT_EQ(v->server_threads, 1u);
  EXPECT_EQ(v->agent_queue, 0u);
  EXPECT_EQ(v->agents, 0u);
  EXPECT_EQ(v->agent_threads, 0u);
  EXPECT_EQ(v->dbd_queue, 0u);
  EXPECT_EQ(v->jobs_submitted, 166u);
  EXPECT_EQ(v->jobs_started, 56u);
  EXPECT_EQ(v->jobs_completed, 27u);
  EXPECT_EQ(v->jobs_cancelled, 18u);
  EXPECT_EQ(v->jobs_failed, 0u);
  EXPECT_EQ(v->job_states_time, Timestamp{1796008260});
  EXPECT_EQ(v->jobs_pending, 60u);
  EXPECT_EQ(v->jobs_running, 18u);
  EXPECT_EQ(v->main.last_microseconds, 639u);
  EXPECT_EQ(v->main.max_microseconds, 19601u);
  EXPECT_EQ(v->main.mean_microseconds, 1902u);
  EXPECT_EQ(v->main.total, 32u);
  EXPECT_EQ(v->main.depth_mean, 5u);
  EXPECT_EQ(v->main.per_minute, 8u);
  EXPECT_EQ(v->main.queue_length, 7u);
  EXPECT_EQ(count(v->main.exits, "end_of_queue"), 32u);
  EXPECT_EQ(count(v->main.exits, "default_queue_depth"), 0u);
  EXPECT_EQ(count(v->main.exits, "max_sched_time"), 0u);
  EXPECT_EQ(count(v->main.exits, "licenses"), 0u);
  EXPECT_EQ(v->main.exits.size(), 6u);
  EXPECT_EQ(v->backfilled_since_start, 21u);
  EXPECT_EQ(v->backfilled_since_reset, 21u);
  EXPECT_EQ(v->backfilled_het, 4u);
  EXPECT_EQ(v->backfill.total, 8u);
  EXPECT_EQ(v->backfill.last_when, Timestamp{1796008261});
  EXPECT_EQ(v->backfill.last_depth, 5u);
  EXPECT_EQ(v->backfill.last_depth_try, 3u);
  EXPECT_EQ(v->backfill.depth_mean, 6u);
  EXPECT_EQ(v->backfill.depth_try_mean, 4u);
  EXPECT_EQ(v->backfill.queue_length_mean, 6u);
  EXPECT_EQ(v->backfill.table_size, 3u);
  EXPECT_EQ(v->backfill.table_size_mean, 4u);
  EXPECT_EQ(count(v->backfill.exits, "end_of_queue"), 8u);
  EXPECT_EQ(count(v->backfill.exits, "bf_max_job_test"), 0u);
  EXPECT_EQ(count(v->backfill.exits, "bf_node_space_size"), 0u);
  EXPECT_EQ(count(v->backfill.exits, "state_changed"), 0u);
  EXPECT_EQ(count(v->backfill.exits, "bf_max_time"), 0u);
  ASSERT_EQ(v->rpc_by_type.size(), 33u);
  EXPECT_EQ(v->rpc_by_type[0].name, "REQUEST_SUBMIT_BATCH_JOB");
  EXPECT_EQ(v->rpc_by_type[0].count, 64u);
  EXPECT_EQ(v->rpc_by_type[0].mean_microseconds, 1932u);
  EXPECT_EQ(v->rpc_by_type[0].total_microseconds, 123658u);
  ASSERT_EQ(v->rpc_by_user.size(), 4u);
  EXPECT_EQ(v->rpc_by_user[2].name, "alice");
}

TEST(Sdiag, Version2411) {
  auto v = parse_sdiag(fixture("24.11/sdiag.txt"));
  ASSERT_TRUE(v);
  EXPECT_TRUE(v->jobs_running);
  EXPECT_EQ(v->main.exits.size(), 6u);
  EXPECT_EQ(v->backfill.exits.size(), 6u);
  EXPECT_FALSE(v->rpc_by_user.empty());
}

// What a version does not print is absent and not zero.
TEST(Sdiag, Version2205HasNoExitCounters) {
  auto v = parse_sdiag(fixture("22.05/sdiag.txt"));
  ASSERT_TRUE(v);
  EXPECT_TRUE(v->server_threads);
  EXPECT_THAT(v->main.exits, IsEmpty());
  EXPECT_THAT(v->backfill.exits, IsEmpty());
}

TEST(Sdiag, AnIdleClusterMayLeaveSectionsOut) {
  auto v = parse_sdiag(
      "sdiag output at Mon Nov 30 03:11:09 2026 (1796008269)\nData since      Mon Nov 30 03:07:00 "
      "2026 (1796008020)\nServer thread count:  3\nJobs submitted: 0\n");
  ASSERT_TRUE(v);
  EXPECT_FALSE(v->backfill.total);
  EXPECT_FALSE(v->backfilled_since_start);
  EXPECT_FALSE(v->main.mean_microseconds);
  EXPECT_FALSE(v->jobs_running);
}

TEST(Sdiag, WhatIsNoAnswerIsAnError) {
  EXPECT_FALSE(parse_sdiag(""));
  EXPECT_FALSE(parse_sdiag("nothing here\n"));
  auto text = fixture("26.05/sdiag.txt");
  EXPECT_FALSE(parse_sdiag(text.substr(0, 2000)));
}

TEST(Config, AllVersions) {
  for (std::string version : {"22.05", "24.11", "26.05"}) {
    auto config = parse_config(fixture(version + "/config.txt"));
    ASSERT_TRUE(config) << version;
    EXPECT_GT(config->entries.size(), 150u) << version;
    EXPECT_EQ(config->get("SLURM_VERSION")->substr(0, 5), version);
    EXPECT_TRUE(config->get("ClusterName")->starts_with("lab"));
    EXPECT_EQ(config->get("SchedulerType"), "sched/backfill");
    EXPECT_TRUE(config->number_option("SchedulerParameters", "bf_interval"));
    EXPECT_TRUE(config->has_word("PriorityType", "multifactor"));
    EXPECT_FALSE(config->get("Slurmctld(primary) at vm is UP"));
  }
}

TEST(Config, SecretsAreNoPartOfIt) {
  auto config = parse_config(
      "ClusterName = c\nSLURM_VERSION = 22.05.8\nAccountingStoragePass = hunter2\nJobCompPass = "
      "hunter2\nJobCredentialPrivateKey = /etc/hunter2\nAuthAltParameters = "
      "jwt_key=/etc/key,token=hunter2,disable\nJobCompLoc = https://me:hunter2@host:9200/x\n"
      "AuthInfo = socket=/run/munge.socket,ttl=60\n");
  ASSERT_TRUE(config);
  for (const auto& [key, value] : config->entries) {
    EXPECT_EQ((key + value).find("hunter2"), std::string::npos) << key;
  }
  EXPECT_EQ(config->option("AuthAltParameters", "token"), "***");
  EXPECT_EQ(config->option("AuthInfo", "socket"), "/run/munge.socket");
  EXPECT_EQ(config->get("JobCompLoc"), "https://***@host:9200/x");
}

TEST(Config, WhatIsNoAnswerIsAnError) {
  EXPECT_FALSE(parse_config(""));
  EXPECT_FALSE(parse_config("ClusterName = c\n"));
  EXPECT_FALSE(parse_config("ClusterName = c\nSLURM_VERSION = 22.05.8\nX = y"));
}

TEST(Config, Versions) {
  EXPECT_EQ(version_number("22.05.8"), 2205);
  EXPECT_EQ(version_number("26.05.5"), 2605);
  EXPECT_EQ(version_number("26.11.0-0rc1"), 2611);
  EXPECT_EQ(version_number(""), 0);
  EXPECT_EQ(version_number("unknown"), 0);
}

}  // namespace
}  // namespace schedlens::slurm
