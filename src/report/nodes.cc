// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/sections.h"

namespace schedlens::report {
namespace {

constexpr std::size_t kRows = 20;
constexpr std::string_view kInService = "in service";
constexpr std::string_view kRemoved = "removed";

struct Outages {
  std::uint64_t times = 0;
  double hours = 0, gpu_hours = 0;
  bool gpus_known = true, still = false;
  std::set<std::string> reasons;
};

bool is_out(const memory::NodeChange& change) {
  return change.to != kInService && change.to != kRemoved;
}

void add(Outages& o, const memory::NodeChange& change, Timestamp until, const Period& period,
         bool new_outage) {
  const auto from = std::max(change.time, period.from);
  const auto seconds = std::max<std::int64_t>(0, (until - from).value);
  const auto hours = static_cast<double>(seconds) / 3600;
  if (new_outage) ++o.times;
  o.hours += hours;
  if (change.gpus) {
    o.gpu_hours += hours * static_cast<double>(*change.gpus);
  } else {
    o.gpus_known = false;
  }
  if (!change.reason.empty()) o.reasons.insert(change.reason);
}

std::map<std::string, Outages> outages(const Facts& facts) {
  std::map<std::string, const memory::NodeChange*> last;
  std::map<std::string, Outages> all;
  auto close = [&](const memory::NodeChange& before, Timestamp until, bool new_outage) {
    if (is_out(before) && until > facts.period.from) {
      add(all[before.node], before, until, facts.period, new_outage);
    }
  };
  std::map<std::string, bool> was_out;
  for (const auto& change : facts.node_changes) {
    auto& before = last[change.node];
    if (before) {
      close(*before, change.time, !was_out[change.node]);
      was_out[change.node] = is_out(*before);
    }
    before = &change;
  }
  for (const auto& [node, change] : last) {
    close(*change, facts.period.to, !was_out[node]);
    if (is_out(*change)) all[node].still = true;
  }
  return all;
}

double sum(const std::map<std::string, Outages>& all, double Outages::*of) {
  double total = 0;
  for (const auto& [node, o] : all) total += o.*of;
  return total;
}

}  // namespace

Section node_health(const Facts& now, const Facts& before) {
  Section s{"nodes", "The health of nodes", {}, {}, {}, {}};
  const auto all = outages(now), earlier = outages(before);
  auto of_before = [&](double value, Unit unit) {
    return Cell(before.hours_seen() > 0 ? std::optional(value) : std::nullopt, unit);
  };
  Table totals{"", {{""}, {"this week", true}, {"the week before", true}}, {}, ""};
  totals.rows.push_back({"nodes out of service at some time", Cell::count(all.size()),
                         of_before(static_cast<double>(earlier.size()), Unit::kNumber)});
  totals.rows.push_back({"hours out of service",
                         {sum(all, &Outages::hours), Unit::kHours},
                         of_before(sum(earlier, &Outages::hours), Unit::kHours)});
  totals.rows.push_back({"GPU hours out of service",
                         {sum(all, &Outages::gpu_hours), Unit::kGpuHours},
                         of_before(sum(earlier, &Outages::gpu_hours), Unit::kGpuHours)});
  s.tables.push_back(std::move(totals));
  std::vector<std::pair<std::string, const Outages*>> sorted;
  for (const auto& [node, o] : all) sorted.emplace_back(node, &o);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second->hours > b.second->hours; });
  Table table{
      "Out of service longest",
      {{"node"}, {"times", true}, {"hours", true}, {"GPU hours", true}, {"now"}, {"reasons"}},
      {},
      "no node was out of service"};
  Table repeat{"Out of service again and again",
               {{"node"}, {"times", true}, {"reasons"}},
               {},
               "no node was out of service twice"};
  for (const auto& [node, o] : sorted) {
    const auto reasons = printable(fmt::format("{}", fmt::join(o->reasons, "; ")));
    if (table.rows.size() < kRows) {
      table.rows.push_back(
          {printable(node),
           Cell::count(o->times),
           {o->hours, Unit::kHours},
           {o->gpus_known ? std::optional(o->gpu_hours) : std::nullopt, Unit::kGpuHours},
           o->still ? "out" : "back",
           reasons.empty() ? "-" : reasons});
    }
    if (o->times > 1 && repeat.rows.size() < kRows) {
      repeat.rows.push_back(
          {printable(node), Cell::count(o->times), reasons.empty() ? "-" : reasons});
    }
  }
  s.tables.push_back(std::move(table));
  s.tables.push_back(std::move(repeat));
  s.how =
      "Out of service is drained, down, failing, in maintenance or the like; the time is split at "
      "the ends of the week. Times are how often a node left service, one that was out when the "
      "week began counted once. Changes while no server ran are told as one change at the next "
      "look, so times may be more and hours less than shown.";
  return s;
}

}  // namespace schedlens::report
