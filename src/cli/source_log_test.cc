// SPDX-License-Identifier: Apache-2.0
#include "cli/source_log.h"

#include <gtest/gtest.h>

namespace schedlens::cli {
namespace {

using model::SourceState;

model::Snapshot with(SourceState state, std::string error = "") {
  model::Snapshot s;
  model::SourceStatus source;
  source.name = "squeue";
  source.state = state;
  source.error = std::move(error);
  source.records = 12;
  s.sources = {source};
  return s;
}

TEST(SourceLog, OnlyChangesAreTold) {
  auto fresh = with(SourceState::kFresh);
  auto failed = with(SourceState::kFailed, "squeue: no answer within 3 s");
  EXPECT_TRUE(source_changes(nullptr, fresh).empty());
  EXPECT_TRUE(source_changes(&fresh, fresh).empty());
  EXPECT_TRUE(source_changes(&failed, failed).empty());

  auto down = source_changes(&fresh, failed);
  ASSERT_EQ(down.size(), 1u);
  EXPECT_EQ(down[0].level, log::Level::kWarning);
  EXPECT_EQ(down[0].text,
            "source failed, its last good data stay source=\"squeue\" error=\"squeue: no answer "
            "within 3 s\"");
  auto up = source_changes(&failed, fresh);
  ASSERT_EQ(up.size(), 1u);
  EXPECT_EQ(up[0].level, log::Level::kInfo);
  EXPECT_EQ(up[0].text, "source is fresh source=\"squeue\" records=12");
}

TEST(SourceLog, AFailureFromTheStartIsTold) {
  EXPECT_EQ(source_changes(nullptr, with(SourceState::kFailed)).size(), 1u);
  EXPECT_EQ(source_changes(nullptr, with(SourceState::kPartial)).size(), 1u);
}

}  // namespace
}  // namespace schedlens::cli
