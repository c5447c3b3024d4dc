// SPDX-License-Identifier: Apache-2.0
#include "slurm/job_words.h"

#include <gtest/gtest.h>

namespace schedlens::slurm {
namespace {

using model::WorkloadFlag;
using model::WorkloadState;

model::Workload with_id(std::string_view text) {
  model::Workload w;
  EXPECT_TRUE(parse_job_id(text, w)) << text;
  return w;
}

TEST(JobId, ArraysStandForManyTasks) {
  auto w = with_id("77_[1-40%5]");
  ASSERT_TRUE(w.array);
  EXPECT_EQ(w.array->job_id, 77u);
  EXPECT_EQ(w.array->waiting_tasks, "1-40");
  EXPECT_EQ(w.array->max_running, 5u);
  EXPECT_EQ(model::task_count(w), 40u);
  EXPECT_EQ(model::task_count(with_id("77_[30-40%5]")), 11u);
  EXPECT_EQ(model::task_count(with_id("77_[1-3,7,9-10:1]")), 6u);
  EXPECT_EQ(model::task_count(with_id("77_[1-3,7,9-10:1%5]")), 6u);
  EXPECT_EQ(model::task_count(with_id("65_[11-99:2%5]")), 45u);
  EXPECT_EQ(model::task_count(with_id("77_[5]")), 1u);
  EXPECT_EQ(with_id("77_3").array->task_id, 3u);
  EXPECT_FALSE(with_id("77_[5]").array->task_id);
  EXPECT_FALSE(with_id("77").array);
}

TEST(JobId, HetComponents) {
  auto w = with_id("88+1");
  ASSERT_TRUE(w.het);
  EXPECT_EQ(w.het->job_id, 88u);
  EXPECT_EQ(w.het->offset, 1u);
  EXPECT_EQ(model::display_id(w), "88+1");
}

TEST(JobId, BrokenOnesAreErrors) {
  for (auto text :
       {"", "x", "77_", "77_[", "77_[]", "77_[1-", "77_[3-1]", "77_[1-40%]", "77_[1-9:0]", "88+",
        "88+0.batch", "77_[1-3,...]", "99999999999", "77_[0-4294967295,1]"}) {
    model::Workload w;
    EXPECT_FALSE(parse_job_id(text, w)) << text;
  }
}

TEST(JobState, EveryStateInBothForms) {
  const std::pair<const char*, WorkloadState> states[] = {
      {"PENDING", WorkloadState::kPending},     {"PD", WorkloadState::kPending},
      {"RUNNING", WorkloadState::kRunning},     {"R", WorkloadState::kRunning},
      {"SUSPENDED", WorkloadState::kSuspended}, {"COMPLETED", WorkloadState::kCompleted},
      {"CANCELLED", WorkloadState::kCancelled}, {"FAILED", WorkloadState::kFailed},
      {"TIMEOUT", WorkloadState::kTimeout},     {"NODE_FAIL", WorkloadState::kNodeFail},
      {"PREEMPTED", WorkloadState::kPreempted}, {"BOOT_FAIL", WorkloadState::kBootFail},
      {"DEADLINE", WorkloadState::kDeadline},   {"OUT_OF_MEMORY", WorkloadState::kOutOfMemory},
      {"OOM", WorkloadState::kOutOfMemory}};
  for (auto [word, state] : states) {
    model::Workload w;
    parse_job_state(word, w);
    EXPECT_EQ(w.state, state) << word;
    EXPECT_FALSE(w.flags.any()) << word;
  }
}

TEST(JobState, EveryFlagUnderItsOwnName) {
  for (unsigned i = 0; i < static_cast<unsigned>(WorkloadFlag::kCount); ++i) {
    auto flag = static_cast<WorkloadFlag>(i);
    model::Workload w;
    parse_job_state(model::flag_name(flag), w);
    EXPECT_TRUE(w.flags.has(flag)) << model::flag_name(flag);
    EXPECT_EQ(w.unknown_state, "");
  }
}

TEST(JobState, AFlagHidesTheStateExceptWhereItImpliesOne) {
  model::Workload completing, configuring, held;
  parse_job_state("COMPLETING", completing);
  EXPECT_EQ(completing.state, WorkloadState::kUnknown);
  EXPECT_TRUE(model::holds_resources(completing));
  parse_job_state("CONFIGURING", configuring);
  EXPECT_EQ(configuring.state, WorkloadState::kRunning);
  parse_job_state("REQUEUE_HOLD", held);
  EXPECT_TRUE(model::is_pending(held));
}

TEST(JobState, UnknownWordsAreKept) {
  model::Workload w;
  parse_job_state("TELEPORTING", w);
  EXPECT_EQ(w.state, WorkloadState::kUnknown);
  EXPECT_EQ(model::full_state(w), "TELEPORTING");
}

// A token and, beside it, what more there is.
TEST(JobReason, TokensAndTexts) {
  struct Case {
    const char* text;
    const char* token;
    const char* more;
  };
  const Case cases[] = {
      {"Resources", "Resources", ""},
      {"(Resources)", "Resources", ""},
      {"None", "None", ""},
      {"JobArrayTaskLimit", "JobArrayTaskLimit", ""},
      {"SomethingNew2030", "SomethingNew2030", ""},
      {"(ReqNodeNotAvail, UnavailableNodes:n[4-5])", "ReqNodeNotAvail",
       "ReqNodeNotAvail, UnavailableNodes:n[4-5]"},
      {"ReqNodeNotAvail, May be reserved for other job", "ReqNodeNotAvail",
       "ReqNodeNotAvail, May be reserved for other job"},
      {"Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority "
       "partitions",
       "Resources",
       "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority "
       "partitions"},
      {"ReqNodeNotAvail, UnavailableNodes:", "ReqNodeNotAvail",
       "ReqNodeNotAvail, UnavailableNodes:"},
      {"RaisedSignal:53(Real-time_signal_19)", "RaisedSignal",
       "RaisedSignal:53(Real-time_signal_19)"},
      {"launch failed requeued held", "JobHeldAdmin", "launch failed requeued held"},
      {"the plugin says no", "", "the plugin says no"},
      {"", "", ""}};
  for (const auto& c : cases) {
    model::Workload w;
    parse_job_reason(c.text, w);
    EXPECT_EQ(w.reason.view(), c.token) << c.text;
    EXPECT_EQ(w.reason_text, c.more) << c.text;
  }
}

TEST(JobExit, WaitStatusOrPair) {
  EXPECT_EQ(parse_exit("768")->code, 3);
  EXPECT_EQ(parse_exit("768")->signal, 0);
  EXPECT_EQ(parse_exit("9")->signal, 9);
  EXPECT_EQ(parse_exit("0:125")->signal, 125);
  EXPECT_EQ(parse_exit("3:0")->code, 3);
  EXPECT_FALSE(parse_exit("N/A"));
  EXPECT_FALSE(parse_exit("4294967294"));
}

TEST(JobSharing, Words) {
  EXPECT_EQ(parse_sharing("OK"), model::Sharing::kShareable);
  EXPECT_EQ(parse_sharing("NO"), model::Sharing::kWholeNode);
  EXPECT_EQ(parse_sharing("USER"), model::Sharing::kUser);
  EXPECT_EQ(parse_sharing("MCS"), model::Sharing::kMcs);
  EXPECT_EQ(parse_sharing("YES"), model::Sharing::kOversubscribe);
  EXPECT_EQ(parse_sharing("TOPO"), model::Sharing::kUnspecified);
}

}  // namespace
}  // namespace schedlens::slurm
