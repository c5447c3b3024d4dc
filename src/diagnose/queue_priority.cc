// SPDX-License-Identifier: Apache-2.0
#include "diagnose/queue_priority.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace schedlens::diagnose {

using model::Queue;
using model::Snapshot;
using model::Workload;

namespace {

// Between two commands a computed priority may have drifted by this part of it.
constexpr double kDrift = 0.02;

double sum(const model::PriorityFactors& f) {
  return f.age + f.association + f.fair_share + f.job_size + f.queue + f.qos + f.site + f.tres -
         f.nice;
}

// The points that a partition gives: its factor, as a part of the largest, by the weight.
std::optional<double> points_of(const Snapshot& snapshot, const Queue& queue) {
  const auto setting = snapshot.config->get("PriorityWeightPartition");
  const auto weight = setting ? parse_number<double>(*setting) : std::nullopt;
  if (!weight) return std::nullopt;
  std::uint32_t largest = 0;
  for (const auto& other : snapshot.queues) largest = std::max(largest, other.priority_job_factor);
  if (largest == 0) return std::nullopt;
  return *weight * queue.priority_job_factor / largest;
}

// The points that each resource asked for gives, as a part of what the partition has of it.
std::optional<double> points_of_resources(const Snapshot& snapshot, const Workload& w,
                                          const Queue& queue) {
  const auto weights = snapshot.config->get("PriorityWeightTRES");
  if (!weights) return std::nullopt;
  double points = 0;
  for (auto item : split(*weights, ',')) {
    const auto pair = cut(item, '=');
    const auto weight = pair ? parse_number<double>(pair->second) : std::nullopt;
    if (!weight) return std::nullopt;
    const Symbol name(lower(pair->first));
    const auto all = queue.totals.get(name).value_or(0);
    if (all > 0) points += *weight * w.request.totals.get(name).value_or(0) / all;
  }
  return points;
}

// Size counts by nodes and CPUs; a smaller job is taken to lose by the one that shrinks most.
double part_of_size(const Workload& before, const Workload& after) {
  auto part = [](double now, double then) { return then > 0 ? std::min(1.0, now / then) : 1.0; };
  return std::min(part(after.request.min_nodes, before.request.min_nodes),
                  part(after.request.cpus, before.request.cpus));
}

// The parts as they are in the queue for what the job has become.
std::optional<model::PriorityFactors> factors(const Snapshot& snapshot, const Workload& before,
                                              const Workload& after, const Queue& queue) {
  if (!snapshot.config || !before.factors || !before.priority) return std::nullopt;
  auto f = *before.factors;
  const auto now = static_cast<double>(*before.priority);
  const auto of_queue = points_of(snapshot, queue);
  if (now == 0 || !of_queue || std::abs(sum(f) - now) > kDrift * now) return std::nullopt;
  f.queue = *of_queue;
  f.tres = points_of_resources(snapshot, after, queue).value_or(f.tres);
  f.job_size *= part_of_size(before, after);
  return f;
}

std::uint64_t with(const model::PriorityFactors& f, const Workload& before) {
  const auto then = static_cast<double>(*before.priority) + sum(f) - sum(*before.factors);
  return static_cast<std::uint64_t>(std::max(1.0, then + 0.5));
}

}  // namespace

std::optional<std::uint64_t> priority_in(const Snapshot& snapshot, const Workload& w,
                                         const Queue& queue) {
  const auto f = factors(snapshot, w, w, queue);
  return f ? with(*f, w) : w.priority;
}

void adapt_priority(const Snapshot& snapshot, const Workload& before, Workload& after) {
  const Queue* first = nullptr;
  for (auto name : after.queues) {
    const auto id = snapshot.find_queue(name);
    if (!id) continue;
    const auto& queue = snapshot.queue(*id);
    if (!first || first->priority_tier < queue.priority_tier) first = &queue;
  }
  if (!first) return;
  if (const auto f = factors(snapshot, before, after, *first)) {
    after.priority = with(*f, before);
    after.factors = *f;
  }
}

}  // namespace schedlens::diagnose
