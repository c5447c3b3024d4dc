// SPDX-License-Identifier: Apache-2.0
#include "kube/streams.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include "kube/credentials.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr auto kVersionInterval = 600s;
constexpr auto kVersionRetry = 30s;
constexpr auto kLongestWait = 1000ms;

// A stream and the request that it has in flight.
class Line final : public net::StreamHandler {
 public:
  Line(const Resource& resource, Sink& sink, const StreamOptions& options, std::uint32_t seed,
       net::StreamClient& client, Credentials& credentials, const os::Clock& clock)
      : stream_(resource, sink, options, seed),
        client_(client),
        credentials_(credentials),
        clock_(clock) {}

  const Stream& stream() const { return stream_; }
  Moment now() const { return {clock_.steady(), clock_.now()}; }
  // Whether anything has happened since the last call.
  bool touched() { return std::exchange(touched_, false); }

  void step() {
    if (stream_.due() > clock_.steady()) return;
    touched_ = true;
    auto ask = stream_.poll(now());
    if (!ask) {
      cancel_if_over();
      return;
    }
    cancel();
    if (ask->renew_credentials) credentials_.refuse(generation_);
    auto request = credentials_.request(ask->path);
    generation_ = credentials_.generation();
    if (!request) {
      stream_.unsent(request.error().message(), now());
      return;
    }
    request->headers.push_back("Accept: " + ask->accept);
    request->idle_timeout = ask->idle_timeout;
    request->max_body = ask->max_body;
    request->fresh_connection = ask->fresh_connection;
    id_ = client_.start(std::move(*request), *this);
  }
  void cancel() {
    if (id_) client_.cancel(*id_);
    id_.reset();
  }

  void on_head(const net::ResponseHead& head) override {
    touched_ = true;
    stream_.head(head, now());
    cancel_if_over();
  }
  void on_data(std::string_view piece) override {
    touched_ = true;
    stream_.data(piece, now());
    cancel_if_over();
  }
  void on_end(const net::End& end) override {
    touched_ = true;
    id_.reset();
    stream_.end(end, now());
  }

 private:
  void cancel_if_over() {
    if (!stream_.in_flight()) cancel();
  }

  Stream stream_;
  net::StreamClient& client_;
  Credentials& credentials_;
  const os::Clock& clock_;
  std::optional<net::StreamClient::RequestId> id_;
  std::uint64_t generation_ = 0;  // of the credentials last used
  bool touched_ = true;
};

// Asks from time to time which version the server has.
class VersionProbe final : public net::StreamHandler {
 public:
  VersionProbe(net::StreamClient& client, Credentials& credentials, const os::Clock& clock)
      : client_(client), credentials_(credentials), clock_(clock) {}

  const std::optional<std::string>& version() const { return version_; }
  SteadyTime due() const { return in_flight_ ? SteadyTime::max() : due_; }

  void step() {
    if (due() > clock_.steady()) return;
    due_ = clock_.steady() + kVersionRetry;
    auto request = credentials_.request("/version");
    if (!request) return;  // the streams say so
    request->headers.push_back("Accept: application/json");
    request->idle_timeout = kVersionRetry;
    request->max_body = 1 << 20;
    body_.clear();
    status_ = 0;
    in_flight_ = true;
    client_.start(std::move(*request), *this);
  }
  void on_head(const net::ResponseHead& head) override { status_ = head.status; }
  void on_data(std::string_view piece) override { body_.append(piece); }
  void on_end(const net::End& end) override {
    in_flight_ = false;
    due_ = clock_.steady() + kVersionRetry;
    if (end.cause != net::EndCause::kComplete || status_ != 200) return;
    if (auto version = read_git_version(body_)) {
      version_ = std::move(*version);
      due_ = clock_.steady() + kVersionInterval;
    }
  }

 private:
  net::StreamClient& client_;
  Credentials& credentials_;
  const os::Clock& clock_;
  std::optional<std::string> version_;
  std::string body_;
  int status_ = 0;
  bool in_flight_ = false;
  SteadyTime due_{};
};

bool settled(const Streams::Report& report) {
  return report.loaded ||
         (report.condition != Condition::kStarting && report.condition != Condition::kCurrent);
}

}  // namespace

struct Streams::State {
  State(Access access, StreamOptions o, os::ProcessRunner& runner, const os::Clock& c)
      : options(std::move(o)),
        clock(c),
        credentials(std::move(access), runner, c),
        probe(client, credentials, c) {
    options.credentials = credentials.shown();
  }

  StreamOptions options;
  const os::Clock& clock;
  net::StreamClient client;
  Credentials credentials;
  VersionProbe probe;
  std::vector<std::unique_ptr<Line>> lines;
  std::random_device seed;

  // Held for moments only.
  mutable std::mutex publishing;
  mutable std::condition_variable changed;
  std::vector<Report> reports;
  std::optional<std::string> version;

  std::jthread thread;

  void publish();
  void loop(const std::stop_token& token);
};

Streams::Streams(Access access, StreamOptions options, os::ProcessRunner& runner,
                 const os::Clock& clock)
    : state_(std::make_unique<State>(std::move(access), std::move(options), runner, clock)) {}

Streams::~Streams() {
  stop();
}

void Streams::add(const Resource& resource, Sink& sink) {
  auto& s = *state_;
  s.lines.push_back(std::make_unique<Line>(resource, sink, s.options, s.seed(), s.client,
                                           s.credentials, s.clock));
  const auto& line = *s.lines.back();
  std::lock_guard lock(s.publishing);
  s.reports.push_back({line.stream().status(line.now()), Condition::kStarting, false});
}

void Streams::State::publish() {
  std::lock_guard lock(publishing);
  version = probe.version();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto& line = *lines[i];
    if (!line.touched()) continue;
    reports[i] = {line.stream().status(line.now()), line.stream().condition(),
                  line.stream().loaded()};
  }
  changed.notify_all();
}

void Streams::State::loop(const std::stop_token& token) {
  while (!token.stop_requested()) {
    probe.step();
    auto due = probe.due();
    for (auto& line : lines) {
      line->step();
      due = std::min(due, line->stream().due());
      if (token.stop_requested()) return;
    }
    auto wait = std::chrono::ceil<std::chrono::milliseconds>(
        std::max(due - clock.steady(), SteadyTime::duration::zero()));
    client.poll(std::min<std::chrono::milliseconds>(wait, kLongestWait));
    publish();
  }
}

void Streams::start() {
  auto& s = *state_;
  if (s.thread.joinable()) return;
  s.thread = std::jthread([&s](const std::stop_token& token) {
    std::stop_callback wake(token, [&s] { s.client.wake(); });
    s.loop(token);
  });
}

void Streams::stop() {
  auto& s = *state_;
  if (!s.thread.joinable()) return;
  s.thread.request_stop();
  s.thread.join();
  s.thread = {};
}

bool Streams::wait_until_settled(std::chrono::milliseconds patience) const {
  std::unique_lock lock(state_->publishing);
  return state_->changed.wait_for(lock, patience, [&] {
    return std::all_of(state_->reports.begin(), state_->reports.end(), settled);
  });
}

std::vector<Streams::Report> Streams::report() const {
  auto& s = *state_;
  std::lock_guard lock(s.publishing);
  auto reports = s.reports;
  for (auto& report : reports) grow_old(report.status, s.clock.now(), s.options);
  return reports;
}

std::optional<std::string> Streams::server_version() const {
  std::lock_guard lock(state_->publishing);
  return state_->version;
}

}  // namespace schedlens::kube
