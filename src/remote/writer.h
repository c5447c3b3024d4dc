// SPDX-License-Identifier: Apache-2.0
#pragma once
// Samples on their way to a store that speaks Prometheus remote write 1.0: Prometheus, Thanos,
// Mimir, VictoriaMetrics. They wait in a queue on the disk; one thread sends them, oldest first.
//
// While the store is away, is overloaded (429, 5xx) or refuses who we are (401, 403, 404), nothing
// is lost before the queue is full: it is tried again at growing intervals, or when the store says.
// What the store does not want for what it is (any other 4xx) is dropped and counted, entry by
// entry, so that one bad sample does not take others with it and nothing is stuck.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/series_key.h"
#include "os/clock.h"
#include "remote/disk_queue.h"
#include "remote/login.h"
#include "remote/write_request.h"

namespace schedlens::remote {

struct WriterOptions {
  std::string url;  // "http://prometheus:9090/api/v1/write"
  Login login{};
  memory::Labels labels{};  // of every series: cluster="a"
  QueueOptions queue{};
  std::size_t entry_samples = 2000;       // of one entry of the queue
  std::size_t request_entries = 50;       // most of one request
  std::size_t request_bytes = 1'000'000;  // of one request, compressed, about
  std::chrono::milliseconds timeout{30'000};
  std::chrono::milliseconds first_wait{1'000}, longest_wait{60'000};
  std::chrono::milliseconds longest_retry_after{600'000};  // a store may ask for less than that
};

struct WriterHealth {
  bool up = true;     // the last request was taken, or there was none
  std::string error;  // the last one, also when it is over
  std::optional<Timestamp> last_success{};
  std::uint64_t pending = 0, sent = 0, dropped = 0;  // samples; since this process began
};

// Any thread.
class Writer {
 public:
  // Fails when the directory cannot be written to. The clock must outlive it.
  static Result<std::unique_ptr<Writer>> start(const std::filesystem::path& directory,
                                               WriterOptions options, const os::Clock& clock);
  // Ends within a second or so; what is not sent stays for the next.
  ~Writer();

  // Into the queue on the disk; never waits for the store. What cannot be written is dropped. What
  // was added last before a restart, at the same time, is not added again: a store that has a
  // value of that moment refuses another.
  void add(std::vector<Sample> samples);

  WriterHealth health() const;

 private:
  struct Shared;
  explicit Writer(std::unique_ptr<Shared> shared);
  std::unique_ptr<Shared> shared_;
};

// "cluster=a,site=b". Fails where a name is none.
Result<memory::Labels> parse_external_labels(std::string_view text);

}  // namespace schedlens::remote
