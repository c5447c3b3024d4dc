// SPDX-License-Identifier: Apache-2.0
#include "diagnose/starvation_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/time_text.h"
#include "diagnose/constraint_list.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::Snapshot;
using model::Workload;

namespace {

constexpr std::string_view kParameters = "SchedulerParameters";
constexpr std::int64_t kDefaultWindow = 1440;  // minutes
constexpr std::size_t kMostCompared = 100;     // of those ahead
// As much of the distance to those ahead makes a part of the priority the reason for it.
constexpr double kMost = 0.5;

bool lacks_room(RootCause cause) {
  return cause == RootCause::kCapacity || cause == RootCause::kFragmentation ||
         cause == RootCause::kPriority || cause == RootCause::kConstraint;
}

// Of a Slurm job.
class JobPolicies {
 public:
  JobPolicies(const Snapshot& snapshot, const Starving& starving, const Verdict& verdict)
      : snapshot_(snapshot), verdict_(verdict), w_(snapshot.workload(starving.id)) {}

  std::vector<PolicyFinding> run() {
    depth();
    limits();
    if (verdict_.cause == RootCause::kGang) {
      add(Policy::kGang, "all components of a heterogeneous job must find room at one time");
    }
    licences();
    preemption();
    window();
    no_plan();
    if (lacks_room(verdict_.cause)) priority_parts();
    return std::move(found_);
  }

 private:
  void add(Policy policy, std::string evidence) { found_.push_back({policy, std::move(evidence)}); }

  std::optional<std::int64_t> parameter(std::string_view name) const {
    return snapshot_.config ? snapshot_.config->number_option(kParameters, name) : std::nullopt;
  }

  void depth() {
    if (verdict_.depth_limit.empty()) return;
    add(Policy::kQueueDepth,
        fmt::format("no scheduler comes to it: it stands behind {}", verdict_.depth_limit));
  }

  void limits() {
    if (verdict_.cause != RootCause::kLimit) return;
    for (const auto& l : verdict_.limits) {
      const bool throttle = l.name == "ArrayTaskThrottle";
      add(throttle ? Policy::kArrayThrottle : Policy::kLimit,
          throttle ? fmt::format("its array may run {:g} tasks at a time", l.limit)
                   : fmt::format("{} of {} is reached", l.name, l.holder));
    }
  }

  void licences() {
    if (verdict_.cause != RootCause::kLicence) return;
    const bool planned = snapshot_.config && snapshot_.config->option(kParameters, "bf_licenses");
    add(Policy::kLicences,
        planned ? "others take the licences that are given back before its turn"
                : "SchedulerParameters has no bf_licenses: nothing sets licences aside for it, so "
                  "jobs that need fewer take them");
  }

  void preemption() {
    if (!w_.preempted && w_.restarts == 0) return;
    const auto times = w_.restarts > 0
                           ? fmt::format(", started {} before", plural(w_.restarts, "time"))
                           : std::string();
    if (w_.preempted) {
      add(Policy::kPreemption, fmt::format("it was preempted {} ago{}",
                                           short_duration(snapshot_.time - *w_.preempted), times));
    } else {
      add(Policy::kPreemption, fmt::format("it was put back into the queue{}", times));
    }
  }

  // The longest that something still runs in its partitions.
  std::optional<Seconds> longest_run() const {
    std::optional<Seconds> longest;
    for (const auto& other : snapshot_.workloads) {
      if (!model::holds_resources(other) || !other.end) continue;
      const bool shared = std::any_of(other.queues.begin(), other.queues.end(), [&](auto q) {
        return std::find(w_.queues.begin(), w_.queues.end(), q) != w_.queues.end();
      });
      if (shared) longest = std::max(longest.value_or(Seconds{0}), *other.end - snapshot_.time);
    }
    return longest;
  }

  void window() {
    if (!lacks_room(verdict_.cause) || !w_.planned_nodes.empty()) return;
    const Seconds window{parameter("bf_window").value_or(kDefaultWindow) * 60};
    const auto forecast = model::forecast(w_);
    const auto needed = forecast ? *forecast - snapshot_.time : longest_run();
    if (!needed || *needed <= window) return;
    add(Policy::kBackfillWindow,
        fmt::format("bf_window is {}, and {} {}: beyond it nothing is set aside, so smaller jobs "
                    "take each piece that gets free",
                    short_duration(window),
                    forecast ? "its start is forecast in" : "jobs in its partition run for another",
                    short_duration(*needed)));
  }

  void no_plan() {
    if (!lacks_room(verdict_.cause)) return;
    const auto* qos = snapshot_.find_qos(w_.qos);
    if (qos && qos->flags && std::any_of(qos->flags->begin(), qos->flags->end(), [](auto& f) {
          return equal_ignoring_case(f, "NoReserve");
        })) {
      add(Policy::kNoPlan, fmt::format("QOS {} has the flag NoReserve: nothing is set aside for it",
                                       qos->name.view()));
    }
    const auto least = parameter("bf_min_prio_reserve");
    if (least && w_.priority && static_cast<std::int64_t>(*w_.priority) < *least) {
      add(Policy::kNoPlan,
          fmt::format(
              "its priority {} is below bf_min_prio_reserve {}: nothing is set aside for it",
              *w_.priority, *least));
    }
  }

  // Which part of the priority sets those ahead of it apart.
  void priority_parts() {
    if (!w_.factors || verdict_.ahead.empty()) return;
    struct Part {
      std::string_view name;
      double model::PriorityFactors::*value;
    };
    static constexpr std::array<Part, 6> kParts{{
        {"fair share", &model::PriorityFactors::fair_share},
        {"job size", &model::PriorityFactors::job_size},
        {"partition", &model::PriorityFactors::queue},
        {"QOS", &model::PriorityFactors::qos},
        {"association", &model::PriorityFactors::association},
        {"TRES", &model::PriorityFactors::tres},
    }};
    std::array<double, kParts.size()> ahead_by{};
    std::size_t compared = 0, later = 0;
    for (auto id : verdict_.ahead) {
      const auto& other = snapshot_.workload(id);
      if (!other.factors) continue;
      for (std::size_t i = 0; i < kParts.size(); ++i) {
        const auto part = kParts[i].value;
        ahead_by[i] += (*other.factors).*part - (*w_.factors).*part;
      }
      later += other.eligible && w_.eligible && *other.eligible > *w_.eligible ? 1 : 0;
      if (++compared == kMostCompared) break;
    }
    double sum = 0;
    for (auto& part : ahead_by) {
      part = compared ? part / static_cast<double>(compared) : 0;
      sum += std::max(0.0, part);
    }
    for (std::size_t i = 0; i < kParts.size(); ++i) {
      if (sum <= 0 || ahead_by[i] < sum * kMost) continue;
      add(i == 0 ? Policy::kFairShare : Policy::kPriorityWeights,
          fmt::format("{} gives those ahead of it {:.0f} points more on average, {:.0f} % of what "
                      "they lead by",
                      kParts[i].name, ahead_by[i], ahead_by[i] / sum * 100));
    }
    if (later > 0) age(later);
  }

  void age(std::size_t later) {
    const auto text = snapshot_.config ? snapshot_.config->get("PriorityWeightAge") : std::nullopt;
    const auto weight = text ? parse_number<double>(*text) : std::nullopt;
    if (!weight) return;
    const auto passed =
        fmt::format("{} that came later stand{} before it", later, later == 1 ? "s" : "");
    if (*weight <= 0) {
      add(Policy::kNoAge,
          "PriorityWeightAge is 0, so waiting does not raise its priority; " + passed);
    } else if (w_.factors->age >= *weight * 0.999) {
      add(Policy::kAgeCap,
          fmt::format("its age counts all it can ({:.0f} points, after PriorityMaxAge); {}",
                      *weight, passed));
    }
  }

  const Snapshot& snapshot_;
  const Verdict& verdict_;
  const Workload& w_;
  std::vector<PolicyFinding> found_;
};

bool lesser_pods_hold(const Snapshot& snapshot, std::int64_t priority) {
  return std::any_of(snapshot.workloads.begin(), snapshot.workloads.end(), [&](const auto& w) {
    return w.pod && model::holds_resources(w) && w.pod->priority.value_or(0) < priority;
  });
}

std::vector<PolicyFinding> pod_policies(const Snapshot& snapshot, const Starving& starving,
                                        const ClassWaits& waits, const Verdict& verdict) {
  std::vector<PolicyFinding> found;
  const auto& w = snapshot.workload(starving.id);
  const auto& pod = *w.pod;
  const auto own = pod.priority.value_or(0);
  if (verdict.cause == RootCause::kGang) {
    found.push_back({Policy::kGang, "its group must find room at one time"});
  }
  std::size_t above = 0;
  for (const auto& s : waits.starts(starving.wait_class)) {
    if (s.eligible > *w.eligible && s.priority > own) ++above;
  }
  if (above > 0) {
    found.push_back({Policy::kPriorityClass,
                     fmt::format("{} of the {} that overtook it have a higher priority than its {}",
                                 above, starving.overtaken_by, own)});
  }
  if (pod.spec->never_preempts && lacks_room(verdict.cause) && lesser_pods_hold(snapshot, own)) {
    found.push_back({Policy::kNeverPreempts,
                     "its preemptionPolicy is Never, and pods of lower priority hold nodes"});
  }
  if (lacks_room(verdict.cause) && starving.overtaken_by > 0) {
    found.push_back({Policy::kNoPlan,
                     "kube-scheduler sets nothing aside: pods that came later took the room that "
                     "got free"});
  }
  return found;
}

}  // namespace

std::vector<PolicyFinding> policies_behind(const Snapshot& snapshot, const Starving& starving,
                                           const ClassWaits& waits, const Verdict& verdict) {
  auto found = snapshot.workload(starving.id).pod ? pod_policies(snapshot, starving, waits, verdict)
                                                  : JobPolicies(snapshot, starving, verdict).run();
  if (found.empty()) {
    found.push_back({Policy::kNone, "no setting explains it: " + verdict.summary});
  }
  return found;
}

}  // namespace schedlens::diagnose
