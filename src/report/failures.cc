// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/sections.h"

namespace schedlens::report {

using memory::EndedWorkload;

namespace {

constexpr std::size_t kRows = 10;

struct Tally {
  std::uint64_t failed = 0, ended = 0;
  double gpu_hours = 0;  // of those that failed
};
using Tallies = std::map<std::string, Tally>;

std::string exit_of(const EndedWorkload& run) {
  if (run.exit_signal.value_or(0) != 0) {
    return fmt::format("{}, signal {}", run.state, *run.exit_signal);
  }
  return run.exit_code ? fmt::format("{}, exit code {}", run.state, *run.exit_code) : run.state;
}

void add(Tally& tally, const EndedWorkload& run, const Period& period) {
  ++tally.ended;
  if (!failed(run)) return;
  ++tally.failed;
  tally.gpu_hours += gpu_hours_within(run, period).value_or(0);
}

Table table_of(const std::string& title, const std::string& of, const Tallies& tallies,
               bool with_share) {
  Table table{title, {{of}, {"failed", true}, {"GPU hours", true}}, {}, "no run failed"};
  if (with_share) table.columns.push_back({"of its runs", true});
  std::vector<std::pair<std::string, Tally>> rows;
  for (const auto& [name, tally] : tallies) {
    if (tally.failed > 0) rows.emplace_back(name, tally);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.failed > b.second.failed; });
  if (rows.size() > kRows) rows.resize(kRows);
  for (const auto& [name, tally] : rows) {
    std::vector<Cell> row = {
        printable(name), Cell::count(tally.failed), {tally.gpu_hours, Unit::kGpuHours}};
    if (with_share) {
      row.emplace_back(static_cast<double>(tally.failed) / static_cast<double>(tally.ended),
                       Unit::kShare);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Section failures(const Facts& now) {
  Section s{"failures", "Runs that failed", {}, {}, {}, {}};
  Tallies by_exit, by_user, by_node;
  std::uint64_t ended = 0, bad = 0, unknown = 0;
  for (const auto& run : now.runs) {
    if (!run.started || run.ended < now.period.from || run.ended >= now.period.to) continue;
    ++ended;
    if (run.state == "UNKNOWN") ++unknown;
    bad += failed(run) ? 1 : 0;
    add(by_exit[exit_of(run)], run, now.period);
    add(by_user[run.user.empty() ? "-" : run.user], run, now.period);
    for (const auto& node : run.nodes) add(by_node[node], run, now.period);
  }
  s.said.push_back(fmt::format("{} of {} runs that ended failed.", bad, ended));
  if (unknown > 0) {
    s.said.push_back(fmt::format(
        "Of {} it is not known how they ended: they were gone between two looks.", unknown));
  }
  s.tables.push_back(table_of("By how they ended", "state", by_exit, false));
  s.tables.push_back(table_of("By user", "user", by_user, true));
  s.tables.push_back(table_of("By node", "node", by_node, true));
  s.how =
      "Runs that ended in the week as FAILED, OUT_OF_MEMORY, NODE_FAIL, BOOT_FAIL, TIMEOUT or "
      "DEADLINE; those that were cancelled, requeued or preempted are not failures. A run of "
      "several "
      "nodes counts on each of them. GPU hours are those within the week. What failed often on one "
      "node and seldom elsewhere points to the node; of one user, to the user's program.";
  return s;
}

}  // namespace schedlens::report
