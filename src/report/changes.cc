// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/changed_lines.h"
#include "base/text.h"
#include "base/time_text.h"
#include "report/sections.h"

namespace schedlens::report {
namespace {

constexpr std::size_t kLines = 6;
constexpr std::size_t kRows = 20;
constexpr Seconds kAround{86'400};

std::string lines_of(const std::vector<std::string>& changed) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kLines, changed.size()); ++i) {
    text += (text.empty() ? "" : "; ") + printable(changed[i]);
  }
  if (changed.size() > kLines) text += fmt::format("; {} more", changed.size() - kLines);
  return text;
}

// Of the day before or after a moment, as far as the week has it.
std::optional<double> used_between(const Facts& facts, Timestamp from, Timestamp to) {
  const auto used = facts.sum_of("schedlens_gpus_used"), all = facts.sum_of("schedlens_gpus");
  std::vector<std::optional<double>> shares;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto hour = facts.period.from + Seconds{static_cast<std::int64_t>(i) * 3600};
    if (hour >= from && hour < to) shares.push_back(share_of(used[i], all[i]));
  }
  return mean_of(shares);
}

std::optional<double> median_wait_between(const Facts& facts, Timestamp from, Timestamp to) {
  Waits waits;
  for (const auto& run : facts.runs) {
    if (!run.eligible || !run.started || *run.started < from || *run.started >= to) continue;
    waits.add({static_cast<double>(std::max<std::int64_t>(0, (*run.started - *run.eligible).value)),
               true});
  }
  return waits.started() >= 3 ? waits.quantile(0.5) : std::nullopt;
}

}  // namespace

Section configuration(const Facts& now) {
  Section s{"configuration", "Changes of the configuration", {}, {}, {}, {}};
  Table table{"",
              {{"when"},
               {"of"},
               {"what"},
               {"median wait before", true},
               {"after", true},
               {"GPUs allocated before", true},
               {"after", true}},
              {},
              "nothing changed"};
  std::map<std::string, const memory::ConfigVersion*> last;
  for (const auto& version : now.configs) {
    const auto* before = std::exchange(last[version.source], &version);
    if (!before || version.time < now.period.from) continue;
    const auto at = version.time, earlier = at + Seconds{-kAround.value}, later = at + kAround;
    table.rows.push_back({local_time(at),
                          version.source,
                          lines_of(changed_lines(before->text, version.text)),
                          {median_wait_between(now, earlier, at), Unit::kSeconds},
                          {median_wait_between(now, at, later), Unit::kSeconds},
                          {used_between(now, earlier, at), Unit::kShare},
                          {used_between(now, at, later), Unit::kShare}});
  }
  s.tables.push_back(std::move(table));
  s.how =
      "What the scheduler reports of its settings, partitions and QOS against what it reported "
      "before. Before and after are the day to either side, as far as it lies in the week. Other "
      "things change in two days, too: this shows where to look, not what caused it.";
  return s;
}

Section alerts(const Facts& now) {
  Section s{"alerts", "Alerts that fired", {}, {}, {}, {}};
  struct Tally {
    std::string severity, summary;
    std::uint64_t times = 0;
    double hours = 0;
    bool still = false;
  };
  std::map<std::string, Tally> by_rule;
  for (const auto& a : now.alerts) {
    auto& tally = by_rule[a.rule];
    tally.severity = a.severity;
    tally.summary = a.summary;
    ++tally.times;
    const auto from = std::max(a.starts, now.period.from);
    const auto to = std::min(a.ends.value_or(now.period.to), now.period.to);
    tally.hours += static_cast<double>(std::max<std::int64_t>(0, (to - from).value)) / 3600;
    tally.still = tally.still || !a.ends;
  }
  Table table{"",
              {{"alert"}, {"severity"}, {"times", true}, {"hours", true}, {"what it said last"}},
              {},
              "no alert fired"};
  for (const auto& [rule, tally] : by_rule) {
    if (table.rows.size() == kRows) break;
    table.rows.push_back({rule,
                          tally.severity,
                          Cell::count(tally.times),
                          {tally.hours, Unit::kHours},
                          printable(tally.summary)});
  }
  s.tables.push_back(std::move(table));
  s.how = "Alerts of schedlens serve that fired at any moment of the week, silenced or not.";
  return s;
}

}  // namespace schedlens::report
