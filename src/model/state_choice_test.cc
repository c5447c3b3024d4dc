// SPDX-License-Identifier: Apache-2.0
#include "model/state_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::model {
namespace {

using testing::HasSubstr;

StateChoice kinds(std::string_view text) {
  StateChoice choice;
  if (const auto read = read_state_kinds(text, choice); !read) {
    throw std::runtime_error(read.error().message());
  }
  return choice;
}

std::string labels_error(std::string_view text) {
  StateChoice choice;
  const auto read = read_state_labels(text, choice);
  return read ? "no error" : read.error().message();
}

TEST(StateChoice, KindsAreNamedAsInUrls) {
  const auto choice = kinds("pods, nodes");
  EXPECT_TRUE(choice.any());
  EXPECT_TRUE(choice.wants(StateKind::kPods));
  EXPECT_TRUE(choice.wants(StateKind::kNodes));
  EXPECT_FALSE(choice.wants(StateKind::kJobs));
  for (const auto name : state_resource_names()) EXPECT_TRUE(kinds(name).any()) << name;
}

TEST(StateChoice, NothingIsChosenWhereNothingIsSaid) {
  EXPECT_FALSE(StateChoice().any());
  EXPECT_FALSE(kinds("").any());
  EXPECT_FALSE(kinds(" , ").any());
}

TEST(StateChoice, AllIsEveryKind) {
  const auto choice = kinds("all");
  for (std::size_t i = 0; i < kStateKinds; ++i) {
    EXPECT_TRUE(choice.wants(static_cast<StateKind>(i))) << i;
  }
}

TEST(StateChoice, AWrongKindIsNamed) {
  StateChoice choice;
  EXPECT_EQ(read_state_kinds("pods,node", choice).error().message(),
            "'node' is no kind of object that can be shown, did you mean 'nodes'?");
  EXPECT_THAT(read_state_kinds("secrets", choice).error().message(),
              HasSubstr("'secrets' is no kind of object that can be shown"));
  EXPECT_FALSE(choice.any());
}

TEST(StateChoice, LabelsAreChosenByKind) {
  StateChoice choice;
  ASSERT_TRUE(read_state_labels("pods=[app, team],nodes=[*]", choice));
  EXPECT_TRUE(choice.labels(StateKind::kPods).allows("team"));
  EXPECT_FALSE(choice.labels(StateKind::kPods).allows("other"));
  EXPECT_TRUE(choice.labels(StateKind::kNodes).allows("other"));
  EXPECT_TRUE(choice.labels(StateKind::kJobs).empty());
  ASSERT_TRUE(read_state_labels("*=[app],jobs=[x]", choice));
  EXPECT_TRUE(choice.labels(StateKind::kQuotas).allows("app"));
  EXPECT_TRUE(choice.labels(StateKind::kJobs).allows("app"));
  EXPECT_TRUE(choice.labels(StateKind::kJobs).allows("x"));
  ASSERT_TRUE(read_state_labels("", choice));
  EXPECT_TRUE(choice.labels(StateKind::kJobs).empty());
}

TEST(StateChoice, WrongLabelListsAreNamed) {
  EXPECT_THAT(labels_error("pods"), HasSubstr("'pods' is no list of labels"));
  EXPECT_THAT(labels_error("pods=[app"), HasSubstr("'pods=[app' is no list of labels"));
  EXPECT_THAT(labels_error("pod=[app]"), HasSubstr("did you mean 'pods'?"));
  EXPECT_EQ(labels_error("pods=[a]nodes=[b]"), "a comma is missing before 'nodes=[b]'");
}

}  // namespace
}  // namespace schedlens::model
