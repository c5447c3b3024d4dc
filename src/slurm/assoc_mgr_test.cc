// SPDX-License-Identifier: Apache-2.0
#include "slurm/assoc_mgr.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "slurm/fixture_test.h"
#include "slurm/qos_records.h"
#include "slurm/sprio.h"

namespace schedlens::slurm {
namespace {

using model::Limit;
using model::LimitKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Limit* find(const std::vector<Limit>& limits, LimitKind kind,
                  std::string_view resource = "") {
  for (const auto& limit : limits) {
    if (limit.kind == kind && limit.resource.view() == resource) return &limit;
  }
  return nullptr;
}

template <class T>
const T* named(const std::vector<T>& list, std::string_view name) {
  for (const auto& item : list) {
    if (item.name.view() == name) return &item;
  }
  return nullptr;
}

AssocMgr parse(const std::string& file) {
  auto parsed = parse_assoc_mgr(fixture(file));
  EXPECT_TRUE(parsed) << file << (parsed ? "" : parsed.error().message());
  if (!parsed) return {};
  EXPECT_THAT(parsed->complaints.examples(), IsEmpty()) << file;
  return std::move(*parsed);
}

TEST(AssocMgr, Users) {
  auto all = parse("22.05/assoc_mgr_busy.txt");
  ASSERT_EQ(all.users.size(), 6u);
  EXPECT_EQ(all.users[1].name, Symbol("alice"));
  EXPECT_EQ(all.users[1].uid, 1001u);
  EXPECT_EQ(all.users[1].default_account, Symbol("llm"));
  EXPECT_EQ(all.users[1].admin_level, "Not Set");
  EXPECT_EQ(all.users[0].admin_level, "Administrator");
}

TEST(AssocMgr, AssociationsWithSharesUseAndLimits) {
  auto all = parse("22.05/assoc_mgr_busy.txt");
  const model::Association* product = nullptr;
  const model::Association* erin = nullptr;
  const model::Association* ads = nullptr;
  for (const auto& a : all.associations) {
    if (a.id == 4) product = &a;
    if (a.id == 12) erin = &a;
    if (a.id == 7) ads = &a;
  }
  ASSERT_TRUE(product && erin && ads);
  EXPECT_EQ(product->account, Symbol("product"));
  EXPECT_TRUE(product->user.empty());
  EXPECT_EQ(product->parent_id, 1u);
  EXPECT_EQ(product->shares, 40u);
  EXPECT_EQ(product->shares_normalized, 0.40);
  EXPECT_EQ(product->usage_raw, 389.99);
  EXPECT_EQ(product->usage_effective, 0.08);
  auto* gpus = find(product->limits, LimitKind::kGrpTres, "gres/gpu");
  ASSERT_TRUE(gpus);
  EXPECT_EQ(gpus->limit, 128);
  EXPECT_EQ(gpus->used, 126);
  // Use without a limit is kept for group totals, memory in bytes; zeros are not.
  auto* memory = find(product->limits, LimitKind::kGrpTres, "mem");
  ASSERT_TRUE(memory);
  EXPECT_FALSE(memory->limit);
  EXPECT_EQ(memory->used, 96000.0 * 1024 * 1024);
  EXPECT_EQ(find(product->limits, LimitKind::kGrpJobs)->used, 7);
  EXPECT_FALSE(find(product->limits, LimitKind::kGrpTres, "energy"));
  EXPECT_FALSE(find(product->limits, LimitKind::kGrpTresRunMins, "cpu"));
  EXPECT_EQ(find(ads->limits, LimitKind::kGrpTres, "node")->limit, 4);

  EXPECT_EQ(erin->user, Symbol("erin"));
  EXPECT_EQ(erin->fair_share_factor, 0.86);
  auto* jobs = find(erin->limits, LimitKind::kMaxJobs);
  ASSERT_TRUE(jobs);
  EXPECT_EQ(jobs->limit, 3);
  EXPECT_EQ(jobs->used, 3);
}

TEST(AssocMgr, QosWithUsersAndAccounts) {
  auto all = parse("22.05/assoc_mgr_busy.txt");
  ASSERT_EQ(all.qos.size(), 5u);
  auto* high = named(all.qos, "high");
  ASSERT_TRUE(high);
  EXPECT_EQ(high->id, 3u);
  EXPECT_EQ(high->priority, 1000u);
  EXPECT_EQ(high->preempt_mode, "REQUEUE");
  EXPECT_FALSE(high->preempts) << "this command does not tell";
  // Users are printed by number and named from the users' records.
  auto* bob = named(high->users, "bob");
  ASSERT_TRUE(bob);
  auto* gpus = find(bob->limits, LimitKind::kMaxTresPerUser, "gres/gpu");
  ASSERT_TRUE(gpus);
  EXPECT_EQ(gpus->limit, 64);
  EXPECT_EQ(gpus->used, 32);
  EXPECT_EQ(
      find(named(high->accounts, "llm")->limits, LimitKind::kMaxTresPerAccount, "gres/gpu")->used,
      32);
  EXPECT_EQ(find(named(all.qos, "urgent")->limits, LimitKind::kGrpTres, "gres/gpu")->limit, 64);
  auto* capped = named(all.qos, "capped");
  EXPECT_EQ(find(named(capped->users, "alice")->limits, LimitKind::kMaxJobsPerUser)->limit, 4);
  EXPECT_EQ(find(named(capped->users, "alice")->limits, LimitKind::kMaxJobsPerUser)->used, 0);
}

TEST(AssocMgr, LaterVersionsNameUsers) {
  for (auto file : {"24.11/assoc_mgr.txt", "26.05/assoc_mgr.txt"}) {
    auto all = parse(file);
    EXPECT_EQ(all.users.size(), 6u) << file;
    EXPECT_EQ(all.associations.size(), 13u) << file;
    auto* normal = named(all.qos, "normal");
    ASSERT_TRUE(normal) << file;
    auto* alice = named(normal->users, "alice");
    ASSERT_TRUE(alice) << file;
    auto* gpus = find(alice->limits, LimitKind::kMaxTresPerUser, "gres/gpu");
    ASSERT_TRUE(gpus) << file;
    EXPECT_GT(*gpus->used, 0) << file;
    EXPECT_FALSE(find(alice->limits, LimitKind::kMaxTresRunMinsPerUser, "cpu")) << file;
  }
  EXPECT_EQ(parse("26.05/assoc_mgr.txt").users[1].admin_level, "None");
}

TEST(AssocMgr, LimitsWithoutUse) {
  auto all = parse_assoc_mgr(
      "Current Association Manager state\nAssociation Records\nClusterName=c Account=a UserName= "
      "Partition= ID=9 MaxWallPJ=60 MaxTRESPJ=cpu=4,mem=1000 MaxJobs=3 Comment=MaxJobs=9(9)\n");
  ASSERT_TRUE(all);
  const auto& limits = all->associations.at(0).limits;
  EXPECT_EQ(find(limits, LimitKind::kMaxWallPerJob)->limit, 60);
  EXPECT_EQ(find(limits, LimitKind::kMaxTresPerJob, "mem")->limit, 1000.0 * 1024 * 1024);
  EXPECT_EQ(find(limits, LimitKind::kMaxJobs)->limit, 3) << "a comment is no limit";
  EXPECT_FALSE(find(limits, LimitKind::kMaxJobs)->used);
}

TEST(AssocMgr, WhatIsNoAnswerIsAnError) {
  EXPECT_FALSE(parse_assoc_mgr(""));
  EXPECT_FALSE(parse_assoc_mgr("nonsense\n"));
  EXPECT_FALSE(parse_assoc_mgr("Current Association Manager state\nQOS=x(1) GrpJobs=N("));
  EXPECT_FALSE(parse_assoc_mgr("Current Association Manager state\nQOS=x(1) GrpJobs=huh\n"));
  EXPECT_FALSE(
      parse_assoc_mgr("Current Association Manager state\nQOS=x(1) User Limits= 1={MaxJobsPU=1\n"));
  auto empty =
      parse_assoc_mgr("Current Association Manager state\n\nNo users currently cached in Slurm.\n");
  ASSERT_TRUE(empty);
  EXPECT_THAT(empty->users, IsEmpty());
  auto partly = parse_assoc_mgr(
      "Current Association Manager state\nQOS=x(1) GrpJobs=3(1)\nQOS=y(2) GrpJobs=3(\n");
  ASSERT_TRUE(partly);
  EXPECT_EQ(partly->qos.size(), 1u);
  EXPECT_EQ(partly->complaints.unreadable_records(), 1u);
}

TEST(QosRecords, PreemptionFlagsAndBounds) {
  auto parsed = parse_qos_records(fixture("22.05/qos.txt"));
  ASSERT_TRUE(parsed) << parsed.error().message();
  ASSERT_EQ(parsed->records.size(), 5u);
  auto* urgent = named(parsed->records, "urgent");
  ASSERT_TRUE(urgent);
  EXPECT_THAT(urgent->preempts, ElementsAre(Symbol("normal"), Symbol("scavenger")));
  EXPECT_EQ(urgent->usage_factor, 1.0);
  EXPECT_THAT(named(parsed->records, "scavenger")->flags, ElementsAre("NoReserve"));
  EXPECT_EQ(find(named(parsed->records, "high")->each_user, LimitKind::kMaxTresPerUser, "gres/gpu")
                ->limit,
            64);
  EXPECT_EQ(find(named(parsed->records, "capped")->each_user, LimitKind::kMaxJobsPerUser)->limit,
            4);

  std::vector<model::Qos> qos(1);
  qos[0].name = Symbol("urgent");
  merge_qos_records(parsed->records, Seconds{2}, qos);
  EXPECT_EQ(qos.size(), 5u);
  EXPECT_EQ(qos[0].preempts->size(), 2u);
  EXPECT_EQ(qos[0].preempt_exempt_time, Seconds{2}) << "the scheduler's";
  EXPECT_TRUE(named(qos, "normal")->preempts->empty()) << "read, and none";
}

TEST(QosRecords, ATimeWithoutPreemption) {
  auto parsed = parse_qos_records("low|||1.0|1-02:00:00||||||||||\nnone|||1.0|||||||||||\n");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->records[0].preempt_exempt_time, Seconds{26 * 3600});
  EXPECT_FALSE(parsed->records[1].preempt_exempt_time);
}

TEST(QosRecords, WhatIsNoAnswerIsAnError) {
  EXPECT_FALSE(parse_qos_records(""));
  EXPECT_FALSE(parse_qos_records("normal|||1.0\n"));
  EXPECT_TRUE(parse_qos_records("normal|||1.0|||||||||||\n"));
  EXPECT_FALSE(parse_qos_records("normal|||1.0|||||||||||"));
  EXPECT_FALSE(parse_qos_records("normal|||1.0||cpu=|||||||||\n"));
  EXPECT_FALSE(parse_qos_records("normal|||1.0|soon||||||||||\n"));
}

TEST(Sprio, Factors) {
  auto parsed = parse_sprio(fixture("22.05/sprio.txt"));
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->records.size(), 9u);
  const auto& big = parsed->records[7];
  EXPECT_EQ(big.job_id, 78u);
  EXPECT_EQ(big.factors.fair_share, 1429);
  EXPECT_EQ(big.factors.job_size, 317);
  EXPECT_EQ(big.factors.queue, 2000);
  EXPECT_EQ(big.factors.qos, 100);
  EXPECT_EQ(big.factors.tres, 1 + 83 + 417);
  EXPECT_EQ(big.factors.age, 0);
  EXPECT_EQ(big.queue, Symbol("train"));
}

TEST(Sprio, Versions2411And2605) {
  for (std::string release : {"24.11", "26.05"}) {
    auto parsed = parse_sprio(fixture(release + "/sprio.txt"));
    ASSERT_TRUE(parsed) << release;
    EXPECT_THAT(parsed->complaints.examples(), IsEmpty()) << release;
    double per_partition = 0;
    for (const auto& job : parsed->records) {
      if (job.job_id == 17) per_partition += job.factors.queue;
    }
    EXPECT_EQ(per_partition, 2000 + 200) << "one line for each partition";
  }
}

TEST(QosRecords, Versions2411And2605) {
  for (std::string release : {"24.11", "26.05"}) {
    auto parsed = parse_qos_records(fixture(release + "/qos.txt"));
    ASSERT_TRUE(parsed) << release;
    ASSERT_EQ(parsed->records.size(), 5u) << release;
    EXPECT_EQ(parsed->records[2].name, Symbol("high"));
    EXPECT_EQ(parsed->records[2].each_user.size(), 1u) << "64 GPUs";
    EXPECT_EQ(parsed->records[3].preempts.size(), 2u);
  }
}

TEST(Sprio, NoWaitingJobsIsNoOutput) {
  EXPECT_TRUE(parse_sprio(""));
  EXPECT_FALSE(parse_sprio("1|2\n"));
  EXPECT_FALSE(parse_sprio("68|0|0|0|1429|65|2000|100|0|train|cpu=1,me"));
  EXPECT_FALSE(parse_sprio("68|0|0|0|x|65|2000|100|0|train|cpu=1\n"));
}

}  // namespace
}  // namespace schedlens::slurm
