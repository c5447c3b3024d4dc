// SPDX-License-Identifier: Apache-2.0
#include "metrics/render.h"

#include <algorithm>

#include "metrics/parts.h"

namespace schedlens::metrics {

bool known(const model::Snapshot& s, bool has_something) {
  return has_something || std::none_of(s.sources.begin(), s.sources.end(), [](const auto& source) {
           return !source.last_success;
         });
}

void render(const model::Snapshot* snapshot, const RenderInput& input, Exposition::Sink sink) {
  Exposition out(std::move(sink), input.prefixes, input.series_limit);
  if (snapshot) {
    out.sample(family("schedlens_cluster_info"), 1, snapshot->cluster, snapshot->scheduler,
               snapshot->scheduler_version);
    if (known(*snapshot, !snapshot->nodes.empty())) {
      write_nodes(*snapshot, input, out);
      write_partitions(*snapshot, input, out);
      if (input.analysis) write_fragmentation(*snapshot, *input.analysis, out);
    }
    if (known(*snapshot, !snapshot->workloads.empty())) write_jobs(*snapshot, input, out);
    write_limits(*snapshot, out);
    write_reservations(*snapshot, out);
    if (snapshot->vitals) write_scheduler(*snapshot->vitals, out);
  }
  if (input.waits) input.waits->write(out);
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
