// SPDX-License-Identifier: Apache-2.0
// What schedlens says of itself: its sources, their ages and costs.
#include <algorithm>
#include <array>

#include "metrics/parts.h"

namespace schedlens::metrics {
namespace {

using model::SourceState;
using model::SourceStatus;

constexpr std::array kStates = {SourceState::kNever, SourceState::kFresh, SourceState::kPartial,
                                SourceState::kStale, SourceState::kFailed};

void write_sources(const std::vector<SourceStatus>& sources, Timestamp now, Exposition& out) {
  auto each = [&](auto write) {
    for (const auto& source : sources) write(source);
  };
  // Of reads that succeeded at least once; a failed first read has brought nothing to measure.
  auto each_read = [&](auto write) {
    for (const auto& source : sources) {
      if (source.last_success) write(source);
    }
  };
  each([&](const SourceStatus& s) {
    for (auto state : kStates) {
      out.sample(family("schedlens_source_state"), s.state == state ? 1 : 0, s.name,
                 state_name(state));
    }
  });
  each_read([&](const SourceStatus& s) {
    auto age = std::max(now - *s.last_success, Seconds{0});
    out.sample(family("schedlens_source_age_seconds"), age, s.name);
  });
  each_read([&](const SourceStatus& s) {
    out.sample(family("schedlens_source_last_success_timestamp_seconds"), s.last_success, s.name);
  });
  each([&](const SourceStatus& s) {
    out.sample(family("schedlens_source_reads_total"), s.reads, s.name);
  });
  each([&](const SourceStatus& s) {
    out.sample(family("schedlens_source_failures_total"), s.failures, s.name);
  });
  each([&](const SourceStatus& s) {
    if (s.last_attempt) out.sample(family("schedlens_source_read_seconds"), s.seconds, s.name);
  });
  each_read([&](const SourceStatus& s) {
    out.sample(family("schedlens_source_read_bytes"), s.bytes, s.name);
  });
  each_read([&](const SourceStatus& s) {
    out.sample(family("schedlens_source_records"), s.records, s.name);
  });
  each_read([&](const SourceStatus& s) {
    out.sample(family("schedlens_source_unreadable_records"), s.unreadable_records, s.name);
  });
}

void write_store(const StoreUse& store, Exposition& out) {
  out.sample(family("schedlens_store_up"), store.up ? 1 : 0);
  out.sample(family("schedlens_store_last_write_timestamp_seconds"), store.last_write);
  auto each = [&](FamilyRef f, std::uint64_t StoreUse::Kind::*count) {
    out.sample(f, store.points.*count, "points");
    out.sample(f, store.records.*count, "records");
  };
  each(family("schedlens_store_pending"), &StoreUse::Kind::pending);
  each(family("schedlens_store_written_total"), &StoreUse::Kind::written);
  each(family("schedlens_store_dropped_total"), &StoreUse::Kind::dropped);
  out.sample(family("schedlens_store_files_set_aside_total"), store.files_set_aside);
}

void write_remote(const RemoteWriteUse& use, Exposition& out) {
  out.sample(family("schedlens_remote_write_up"), use.up ? 1 : 0);
  out.sample(family("schedlens_remote_write_last_success_timestamp_seconds"), use.last_success);
  out.sample(family("schedlens_remote_write_pending_samples"), use.pending);
  out.sample(family("schedlens_remote_write_sent_samples_total"), use.sent);
  out.sample(family("schedlens_remote_write_dropped_samples_total"), use.dropped);
}

}  // namespace

void write_own(const model::Snapshot* s, const RenderInput& input, Exposition& out) {
  out.sample(family("schedlens_build_info"), 1, input.version);
  if (input.config_reload_failed) {
    out.sample(family("schedlens_config_last_reload_successful"),
               *input.config_reload_failed ? 0 : 1);
  }
  if (s) {
    out.sample(family("schedlens_snapshot_timestamp_seconds"), s->time);
    out.sample(family("schedlens_snapshot_age_seconds"), std::max(input.now - s->time, Seconds{0}));
    write_sources(s->sources, input.now, out);
  }
  if (input.waits) {
    out.sample(family("schedlens_wait_tracker_jobs"), input.waits->remembered());
  }
  if (input.store) write_store(*input.store, out);
  if (input.remote_write) write_remote(*input.remote_write, out);
  if (!input.process) return;
  out.sample(family("schedlens_process_cpu_seconds_total"), input.process->cpu_seconds);
  out.sample(family("schedlens_process_resident_memory_bytes"), input.process->resident);
  out.sample(family("schedlens_process_start_timestamp_seconds"), input.process->started);
}

}  // namespace schedlens::metrics
