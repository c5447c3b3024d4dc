// SPDX-License-Identifier: Apache-2.0
// What was acknowledged survives the end of the process at any moment, and a disk without room.

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <optional>
#include <random>

#include "memory/store_dir_test.h"

namespace schedlens::memory {
namespace {

using namespace test;
using testing::HasSubstr;
using testing::IsEmpty;

using Crash = StoreDir;

constexpr std::int64_t kStep = 150;  // seconds from one batch to the next
constexpr int kSeries = 5;

SeriesKey key_of_series(int i) {
  return make_key("load", {{"node", "n" + std::to_string(i)}});
}

// Writes batch after batch until it is killed, and tells the number of each that is acknowledged.
[[noreturn]] void write_until_killed(const std::filesystem::path& dir, std::int64_t first,
                                     StoreOptions options, int acknowledged) {
  SetClock clock({kDecember.unix_seconds + first * kStep});
  auto store = Store::open(dir, options, clock);
  if (!store) _exit(1);
  std::vector<SeriesId> ids;
  for (int i = 0; i < kSeries; ++i) ids.push_back((*store)->series(key_of_series(i)));
  for (auto n = first;; ++n) {
    std::vector<Sample> samples;
    for (const auto id : ids) {
      samples.push_back({id, moment_of(clock.now()), static_cast<double>(n)});
    }
    (*store)->append(samples);
    (*store)->put(NodeChange{clock.now(), "n1", "IDLE", "DOWN", "", "", {}, {}});
    (*store)->set_state("last", std::to_string(n));
    if (!(*store)->flush(std::chrono::seconds(20))) _exit(2);
    if (write(acknowledged, &n, sizeof n) != sizeof n) _exit(3);
    clock.advance({kStep});
  }
}

// All batches up to this one, each whole and once. Later ones may be there.
void expect_all(Reader reader, std::int64_t last, std::int64_t& seen) {
  auto points = reader.points({"load", {}}, kEver);
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), std::size_t{kSeries});
  for (const auto& series : *points) {
    ASSERT_GT(static_cast<std::int64_t>(series.points.size()), last);
    for (std::size_t n = 0; n < series.points.size(); ++n) {
      ASSERT_EQ(series.points[n].value, static_cast<double>(n));
      ASSERT_EQ(series.points[n].time, at(kDecember, static_cast<std::int64_t>(n) * kStep));
    }
    seen = static_cast<std::int64_t>(series.points.size()) - 1;
  }
  auto changes = reader.node_changes({});
  ASSERT_TRUE(changes);
  ASSERT_GT(static_cast<std::int64_t>(changes->size()), last);
  auto state = reader.state("last");
  ASSERT_TRUE(state && *state);
  ASSERT_GE(std::stoll(**state), last);
  // The sums agree with the points, whether they come from chunks or from the roll-up.
  auto buckets = reader.buckets({"load", {}}, kEver, std::chrono::hours(24));
  for (const auto& series : *buckets) {
    std::uint64_t n = 0;
    for (const auto& bucket : series.buckets) n += bucket.summary.n;
    ASSERT_EQ(n, (*points)[0].points.size());
  }
  ASSERT_THAT(reader.take_problems(), IsEmpty());
}

TEST_F(Crash, KilledAtRandomMoments) {
  std::mt19937 random(7);
  std::int64_t last = -1, next = 0;
  int useful = 0;
  for (int round = 0; round < 40; ++round) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const auto child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      write_until_killed(dir_, next, quick(), ends[1]);
    }
    close(ends[1]);
    // Some while it opens, most a little after one of its first batches is acknowledged.
    auto batches = static_cast<int>(random() % 8);
    std::int64_t n = 0;
    bool any = false;
    for (; batches > 0 && read(ends[0], &n, sizeof n) == sizeof n; --batches) {
      last = n;
      any = true;
    }
    usleep(random() % 30'000);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    while (read(ends[0], &n, sizeof n) == sizeof n) {
      last = n;
      any = true;
    }
    close(ends[0]);
    useful += any ? 1 : 0;
    if (last < 0) continue;
    // Without anybody who writes, and with the logs that the dead left.
    std::int64_t seen = 0;
    expect_all(reader(), last, seen);
    if (HasFailure()) FAIL() << "round " << round;
    next = seen + 1;
  }
  EXPECT_GT(useful, 20);
  EXPECT_GT(last, 100);
}

class Limit {
 public:
  explicit Limit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~Limit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(Crash, ADiskWithoutRoom) {
  auto options = quick();
  options.max_pending_points = 50'000;
  auto store = open(options);
  const auto id = store->series(make_key("x"));
  std::int64_t next = 0;
  const auto append = [&](int count) {
    std::vector<Sample> samples;
    for (int i = 0; i < count; ++i, ++next) samples.push_back({id, at(kDecember, next), 1});
    return store->append(samples);
  };
  append(100);
  flush(*store);
  std::optional<Limit> limit(400'000);
  Status done;
  for (int i = 0; i < 100 && done; ++i) {
    append(1000);
    done = store->flush(std::chrono::milliseconds(300));
  }
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message(), HasSubstr("not on the disk yet"));
  auto health = store->health();
  EXPECT_FALSE(health.ok);
  EXPECT_TRUE(health.failing_since);
  EXPECT_THAT(health.error, HasSubstr("write points"));
  EXPECT_EQ(health.pending_points, 1000U);
  // Reading goes on.
  auto points = reader().points({"x", {}}, kEver);
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 1U);
  EXPECT_GE((*points)[0].points.size(), static_cast<std::size_t>(next) - 1000);
  // Up to the bound it is kept, beyond it is dropped and counted.
  const auto kept = next;
  EXPECT_TRUE(append(49'000));
  EXPECT_FALSE(append(10));
  EXPECT_EQ(store->health().dropped_points, 10U);
  limit.reset();
  flush(*store);
  health = store->health();
  EXPECT_TRUE(health.ok);
  EXPECT_FALSE(health.failing_since);
  EXPECT_EQ(health.pending_points, 0U);
  points = reader().points({"x", {}}, kEver);
  EXPECT_EQ((*points)[0].points.size(), static_cast<std::size_t>(kept + 49'000));
}

}  // namespace
}  // namespace schedlens::memory
