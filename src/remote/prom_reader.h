// SPDX-License-Identifier: Apache-2.0
#pragma once
// Series of a Prometheus, or of what answers as one does, in the shapes of memory/reader.h: what
// was sent there can be read as if it were in the data directory.
//
// A gap stays a gap: Prometheus' own answer would fill it with the value before for five minutes.
// Long times are asked for in several requests, as a server gives 11,000 points of a series at
// most. What the server warns of, such as a part of it that did not answer, is in problems(). One
// thread at a time.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/reader.h"
#include "remote/login.h"

namespace schedlens::remote {

struct PromOptions {
  std::string url;  // "http://prometheus:9090", with the path before /api/v1 where there is one
  Login login{};
  std::chrono::milliseconds timeout{60'000};  // of a request
  std::size_t request_points = 10'000;        // of a series in one request
  std::size_t most_requests = 100;            // of one question; more is an error
  std::size_t most_points = 20'000'000;       // of an answer, all series together; the same
  std::size_t most_series = 100'000;          // the same
};

class PromReader {
 public:
  explicit PromReader(PromOptions options) : options_(std::move(options)) {}

  // Series with values in the time, sorted. The match must not be empty.
  Result<std::vector<memory::SeriesKey>> series(const memory::SeriesMatch& match,
                                                memory::TimeRange time);
  // The last value of each step, at the multiple of it (since 1970, UTC) that ends the step: where
  // values stand at such multiples themselves, these values. A name must be given.
  Result<std::vector<memory::SeriesPoints>> points(const memory::SeriesMatch& match,
                                                   memory::TimeRange time,
                                                   std::chrono::milliseconds step);
  // Sums of steps that begin at multiples of the width, whole ones also at both ends of the time.
  Result<std::vector<memory::SeriesBuckets>> buckets(const memory::SeriesMatch& match,
                                                     memory::TimeRange time,
                                                     std::chrono::milliseconds width);

  // What the server warned of since the last call, each once.
  std::vector<std::string> take_problems();

 private:
  struct Steps {
    std::int64_t first = 0, last = 0, step = 1;  // milliseconds
  };
  // Over so much time before each step.
  Result<std::vector<memory::SeriesPoints>> over_time(std::string_view function,
                                                      const memory::SeriesMatch& match, Steps steps,
                                                      std::int64_t before);
  Result<std::string> ask(std::string_view path, const std::string& form) const;
  void note(std::vector<std::string> warnings);

  PromOptions options_;
  std::vector<std::string> problems_;
};

// name{a="x"}, as PromQL has it.
std::string selector(const memory::SeriesMatch& match);

}  // namespace schedlens::remote
