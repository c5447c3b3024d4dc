// SPDX-License-Identifier: Apache-2.0
// What GPUs did: in use, stranded, lost.

#include <algorithm>
#include <array>

#include "report/sections.h"

namespace schedlens::report {
namespace {

std::vector<std::optional<double>> used_shares(const Facts& facts) {
  const auto used = facts.sum_of("schedlens_gpus_used"), all = facts.sum_of("schedlens_gpus");
  std::vector<std::optional<double>> shares(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) shares[i] = share_of(used[i], all[i]);
  return shares;
}

// Of the causes that the ledger tells of; sorted by what they cost.
std::vector<std::pair<std::string, double>> largest(const std::map<std::string, double>& parts) {
  std::vector<std::pair<std::string, double>> sorted(parts.begin(), parts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

std::string words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name.empty() ? "-" : name;
}

}  // namespace

Section utilisation(const Facts& now) {
  Section s{"utilisation", "How much of the GPUs was allocated", {}, {}, {}, {}};
  const auto shares = used_shares(now);
  constexpr std::array<const char*, 5> kNames = {"under 20 %", "20 to 40 %", "40 to 60 %",
                                                 "60 to 80 %", "80 % and more"};
  std::array<double, 5> hours{};
  double seen = 0;
  for (const auto& share : shares) {
    if (!share) continue;
    const auto part = std::clamp(static_cast<int>(*share * 5), 0, 4);
    ++hours[static_cast<std::size_t>(part)];
    ++seen;
  }
  Table table{"Hours by share",
              {{"share of the GPUs"}, {"hours", true}, {"of the hours", true}},
              {},
              "no hour was seen"};
  for (std::size_t i = 0; seen > 0 && i < hours.size(); ++i) {
    table.rows.push_back({kNames[i], {hours[i], Unit::kHours}, {hours[i] / seen, Unit::kShare}});
  }
  s.tables.push_back(std::move(table));
  s.plots.push_back(
      {Plot::Kind::kLine, "Share of the GPUs allocated, by hour", Unit::kShare, {}, shares, 1.0});
  Table types{
      "By type", {{"GPU type"}, {"GPUs", true}, {"allocated", true}}, {}, "no GPUs were seen"};
  if (const auto all = now.series.find("schedlens_gpus"); all != now.series.end()) {
    for (const auto& one : all->second) {
      const auto type = std::string(one.key.label("type"));
      const auto gpus = mean_of(one.mean);
      types.rows.push_back(
          {type.empty() ? "-" : type,
           {gpus, Unit::kNumber},
           {share_of(mean_of(now.sum_of("schedlens_gpus_used", "type", type)), gpus),
            Unit::kShare}});
    }
  }
  s.tables.push_back(std::move(types));
  s.how =
      "The mean of each hour's values of schedlens_gpus_used, of all types together, over "
      "schedlens_gpus: of all GPUs, in service or not. Allocated is what the scheduler gave away, "
      "used or not. Hours without data are left out.";
  return s;
}

Section fragmentation(const Facts& now) {
  Section s{"fragmentation", "Free GPUs that were of no use", {}, {}, {}, {}};
  std::map<std::string, double> stranded;
  if (const auto all = now.series.find("schedlens_gpus_stranded"); all != now.series.end()) {
    for (const auto& one : all->second) {
      for (const auto& hour : one.mean) {
        stranded[std::string(one.key.label("cause"))] += hour.value_or(0);
      }
    }
  }
  Table table{"Stranded, by what was missing beside them",
              {{"cause"}, {"GPU hours", true}},
              {},
              "none were stranded, or no hour was seen"};
  for (const auto& [cause, hours] : largest(stranded)) {
    if (hours > 0) table.rows.push_back({words(cause), {hours, Unit::kGpuHours}});
  }
  s.tables.push_back(std::move(table));
  Table ratio{"Fragmentation for jobs of one node",
              {{"GPUs of a job"}, {"mean", true}, {"worst hour", true}},
              {},
              "no hour was seen"};
  if (const auto all = now.series.find("schedlens_gpu_fragmentation_ratio");
      all != now.series.end()) {
    for (const auto& one : all->second) {
      std::optional<double> worst;
      for (const auto& hour : one.mean) {
        if (hour && (!worst || *hour > *worst)) worst = hour;
      }
      ratio.rows.push_back({std::string(one.key.label("gpus_per_job")),
                            {mean_of(one.mean), Unit::kShare},
                            {worst, Unit::kShare}});
    }
  }
  s.tables.push_back(std::move(ratio));
  s.plots.push_back({Plot::Kind::kLine,
                     "Stranded GPUs, by hour",
                     Unit::kNumber,
                     {},
                     now.sum_of("schedlens_gpus_stranded"),
                     std::nullopt});
  s.how =
      "The sum of each hour's mean of schedlens_gpus_stranded: free GPUs on nodes in service that "
      "the usual job of their partition could not get, for lack of CPUs, of memory or of further "
      "GPUs beside them. Fragmentation is schedlens_gpu_fragmentation_ratio: the share of the jobs "
      "of so many GPUs that would fit if all free GPUs stood in one place and do not as they "
      "stand.";
  return s;
}

Section gpu_time(const Facts& now, const Facts& before) {
  Section s{"gpu-time", "Where GPU time went", {}, {}, {}, {}};
  const auto spent = now.increases("schedlens_gpu_seconds_total", "state");
  const auto earlier = before.increases("schedlens_gpu_seconds_total", "state");
  double all = 0;
  for (const auto& [state, seconds] : spent) all += seconds;
  Table table{"What every GPU was doing",
              {{"state"}, {"GPU hours", true}, {"share", true}, {"the week before", true}},
              {},
              "nothing was counted"};
  Plot plot{Plot::Kind::kBars, "GPU hours by state", Unit::kGpuHours, {}, {}, std::nullopt};
  for (const auto& [state, seconds] : largest(spent)) {
    if (seconds <= 0) continue;
    const auto was = earlier.find(state);
    table.rows.push_back({words(state),
                          {seconds / 3600, Unit::kGpuHours},
                          {share_of(seconds, all), Unit::kShare},
                          {was == earlier.end() ? std::nullopt : std::optional(was->second / 3600),
                           Unit::kGpuHours}});
    plot.names.push_back(words(state));
    plot.values.emplace_back(seconds / 3600);
  }
  s.tables.push_back(std::move(table));
  if (!plot.values.empty()) s.plots.push_back(std::move(plot));
  const auto lost = now.increases("schedlens_lost_gpu_seconds_total", "cause");
  const auto runs = now.increases("schedlens_lost_gpu_runs_total", "cause");
  Table losses{"Lost with runs that ended badly",
               {{"cause"}, {"runs", true}, {"GPU hours", true}},
               {},
               "none were seen"};
  for (const auto& [cause, seconds] : largest(lost)) {
    const auto count = runs.find(cause);
    if (seconds <= 0 && (count == runs.end() || count->second <= 0)) continue;
    losses.rows.push_back(
        {words(cause),
         {count == runs.end() ? std::nullopt : std::optional(count->second), Unit::kNumber},
         {seconds / 3600, Unit::kGpuHours}});
  }
  s.tables.push_back(std::move(losses));
  s.how =
      "What schedlens_gpu_seconds_total rose by: each GPU is in one state at every moment, as the "
      "page on efficiency says, so the states add up to all GPU time that was seen. Losses are "
      "what "
      "schedlens_lost_gpu_seconds_total rose by: the whole time of runs that failed, ran into "
      "their "
      "limit, were preempted or lost their node. Both count only while a server runs.";
  return s;
}

Section preemptions(const Facts& now) {
  Section s{"preemptions", "Preemptions", {}, {}, {}, {}};
  const auto by_victim = now.increases("schedlens_preemptions_total", "victim_queue");
  Table table{
      "By the queue of whom it hit", {{"queue"}, {"preemptions", true}}, {}, "none were seen"};
  for (const auto& [queue, count] : largest(by_victim)) {
    if (count > 0) table.rows.push_back({words(queue), {count, Unit::kNumber}});
  }
  s.tables.push_back(std::move(table));
  s.how = "What schedlens_preemptions_total rose by; jobs with GPUs alone.";
  return s;
}

}  // namespace schedlens::report
