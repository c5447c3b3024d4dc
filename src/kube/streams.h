// SPDX-License-Identifier: Apache-2.0
#pragma once
// All list-and-watches of one cluster, on one thread with one HTTP client.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kube/access.h"
#include "kube/stream.h"
#include "model/source.h"
#include "os/clock.h"
#include "os/process.h"

namespace schedlens::kube {

class Streams {
 public:
  // The runner and the clock must outlive it.
  Streams(Access access, StreamOptions options, os::ProcessRunner& runner, const os::Clock& clock);
  ~Streams();

  // Before start(). Resource and sink must outlive it.
  void add(const Resource& resource, Sink& sink);
  // The sinks are called from a thread of its own until stop() or the destructor, which joins it.
  // While a credentials plugin runs, the watches that are open go on.
  void start();
  void stop();

  // The rest from any thread.

  // True when every resource has been read as a whole, or has failed at least once.
  bool wait_until_settled(std::chrono::milliseconds patience) const;
  struct Report {
    model::SourceStatus status;
    Condition condition = Condition::kStarting;
    bool loaded = false;  // a whole list has been read
    const Resource* resource = nullptr;
  };
  std::vector<Report> report() const;  // in the order of add()
  // An optional resource that the cluster does not have.
  bool is_absent(const Report& report) const;
  std::optional<std::string> server_version() const;  // "v1.36.3"; nothing while unknown

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace schedlens::kube
