// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "report/sections.h"

namespace schedlens::report {

using memory::EndedWorkload;

namespace {

// With fewer a 95th percentile is the longest wait under another name.
constexpr std::size_t kLeastForP95 = 20;
constexpr std::size_t kLeastForMedian = 3;
constexpr std::size_t kRows = 20;

struct SizeClass {
  std::int64_t most;
  const char* name;
};
constexpr std::array<SizeClass, 6> kSizes = {{{0, "no GPU"},
                                              {1, "1 GPU"},
                                              {4, "2 to 4 GPUs"},
                                              {8, "5 to 8 GPUs"},
                                              {16, "9 to 16 GPUs"},
                                              {64, "17 to 64 GPUs"}}};

std::string size_of(const EndedWorkload& run) {
  if (!run.gpus) return "not known";
  for (const auto& size : kSizes) {
    if (*run.gpus <= size.most) return size.name;
  }
  return "more than 64 GPUs";
}

std::optional<Wait> wait_of(const EndedWorkload& run, const Period& period) {
  const auto from = run.eligible ? run.eligible : run.submitted;
  if (!from) return std::nullopt;
  const auto until = run.started.value_or(run.ended);
  if (until < period.from || until >= period.to) return std::nullopt;
  const auto seconds = std::max<std::int64_t>(0, (until - *from).value);
  return Wait{static_cast<double>(seconds), run.started.has_value()};
}

Table table_of(const std::string& title, const std::string& of,
               const std::map<std::string, Waits>& groups) {
  Table table{title,
              {{of},
               {"started", true},
               {"gave up", true},
               {"mean", true},
               {"median", true},
               {"95 %", true}},
              {},
              "no run started"};
  std::vector<std::pair<std::string, const Waits*>> rows;
  for (const auto& [name, waits] : groups) rows.emplace_back(name, &waits);
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.second->started() > b.second->started();
  });
  if (rows.size() > kRows) rows.resize(kRows);
  for (const auto& row : rows) {
    const auto& waits = *row.second;
    const auto n = waits.started();
    auto quantile = [&](double share, std::size_t least) {
      return n >= least ? waits.quantile(share) : std::nullopt;
    };
    table.rows.push_back({row.first,
                          Cell::count(n),
                          Cell::count(waits.given_up()),
                          {waits.mean(), Unit::kSeconds},
                          {quantile(0.5, kLeastForMedian), Unit::kSeconds},
                          {quantile(0.95, kLeastForP95), Unit::kSeconds}});
  }
  return table;
}

}  // namespace

std::map<std::string, Waits> waits_by(
    const Facts& facts, const std::function<std::string(const EndedWorkload&)>& name) {
  std::map<std::string, Waits> groups;
  for (const auto& run : facts.runs) {
    if (const auto wait = wait_of(run, facts.period)) groups[name(run)].add(*wait);
  }
  return groups;
}

Waits all_waits(const Facts& facts) {
  auto groups = waits_by(facts, [](const EndedWorkload&) { return std::string(); });
  return groups.empty() ? Waits() : std::move(groups.begin()->second);
}

Section waits(const Facts& now) {
  Section s{"waits", "How long jobs waited", {}, {}, {}, {}};
  s.tables.push_back(table_of("By queue", "queue", waits_by(now, [](const EndedWorkload& r) {
                                return r.queue.empty() ? std::string("-") : r.queue;
                              })));
  s.tables.push_back(table_of("By size", "asked for", waits_by(now, size_of)));
  s.tables.push_back(table_of("By what they waited for", "root cause as last seen",
                              waits_by(now, [](const EndedWorkload& r) {
                                return r.last_cause.empty()
                                           ? std::string("started before it was seen waiting")
                                           : r.last_cause;
                              })));
  s.how =
      "A wait is the time from when a run became eligible (without dependencies, holds and begin "
      "times) to its start; runs that started in the week count, each run of a requeued job for "
      "itself. Those that were cancelled while they waited gave up: the median and the 95th "
      "percentile count them as waiting until then (Kaplan and Meier), so that a queue that nobody "
      "can bear does not look short. A median is of three starts or more, a 95th percentile of "
      "twenty. What still waits is not in it.";
  return s;
}

}  // namespace schedlens::report
