// SPDX-License-Identifier: Apache-2.0
#include "history/read_state.h"

#include <gtest/gtest.h>

namespace schedlens::history {
namespace {

using model::SourceState;

model::Snapshot with(SourceState state) {
  model::Snapshot s;
  s.sources.resize(2);
  s.sources[0].feeds = "nodes";
  s.sources[0].state = state;
  s.sources[1].feeds = "workloads";
  s.sources[1].state = SourceState::kFresh;
  return s;
}

TEST(ReadState, OldDataAreNotRead) {
  EXPECT_TRUE(read_state(with(SourceState::kFresh), "nodes").whole);
  EXPECT_TRUE(read_state(with(SourceState::kPartial), "nodes").any);
  EXPECT_FALSE(read_state(with(SourceState::kPartial), "nodes").whole);
  for (auto state : {SourceState::kStale, SourceState::kFailed, SourceState::kNever}) {
    EXPECT_FALSE(read_state(with(state), "nodes").any);
    EXPECT_TRUE(read_state(with(state), "workloads").whole) << "another list";
  }
}

}  // namespace
}  // namespace schedlens::history
