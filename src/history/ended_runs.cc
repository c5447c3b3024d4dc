// SPDX-License-Identifier: Apache-2.0
#include "history/ended_runs.h"

#include <algorithm>

#include "history/read_state.h"
#include "model/pod.h"
#include "model/started.h"

namespace schedlens::history {

using memory::EndedWorkload;
using model::Snapshot;
using model::Workload;

namespace {

constexpr std::string_view kUnknownState = "UNKNOWN";
constexpr std::string_view kRequeued = "REQUEUED";

std::optional<std::int64_t> count(const model::ResourceCounts& totals, Symbol name) {
  const auto value = totals.get(name);
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

void take_identity(const Snapshot& s, const Workload& w, EndedWorkload& r) {
  r.scheduler = s.scheduler;
  r.id = model::display_id(w);
  if (w.array) r.array_job = w.array->job_id;
  r.name = w.name;
  r.user = w.user.str();
  r.account = w.account.str();
  r.queue = w.pod ? w.pod->ns.str() : w.queues.empty() ? "" : w.queues.front().str();
  r.qos = w.qos.str();
  r.submitted = w.submitted;
  r.eligible = w.eligible;
  r.time_limit = w.time_limit.get();
  r.restarts = w.restarts;
}

// What it holds; what it asked for, while it holds nothing.
void take_size(const Snapshot& s, const Workload& w, EndedWorkload& r) {
  if (!model::holds_resources(w)) {
    if (r.started) return;  // the run is over: what it held is known from before
    r.nodes_count = w.request.min_nodes;
    r.cpus = w.request.cpus;
    r.gpus = static_cast<std::int64_t>(model::gpus_requested(w));
    return;
  }
  r.nodes.clear();
  for (auto node : w.allocation.nodes) r.nodes.push_back(s.node(node).name.str());
  r.nodes_count = static_cast<std::int64_t>(w.allocation.nodes.size());
  r.cpus = count(w.allocation.totals, model::names::kCpu);
  r.gpus = static_cast<std::int64_t>(model::gpus_held(w));
}

EndedWorkload finish(EndedWorkload record, Timestamp end, std::string_view state) {
  record.ended = end;
  record.state = state;
  if (record.started && record.gpus) {
    const auto ran = std::max<std::int64_t>(0, (end - *record.started).value);
    record.gpu_seconds = static_cast<double>(*record.gpus) * static_cast<double>(ran);
  }
  return record;
}

}  // namespace

void EndedRuns::look_at(const Snapshot& s, model::WorkloadId id, const CauseOf& cause,
                        std::vector<EndedWorkload>& out) {
  const auto& w = s.workload(id);
  if (w.array && !w.array->task_id) {
    arrays_[w.array->job_id] = {w.reason.str(), std::string(cause(id)), round_};
    return;
  }
  auto& known = known_[model::display_id(w)];
  const bool first_seen = known.round == 0;
  known.round = round_;
  const bool started = model::has_started(w, s.time);
  // Its run is over, and it waits for the next one.
  if (known.running && (!started || known.record.started != w.start)) {
    out.push_back(finish(known.record, s.time, kRequeued));
    known = {};
    known.round = round_;
  }
  if (known.ended && !model::is_finished(w)) known = {{}, false, false, round_};
  if (known.ended) return;
  take_identity(s, w, known.record);
  if (started) known.record.started = w.start;
  take_size(s, w, known.record);
  if (model::is_pending(w)) {
    known.record.last_reason = w.reason.str();
    known.record.last_cause = cause(id);
  } else if (first_seen && w.array) {
    if (auto it = arrays_.find(w.array->job_id); it != arrays_.end()) {
      known.record.last_reason = it->second.reason;
      known.record.last_cause = it->second.cause;
    }
  }
  known.running = started && !model::is_finished(w);
  if (!model::is_finished(w)) return;
  known.ended = true;
  // One that ended long before it was first seen may have been told of by an earlier process; it
  // replaces that record, and what is known of its size is in its totals.
  if (first_seen && started && !w.allocation.totals.empty()) {
    known.record.gpus = static_cast<std::int64_t>(model::gpu_count(w.allocation.totals));
    known.record.cpus = count(w.allocation.totals, model::names::kCpu);
    for (auto node : w.allocation.nodes) known.record.nodes.push_back(s.node(node).name.str());
    known.record.nodes_count = static_cast<std::int64_t>(w.allocation.nodes.size());
  }
  if (w.exit) {
    known.record.exit_code = w.exit->code;
    known.record.exit_signal = w.exit->signal;
  }
  out.push_back(finish(known.record, w.end.value_or(s.time), model::full_state(w)));
}

std::vector<EndedWorkload> EndedRuns::feed(const Snapshot& s, const CauseOf& cause) {
  std::vector<EndedWorkload> out;
  const auto read = read_state(s, "workloads");
  if (!read.any) return out;
  ++round_;
  for (std::uint32_t i = 0; i < s.workloads.size(); ++i) look_at(s, {i}, cause, out);
  for (auto it = known_.begin(); it != known_.end();) {
    if (!read.whole) it->second.round = round_;
    if (it->second.round == round_) {
      ++it;
      continue;
    }
    if (!it->second.ended) out.push_back(finish(it->second.record, s.time, kUnknownState));
    it = known_.erase(it);
  }
  // The last task that starts is seen in the round in which its record is gone.
  for (auto it = arrays_.begin(); it != arrays_.end();) {
    if (!read.whole) it->second.round = round_;
    it = it->second.round + 1 < round_ ? arrays_.erase(it) : std::next(it);
  }
  return out;
}

}  // namespace schedlens::history
