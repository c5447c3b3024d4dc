// SPDX-License-Identifier: Apache-2.0
#include "kube/collector.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/log.h"
#include "kube/component_watch.h"
#include "kube/kubelet_watch.h"
#include "kube/store.h"
#include "kube/streams.h"
#include "kube/usage_reader.h"
#include "model/kubernetes.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;

bool essential(const model::SourceStatus& source) {
  return source.feeds == "nodes" || source.feeds == "workloads";
}

// Without its nodes or its pods a cluster would look empty, or idle. The first that was never read.
const Streams::Report* never_read(const std::vector<Streams::Report>& reports) {
  for (const auto& report : reports) {
    if (!report.loaded && essential(report.status)) return &report;
  }
  return nullptr;
}

// A server that refuses credentials closes the connection with it, on which other requests then
// fail without a reason of their own.
const Streams::Report& most_telling(const std::vector<Streams::Report>& reports,
                                    const Streams::Report& missing) {
  if (missing.condition != Condition::kFailing) return missing;
  auto refused = std::find_if(reports.begin(), reports.end(), [](const Streams::Report& report) {
    return report.condition == Condition::kRefused;
  });
  return refused == reports.end() ? missing : *refused;
}

std::string without_v(const std::optional<std::string>& version) {
  if (!version) return "";
  return version->substr(version->starts_with('v') ? 1 : 0);
}

std::string server_name(const Access& access) {
  auto name = net::shown_url(access.cluster.server);
  if (name.ends_with('/')) name.pop_back();
  return name;
}

GpuNames gpu_names(const std::vector<GpuName>& first) {
  GpuNames names;
  for (auto at = first.rbegin(); at != first.rend(); ++at) names.add(*at);
  return names;
}

// What a component that answers at all needs for it; the Snapshot goes without one that hangs.
constexpr std::chrono::milliseconds kComponentPatience = 1s;

using Deadline = std::chrono::steady_clock::time_point;

// Until all have ended, patience is at an end or whoever stops us wants no more. ended: by then.
template <class Ended>
void wait_in_steps(std::chrono::milliseconds patience, const std::stop_token& token,
                   const Ended& ended) {
  constexpr std::chrono::milliseconds kStep{100};
  for (auto left = patience; left.count() > 0 && !token.stop_requested(); left -= kStep) {
    if (ended(std::chrono::steady_clock::now() + std::min(left, kStep))) return;
  }
}

template <class Vitals>
using Watches = std::deque<ComponentWatch<Vitals>>;  // they stay where they are

template <class Vitals>
void begin_all(Watches<Vitals>& watches) {
  for (auto& watch : watches) watch.begin();
}

template <class Vitals>
bool all_ended(const Watches<Vitals>& watches, Deadline limit) {
  return std::all_of(watches.begin(), watches.end(),
                     [&](const auto& watch) { return watch.wait_until(limit); });
}

template <class Vitals>
void add_last(const Watches<Vitals>& watches, model::Snapshot& snapshot,
              std::vector<Vitals>& into) {
  for (const auto& watch : watches) {
    snapshot.sources.push_back(watch.status());
    if (auto last = watch.last()) into.push_back(std::move(*last));
  }
}

}  // namespace

struct Collector::State {
  State(Options o, os::ProcessRunner& r, const os::Clock& c)
      : runner(r), clock(c), store(gpu_names(o.gpus)), options(std::move(o)) {}

  os::ProcessRunner& runner;
  const os::Clock& clock;

  // Held while a Snapshot is made; readers never wait for it.
  std::mutex collecting;
  Access access;
  Store store;
  Watches<model::KubeScheduler> schedulers;
  Watches<model::ApiServerVitals> api_servers;
  Watches<model::EtcdVitals> etcd_members;
  std::optional<KubeletWatch> kubelets;
  std::unique_ptr<UsageReader> usage;
  // After the store, so that it stops feeding it first.
  std::unique_ptr<Streams> streams;

  // Held for moments only.
  mutable std::mutex publishing;
  model::SnapshotPtr published;
  std::string trouble;  // of the last attempt
  Options options;
  bool options_changed = false;
  std::condition_variable_any wake;
  std::jthread thread;

  Options current_options() {
    std::lock_guard lock(publishing);
    options_changed = false;
    return options;
  }

  Status connect(const Options& now);
  void prepare_probes(const Options& now);
  void add_vitals(model::Snapshot& snapshot, model::Kubernetes& kubernetes) const;
  void ask_components(std::chrono::milliseconds patience, const std::stop_token& token);
  void wait_for_lists(std::chrono::milliseconds patience, const std::stop_token& token) const;
  Result<model::SnapshotPtr> make(const Options& now, std::chrono::milliseconds component_patience,
                                  const std::stop_token& token);
  void loop(const std::stop_token& token);
};

Status Collector::State::connect(const Options& now) {
  if (streams) return {};
  auto found = find_access(now.choice, Surroundings::of_process());
  if (!found) return fail(found.error());
  access = std::move(*found);
  StreamOptions stream_options;
  stream_options.ns = now.ns;
  streams = std::make_unique<Streams>(access, stream_options, runner, clock);
  store.keep_details(now.details);
  for (const auto& resource : resources()) {
    if (auto* sink = store.sink(title(resource))) streams->add(resource, *sink);
  }
  prepare_probes(now);
  streams->start();
  return {};
}

void Collector::State::prepare_probes(const Options& now) {
  // Each asks in a thread of its own.
  auto credentials = [this] { return std::make_shared<Credentials>(access, runner, clock); };
  for (const auto& address : now.schedulers) {
    schedulers.emplace_back(kube_scheduler(address, credentials()), clock);
  }
  if (now.api_server) {
    api_servers.emplace_back(kube_apiserver(server_name(access), credentials()), clock);
  }
  for (const auto& address : now.etcd) {
    etcd_members.emplace_back(etcd(address, credentials()), clock);
  }
  if (now.kubelets.reach != KubeletReach::kNone) {
    kubelets.emplace(now.kubelets, credentials(), clock);
  }
  if (now.usage.any()) {
    usage = std::make_unique<UsageReader>(now.usage, now.ns, access, runner, clock);
  }
}

void Collector::State::add_vitals(model::Snapshot& snapshot, model::Kubernetes& kubernetes) const {
  add_last(schedulers, snapshot, kubernetes.schedulers);
  add_last(api_servers, snapshot, kubernetes.api_servers);
  add_last(etcd_members, snapshot, kubernetes.etcd);
  if (!kubelets) return;
  snapshot.sources.push_back(kubelets->status());
  kubernetes.kubelets = kubelets->last();
}

void Collector::State::ask_components(std::chrono::milliseconds patience,
                                      const std::stop_token& token) {
  begin_all(schedulers);
  begin_all(api_servers);
  begin_all(etcd_members);
  wait_in_steps(patience, token, [&](Deadline limit) {
    return all_ended(schedulers, limit) && all_ended(api_servers, limit) &&
           all_ended(etcd_members, limit);
  });
}

// In steps, so that whoever stops us does not wait for the first list of a large cluster.
void Collector::State::wait_for_lists(std::chrono::milliseconds patience,
                                      const std::stop_token& token) const {
  constexpr std::chrono::milliseconds kStep{250};
  for (auto left = patience; left.count() > 0 && !token.stop_requested(); left -= kStep) {
    if (streams->wait_until_settled(std::min(left, kStep))) return;
  }
}

Result<model::SnapshotPtr> Collector::State::make(const Options& now,
                                                  std::chrono::milliseconds component_patience,
                                                  const std::stop_token& token) {
  if (auto connected = connect(now); !connected) {
    return fail(connected.error().within("kubernetes"));
  }
  wait_for_lists(now.patience, token);
  ask_components(component_patience, token);

  auto snapshot = std::make_shared<model::Snapshot>();
  auto kubernetes = std::make_shared<model::Kubernetes>();
  const auto reports = streams->report();
  for (const auto& report : reports) {
    if (!streams->is_absent(report)) snapshot->sources.push_back(report.status);
  }
  if (const auto* missing = never_read(reports)) {
    const auto& told = most_telling(reports, *missing).status;
    return fail("kubernetes: {}: {}: {}", server_name(access), told.name,
                told.error.empty() ? "no answer in time" : told.error);
  }
  snapshot->scheduler = "kubernetes";
  snapshot->scheduler_version = without_v(streams->server_version());
  snapshot->cluster = access.context.empty() ? "in-cluster" : access.context;
  snapshot->time = clock.now();
  store.fill(*snapshot, *kubernetes);
  kubernetes->context = access.context;
  if (kubelets) {
    kubelets->begin(snapshot->nodes);
    wait_in_steps(component_patience, token,
                  [&](Deadline limit) { return kubelets->wait_until(limit); });
  }
  if (usage) {
    usage->fill(*snapshot, *kubernetes, component_patience, token);
    snapshot->time = clock.now();  // what was waited for is newer
  }
  add_vitals(*snapshot, *kubernetes);
  snapshot->kubernetes = std::move(kubernetes);
  snapshot->build_index();
  std::lock_guard lock(publishing);
  published = std::move(snapshot);
  return published;
}

Seconds longest_quiet() {
  return oldest_current(StreamOptions{});
}

Collector::Collector(Options options, os::ProcessRunner& runner, const os::Clock& clock)
    : state_(std::make_unique<State>(std::move(options), runner, clock)) {}

Collector::~Collector() {
  stop();
}

Result<model::SnapshotPtr> Collector::collect() {
  std::lock_guard lock(state_->collecting);
  // Who asks once wants the answer whole: each question has an end of its own.
  return state_->make(state_->current_options(), std::chrono::hours(1), {});
}

model::SnapshotPtr Collector::current() const {
  std::lock_guard lock(state_->publishing);
  return state_->published;
}

std::string Collector::first_read_trouble() const {
  std::lock_guard lock(state_->publishing);
  if (state_->published) return "";
  return state_->trouble.empty() ? "the first lists are being read" : state_->trouble;
}

void Collector::set_options(Options options) {
  {
    std::lock_guard lock(state_->publishing);
    state_->options = std::move(options);
    state_->options_changed = true;
  }
  state_->wake.notify_all();
}

void Collector::State::loop(const std::stop_token& token) {
  while (!token.stop_requested()) {
    const auto now = current_options();
    std::string error;
    {
      std::lock_guard lock(collecting);
      if (auto snapshot = make(now, kComponentPatience, token); !snapshot)
        error = snapshot.error().message();
    }
    std::unique_lock lock(publishing);
    // Said once, not with every attempt.
    if (error != trouble && !error.empty() && !token.stop_requested()) log::warning("{}", error);
    trouble = error;
    wake.wait_for(lock, token, std::chrono::seconds(now.interval.value),
                  [&] { return options_changed; });
  }
}

void Collector::start() {
  auto& s = *state_;
  if (s.thread.joinable()) return;
  s.thread = std::jthread([&s](const std::stop_token& token) { s.loop(token); });
}

void Collector::stop() {
  auto& s = *state_;
  if (s.thread.joinable()) {
    s.thread.request_stop();
    s.thread.join();
    s.thread = {};
  }
  std::lock_guard lock(s.collecting);
  if (s.usage) s.usage->stop();
  if (s.streams) s.streams->stop();
}

}  // namespace schedlens::kube
