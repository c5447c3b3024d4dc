// SPDX-License-Identifier: Apache-2.0
#include "slurm/hostlist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> expand(std::string_view list) {
  auto names = expand_hostlist(list);
  EXPECT_TRUE(names) << list;
  return names.value_or(std::vector<std::string>{"error"});
}

TEST(Hostlist, SeveralGroupsPaddingSuffixesAndDimensions) {
  EXPECT_THAT(expand("n[01-03,9],m-[1-2]x"),
              ElementsAre("n01", "n02", "n03", "n9", "m-1x", "m-2x"));
  EXPECT_THAT(expand("r[1-2]n[01-02]"), ElementsAre("r1n01", "r1n02", "r2n01", "r2n02"));
  EXPECT_THAT(expand("node[0000-0001,0047]"), ElementsAre("node0000", "node0001", "node0047"));
  EXPECT_THAT(expand("n[8-11]"), ElementsAre("n8", "n9", "n10", "n11"));
  EXPECT_THAT(expand("n[08-11]"), ElementsAre("n08", "n09", "n10", "n11"));
  EXPECT_THAT(expand("a[1]b[2]c[3-4]d"), ElementsAre("a1b2c3d", "a1b2c4d"));
  EXPECT_THAT(expand("[1-2]"), ElementsAre("1", "2"));
}

// Names may be long.
TEST(Hostlist, PlainNames) {
  EXPECT_THAT(expand("very-long-node-name-01x.example.org"),
              ElementsAre("very-long-node-name-01x.example.org"));
  EXPECT_THAT(expand("a,b,c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(expand(""), ElementsAre());
}

TEST(Hostlist, AbsurdListsAreRefusedAndNotExpanded) {
  for (auto list : {"n[0-999999999]", "n[0-9999]r[0-9999]", "n[0-999999999999999999]",
                    "n[0-600000],m[0-600000]", "a[0-99]b[0-99]c[0-99]d[0-99]"}) {
    auto names = expand_hostlist(list);
    ASSERT_FALSE(names) << list;
    EXPECT_THAT(names.error().message(), HasSubstr("more than 1000000 names")) << list;
  }
  EXPECT_FALSE(expand_hostlist("n[0-10]", 10));
  EXPECT_TRUE(expand_hostlist("n[1-10]", 10));
}

TEST(Hostlist, BrokenListsAreErrors) {
  for (auto list :
       {"n[1-3", "n1-3]", "n[]", "n[1-]", "n[-3]", "n[a-b]", "n[3-1]", "n[1,,2]", "n[[1]]",
        "n[0x10]", "n[1-2-3]", "n[99999999999999999999]", "a[1]b[1]c[1]d[1]e[1]f"}) {
    EXPECT_FALSE(expand_hostlist(list)) << list;
  }
}

TEST(Hostlist, NothingIsVisitedWhenALaterPartIsBroken) {
  int visits = 0;
  EXPECT_FALSE(for_each_host("good[1-3],bad[", [&](std::string_view) { ++visits; }));
  EXPECT_EQ(visits, 0);
}

}  // namespace
}  // namespace schedlens::slurm
