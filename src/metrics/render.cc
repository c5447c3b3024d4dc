// SPDX-License-Identifier: Apache-2.0
#include "metrics/render.h"

#include <algorithm>

#include "metrics/parts.h"

namespace schedlens::metrics {

bool known(const model::Snapshot& s, std::string_view list, bool has_something) {
  if (has_something) return true;
  bool all_read = true, fed = false, fed_read = false;
  for (const auto& source : s.sources) {
    bool read = source.last_success.has_value();
    all_read = all_read && read;
    if (source.feeds != list) continue;
    fed = true;
    fed_read = fed_read || read;
  }
  return fed ? fed_read : all_read;
}

void render(const model::Snapshot* snapshot, const RenderInput& input, Exposition::Sink sink) {
  Exposition out(std::move(sink), input.prefixes, input.series_limit, input.form);
  if (snapshot) {
    out.sample(family("schedlens_cluster_info"), 1, snapshot->cluster, snapshot->scheduler,
               snapshot->scheduler_version);
    if (known(*snapshot, "nodes", !snapshot->nodes.empty())) {
      write_nodes(*snapshot, input, out);
      if (!snapshot->kubernetes) write_partitions(*snapshot, input, out);
      if (input.analysis) write_fragmentation(*snapshot, *input.analysis, out);
      if (input.analysis) write_ledger(*input.analysis, out);
    }
    if (known(*snapshot, "workloads", !snapshot->workloads.empty()))
      write_jobs(*snapshot, input, out);
    write_limits(*snapshot, out);
    write_reservations(*snapshot, out);
    if (snapshot->vitals) write_scheduler(*snapshot->vitals, out);
    if (snapshot->kubernetes) write_kubernetes(*snapshot, input, out);
    if (snapshot->kubernetes) write_usage(*snapshot, input, out);
  }
  if (input.waits) input.waits->write(out);
  if (input.efficiency) input.efficiency->write(out);
  if (input.forecasts) input.forecasts->write(out);
  if (input.watch) write_watch(*input.watch, out);
  write_own(snapshot, input, out);
  for (std::uint16_t i = 0; i < kFamilyCount; ++i) {
    FamilyRef f{i};
    if (out.dropped(f) > 0) {
      out.sample(family("schedlens_dropped_series"), out.dropped(f), f->name);
    }
  }
  out.sample(family("schedlens_exposition_series"), out.series());
  out.sample(family("schedlens_exposition_bytes"), out.bytes());
  out.finish();
}

std::string render(const model::Snapshot* snapshot, const RenderInput& input) {
  std::string page;
  render(snapshot, input, [&](std::string_view piece) { page += piece; });
  return page;
}

}  // namespace schedlens::metrics
