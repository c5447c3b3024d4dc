// SPDX-License-Identifier: Apache-2.0
#pragma once
// The page that /metrics answers.
//
//   auto analysis = metrics::analyse(*snapshot);             // once per snapshot
//   waits.feed(*snapshot);                                   // once per snapshot
//   std::string page = metrics::render(snapshot.get(), {...});  // per scrape
//
// Any number of threads may render at once: nothing is changed, and the WaitTracker guards itself.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "metrics/analysis.h"
#include "metrics/efficiency_tracker.h"
#include "metrics/exposition.h"
#include "metrics/forecast_book.h"
#include "metrics/own_process.h"
#include "metrics/store_use.h"
#include "metrics/wait_tracker.h"
#include "metrics/watch_rows.h"
#include "model/snapshot.h"

namespace schedlens::metrics {

struct RenderInput {
  Timestamp now;
  std::string_view version;            // of schedlens
  const Analysis* analysis = nullptr;  // of the same snapshot; without it, what it feeds is absent
  const WaitTracker* waits = nullptr;
  const EfficiencyTracker* efficiency = nullptr;
  const ForecastBook* forecasts = nullptr;
  std::shared_ptr<const WatchRows> watch = nullptr;
  std::optional<ProcessUse> process = std::nullopt;
  std::optional<StoreUse> store = std::nullopt;               // absent without a data directory
  std::optional<RemoteWriteUse> remote_write = std::nullopt;  // absent without such a store
  std::vector<std::string> prefixes = {};  // collect[]: families by the start of their name
  std::optional<std::uint32_t> series_limit = std::nullopt;  // instead of each family's own
  // The configuration file could not be read again; absent where there is none.
  std::optional<bool> config_reload_failed = std::nullopt;
  Form form = Form::kText;
  bool node_info = false;  // one more series per node, with type and version
  bool pod_use = false;    // series for each pod
};

// Without a snapshot (none was read yet) the page tells of schedlens alone.
void render(const model::Snapshot* snapshot, const RenderInput& input, Exposition::Sink sink);
std::string render(const model::Snapshot* snapshot, const RenderInput& input);

}  // namespace schedlens::metrics
