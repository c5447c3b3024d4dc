// SPDX-License-Identifier: Apache-2.0
#include "history/config_versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/changed_lines.h"

namespace schedlens::history {
namespace {

using model::Snapshot;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Snapshot cluster() {
  Snapshot s;
  s.time = {1'800'000'000};
  for (auto feeds : {"nodes", "queues", "associations"}) {
    model::SourceStatus source;
    source.feeds = feeds;
    source.state = model::SourceState::kFresh;
    s.sources.push_back(source);
  }
  s.config.emplace();
  s.config->entries = {{"BOOT_TIME", "2026-11-30T10:00:00"}, {"MaxArraySize", "1001"}};
  model::Queue queue;
  queue.name = Symbol("main");
  queue.max_nodes = Bound<std::uint32_t>::of(2);
  s.queues.push_back(queue);
  model::Qos qos;
  qos.name = Symbol("normal");
  qos.limits.push_back({model::LimitKind::kGrpTres, Symbol("gres/gpu"), 8, 3});
  s.qos.push_back(qos);
  s.build_index();
  return s;
}

TEST(ConfigVersions, EachSourceWhenItsTextChanges) {
  auto s = cluster();
  ConfigVersions versions;
  const auto first = versions.feed(s);
  ASSERT_THAT(first, SizeIs(3));
  EXPECT_THAT(versions.feed(s), IsEmpty());
  s.config->entries[0].second = "2026-12-01T10:00:00";
  s.qos[0].limits[0].used = 5;
  EXPECT_THAT(versions.feed(s), IsEmpty()) << "a restart and use change no setting";
  s.queues[0].max_nodes = Bound<std::uint32_t>::of(4);
  s.qos[0].limits[0].limit = 16;
  const auto second = versions.feed(s);
  ASSERT_THAT(second, SizeIs(2));
  EXPECT_EQ(second[0].source, "partitions");
  EXPECT_EQ(second[1].source, "qos");
  EXPECT_THAT(changed_lines(first[2].text, second[1].text),
              ElementsAre("- normal: GrpTRES:gres/gpu=8", "+ normal: GrpTRES:gres/gpu=16"));
}

TEST(ConfigVersions, FromWhereAnEarlierProcessEnded) {
  auto s = cluster();
  ConfigVersions versions;
  const auto first = versions.feed(s);
  EXPECT_THAT(ConfigVersions(first).feed(s), IsEmpty());
}

TEST(ConfigVersions, WhatWasNotReadHasNoNewVersion) {
  auto s = cluster();
  ConfigVersions versions;
  versions.feed(s);
  s.queues.clear();
  s.sources[1].state = model::SourceState::kFailed;
  s.config.reset();
  EXPECT_THAT(versions.feed(s), IsEmpty());
}

}  // namespace
}  // namespace schedlens::history
