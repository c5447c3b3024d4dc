// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/sections.h"

namespace schedlens::report {

using memory::EndedWorkload;

namespace {

struct Row {
  const char* name;
  const char* anchor;
  Unit unit;
  std::optional<double> now, before;
};

std::optional<double> used_share(const Facts& facts) {
  const auto used = mean_of(facts.sum_of("schedlens_gpus_used"));
  return share_of(used, mean_of(facts.sum_of("schedlens_gpus")));
}

std::optional<double> stranded_hours(const Facts& facts) {
  const auto stranded = facts.sum_of("schedlens_gpus_stranded");
  double sum = 0;
  bool any = false;
  for (const auto& hour : stranded) {
    any = any || hour;
    sum += hour.value_or(0);
  }
  return any ? std::optional(sum) : std::nullopt;
}

std::optional<double> failed_share(const Facts& facts) {
  double ended = 0, bad = 0;
  for (const auto& run : facts.runs) {
    if (!run.started || run.ended >= facts.period.to) continue;
    ++ended;
    bad += failed(run) ? 1 : 0;
  }
  return ended > 0 ? std::optional(bad / ended) : std::nullopt;
}

double gpu_hours(const Facts& facts) {
  double sum = 0;
  for (const auto& run : facts.runs) sum += gpu_hours_within(run, facts.period).value_or(0);
  return sum;
}

Cell change_of(const Row& row) {
  if (!row.now || !row.before || *row.before == 0) return "-";
  const auto percent = std::round((*row.now - *row.before) / *row.before * 100);
  return percent == 0 ? "as before" : fmt::format("{:+.0f} %", percent);
}

}  // namespace

std::optional<double> mean_of(const std::vector<std::optional<double>>& hours) {
  double sum = 0;
  std::size_t n = 0;
  for (const auto& hour : hours) {
    if (!hour) continue;
    sum += *hour;
    ++n;
  }
  return n > 0 ? std::optional(sum / static_cast<double>(n)) : std::nullopt;
}

std::optional<double> share_of(std::optional<double> part, std::optional<double> whole) {
  if (!part || !whole || *whole <= 0) return std::nullopt;
  return *part / *whole;
}

std::optional<double> gpu_hours_within(const EndedWorkload& run, const Period& period) {
  if (!run.started || !run.gpus) return std::nullopt;
  const auto from = std::max(*run.started, period.from), to = std::min(run.ended, period.to);
  const auto seconds = std::max<std::int64_t>(0, (to - from).value);
  return static_cast<double>(*run.gpus) * static_cast<double>(seconds) / 3600;
}

bool failed(const EndedWorkload& run) {
  constexpr std::array<std::string_view, 7> kFailed = {
      "FAILED", "OUT_OF_MEMORY", "NODE_FAIL", "BOOT_FAIL", "TIMEOUT", "DEADLINE", "Failed"};
  return std::any_of(kFailed.begin(), kFailed.end(),
                     [&](std::string_view state) { return run.state == state; });
}

Section headline(const Facts& now, const Facts& before) {
  const auto waited = all_waits(now), waited_before = all_waits(before);
  const std::array<Row, 8> rows = {{
      {"runs that started", "waits", Unit::kNumber, static_cast<double>(waited.started()),
       static_cast<double>(waited_before.started())},
      {"median wait", "waits", Unit::kSeconds, waited.quantile(0.5), waited_before.quantile(0.5)},
      {"95 % started within", "waits", Unit::kSeconds, waited.quantile(0.95),
       waited_before.quantile(0.95)},
      {"GPUs allocated", "utilisation", Unit::kShare, used_share(now), used_share(before)},
      {"GPU time of ended runs", "failures", Unit::kGpuHours, gpu_hours(now), gpu_hours(before)},
      {"GPU time stranded", "fragmentation", Unit::kGpuHours, stranded_hours(now),
       stranded_hours(before)},
      {"runs that failed", "failures", Unit::kShare, failed_share(now), failed_share(before)},
      {"hours with data", "seen", Unit::kHours, static_cast<double>(now.hours_seen()),
       static_cast<double>(before.hours_seen())},
  }};
  // Of a week that nobody saw nothing is known; without a server nothing is remembered.
  auto seen = [](const Facts& facts, std::optional<double> value) {
    return facts.hours_seen() > 0 || !facts.runs.empty() ? value : std::nullopt;
  };
  Section s{"seen", "The week at a glance", {}, {}, {}, {}};
  Table table{"", {{""}, {"this week", true}, {"the week before", true}, {"change", true}}, {}, ""};
  for (auto row : rows) {
    if (row.unit != Unit::kHours) {
      row.now = seen(now, row.now);
      row.before = seen(before, row.before);
    }
    table.rows.push_back({row.name, {row.now, row.unit}, {row.before, row.unit}, change_of(row)});
  }
  s.tables.push_back(std::move(table));
  s.how =
      "Hours with data are those in which a server looked at the cluster; nothing is said of "
      "others. The rest is found as the sections below say, for both weeks alike.";
  return s;
}

}  // namespace schedlens::report
