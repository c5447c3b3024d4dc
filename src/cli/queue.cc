// SPDX-License-Identifier: Apache-2.0
#include "cli/queue.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/fold_names.h"
#include "cli/pod_words.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

using Kind = Column::Kind;

// Where it runs, or why the scheduler says that it does not.
std::string place_or_reason(const model::Snapshot& snapshot, const model::Workload& w) {
  if (model::holds_resources(w)) return fold_names(snapshot, w.allocation.nodes);
  if (model::is_pending(w)) return w.reason.empty() ? std::string(kUnknown) : w.reason.str();
  return "-";
}

std::string node_count(const model::Workload& w) {
  if (!w.allocation.nodes.empty()) return std::to_string(w.allocation.nodes.size());
  auto most = w.request.max_nodes.value_or(w.request.min_nodes);
  return most > w.request.min_nodes ? fmt::format("{}-{}", w.request.min_nodes, most)
                                    : std::to_string(w.request.min_nodes);
}

std::string gpu_cell(const model::Workload& w) {
  auto gpus = model::holds_resources(w) ? model::gpus_held(w) : model::gpus_requested(w);
  auto tasks = model::task_count(w);
  return tasks > 1 ? fmt::format("{}x{}", tasks, gpus) : std::to_string(gpus);
}

std::string render_pods(const model::Snapshot& snapshot, const api::Causes& causes,
                        const std::vector<model::WorkloadId>& shown, const Style& style) {
  std::vector<std::string> words;
  for (auto id : shown) {
    bool pending = model::is_pending(snapshot.workload(id));
    words.emplace_back(pending ? diagnose::cause_name(causes[id.index]) : "-");
  }
  return pod_table(snapshot, words, shown, style) + withheld_lines(snapshot, style) +
         render_troubled_sources(snapshot, style);
}

}  // namespace

std::string render_queue(const model::Snapshot& snapshot, const api::Causes& causes,
                         const std::vector<model::WorkloadId>& shown, const Style& style) {
  if (snapshot.kubernetes) return render_pods(snapshot, causes, shown, style);
  Table table({{"ID", Kind::kFlexible},
               {"USER", Kind::kFlexible},
               {"ACCOUNT", Kind::kFlexible},
               {"PARTITION", Kind::kFlexible},
               {"GPUS", Kind::kNumber},
               {"NODES", Kind::kNumber},
               {"STATE", Kind::kFlexible, 7},
               {"WAITED", Kind::kNumber},
               {"ROOT CAUSE"},
               {"START", Kind::kNumber},
               {"RUNS ON / SCHEDULER SAYS", Kind::kFlexible, 12}});
  for (auto id : shown) {
    const auto& w = snapshot.workload(id);
    bool pending = model::is_pending(w);
    table.row({model::display_id(w),
               name_or_dash(w.user),
               name_or_dash(w.account),
               names_of(w.queues),
               gpu_cell(w),
               node_count(w),
               {lower(model::full_state(w)), tone_of(w)},
               duration(model::waited(w, snapshot.time)),
               pending ? std::string(diagnose::cause_name(causes[id.index])) : "-",
               relative(pending ? model::forecast(w) : w.start, snapshot.time),
               place_or_reason(snapshot, w)});
  }
  auto out = table.empty() ? "no jobs match\n" : table.render(style);
  return out + render_troubled_sources(snapshot, style);
}

std::string render_causes(const model::Snapshot& snapshot,
                          const std::vector<api::CauseGroup>& groups, const Style& style) {
  Table table({{"ROOT CAUSE"},
               {snapshot.kubernetes ? "PODS" : "JOBS", Kind::kNumber},
               {"GPUS", Kind::kNumber},
               {"LONGEST", Kind::kNumber},
               {"IN QUEUE ORDER", Kind::kFlexible}});
  std::uint64_t waiting = 0, gpus = 0;
  for (const auto& g : groups) {
    std::vector<std::string> ids;
    for (auto id : g.workloads) ids.push_back(model::display_id(snapshot.workload(id)));
    table.row({diagnose::cause_name(g.cause), std::to_string(g.tasks), std::to_string(g.gpus),
               duration(g.longest_wait), fmt::format("{}", fmt::join(ids, " "))});
    waiting += g.tasks;
    gpus += g.gpus;
  }
  const auto withheld = snapshot.kubernetes ? withheld_lines(snapshot, style) : "";
  if (table.empty()) {
    return (withheld.empty() ? "nothing waits\n" : withheld.substr(1)) +
           render_troubled_sources(snapshot, style);
  }
  return table.render(style) +
         fmt::format("{} waiting for {}\n", counted(waiting, vocabulary(snapshot).workload),
                     counted(gpus, "GPU")) +
         withheld + render_troubled_sources(snapshot, style);
}

}  // namespace schedlens::cli
