// SPDX-License-Identifier: Apache-2.0
#include "remote/disk_queue.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "remote/remote_dir_test.h"

namespace schedlens::remote {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Queue : public test::RemoteDir {
 protected:
  DiskQueue open(QueueOptions options = {}) const {
    auto queue = DiskQueue::open(dir_ / "q", options);
    EXPECT_TRUE(queue) << queue.error().message();
    return std::move(*queue);
  }
  static std::vector<std::string> all(DiskQueue& queue) {
    std::vector<std::string> texts;
    for (const auto& entry : queue.peek(1000, 1'000'000)) texts.push_back(entry.bytes);
    return texts;
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& it : std::filesystem::directory_iterator(dir_ / "q")) {
      if (it.path().extension() == ".queue") found.push_back(it.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

TEST_F(Queue, IsFirstInFirstOut) {
  auto queue = open();
  ASSERT_TRUE(queue.append("one", 10));
  ASSERT_TRUE(queue.append("two", 20));
  ASSERT_TRUE(queue.append("three", 30));
  EXPECT_EQ(queue.pending(), 60U);
  const auto two = queue.peek(2, 1000);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1].bytes, "two");
  EXPECT_EQ(two[1].items, 20U);
  EXPECT_EQ(queue.pending(), 60U) << "looking takes nothing";
  ASSERT_TRUE(queue.pop(two[1]));
  EXPECT_EQ(queue.pending(), 30U);
  EXPECT_THAT(all(queue), ElementsAre("three"));
}

TEST_F(Queue, GivesOneEntryHoweverLarge) {
  auto queue = open();
  ASSERT_TRUE(queue.append(std::string(100, 'a'), 1));
  ASSERT_TRUE(queue.append(std::string(100, 'b'), 1));
  EXPECT_EQ(queue.peek(10, 50).size(), 1U);
  EXPECT_EQ(queue.peek(10, 199).size(), 1U);
  EXPECT_EQ(queue.peek(10, 200).size(), 2U);
}

TEST_F(Queue, GoesOnWhereItWas) {
  {
    auto queue = open();
    for (const auto* text : {"one", "two", "three"}) ASSERT_TRUE(queue.append(text, 1));
    ASSERT_TRUE(queue.pop(queue.peek(1, 1000).front()));
  }
  auto queue = open();
  EXPECT_EQ(queue.pending(), 2U);
  ASSERT_TRUE(queue.append("four", 1));
  EXPECT_THAT(all(queue), ElementsAre("two", "three", "four"));
  ASSERT_TRUE(queue.pop(queue.peek(3, 1000).back()));
  EXPECT_THAT(all(queue), IsEmpty());
}

TEST_F(Queue, OneThatWasEmptiedTakesNewEntriesAfterARestart) {
  const QueueOptions small{.max_bytes = 1'000'000, .file_bytes = 1};
  for (const auto* text : {"one", "two", "three"}) {
    auto queue = open(small);
    EXPECT_THAT(all(queue), IsEmpty());
    ASSERT_TRUE(queue.append(text, 1));
    EXPECT_THAT(all(queue), ElementsAre(text));
    ASSERT_TRUE(queue.pop(queue.peek(1, 1000).front()));
    EXPECT_EQ(queue.pending(), 0U);
  }
}

TEST_F(Queue, DropsTheOldestFilesBeyondItsBound) {
  // An entry has 12 bytes of head and 88 of its own; a file is full with two.
  auto queue = open({.max_bytes = 600, .file_bytes = 200});
  for (char c = 'a'; c <= 'g'; ++c) ASSERT_TRUE(queue.append(std::string(88, c), 5));
  // The seventh made it 700: the first file with a and b went.
  EXPECT_EQ(queue.dropped(), 10U);
  EXPECT_EQ(queue.pending(), 25U);
  EXPECT_EQ(queue.bytes(), 500U);
  EXPECT_EQ(all(queue).front(), std::string(88, 'c'));
}

TEST_F(Queue, WhatWasSentWhileItWasDroppedTakesNothingElseWithIt) {
  auto queue = open({.max_bytes = 600, .file_bytes = 200});
  for (char c = 'a'; c <= 'f'; ++c) ASSERT_TRUE(queue.append(std::string(88, c), 5));
  const auto sending = queue.peek(1, 1000);
  ASSERT_TRUE(queue.append(std::string(88, 'g'), 5));
  ASSERT_TRUE(queue.pop(sending.back()));
  EXPECT_EQ(queue.pending(), 25U);
  EXPECT_EQ(all(queue).size(), 5U);
}

TEST_F(Queue, LeavesOutAnEndThatIsCutOff) {
  {
    auto queue = open();
    for (const auto* text : {"one", "two", "three"}) ASSERT_TRUE(queue.append(text, 1));
  }
  // "three" has 12 + 5 bytes; 16 of them stay.
  std::filesystem::resize_file(files().front(), 15 + 15 + 16);
  auto queue = open();
  EXPECT_EQ(queue.pending(), 2U);
  EXPECT_EQ(queue.damaged_bytes(), 16U);
  ASSERT_TRUE(queue.append("four", 1));
  EXPECT_THAT(all(queue), ElementsAre("one", "two", "four"));
  ASSERT_TRUE(queue.pop(queue.peek(3, 1000).back()));
  EXPECT_EQ(queue.pending(), 0U);
}

TEST_F(Queue, LeavesOutWhatIsDamaged) {
  {
    auto queue = open({.max_bytes = 1'000'000, .file_bytes = 30});
    for (const auto* text : {"one", "two", "six", "ten"}) ASSERT_TRUE(queue.append(text, 1));
  }
  ASSERT_EQ(files().size(), 2U);
  std::fstream file(files().front(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(15 + 13);  // inside "two"
  file.put('X');
  file.close();
  auto queue = open();
  EXPECT_EQ(queue.damaged_bytes(), 15U);
  EXPECT_THAT(all(queue), ElementsAre("one", "six", "ten"));
}

TEST_F(Queue, BearsRubbishBesideItsFiles) {
  { ASSERT_TRUE(open().append("one", 1)); }
  test::RemoteDir::write("q/position", "nonsense");
  test::RemoteDir::write("q/notes.queue", "mine");
  test::RemoteDir::write("q/0000000000000099.queue", std::string(50, '\xff'));
  auto queue = open();
  EXPECT_THAT(all(queue), ElementsAre("one"));
  EXPECT_EQ(queue.damaged_bytes(), 50U);
}

TEST_F(Queue, AnEntryThatDoesNotFitOnTheDiskIsNotHalfThere) {
  const auto child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    auto queue = DiskQueue::open(dir_ / "q", {});
    if (!queue || !queue->append(std::string(88, 'a'), 1)) _exit(1);
    // 50 of the next 100 bytes fit.
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const auto before = limit.rlim_cur;
    limit.rlim_cur = 150;
    setrlimit(RLIMIT_FSIZE, &limit);
    if (queue->append(std::string(88, 'b'), 1)) _exit(2);
    if (queue->pending() != 1 || queue->bytes() != 100) _exit(3);
    limit.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(queue->append(std::string(88, 'c'), 1) ? 0 : 4);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
  auto queue = open();
  EXPECT_THAT(all(queue), ElementsAre(std::string(88, 'a'), std::string(88, 'c')));
  EXPECT_EQ(queue.damaged_bytes(), 0U);
}

TEST_F(Queue, SurvivesKillAtAnyMoment) {
  std::int64_t kept = 0;  // entries that must be there
  for (int round = 0; round < 5; ++round) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const auto child = fork();
    if (child == 0) {
      auto queue = DiskQueue::open(dir_ / "q", {.max_bytes = 100'000'000, .file_bytes = 5000});
      if (!queue) _exit(1);
      for (auto n = kept;; ++n) {
        if (!queue->append(std::to_string(n), 1)) _exit(2);
        if (::write(told[1], &n, sizeof n) != sizeof n) _exit(3);
      }
    }
    close(told[1]);
    usleep(20'000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    std::int64_t n = 0;
    while (read(told[0], &n, sizeof n) == sizeof n) kept = n + 1;
    close(told[0]);

    auto queue = open();
    const auto entries = queue.peek(10'000'000, 100'000'000);
    ASSERT_GE(static_cast<std::int64_t>(entries.size()), kept);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ASSERT_EQ(entries[i].bytes, std::to_string(i));
    }
    kept = static_cast<std::int64_t>(entries.size());
  }
  EXPECT_GT(kept, 10);
}

}  // namespace
}  // namespace schedlens::remote
