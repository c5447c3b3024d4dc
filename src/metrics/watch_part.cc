// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "metrics/parts.h"

namespace schedlens::metrics {
namespace {

void write_baselines(const std::vector<BaselineRow>& rows, Exposition& out) {
  constexpr std::array<std::string_view, 5> kStates = {"normal", "high", "low", "no_baseline",
                                                       "not_judged"};
  for (const auto& row : rows) {
    if (row.value) out.sample(family("schedlens_baseline_value"), *row.value, row.series, row.of);
  }
  auto each_band = [&](FamilyRef f, double BaselineRow::Band::*edge) {
    for (const auto& row : rows) {
      if (row.band) out.sample(f, (*row.band).*edge, row.series, row.of);
    }
  };
  each_band(family("schedlens_baseline_low"), &BaselineRow::Band::low);
  each_band(family("schedlens_baseline_centre"), &BaselineRow::Band::centre);
  each_band(family("schedlens_baseline_high"), &BaselineRow::Band::high);
  for (const auto& row : rows) {
    for (const auto state : kStates) {
      out.sample(family("schedlens_baseline_state"), row.state == state ? 1 : 0, row.series, row.of,
                 state);
    }
  }
  for (const auto& row : rows) {
    out.sample(family("schedlens_baseline_alarm"), row.alarm ? 1 : 0, row.series, row.of);
  }
}

}  // namespace

void write_watch(const WatchRows& watch, Exposition& out) {
  write_baselines(watch.baselines, out);
  for (const auto& row : watch.alerts) {
    out.sample(family("schedlens_alerts"), row.count, row.rule, row.severity, row.phase);
  }
  for (const auto& row : watch.receivers) {
    out.sample(family("schedlens_alert_receiver_up"), row.up ? 1 : 0, row.name);
  }
  for (const auto& row : watch.receivers) {
    out.sample(family("schedlens_alert_receiver_waiting"), row.waiting, row.name);
  }
  for (const auto& row : watch.receivers) {
    out.sample(family("schedlens_alert_receiver_last_success_timestamp_seconds"), row.last_success,
               row.name);
  }
}

}  // namespace schedlens::metrics
