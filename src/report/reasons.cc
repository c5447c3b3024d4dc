// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/text.h"
#include "report/sections.h"

namespace schedlens::report {
namespace {

constexpr std::size_t kReasons = 5;
constexpr std::size_t kExamples = 3;

struct Advice {
  std::string_view cause, text;
};
constexpr std::array<Advice, 15> kAdvice = {{
    {"hold", "Held by user or operator; ask whether they are still wanted."},
    {"dependency", "Waits for other jobs; a dependency that can never be met is worth a look."},
    {"begin_time", "Asked to begin later."},
    {"gang",
     "Waits for the rest of its group; a group that cannot be whole holds room for nothing."},
    {"limit",
     "A limit of a QOS, an account, a partition or a quota. schedlens why JOB names it and who "
     "fills "
     "it; a limit that is always full while GPUs are free is too low."},
    {"licence", "Waits for licences."},
    {"volume", "Waits for storage: a claim that is missing, unbound or bound elsewhere."},
    {"reservation",
     "Room is kept for a reservation. Short jobs fit before it; reservations that stand idle cost "
     "GPU hours."},
    {"constraint",
     "Asks for what few nodes have: features, a GPU type, named nodes. schedlens why JOB says "
     "which "
     "test rules most nodes out."},
    {"unhealthy_nodes", "Would fit on nodes that are out of service; see the health of nodes."},
    {"fragmentation",
     "Enough GPUs are free, in places that are too small. Fewer GPUs on each node, jobs packed "
     "tighter, or a smaller share for small jobs on large nodes help."},
    {"capacity", "There is not enough of what it asks for; time or hardware helps."},
    {"priority", "Others are ahead. Look at priority weights and fair share where this is unfair."},
    {"not_considered",
     "The scheduler did not look as far: depth and time of a backfill cycle are too small."},
    {"impossible", "Can never run as asked; tell the users, or refuse such jobs at submission."},
}};

std::string_view advice_on(std::string_view cause) {
  for (const auto& advice : kAdvice) {
    if (advice.cause == cause) return advice.text;
  }
  return "schedlens why JOB explains it.";
}

struct Reason {
  std::string cause;
  double task_hours = 0, gpu_hours = 0;
};

double total(const std::vector<std::optional<double>>& hours) {
  double sum = 0;
  for (const auto& hour : hours) sum += hour.value_or(0);
  return sum;
}

std::vector<Reason> reasons_of(const Facts& facts) {
  std::vector<Reason> reasons;
  const auto found = facts.series.find("schedlens_pending_tasks");
  if (found == facts.series.end()) return reasons;
  for (const auto& one : found->second) {
    const auto cause = std::string(one.key.label("class"));
    const Reason reason{cause, total(one.mean),
                        total(facts.sum_of("schedlens_pending_gpus", "class", cause))};
    if (reason.task_hours > 0) reasons.push_back(reason);
  }
  std::stable_sort(reasons.begin(), reasons.end(), [](const Reason& a, const Reason& b) {
    return a.gpu_hours != b.gpu_hours ? a.gpu_hours > b.gpu_hours : a.task_hours > b.task_hours;
  });
  return reasons;
}

// Those of the cause that waited longest.
std::string examples(const Facts& facts, const std::string& cause) {
  std::vector<std::pair<std::int64_t, const memory::EndedWorkload*>> waits;
  for (const auto& run : facts.runs) {
    if (run.last_cause != cause || !run.eligible) continue;
    waits.emplace_back((run.started.value_or(run.ended) - *run.eligible).value, &run);
  }
  std::stable_sort(waits.begin(), waits.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kExamples, waits.size()); ++i) {
    if (!text.empty()) text += ", ";
    text += printable(waits[i].second->id) + " (" +
            shown({static_cast<double>(waits[i].first), Unit::kSeconds}) + ")";
  }
  return text.empty() ? "-" : text;
}

}  // namespace

Section reasons(const Facts& now) {
  Section s{"reasons", "Why jobs did not start", {}, {}, {}, {}};
  const auto all = reasons_of(now);
  Table table{"The five that cost most",
              {{"root cause"},
               {"GPU hours asked for", true},
               {"hours of jobs", true},
               {"waited longest"},
               {"what helps"}},
              {},
              "nothing waited, or no hour was seen"};
  Plot plot{Plot::Kind::kBars, "GPU hours asked for by waiting jobs", Unit::kGpuHours, {}, {},
            std::nullopt};
  for (std::size_t i = 0; i < std::min(kReasons, all.size()); ++i) {
    const auto& reason = all[i];
    table.rows.push_back({reason.cause,
                          {reason.gpu_hours, Unit::kGpuHours},
                          {reason.task_hours, Unit::kHours},
                          examples(now, reason.cause),
                          std::string(advice_on(reason.cause))});
    plot.names.push_back(reason.cause);
    plot.values.emplace_back(reason.gpu_hours);
  }
  s.tables.push_back(std::move(table));
  if (!plot.values.empty()) s.plots.push_back(std::move(plot));
  s.how =
      "The root cause of everything that waits is found at each look (schedlens why --all). The "
      "sum "
      "of each hour's mean of schedlens_pending_gpus and schedlens_pending_tasks by class: a job "
      "of "
      "8 GPUs that waited 3 hours for capacity counts 24 GPU hours there. Examples are runs that "
      "ended, or gave up, with that cause as the last one seen.";
  return s;
}

}  // namespace schedlens::report
