// SPDX-License-Identifier: Apache-2.0
#include "memory/store.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/log.h"
#include "memory/store_writer.h"

namespace schedlens::memory {
namespace {

using std::chrono::milliseconds;

// Between two tries while the disk cannot be written to.
constexpr milliseconds kFirstPause{500}, kLongestPause{30'000};

}  // namespace

struct Store::Shared {
  Shared(DirectoryLock taken, std::filesystem::path directory, StoreOptions chosen,
         const os::Clock& given)
      : lock(std::move(taken)),
        options(chosen),
        clock(given),
        writer(std::move(directory), options, clock, registry) {}

  void run();
  void one_pass(std::unique_lock<std::mutex>& guard);
  void note(const Status& done);

  DirectoryLock lock;
  const StoreOptions options;
  const os::Clock& clock;
  SeriesRegistry registry;
  StoreWriter writer;  // its thread's alone

  mutable std::mutex mutex;
  std::condition_variable wake, written;
  Batch queue;
  Batch working;  // its thread's alone; how much it holds is in held_*
  std::size_t held_points = 0, held_records = 0;
  std::uint64_t handed_over = 0, durable = 0;  // how many calls
  bool hurry = false, stop = false, more = false;
  milliseconds pause{0};
  StoreHealth health;
  std::thread thread;
};

// With the mutex.
void Store::Shared::note(const Status& done) {
  if (done) {
    if (!health.ok) {
      log::info("the data directory can be written to again");
      health.ok = true;
      health.failing_since.reset();
    }
    pause = milliseconds(0);
    return;
  }
  const auto& why = done.error().message();
  if (health.ok || health.error != why) {
    log::error("cannot write to the data directory, will try again error=\"{}\"", why);
  }
  if (health.ok) health.failing_since = clock.now();
  health.ok = false;
  health.error = why;
  pause = std::clamp(pause * 2, kFirstPause, kLongestPause);
}

// What was handed over goes to the disk; then one piece of what else is to be done.
void Store::Shared::one_pass(std::unique_lock<std::mutex>& guard) {
  const auto calls = handed_over;
  const auto append = [](auto& to, auto& from) {
    if (to.empty()) {
      to.swap(from);
    } else {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
      from.clear();
    }
  };
  append(working.samples, queue.samples);
  append(working.records, queue.records);
  append(working.states, queue.states);
  const auto points = working.samples.size(),
             records = working.records.size() + working.states.size();
  held_points = points;
  held_records = records;
  hurry = false;
  guard.unlock();

  const bool something = !working.empty();
  auto done = writer.commit(working);
  const auto refused = writer.take_refused();
  guard.lock();
  held_points = working.samples.size();
  held_records = working.records.size() + working.states.size();
  health.written_points += points - held_points - refused;
  health.written_records += records - held_records;
  health.dropped_points += refused;
  if (done) {
    durable = std::max(durable, calls);
    if (something) health.last_written = clock.now();
  }
  // What failed is told before anybody hears that it is over.
  note(done);
  written.notify_all();
  if (!done) return;

  guard.unlock();
  auto tended = writer.tend();
  guard.lock();
  health.files_set_aside = writer.set_aside_count();
  more = tended.value_or(false);
  if (!tended) note(fail(tended.error()));
}

void Store::Shared::run() {
  std::unique_lock guard(mutex);
  for (;;) {
    const auto wait = more ? milliseconds(0) : std::max(pause, options.batch_interval);
    wake.wait_for(guard, wait, [&] { return stop || (hurry && pause.count() == 0); });
    const bool last = stop;
    one_pass(guard);
    if (last && (queue.empty() || !health.ok)) break;
  }
  if (held_points + held_records > 0) {
    log::error("what was not yet written is lost points={} records={} error=\"{}\"", held_points,
               held_records, health.error);
  }
}

Store::Store(std::unique_ptr<Shared> shared) : shared_(std::move(shared)) {
  shared_->thread = std::thread([s = shared_.get()] { s->run(); });
}

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& directory,
                                           StoreOptions options, const os::Clock& clock) {
  auto lock = DirectoryLock::take(directory);
  if (!lock) return fail(lock.error());
  auto shared = std::make_unique<Shared>(std::move(*lock), directory, options, clock);
  if (auto ready = shared->writer.prepare(); !ready) return fail(ready.error());
  shared->health.files_set_aside = shared->writer.set_aside_count();
  return std::unique_ptr<Store>(new Store(std::move(shared)));
}

Store::~Store() {
  {
    const std::lock_guard guard(shared_->mutex);
    shared_->stop = true;
  }
  shared_->wake.notify_all();
  shared_->thread.join();
}

SeriesId Store::series(const SeriesKey& key) {
  return shared_->registry.intern(key);
}

bool Store::append(std::vector<Sample> samples) {
  auto& s = *shared_;
  const auto all = samples.size();
  const auto known = s.registry.size();
  std::erase_if(samples, [&](const Sample& sample) {
    return !can_be_filed(sample.time) || sample.series.index >= known;
  });
  const std::lock_guard guard(s.mutex);
  const auto pending = s.queue.samples.size() + s.held_points;
  const auto room = s.options.max_pending_points - std::min(s.options.max_pending_points, pending);
  samples.resize(std::min(samples.size(), room));
  s.queue.samples.insert(s.queue.samples.end(), samples.begin(), samples.end());
  s.health.dropped_points += all - samples.size();
  ++s.handed_over;
  if (s.queue.samples.size() >= s.options.max_pending_points / 2 && !s.hurry) {
    s.hurry = true;
    s.wake.notify_all();
  }
  return samples.size() == all;
}

bool Store::put(Record record) {
  std::vector<Record> records;
  records.push_back(std::move(record));
  return put(std::move(records));
}

bool Store::put(std::vector<Record> records) {
  auto& s = *shared_;
  const auto all = records.size();
  std::erase_if(records,
                [](const Record& record) { return !can_be_filed(moment_of(time_of(record))); });
  const std::lock_guard guard(s.mutex);
  const auto pending = s.queue.records.size() + s.queue.states.size() + s.held_records;
  const auto room =
      s.options.max_pending_records - std::min(s.options.max_pending_records, pending);
  if (records.size() > room)
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(room), records.end());
  s.health.dropped_records += all - records.size();
  const bool whole = records.size() == all;
  std::move(records.begin(), records.end(), std::back_inserter(s.queue.records));
  ++s.handed_over;
  return whole;
}

bool Store::set_state(std::string key, std::optional<std::string> value) {
  auto& s = *shared_;
  const std::lock_guard guard(s.mutex);
  const auto pending = s.queue.records.size() + s.queue.states.size() + s.held_records;
  if (pending >= s.options.max_pending_records) {
    ++s.health.dropped_records;
    return false;
  }
  s.queue.states.push_back({std::move(key), std::move(value)});
  ++s.handed_over;
  return true;
}

Status Store::flush(milliseconds timeout) {
  auto& s = *shared_;
  std::unique_lock guard(s.mutex);
  const auto wanted = s.handed_over;
  s.hurry = true;
  s.wake.notify_all();
  if (s.written.wait_for(guard, timeout, [&] { return s.durable >= wanted; })) return {};
  if (!s.health.ok) return fail("not on the disk yet: {}", s.health.error);
  return fail("not on the disk after {} ms", timeout.count());
}

StoreHealth Store::health() const {
  auto& s = *shared_;
  const std::lock_guard guard(s.mutex);
  auto health = s.health;
  health.pending_points = s.queue.samples.size() + s.held_points;
  health.pending_records = s.queue.records.size() + s.queue.states.size() + s.held_records;
  return health;
}

}  // namespace schedlens::memory
