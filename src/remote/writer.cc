// SPDX-License-Identifier: Apache-2.0
// Entries of the queue are requests already, compressed. As messages one behind the other are one
// message, many entries become one request where there is something to catch up with.
#include "remote/writer.h"

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <random>
#include <span>
#include <stop_token>
#include <thread>

#include "base/log.h"
#include "base/text.h"
#include "net/http_client.h"

namespace schedlens::remote {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostMessage = 64'000'000;  // of an entry, not compressed

enum class Outcome : std::uint8_t { kTaken, kTryAgain, kRefused };

struct Answer {
  Outcome outcome = Outcome::kTryAgain;
  std::string error;
  milliseconds wait{0};  // at least, as the store says
};

// Those that say nothing about the samples: who we are, or where the store is.
bool is_about_us(int status) {
  return status == 401 || status == 403 || status == 404 || status == 407 || status == 408;
}

Answer judge(const std::string& url, const Result<net::GetResponse>& response) {
  if (!response) return {Outcome::kTryAgain, response.error().message(), {}};
  const auto status = response->status;
  if (status >= 200 && status < 300) return {Outcome::kTaken, "", {}};
  Answer answer;
  answer.error = fmt::format("{}: status {}{}", url, status, net::said_by(*response));
  answer.wait = response->retry_after;
  // A redirection that leads nowhere is no word about the samples either.
  const bool refused = status >= 400 && status < 500 && status != 429 && !is_about_us(status);
  answer.outcome = refused ? Outcome::kRefused : Outcome::kTryAgain;
  return answer;
}

bool is_label_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || !plain(name.front()) || name.starts_with("__")) return false;
  for (const char c : name) {
    if (!plain(c) && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

std::uint64_t items(std::span<const QueueEntry> entries) {
  std::uint64_t sum = 0;
  for (const auto& entry : entries) sum += entry.items;
  return sum;
}

}  // namespace

struct Writer::Shared {
  Shared(std::filesystem::path last, DiskQueue q, WriterOptions o, const os::Clock& c)
      : options(std::move(o)), clock(c), last_file(std::move(last)), queue(std::move(q)) {
    std::int64_t unix_ms = 0;
    if (std::ifstream(last_file) >> unix_ms) added_before = {unix_ms};
  }

  const WriterOptions options;
  const os::Clock& clock;
  const std::filesystem::path last_file;            // holds the time of what was added last
  std::optional<memory::Moment> added_before = {};  // the same, as of the process before

  mutable std::mutex mutex;  // of what follows
  std::condition_variable_any something;
  DiskQueue queue;
  WriterHealth state;           // but for what the queue knows
  std::uint64_t unwritten = 0;  // samples that did not even reach the queue
  std::uint64_t refused = 0;    // samples
  bool queue_failing = false, saying_refused = false;

  std::jthread sender;  // last: it uses all of the above

  void add(std::vector<Sample> samples);
  void run(const std::stop_token& stop);
  Answer send(std::span<const QueueEntry> entries, const std::stop_token& stop) const;
  void took(std::span<const QueueEntry> entries);
  void was_refused(const QueueEntry& entry, const std::string& error);
  void note_failure(const std::string& error);
  void forget(const QueueEntry& last);
  milliseconds wait_after(int failures, milliseconds asked);
};

void Writer::Shared::add(std::vector<Sample> samples) {
  std::lock_guard lock(mutex);
  std::erase_if(samples, [&](const Sample& s) { return s.time == added_before; });
  if (samples.empty()) return;
  const auto dropped_before = queue.dropped();
  for (std::size_t at = 0; at < samples.size(); at += options.entry_samples) {
    const auto count = std::min(options.entry_samples, samples.size() - at);
    const auto message = write_request(std::span(samples).subspan(at, count), options.labels);
    auto appended = queue.append(compress(message), static_cast<std::uint32_t>(count));
    if (!appended) {
      unwritten += count;
      if (!queue_failing) {
        log::error("remote write: the queue cannot be written to; values are lost error={}",
                   appended.error().message());
      }
    }
    queue_failing = !appended;
  }
  if (dropped_before == 0 && queue.dropped() > 0) {
    log::warning("remote write: the queue is full; the oldest values are dropped url={}",
                 options.url);
  }
  // Written in place: what is lost of it costs a value that is refused, no more.
  std::ofstream(last_file, std::ios::trunc) << samples.back().time.unix_ms << '\n';
  something.notify_one();
}

Answer Writer::Shared::send(std::span<const QueueEntry> entries,
                            const std::stop_token& stop) const {
  std::string message;
  for (const auto& entry : entries) {
    auto part = decompress(entry.bytes, kMostMessage);
    if (!part) return {Outcome::kRefused, part.error().message(), {}};
    message += *part;
  }
  auto headers = login_headers(options.login);
  if (!headers) return {Outcome::kTryAgain, headers.error().message(), {}};
  net::PostOptions post;
  post.timeout = options.timeout;
  post.ca_file = options.login.ca_file;
  post.content_type = "application/x-protobuf";
  post.headers = std::move(*headers);
  post.headers.emplace_back("Content-Encoding: snappy");
  post.headers.emplace_back("X-Prometheus-Remote-Write-Version: 0.1.0");
  post.stop = stop;
  return judge(options.url, net::post(options.url, compress(message), post));
}

void Writer::Shared::forget(const QueueEntry& last) {
  if (auto popped = queue.pop(last); !popped) {
    // It is sent again after a restart, which stores bear.
    log::warning("remote write: {}", popped.error().message());
  }
}

void Writer::Shared::took(std::span<const QueueEntry> entries) {
  std::lock_guard lock(mutex);
  forget(entries.back());
  state.sent += items(entries);
  state.last_success = clock.now();
  if (!state.up) log::info("remote write: values are taken again url={}", options.url);
  state.up = true;
  saying_refused = false;
}

void Writer::Shared::was_refused(const QueueEntry& entry, const std::string& error) {
  std::lock_guard lock(mutex);
  forget(entry);
  refused += entry.items;
  state.error = error;
  if (!saying_refused) {
    log::error("remote write: values are refused and dropped error={}", error);
  }
  saying_refused = true;
}

void Writer::Shared::note_failure(const std::string& error) {
  std::lock_guard lock(mutex);
  if (state.up) {
    log::warning("remote write: cannot be sent; kept on the disk meanwhile error={}", error);
  }
  state.up = false;
  state.error = error;
}

milliseconds Writer::Shared::wait_after(int failures, milliseconds asked) {
  auto wait = options.first_wait;
  for (int i = 1; i < failures && wait < options.longest_wait; ++i) wait *= 2;
  wait = std::min(wait, options.longest_wait);
  // Not all at the same moment, where many wait for one store.
  thread_local std::minstd_rand random{std::random_device{}()};
  wait += milliseconds(std::uniform_int_distribution<std::int64_t>(0, wait.count() / 4)(random));
  return std::max(wait, std::min(asked, options.longest_retry_after));
}

void Writer::Shared::run(const std::stop_token& stop) {
  int failures = 0;
  std::size_t alone = 0;  // so many are sent one by one, as a request of several was refused
  while (!stop.stop_requested()) {
    std::vector<QueueEntry> entries;
    {
      std::unique_lock lock(mutex);
      entries = queue.peek(alone > 0 ? 1 : options.request_entries, options.request_bytes);
      if (entries.empty()) {
        if (queue.pending() > 0) {
          // It cannot be read any more; what comes behind it can.
          something.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
        } else {
          something.wait(lock, stop, [&] { return queue.pending() > 0; });
        }
        continue;
      }
    }
    const auto answer = send(entries, stop);
    if (stop.stop_requested() && answer.outcome == Outcome::kTryAgain) return;
    if (answer.outcome == Outcome::kTryAgain) {
      note_failure(answer.error);
      std::unique_lock lock(mutex);
      something.wait_for(lock, stop, wait_after(++failures, answer.wait), [] { return false; });
      continue;
    }
    failures = 0;
    if (answer.outcome == Outcome::kRefused && entries.size() > 1) {
      alone = entries.size();
      continue;
    }
    if (alone > 0) --alone;
    if (answer.outcome == Outcome::kTaken) {
      took(entries);
    } else {
      was_refused(entries.front(), answer.error);
    }
  }
}

Writer::Writer(std::unique_ptr<Shared> shared) : shared_(std::move(shared)) {}
Writer::~Writer() = default;

Result<std::unique_ptr<Writer>> Writer::start(const std::filesystem::path& directory,
                                              WriterOptions options, const os::Clock& clock) {
  auto queue = DiskQueue::open(directory, options.queue);
  if (!queue) return fail(queue.error());
  if (queue->damaged_bytes() > 0) {
    log::warning("remote write: some of the queue was cut off or damaged and is left out bytes={}",
                 queue->damaged_bytes());
  }
  auto shared =
      std::make_unique<Shared>(directory / "last", std::move(*queue), std::move(options), clock);
  auto* s = shared.get();
  s->sender = std::jthread([s](const std::stop_token& stop) { s->run(stop); });
  return std::unique_ptr<Writer>(new Writer(std::move(shared)));
}

void Writer::add(std::vector<Sample> samples) {
  shared_->add(std::move(samples));
}

WriterHealth Writer::health() const {
  std::lock_guard lock(shared_->mutex);
  auto health = shared_->state;
  health.pending = shared_->queue.pending();
  health.dropped = shared_->queue.dropped() + shared_->unwritten + shared_->refused;
  return health;
}

Result<memory::Labels> parse_external_labels(std::string_view text) {
  memory::Labels labels;
  for (auto part : split(text, ',')) {
    part = trim(part);
    if (part.empty()) continue;
    const auto pair = cut(part, '=');
    if (!pair || !is_label_name(trim(pair->first)) || trim(pair->second).empty()) {
      return fail("'{}' is no label: write NAME=VALUE", printable(part));
    }
    labels.emplace_back(trim(pair->first), trim(pair->second));
  }
  return memory::make_key("", std::move(labels)).labels;
}

}  // namespace schedlens::remote
