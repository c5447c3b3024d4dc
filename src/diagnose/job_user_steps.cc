// SPDX-License-Identifier: Apache-2.0
// What the user of a waiting Slurm job can change about it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/time_text.h"
#include "diagnose/assessment.h"
#include "diagnose/job_changes.h"
#include "diagnose/partition_limits.h"
#include "diagnose/queue_priority.h"
#include "diagnose/remedy_text.h"

namespace schedlens::diagnose {

using model::Snapshot;
using model::Workload;

namespace {

// What the scheduler has added up changes with what it is the sum of.
void scale_totals(model::Request& request, std::string_view prefix, double factor) {
  for (const auto& item : std::vector(request.totals.items())) {
    if (item.name.view().starts_with(prefix)) {
      request.totals.set(item.name, item.count * factor);
    }
  }
}

constexpr Seconds kLeastRun{60};
constexpr std::size_t kMostPartitions = 6;

struct Job {
  const Snapshot& s;
  const Verdict& v;
  const Workload& w;

  Job(const Snapshot& snapshot, const Verdict& verdict)
      : s(snapshot), v(verdict), w(snapshot.workload(verdict.workload)) {}

  // `scontrol update` of one field, which the edit follows.
  Step update(RemedyKind kind, std::string_view name, std::string_view value, std::string effect,
              const std::function<void(Workload&)>& change) const {
    Step step;
    step.kind = kind;
    step.command = update_job(w, name, value);
    step.effect = std::move(effect);
    step.change = [&snapshot = s, change](Workload& job) {
      const auto before = job;
      change(job);
      adapt_priority(snapshot, before, job);
    };
    step.edit = [id = v.workload, change = step.change](Snapshot& other) {
      change(other.workloads[id.index]);
    };
    return step;
  }

  Step time_limit(Seconds limit, std::string effect) const {
    return update(RemedyKind::kShorterLimit, "TimeLimit", slurm_time(limit), std::move(effect),
                  [limit](Workload& job) {
                    job.time_limit = Bound<Seconds>::of(limit);
                    job.time_min.reset();
                  });
  }

  std::vector<Step> end_before(Timestamp moment, const std::string& what) const {
    // Slurm counts limits in whole minutes.
    const Seconds room{(moment - s.time).value / 60 * 60 - 60};
    const auto now = run_limit(s, w);
    if (room < kLeastRun || (now && *now <= room)) return {};
    return {time_limit(room, fmt::format("The job must be done in {}, and so before {}.",
                                         short_duration(room), what))};
  }

  // Devices asked for per node, with another count.
  Step gpus_per_node(std::uint64_t count, std::string effect) const {
    const auto& g = w.request.gres_per_node.front();
    auto text = g.type.empty() ? fmt::format("{}:{}", g.name.view(), count)
                               : fmt::format("{}:{}:{}", g.name.view(), g.type.view(), count);
    return update(RemedyKind::kSmallerRequest, "Gres", text, std::move(effect),
                  [count](Workload& job) {
                    auto& asked = job.request.gres_per_node.front().count;
                    scale_totals(job.request, "gres/gpu",
                                 static_cast<double>(count) / static_cast<double>(asked));
                    asked = count;
                  });
  }

  // Fewer nodes, with the tasks and CPUs that go with them; what is asked for per job stays. A bare
  // number would leave the most nodes as they were, over which a partition's rule may still
  // stumble; and all the tasks of before do not fit where their number per node is set.
  Step nodes(std::uint32_t count, std::string effect) const {
    const auto before = std::max(1u, w.request.min_nodes);
    auto part = [before, count](std::uint32_t of_all) {
      return std::max(1u, static_cast<std::uint32_t>(std::uint64_t{of_all} * count / before));
    };
    std::optional<std::uint32_t> tasks;
    if (w.request.tasks) tasks = part(*w.request.tasks);
    const auto cpus =
        std::max(part(w.request.cpus), tasks.value_or(1) * w.request.cpus_per_task.value_or(1));
    auto step = update(RemedyKind::kSmallerRequest, "NumNodes", fmt::format("{0}-{0}", count),
                       std::move(effect), [=](Workload& job) {
                         auto& r = job.request;
                         r.cpus = cpus;
                         r.tasks = tasks;
                         r.min_nodes = count;
                         r.max_nodes = count;
                         scale_totals(r, "", static_cast<double>(count) / before);
                       });
    if (tasks != w.request.tasks) step.command += fmt::format(" NumTasks={}", *tasks);
    if (cpus != w.request.cpus) step.command += fmt::format(" NumCPUs={}", cpus);
    return step;
  }

  Step memory_per_node(Bytes amount, std::string effect) const {
    const auto megabytes = amount.value / (std::int64_t{1} << 20);
    return update(RemedyKind::kSmallerRequest, "MinMemoryNode", std::to_string(megabytes),
                  std::move(effect), [megabytes](Workload& job) {
                    job.request.memory_per = model::MemoryPer::kNode;
                    job.request.memory = mebibytes(megabytes);
                    job.request.totals.set(model::names::kMemory,
                                           static_cast<double>(mebibytes(megabytes).value) *
                                               std::max(1u, job.request.min_nodes));
                  });
  }

  bool one_kind_of_gpu() const {
    const auto& r = w.request;
    return r.gres_per_node.size() == 1 && r.gres_per_node.front().name == model::names::kGpu &&
           r.gres_per_job.empty() && r.gres_per_task.empty() && r.gres_per_socket.empty();
  }
};

}  // namespace

std::vector<Step> elsewhere(const Snapshot& s, const Verdict& v) {
  const Job job(s, v);
  std::vector<Step> steps;
  for (const auto& queue : s.queues) {
    const auto& own = job.w.queues;
    if (queue.state != model::QueueState::kUp || queue.hidden || depends_on_groups(queue)) continue;
    if (std::find(own.begin(), own.end(), queue.name) != own.end()) continue;
    if (steps.size() == kMostPartitions) break;
    steps.push_back(job.update(RemedyKind::kElsewhere, "Partition", queue.name.view(),
                               fmt::format("The job waits in partition {}.", queue.name.view()),
                               [name = queue.name](Workload& w) { w.queues = {name}; }));
  }
  return steps;
}

std::vector<Step> shorter_limit(const Snapshot& s, const Verdict& v) {
  const Job job(s, v);
  if (v.cause == RootCause::kReservation) {
    std::optional<Timestamp> first;
    std::string name;
    for (const auto& r : v.reservations) {
      if (!r.start || *r.start <= s.time || r.name == job.w.reservation) continue;
      if (!first || *r.start < *first) {
        first = r.start;
        name = r.name.view();
      }
    }
    if (!first) return {};
    return job.end_before(*first, fmt::format("reservation {} begins", name));
  }
  std::optional<Timestamp> first;
  for (auto id : v.ahead) {
    const auto start = s.workload(id).start;
    if (start && *start > s.time && (!first || *start < *first)) first = start;
  }
  if (!first) return {};
  return job.end_before(*first, "the room is needed by those ahead of it");
}

std::vector<Step> fewer_wishes(const Snapshot& s, const Verdict& v) {
  const Job job(s, v);
  const auto& r = job.w.request;
  std::vector<Step> steps;
  if (!r.features.empty()) {
    steps.push_back(job.update(RemedyKind::kFewerWishes, "Features", "",
                               fmt::format("The job takes nodes without {}, too.", r.features),
                               [](Workload& w) { w.request.features.clear(); }));
  }
  if (r.excluded_nodes && !r.excluded_nodes->empty()) {
    steps.push_back(
        job.update(RemedyKind::kFewerWishes, "ExcNodeList", "",
                   fmt::format("The job no longer refuses {}.", node_names(s, *r.excluded_nodes)),
                   [](Workload& w) { w.request.excluded_nodes->clear(); }));
  }
  if (!r.required_nodes.empty()) {
    steps.push_back(
        job.update(RemedyKind::kFewerWishes, "ReqNodeList", "",
                   fmt::format("The job no longer insists on {}.", node_names(s, r.required_nodes)),
                   [](Workload& w) { w.request.required_nodes.clear(); }));
  }
  return steps;
}

namespace {

// The most memory that is free on a node which only lacks memory.
Bytes most_free_memory(const Snapshot& s, const Workload& w) {
  Assessor assessor(s);
  auto assessment = assessor.assess(w);
  Bytes most{};
  if (!assessment.answer) return most;
  const auto& classes = assessor.evaluation().nodes().classes;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto failed = assessment.answer->failed[c];
    if (!failed.has(Test::kMemory) || !failed.without(Tests::of(Test::kMemory)).empty()) continue;
    most = std::max(most, classes[c].view.memory_free());
  }
  return most;
}

std::vector<Step> fewer_gpus(const Job& job) {
  std::vector<Step> steps;
  if (!job.one_kind_of_gpu()) return steps;
  const auto asked = job.w.request.gres_per_node.front().count;
  const auto hole = job.v.gpus.largest_hole;
  if (hole > 0 && hole < asked) {
    steps.push_back(job.gpus_per_node(
        hole, fmt::format("The job has {} instead of {} GPUs on each node.", hole, asked)));
  }
  return steps;
}

}  // namespace

std::vector<Step> smaller_request(const Snapshot& s, const Verdict& v) {
  const Job job(s, v);
  const auto& r = job.w.request;
  auto steps = fewer_gpus(job);
  if (r.memory_per == model::MemoryPer::kNode) {
    if (const auto free = most_free_memory(s, job.w); free.value > 0 && free < r.memory) {
      steps.push_back(job.memory_per_node(
          free, fmt::format("The job has {} instead of {} of memory on each node.",
                            short_bytes(free), short_bytes(r.memory))));
    }
  }
  if (const auto passing = v.fit.nodes_passing; passing > 0 && passing < r.min_nodes) {
    steps.push_back(job.nodes(
        passing, fmt::format("The job runs on {} instead of {} nodes.", passing, r.min_nodes)));
  }
  return steps;
}

namespace {

std::vector<Step> within(const Job& job, const ReachedLimit& limit) {
  const auto left = limit.limit - limit.used.value_or(0);
  const bool whole = std::isfinite(left) && left >= 1;
  const auto count = whole ? static_cast<std::uint64_t>(left) : 0;
  auto under = fmt::format("the {} of {}", limit.name, limit.holder);
  if (limit.name == "ArrayTaskThrottle") {
    return {job.update(RemedyKind::kRelease, "ArrayTaskThrottle", "0",
                       "Any number of the array's tasks may run at a time.", [](Workload& w) {
                         w.array->max_running = 0;
                         w.reason = Symbol("None");
                       })};
  }
  if (!whole || limit.name.starts_with("Min")) return {};
  const auto& r = job.w.request;
  if (limit.unit == "minutes" && limit.request_alone_exceeds) {
    return {job.time_limit(Seconds{static_cast<std::int64_t>(count) * 60},
                           fmt::format("The job stays within {}.", under))};
  }
  if (limit.resource == model::names::kNode && count < r.min_nodes) {
    return {job.nodes(static_cast<std::uint32_t>(count),
                      fmt::format("The job stays within {} with {} instead of {} nodes.", under,
                                  count, r.min_nodes))};
  }
  if (limit.unit == "bytes" && r.memory_per == model::MemoryPer::kNode) {
    const auto nodes = limit.name.ends_with("PerNode") ? 1u : std::max(1u, r.min_nodes);
    return {job.memory_per_node(Bytes{static_cast<std::int64_t>(left) / nodes},
                                fmt::format("The job stays within {}.", under))};
  }
  if (limit.resource.view().starts_with("gres/gpu") && job.one_kind_of_gpu()) {
    const auto nodes = limit.name.ends_with("PerNode") ? 1u : std::max(1u, r.min_nodes);
    const auto each = count / nodes;
    if (each == 0 || each >= r.gres_per_node.front().count) return {};
    return {job.gpus_per_node(each, fmt::format("The job stays within {} with {} GPUs instead of "
                                                "{} on each node.",
                                                under, each, r.gres_per_node.front().count))};
  }
  return {};
}

}  // namespace

std::vector<Step> within_limits(const Snapshot& s, const Verdict& v) {
  const Job job(s, v);
  std::vector<Step> steps;
  for (const auto& limit : v.limits) {
    for (auto& step : within(job, limit)) steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace schedlens::diagnose
