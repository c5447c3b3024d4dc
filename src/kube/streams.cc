// SPDX-License-Identifier: Apache-2.0
#include "kube/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "kube/api_groups.h"
#include "kube/credentials.h"
#include "kube/heartbeat.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr auto kLongestWait = 1000ms;
// Recoveries are passed on to the other streams no oftener.
constexpr auto kHurryInterval = 5s;

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
  // The last word of the server.
  SteadyTime heard() const { return heard_; }
  // Whether it got over a failure since the last call.
  bool recovered() { return std::exchange(recovered_, false); }
  void hurry() { stream_.hurry(now()); }

  void step() {
    if (stream_.due() <= clock_.steady()) {
      touched_ = true;
      auto ask = stream_.poll(now());
      if (!ask) {
        cancel_if_over();
        return;
      }
      cancel();
      if (ask->renew_credentials) credentials_.refuse(generation_);
      unsent_ = std::move(ask);
    }
    if (unsent_ && credentials_.ready()) send(*std::exchange(unsent_, std::nullopt));
  }
  // The server says nothing to anybody.
  void lose(const std::string& why) {
    if (!stream_.in_flight()) return;
    touched_ = true;
    stream_.lose(fmt::format("{}: {}", url_, why), now());
    cancel_if_over();
  }
  void cancel() {
    if (id_) client_.cancel(*id_);
    id_.reset();
    unsent_.reset();
  }

  void on_head(const net::ResponseHead& head) override {
    touched_ = true;
    heard_ = clock_.steady();
    const auto before = stream_.condition();
    stream_.head(head, now());
    note_recovery(before);
    cancel_if_over();
  }
  void on_data(std::string_view piece) override {
    touched_ = true;
    heard_ = clock_.steady();
    const auto before = stream_.condition();
    stream_.data(piece, now());
    note_recovery(before);
    cancel_if_over();
  }
  void on_end(const net::End& end) override {
    touched_ = true;
    id_.reset();
    const auto before = stream_.condition();
    stream_.end(end, now());  // of a page, too
    note_recovery(before);
  }

 private:
  void send(const Ask& ask) {
    touched_ = true;
    auto request = credentials_.request(ask.path);
    generation_ = credentials_.generation();
    if (!request) {
      stream_.unsent(request.error().message(), now());
      return;
    }
    url_ = net::shown_url(request->url);
    request->headers.push_back("Accept: " + ask.accept);
    request->idle_timeout = ask.idle_timeout;
    request->max_body = ask.max_body;
    request->fresh_connection = ask.fresh_connection;
    id_ = client_.start(std::move(*request), *this);
  }
  void note_recovery(Condition before) {
    bool failed = before == Condition::kFailing || before == Condition::kForbidden ||
                  before == Condition::kRefused;
    recovered_ = recovered_ || (failed && stream_.condition() == Condition::kCurrent);
  }
  void cancel_if_over() {
    if (!stream_.in_flight()) cancel();
  }

  Stream stream_;
  net::StreamClient& client_;
  Credentials& credentials_;
  const os::Clock& clock_;
  std::optional<net::StreamClient::RequestId> id_;
  std::optional<Ask> unsent_;     // while a plugin makes credentials
  std::uint64_t generation_ = 0;  // of the credentials last used
  bool touched_ = true, recovered_ = false;
  SteadyTime heard_{};
  std::string url_;  // of the last request, as it may be shown
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
        heartbeat({options.server_quiet, options.server_patience}, client, credentials, c),
        api_groups(client, credentials, c) {
    options.credentials = credentials.shown();
    credentials.on_ready([this] { client.wake(); });
  }

  StreamOptions options;
  const os::Clock& clock;
  net::StreamClient client;
  Credentials credentials;
  Heartbeat heartbeat;
  ApiGroups api_groups;
  std::vector<std::unique_ptr<Line>> lines;
  std::random_device seed;

  // Held for moments only.
  mutable std::mutex publishing;
  mutable std::condition_variable changed;
  std::vector<Report> reports;
  std::optional<std::string> version;
  std::optional<std::set<std::string>> groups;
  bool groups_asked = false;

  std::jthread thread;

  SteadyTime hurry_from{};

  void publish();
  void pass_on_recovery();
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
  s.reports.push_back({line.stream().status(line.now()), Condition::kStarting, false, &resource});
}

void Streams::State::publish() {
  std::lock_guard lock(publishing);
  version = heartbeat.version();
  if (groups != api_groups.names()) groups = api_groups.names();
  groups_asked = api_groups.answered();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto& line = *lines[i];
    if (!line.touched()) continue;
    reports[i] = {line.stream().status(line.now()), line.stream().condition(),
                  line.stream().loaded(), &line.stream().resource()};
  }
  changed.notify_all();
}

// What one stream is told now the others would be told, too: they do not wait out their time.
void Streams::State::pass_on_recovery() {
  if (clock.steady() < hurry_from) return;
  bool recovered = false;
  for (auto& line : lines) recovered = line->recovered() || recovered;
  if (!recovered) return;
  hurry_from = clock.steady() + kHurryInterval;
  for (auto& line : lines) line->hurry();
}

void Streams::State::loop(const std::stop_token& token) {
  while (!token.stop_requested()) {
    heartbeat.step();
    const auto loss = heartbeat.take_loss();
    api_groups.step();
    auto due = std::min(heartbeat.due(), api_groups.due());
    for (auto& line : lines) {
      if (loss) line->lose(*loss);
      line->step();
      heartbeat.heard(line->heard());
      due = std::min(due, line->stream().due());
      if (token.stop_requested()) return;
    }
    credentials.forget_failure();
    auto wait = std::chrono::ceil<std::chrono::milliseconds>(
        std::max(due - clock.steady(), SteadyTime::duration::zero()));
    client.poll(std::min<std::chrono::milliseconds>(wait, kLongestWait));
    pass_on_recovery();
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
    const auto& reports = state_->reports;
    if (!std::all_of(reports.begin(), reports.end(), settled)) return false;
    // Where something optional is forbidden it matters whether it exists.
    return state_->groups_asked || std::none_of(reports.begin(), reports.end(), [](const auto& r) {
             return r.resource->optional && r.condition == Condition::kForbidden;
           });
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

bool Streams::is_absent(const Report& report) const {
  if (!report.resource->optional) return false;
  if (report.condition == Condition::kNotServed) return true;
  if (report.condition != Condition::kForbidden) return false;
  // To whom a group is forbidden the server does not say whether it has it.
  std::lock_guard lock(state_->publishing);
  if (!state_->groups) return false;
  const auto& versions = report.resource->versions;
  return std::none_of(versions.begin(), versions.end(), [&](const GroupVersion& v) {
    return state_->groups->contains(std::string(v.group));
  });
}

}  // namespace schedlens::kube
