// SPDX-License-Identifier: Apache-2.0
#include "api/live.h"

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "base/time_text.h"

namespace schedlens::api {
namespace {

// Both were built from the same reads. What is watched brings changes without another read: its
// bytes grow then.
bool same_round(const model::Snapshot& a, const model::Snapshot& b) {
  return std::equal(a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end(),
                    [](const auto& x, const auto& y) {
                      return x.name == y.name && x.reads == y.reads && x.failures == y.failures &&
                             x.last_attempt == y.last_attempt && x.last_success == y.last_success &&
                             x.bytes == y.bytes && x.state == y.state;
                    });
}

}  // namespace

Analysed::Analysed(model::SnapshotPtr s, const diagnose::ClassWaits& waits)
    : snapshot(*s),
      explained(std::make_shared<Explained>(std::move(s))),
      causes(group_by_cause(snapshot, explained->classify_pending())),
      analysis(metrics::analyse(snapshot, causes_by_id(snapshot, causes))) {
  analysis.starvation = explained->starvation(waits);
}

void Live::publish(model::SnapshotPtr snapshot, Seconds longest_gap) {
  auto last = current();
  if (last && same_round(last->snapshot, *snapshot)) return;
  waits_.feed(*snapshot);
  {
    std::lock_guard lock(mutex_);
    observed_.observe(*snapshot);
  }
  auto analysed = std::make_shared<const Analysed>(std::move(snapshot), observed_.class_waits);
  efficiency_.feed(analysed->snapshot, analysed->analysis.ledger, longest_gap);
  {
    std::lock_guard lock(mutex_);
    current_ = analysed;
  }
  // Answers do not wait for what may take seconds.
  forecasts_.feed(analysed->snapshot, observed_);
  std::lock_guard lock(mutex_);
  observed_.lateness = forecasts_.lateness();
}

diagnose::Observed Live::observed() const {
  std::lock_guard lock(mutex_);
  return observed_;
}

diagnose::StartForecast Live::forecast(const model::Snapshot& snapshot,
                                       model::WorkloadId id) const {
  if (auto known = forecasts_.forecast(snapshot.workload(id))) return *known;
  const auto seen = observed();
  return diagnose::corrected(diagnose::start_forecast(snapshot, seen.run_times, id), snapshot.time,
                             seen.lateness);
}

std::shared_ptr<const Analysed> Live::current() const {
  std::lock_guard lock(mutex_);
  return current_;
}

Result<model::SnapshotPtr> Live::ask_detail(std::string_view id, bool known) {
  std::unique_lock lock(asking_, std::try_to_lock);
  if (!detail_ || !lock) return model::SnapshotPtr();
  if (!known) {
    auto now = Clock::now();
    if (asked_unknown_ && now - *asked_unknown_ < std::chrono::seconds(1)) {
      return model::SnapshotPtr();
    }
    asked_unknown_ = now;
  }
  return detail_(id);
}

std::shared_ptr<Explained> Live::explained(model::SnapshotPtr detailed) {
  {
    std::lock_guard lock(mutex_);
    if (detailed_ && detailed_->snapshot() == detailed) return detailed_;
  }
  auto fresh = std::make_shared<Explained>(std::move(detailed));
  std::lock_guard lock(mutex_);
  detailed_ = fresh;
  return fresh;
}

Result<Live::Job> Live::find_job(std::string_view id, bool with_detail) {
  auto analysed = current();
  if (!analysed) return fail("nothing has been read from the scheduler yet");
  const auto& s = analysed->snapshot;
  Job job{analysed->explained, s.find_workloads(id)};
  bool complete =
      !job.records.empty() && std::all_of(job.records.begin(), job.records.end(),
                                          [&](auto record) { return s.workload(record).detailed; });
  std::string trouble;
  if (with_detail && !complete) {
    auto detailed = ask_detail(id, !job.records.empty());
    if (!detailed) {
      trouble = "; asking for it: " + detailed.error().message();
      log::debug("api: no details job={} error={}", printable(id), detailed.error().message());
    } else if (*detailed) {
      auto records = (*detailed)->find_workloads(id);
      if (!records.empty()) {
        return Job{explained(std::move(*detailed)), std::move(records)};
      }
    }
  }
  if (job.records.empty()) {
    return fail("there is no job {} in what was read at {}{}", printable(id), iso8601(s.time),
                trouble);
  }
  return job;
}

}  // namespace schedlens::api
