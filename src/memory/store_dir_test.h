// SPDX-License-Identifier: Apache-2.0
#pragma once
// For the tests: a data directory that goes when the test ends, a clock that is set, and a store
// that does at once what others do after a while.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "memory/reader.h"
#include "memory/store.h"

namespace schedlens::memory::test {

class SetClock final : public os::Clock {
 public:
  explicit SetClock(Timestamp start) : seconds_(start.unix_seconds) {}
  Timestamp now() const override { return {seconds_}; }
  void set(Timestamp t) { seconds_ = t.unix_seconds; }
  void advance(Seconds by) { seconds_ += by.value; }

 private:
  std::atomic<std::int64_t> seconds_;
};

constexpr Timestamp kDecember{1796083200};  // 2026-12-01T00:00:00Z, a Tuesday

class StoreDir : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    dir_ = std::filesystem::temp_directory_path() /
           ("schedlens_store_" + std::to_string(getpid()) + "_" + test->name());
    std::filesystem::remove_all(dir_);
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  static StoreOptions quick() {
    StoreOptions options;
    options.batch_interval = std::chrono::milliseconds(5);
    options.seal_after = std::chrono::milliseconds(0);
    options.tend_interval = std::chrono::milliseconds(0);
    return options;
  }
  std::unique_ptr<Store> open(StoreOptions options = quick()) {
    auto store = Store::open(dir_, options, clock_);
    EXPECT_TRUE(store) << store.error().message();
    return store ? std::move(*store) : nullptr;
  }
  Reader reader() const {
    auto reader = Reader::open(dir_);
    EXPECT_TRUE(reader) << reader.error().message();
    return std::move(*reader);
  }
  static void flush(Store& store) {
    const auto done = store.flush(std::chrono::seconds(20));
    ASSERT_TRUE(done) << done.error().message();
  }
  // Waits until the writer has made something of what is over; nothing else tells when it has.
  template <class Condition>
  static bool eventually(Condition&& condition) {
    for (int i = 0; i < 2000; ++i) {
      if (condition()) return true;
      usleep(5000);
    }
    return false;
  }

  std::filesystem::path path(const std::string& name) const { return dir_ / name; }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  std::filesystem::path dir_;
  SetClock clock_{kDecember};
};

constexpr TimeRange kEver{};

inline Moment at(Timestamp start, std::int64_t seconds) {
  return {(start.unix_seconds + seconds) * 1000};
}

}  // namespace schedlens::memory::test
