// SPDX-License-Identifier: Apache-2.0
#include "kube/usage_reader.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "kube/usage_join.h"
#include "kube/usage_sources.h"

namespace schedlens::kube {

namespace {

std::set<Symbol> nodes_with_slices(const model::Kubernetes& kubernetes) {
  std::set<Symbol> nodes;
  if (!kubernetes.resource_slices) return nodes;
  for (const auto& slice : *kubernetes.resource_slices) {
    if (!slice.place.node.empty()) nodes.insert(slice.place.node);
  }
  return nodes;
}

}  // namespace

struct UsageReader::State {
  State(UsageOptions o, std::string ns, const Access& access, os::ProcessRunner& runner,
        const os::Clock& clock)
      : options(std::move(o)), credentials(access, runner, clock) {
    if (options.metrics_api) api.emplace(std::move(ns), credentials, clock);
    if (options.page != KubeletPage::kNone) kubelets.emplace(options, credentials, clock);
    if (!options.gpus.empty()) gpus.emplace(options.gpus, credentials, clock);
  }

  // Of the thread alone.
  const UsageOptions options;
  Credentials credentials;
  std::optional<MetricsApi> api;
  std::optional<KubeletUse> kubelets;
  std::optional<GpuExporters> gpus;

  std::mutex mutex;  // held for moments
  std::condition_variable_any changed;
  std::optional<Nodes> nodes;
  std::set<Symbol> claimed;  // those whose devices are given out by claims
  std::shared_ptr<const LastMeasured> last = std::make_shared<LastMeasured>();
  std::vector<model::SourceStatus> sources;
  bool asked_all = false;
  std::jthread thread;

  bool wants_nodes() const { return kubelets || gpus; }
  void publish(bool all);
  void loop(const std::stop_token& token);
};

void UsageReader::State::publish(bool all) {
  LastMeasured made;
  std::vector<model::SourceStatus> states;
  if (api) {
    made.metrics_api = api->last();
    made.no_metrics_api = api->absent();
    // A cluster without one is as it should be.
    if (!api->absent()) states.push_back(api->status());
  }
  if (kubelets) {
    made.kubelets = kubelets->last();
    states.push_back(kubelets->status());
  }
  if (gpus) {
    made.gpus = gpus->last();
    states.push_back(gpus->status());
  }
  std::lock_guard lock(mutex);
  last = std::make_shared<LastMeasured>(std::move(made));
  sources = std::move(states);
  asked_all |= all;
  changed.notify_all();
}

void UsageReader::State::loop(const std::stop_token& token) {
  while (!token.stop_requested()) {
    if (api) {
      api->read(token);
      publish(!wants_nodes());
    }
    std::unique_lock lock(mutex);
    if (wants_nodes()) {
      changed.wait(lock, token, [&] { return nodes.has_value(); });
      if (token.stop_requested()) return;
      const auto now = *nodes;
      const auto now_claimed = claimed;
      lock.unlock();
      if (kubelets) kubelets->read(now, token);
      publish(!gpus);
      if (gpus) gpus->read(now, now_claimed, token);
      publish(true);
      lock.lock();
    }
    changed.wait_for(lock, token, std::chrono::seconds(options.interval.value),
                     [] { return false; });
  }
}

UsageReader::UsageReader(UsageOptions options, std::string ns, const Access& access,
                         os::ProcessRunner& runner, const os::Clock& clock)
    : state_(std::make_unique<State>(std::move(options), std::move(ns), access, runner, clock)) {
  auto& s = *state_;
  s.publish(false);
  s.thread = std::jthread([&s](const std::stop_token& token) { s.loop(token); });
}

UsageReader::~UsageReader() {
  stop();
}

void UsageReader::fill(model::Snapshot& snapshot, model::Kubernetes& kubernetes,
                       std::chrono::milliseconds patience, const std::stop_token& token) {
  auto& s = *state_;
  std::shared_ptr<const LastMeasured> last;
  {
    std::unique_lock lock(s.mutex);
    if (s.wants_nodes()) {
      s.nodes = snapshot.nodes;
      s.claimed = nodes_with_slices(kubernetes);
      s.changed.notify_all();
    }
    s.changed.wait_for(lock, token, patience, [&] { return s.asked_all; });
    s.asked_all = true;  // waited for once
    last = s.last;
    for (const auto& source : s.sources) snapshot.sources.push_back(source);
  }
  kubernetes.usage = join_usage(*last, snapshot);
}

void UsageReader::stop() {
  auto& s = *state_;
  if (!s.thread.joinable()) return;
  s.thread.request_stop();
  s.thread.join();
  s.thread = {};
}

}  // namespace schedlens::kube
