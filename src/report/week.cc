// SPDX-License-Identifier: Apache-2.0
#include "report/week.h"

#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "base/time_text.h"
#include "report/sections.h"

namespace schedlens::report {
namespace {

// 00:00 of the day so many days from the moment's.
Timestamp midnight(Timestamp moment, int days) {
  const std::time_t seconds = moment.unix_seconds;
  std::tm local{};
  localtime_r(&seconds, &local);
  local.tm_mday += days;
  local.tm_hour = local.tm_min = local.tm_sec = 0;
  local.tm_isdst = -1;
  return {std::mktime(&local)};
}

int days_since_monday(Timestamp moment) {
  const std::time_t seconds = moment.unix_seconds;
  std::tm local{};
  localtime_r(&seconds, &local);
  return (local.tm_wday + 6) % 7;
}

std::string cluster_of(const Facts& facts) {
  for (const auto& run : facts.runs) {
    if (!run.scheduler.empty()) return run.scheduler;
  }
  return {};
}

std::vector<std::string> notes_on(const Facts& now, const Facts& before, Timestamp made) {
  std::vector<std::string> notes;
  if (now.hours_seen() < now.hours()) {
    notes.push_back(fmt::format(
        "{} of {} hours have data: in the others no server looked{}. What is summed up over hours "
        "is "
        "of those alone.",
        now.hours_seen(), now.hours(), made < now.period.to ? ", or they are yet to come" : ""));
  }
  if (before.hours_seen() < before.hours()) {
    notes.push_back(fmt::format("Of the week before, {} of {} hours have data.",
                                before.hours_seen(), before.hours()));
  }
  for (const auto* facts : {&before, &now}) {
    for (const auto& problem : facts->problems) {
      notes.push_back(fmt::format("Not read, and missing here: {}", problem));
    }
  }
  return notes;
}

// "1,002,000": a point or a sign stays where it is.
std::string grouped(std::string digits) {
  const auto begin = digits.find_first_of("0123456789");
  auto at = std::min(digits.find('.'), digits.size());
  while (at > begin + 3) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

}  // namespace

std::string shown(const Cell& cell) {
  if (!cell.is_number) return cell.text;
  if (!cell.value || !std::isfinite(*cell.value)) return "?";
  switch (cell.unit) {
    case Unit::kSeconds:
      return short_duration({static_cast<std::int64_t>(std::llround(*cell.value))});
    case Unit::kShare:
      return fmt::format("{:.{}f} %", *cell.value * 100, std::abs(*cell.value) < 0.1 ? 1 : 0);
    case Unit::kGpuHours:
    case Unit::kHours:
      return grouped(fmt::format("{:.{}f}", *cell.value, std::abs(*cell.value) < 100 ? 1 : 0));
    case Unit::kNumber:
      break;
  }
  const bool whole = *cell.value == std::round(*cell.value);
  return grouped(fmt::format("{:.{}f}", *cell.value, whole ? 0 : 1));
}

Period week_of(Timestamp moment) {
  const auto monday = midnight(moment, -days_since_monday(moment));
  return {monday, midnight(monday, 7)};
}

Period last_whole_week(Timestamp now) {
  return week_of(week_of(now).from + Seconds{-3600});
}

Document document_of(const Facts& now, const Facts& before, Timestamp made) {
  Document d;
  d.from = now.period.from;
  d.to = now.period.to;
  d.made = made;
  d.cluster = cluster_of(now);
  d.title = fmt::format("The week from {} to {}", local_time(d.from).substr(0, 10),
                        local_time(d.to + Seconds{-1}).substr(0, 10));
  d.notes = notes_on(now, before, made);
  d.sections = {headline(now, before), waits(now),
                reasons(now),          utilisation(now),
                fragmentation(now),    gpu_time(now, before),
                failures(now),         node_health(now, before),
                preemptions(now),      alerts(now),
                configuration(now)};
  return d;
}

Result<Document> weekly(memory::Reader& reader, Period week, Timestamp now) {
  auto facts = gather(reader, week);
  if (!facts) return fail(facts.error());
  auto before = gather(reader, week_of(week.from + Seconds{-3600}));
  if (!before) return fail(before.error());
  return document_of(*facts, *before, now);
}

}  // namespace schedlens::report
