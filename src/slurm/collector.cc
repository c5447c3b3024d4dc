// SPDX-License-Identifier: Apache-2.0
#include "slurm/collector.h"

#include <condition_variable>
#include <stop_token>
#include <thread>

#include "base/log.h"
#include "slurm/commands.h"
#include "slurm/config.h"
#include "slurm/job_detail.h"
#include "slurm/jobs.h"
#include "slurm/round.h"
#include "slurm/rows.h"

namespace schedlens::slurm {
namespace {

bool looks_like_job_id(std::string_view text) {
  if (text.empty() || text.size() > 64 || text[0] < '0' || text[0] > '9') return false;
  return text.find_first_not_of("0123456789_+[]-,:%") == std::string_view::npos;
}

std::string_view number_part(std::string_view job) {
  return job.substr(0, job.find_first_of("_+"));
}

}  // namespace

struct Collector::State {
  State(Options o, os::ProcessRunner& r, const os::Clock& c)
      : runner(r), clock(c), options(std::move(o)) {}

  os::ProcessRunner& runner;
  const os::Clock& clock;

  // Held while commands run; readers never wait for it.
  std::mutex collecting;
  Memory memory;

  // Held for moments only.
  std::mutex publishing;
  model::SnapshotPtr published;
  std::optional<Timestamp> all_fresh_until;  // then the first of its sources becomes stale
  Options options;
  bool options_changed = false;
  std::string trouble;  // see first_read_trouble
  std::stop_source stopping;
  std::condition_variable_any wake;

  std::thread thread;

  Options current_options() {
    std::lock_guard lock(publishing);
    options_changed = false;
    return options;
  }
  std::stop_token stop_token() {
    std::lock_guard lock(publishing);
    return stopping.get_token();
  }
  Result<os::Output> run(os::Command command) {
    command.stop = stop_token();
    return runner.run(command);
  }
  void publish(model::SnapshotPtr snapshot) {
    std::lock_guard lock(publishing);
    published = std::move(snapshot);
    trouble.clear();
    find_age_limit();
  }
  void find_age_limit() {
    all_fresh_until.reset();
    for (const auto& source : published->sources) {
      auto until = fresh_until(source, options);
      if (until && (!all_fresh_until || *until < *all_fresh_until)) all_fresh_until = until;
    }
  }
  // While no round comes to an end, what was read grows old without anybody writing it down.
  void age() {
    auto now = clock.now();
    if (!all_fresh_until || now <= *all_fresh_until) return;
    auto aged = std::make_shared<model::Snapshot>(*published);
    for (auto& source : aged->sources) {
      auto until = fresh_until(source, options);
      if (until && *until < now) source.state = model::SourceState::kStale;
    }
    published = std::move(aged);
    find_age_limit();
  }

  Result<model::SnapshotPtr> collect_locked(const Options& now) {
    Round round(now, runner, clock, memory, stop_token());
    if (memory.last && !round.anything_due()) return memory.last;
    auto note = [this](std::string text) {
      std::lock_guard lock(publishing);
      if (!published) trouble = std::move(text);
    };
    round.on_failure(note);
    auto snapshot = round.run();
    if (snapshot) {
      publish(*snapshot);
    } else if (!round.stopped()) {
      note(snapshot.error().message());
    }
    return snapshot;
  }
  Result<std::vector<model::WorkloadId>> find_or_fetch(std::string_view job, const Options& now,
                                                       model::Snapshot& snapshot, NodeTable& nodes);
  void loop(const std::stop_token& token);
};

Collector::Collector(Options options, os::ProcessRunner& runner, const os::Clock& clock)
    : state_(std::make_unique<State>(std::move(options), runner, clock)) {}

Collector::~Collector() {
  stop();
}

Result<model::SnapshotPtr> Collector::collect() {
  std::lock_guard lock(state_->collecting);
  return state_->collect_locked(state_->current_options());
}

// The job's records; a job that is too new for the last round is asked for by itself.
Result<std::vector<model::WorkloadId>> Collector::State::find_or_fetch(std::string_view job,
                                                                       const Options& now,
                                                                       model::Snapshot& snapshot,
                                                                       NodeTable& nodes) {
  auto ids = snapshot.find_workloads(job);
  // A task that still waits is part of its array's record.
  if (ids.empty() && job.find('_') != std::string_view::npos) {
    for (auto id : snapshot.find_workloads(number_part(job))) {
      const auto& w = snapshot.workload(id);
      if (w.array && !w.array->task_id) ids.push_back(id);
    }
  }
  if (!ids.empty()) return ids;
  auto nonce = draw_nonce();
  auto version = memory.squeue_version(snapshot.scheduler_version);
  auto output = run(make_row_command(number_part(job), now, nonce, version));
  if (!output) return fail(output.error());
  auto parsed = parse_jobs(output->out, {nodes, memory.time, nonce, version});
  if (!parsed) return fail(parsed.error().within("squeue"));
  for (auto& w : parsed->records) snapshot.workloads.push_back(std::move(w));
  snapshot.build_index();
  ids = snapshot.find_workloads(job);
  if (ids.empty()) return fail("there is no job {}", job);
  return ids;
}

Result<model::SnapshotPtr> Collector::collect_with_detail(std::string_view job) {
  auto& s = *state_;
  if (!looks_like_job_id(job)) return fail("'{}' is no job id", printable(job.substr(0, 60)));
  std::lock_guard lock(s.collecting);
  auto options = s.current_options();
  auto base = s.collect_locked(options);
  if (!base) return base;
  auto known = (*base)->find_workloads(job);
  bool complete = !known.empty();
  for (auto id : known) complete &= (*base)->workload(id).detailed;
  if (complete) return base;

  auto snapshot = std::make_shared<model::Snapshot>(**base);
  NodeTable nodes(snapshot->nodes);
  auto ids = s.find_or_fetch(job, options, *snapshot, nodes);
  if (!ids) return fail(ids.error().within("slurm"));
  auto output = s.run(make_detail_command(number_part(job), options));
  if (!output) return fail(output.error().within("slurm"));
  std::vector<model::Workload*> workloads;
  for (auto id : *ids) workloads.push_back(&snapshot->workloads[id.index]);
  Complaints complaints;
  auto done = complete_with_details(output->out, workloads, nodes, complaints);
  if (!done) return fail(done.error().within("slurm: scontrol show job " + std::string(job)));
  snapshot->build_index();
  s.memory.last = snapshot;
  s.publish(snapshot);
  return s.memory.last;
}

model::SnapshotPtr Collector::current() const {
  std::lock_guard lock(state_->publishing);
  state_->age();
  return state_->published;
}

std::string Collector::first_read_trouble() const {
  std::lock_guard lock(state_->publishing);
  return state_->trouble;
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
    auto now = current_options();
    std::string error;
    {
      std::lock_guard lock(collecting);
      if (auto snapshot = collect_locked(now); !snapshot) error = snapshot.error().message();
    }
    if (!error.empty() && !token.stop_requested()) log::warning("{}", error);
    std::unique_lock lock(publishing);
    wake.wait_for(lock, token, std::chrono::seconds(now.interval.value),
                  [&] { return options_changed; });
  }
}

void Collector::start() {
  auto& s = *state_;
  if (s.thread.joinable()) return;
  {
    std::lock_guard lock(s.publishing);
    if (s.stopping.stop_requested()) s.stopping = std::stop_source();
  }
  s.thread = std::thread([&s, token = s.stop_token()] { s.loop(token); });
}

void Collector::stop() {
  auto& s = *state_;
  s.stopping.request_stop();
  if (s.thread.joinable()) s.thread.join();
}

}  // namespace schedlens::slurm
