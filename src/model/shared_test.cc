// SPDX-License-Identifier: Apache-2.0
#include "model/shared.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "model/shared_list.h"

namespace schedlens::model {
namespace {

TEST(Shared, CopiesAreOneUntilOneIsWrittenTo) {
  Shared<std::string> a(std::string("text"));
  const auto b = a;
  EXPECT_EQ(&*a, &*b);
  EXPECT_FALSE(a.alone());
  a.edit() += "s";
  EXPECT_EQ(*a, "texts");
  EXPECT_EQ(*b, "text");
  EXPECT_TRUE(a.alone());
  EXPECT_TRUE(b.alone());
  // Nobody else has it now: written to where it is.
  const auto* place = &*a;
  a.edit() += "!";
  EXPECT_EQ(&*a, place);
}

TEST(Shared, WithoutAValueIsTheDefault) {
  Shared<std::vector<int>> none;
  EXPECT_TRUE(none->empty());
  EXPECT_TRUE(none.is_default());
  auto copy = none;
  copy.edit().push_back(1);
  EXPECT_TRUE(none->empty());
  EXPECT_NE(none, copy);
  EXPECT_EQ(none, Shared<std::vector<int>>(std::vector<int>()));
}

TEST(Shared, MovedAndAssigned) {
  Shared<std::string> a(std::string("a")), b(std::string("b"));
  auto c = std::move(a);
  EXPECT_TRUE(c.alone());
  c = b;
  EXPECT_EQ(*c, "b");
  c = *&c;
  EXPECT_EQ(*c, "b");
  b = {};
  EXPECT_TRUE(c.alone());
}

// Each thread has copies of its own; the value goes with the last of them.
TEST(Shared, CopiesInThreads) {
  const Shared<std::string> all(std::string(100, 'x'));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([mine = all, t]() mutable {
      for (int i = 0; i < 1000; ++i) {
        auto copy = mine;
        copy.edit()[0] = static_cast<char>('a' + t);
        if (i % 10 == 0) mine = copy;
        EXPECT_EQ(copy->size(), 100u);
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(all->front(), 'x');
  EXPECT_TRUE(all.alone());
}

TEST(SharedOptional, IsAnOptional) {
  SharedOptional<std::string> o;
  EXPECT_FALSE(o);
  o = std::string("");
  ASSERT_TRUE(o);  // empty, and there
  const auto copy = o;
  *o = "x";
  o->push_back('y');
  EXPECT_EQ(*o, "xy");
  EXPECT_EQ(*copy, "");
  EXPECT_NE(o, copy);
  o.reset();
  EXPECT_EQ(o, SharedOptional<std::string>(std::nullopt));
  EXPECT_EQ(SharedOptional<std::string>(std::optional<std::string>("z"))->front(), 'z');
}

TEST(SharedList, ACopySharesItsElements) {
  SharedList<std::string> list = {"a", "b"};
  list.push_back(std::string("c"));
  list.emplace_back() = "d";
  const auto copy = list;
  EXPECT_EQ(&std::as_const(list)[1], &copy[1]);

  list[1] = "B";
  for (auto& text : list) text += "!";
  list.resize(3);
  std::string joined;
  for (const auto& text : copy) joined += text;
  EXPECT_EQ(joined, "abcd");
  joined.clear();
  for (const auto& text : std::as_const(list)) joined += text;
  EXPECT_EQ(joined, "a!B!c!");
  EXPECT_EQ(copy.back(), "d");
  EXPECT_EQ(list.front(), "a!");
}

TEST(SharedList, TakesSharedElements) {
  const Shared<std::string> kept(std::string("a"));
  SharedList<std::string> list;
  list.push_back(kept);
  EXPECT_EQ(&std::as_const(list).front(), &*kept);
  list.front() = "b";
  EXPECT_EQ(*kept, "a");
}

}  // namespace
}  // namespace schedlens::model
