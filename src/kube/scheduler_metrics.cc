// SPDX-License-Identifier: Apache-2.0
// The names changed over the versions; a table maps each to the place where it goes. Where a page
// has both an old and a new name of one thing, the new one counts.
#include "kube/scheduler_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kube/metrics_text.h"

namespace schedlens::kube {
namespace {

using model::Durations;
using model::KubeScheduler;

enum class Part : std::uint8_t { kValue, kSum, kCount };

// The item of a list with these names, made when it is not there yet.
template <class Item, class Match>
Item& item(std::vector<Item>& items, const Match& match, Item made) {
  const auto found = std::find_if(items.begin(), items.end(), match);
  return found != items.end() ? *found : items.emplace_back(std::move(made));
}

void put(Durations& durations, Part part, double value) {
  (part == Part::kSum ? durations.seconds : durations.count) = value;
}

Symbol label(const Sample& s, std::string_view key) {
  return Symbol(s.label(key));
}

model::SchedulingAttempts& attempts_of(KubeScheduler& k, const Sample& s) {
  const auto profile = label(s, "profile"), result = label(s, "result");
  return item(k.attempts, [&](const auto& a) { return a.profile == profile && a.result == result; },
              {profile, result, 0, {}});
}

void take_attempts(KubeScheduler& k, const Sample& s, Part) {
  attempts_of(k, s).count += s.value;
}

void take_attempt_duration(KubeScheduler& k, const Sample& s, Part part) {
  auto& durations = attempts_of(k, s).durations;
  if (!durations) durations.emplace();
  put(*durations, part, s.value);
}

void take_pending(KubeScheduler& k, const Sample& s, Part) {
  k.queues.push_back({label(s, "queue"), std::max(0.0, s.value), s.value < 0});
}

void take_incoming(KubeScheduler& k, const Sample& s, Part) {
  k.entries.push_back({label(s, "queue"), label(s, "event"), s.value});
}

void take_extension_point(KubeScheduler& k, const Sample& s, Part part) {
  const auto name = label(s, "extension_point"), profile = label(s, "profile"),
             status = label(s, "status");
  auto& point = item(
      k.extension_points,
      [&](const auto& p) { return p.name == name && p.profile == profile && p.status == status; },
      {name, profile, status, {}});
  put(point.durations, part, s.value);
}

void take_plugin(KubeScheduler& k, const Sample& s, Part part) {
  const auto plugin = label(s, "plugin"), point = label(s, "extension_point"),
             status = label(s, "status");
  auto& runs = item(k.plugins,
                    [&](const auto& p) {
                      return p.plugin == plugin && p.extension_point == point && p.status == status;
                    },
                    {plugin, point, status, {}});
  put(runs.sampled, part, s.value);
}

void take_rejecting(KubeScheduler& k, const Sample& s, Part) {
  k.rejecting_plugins.push_back({label(s, "plugin"), label(s, "profile"), std::max(0.0, s.value)});
}

void take_preemption_attempts(KubeScheduler& k, const Sample& s, Part) {
  k.preemption_attempts = s.value;
}

void take_victims(KubeScheduler& k, const Sample& s, Part part) {
  (part == Part::kSum ? k.preemption_victims : k.preemptions) = s.value;
}

template <auto list>
void take_named_durations(KubeScheduler& k, const Sample& s, Part part, std::string_view key) {
  const auto name = label(s, key);
  auto& named = item(k.*list, [&](const auto& n) { return n.name == name; }, {name, {}});
  put(named.durations, part, s.value);
}

void take_permit(KubeScheduler& k, const Sample& s, Part part) {
  take_named_durations<&KubeScheduler::permit_waits>(k, s, part, "result");
}

void take_waits(KubeScheduler& k, const Sample& s, Part part) {
  take_named_durations<&KubeScheduler::waits_by_attempts>(k, s, part, "attempts");
}

void take_cache(KubeScheduler& k, const Sample& s, Part) {
  k.cache.push_back({label(s, "type"), s.value});
}

// "work" up to 1.21, "operation" since.
void take_goroutines(KubeScheduler& k, const Sample& s, Part) {
  const auto operation = s.label("operation").empty() ? label(s, "work") : label(s, "operation");
  k.goroutines.push_back({operation, s.value});
}

void take_flushed(KubeScheduler& k, const Sample& s, Part) {
  k.scheduled_after_flush = s.value;
}

void take_start(KubeScheduler& k, const Sample& s, Part) {
  if (s.value > 0 && s.value < 1e12) k.started = Timestamp{static_cast<std::int64_t>(s.value)};
}

void take_version(KubeScheduler& k, const Sample& s, Part) {
  const auto version =
      s.label("git_version").empty() ? s.label("gitVersion") : s.label("git_version");
  k.version = version.substr(version.starts_with('v') ? 1 : 0);
}

void take_leader(KubeScheduler& k, const Sample& s, Part) {
  if (s.label("name") == "kube-scheduler") k.leader = s.value == 1;
}

struct Name {
  std::string_view name;
  bool histogram = false;
  void (*take)(KubeScheduler&, const Sample&, Part) = nullptr;
  // The older name of the same thing counts only where this one is missing.
  std::string_view replaced_by = {};
};

constexpr auto kNames = std::to_array<Name>({
    {"scheduler_schedule_attempts_total", false, take_attempts},
    {"scheduler_scheduling_attempt_duration_seconds", true, take_attempt_duration},
    {"scheduler_e2e_scheduling_duration_seconds", true, take_attempt_duration,
     "scheduler_scheduling_attempt_duration_seconds"},
    {"scheduler_pending_pods", false, take_pending},
    {"scheduler_queue_incoming_pods_total", false, take_incoming},
    {"scheduler_framework_extension_point_duration_seconds", true, take_extension_point},
    {"scheduler_plugin_execution_duration_seconds", true, take_plugin},
    {"scheduler_unschedulable_pods", false, take_rejecting},
    {"scheduler_preemption_attempts_total", false, take_preemption_attempts},
    {"scheduler_total_preemption_attempts", false, take_preemption_attempts,
     "scheduler_preemption_attempts_total"},
    {"scheduler_preemption_victims", true, take_victims},
    {"scheduler_pod_preemption_victims", true, take_victims, "scheduler_preemption_victims"},
    {"scheduler_permit_wait_duration_seconds", true, take_permit},
    {"scheduler_pod_scheduling_sli_duration_seconds", true, take_waits},
    {"scheduler_pod_scheduling_duration_seconds", true, take_waits,
     "scheduler_pod_scheduling_sli_duration_seconds"},
    {"scheduler_cache_size", false, take_cache},
    {"scheduler_scheduler_cache_size", false, take_cache, "scheduler_cache_size"},
    {"scheduler_goroutines", false, take_goroutines},
    {"scheduler_scheduler_goroutines", false, take_goroutines, "scheduler_goroutines"},
    {"scheduler_pod_scheduled_after_flush_total", false, take_flushed},
    {"process_start_time_seconds", false, take_start},
    {"kubernetes_build_info", false, take_version},
    {"leader_election_master_status", false, take_leader},
});

struct Found {
  const Name* name = nullptr;
  Part part = Part::kValue;
};

Found find_name(std::string_view full) {
  for (const auto& name : kNames) {
    if (!full.starts_with(name.name)) continue;
    const auto tail = full.substr(name.name.size());
    if (!name.histogram && tail.empty()) return {&name, Part::kValue};
    if (name.histogram && tail == "_sum") return {&name, Part::kSum};
    if (name.histogram && tail == "_count") return {&name, Part::kCount};
  }
  return {};
}

bool has_family(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool line_starts = at == 0 || text[at - 1] == '\n';
    const auto next = text.substr(at + name.size(), 1);
    if (line_starts && (next == "{" || next == " " || next == "_")) return true;
  }
  return false;
}

}  // namespace

Result<model::KubeScheduler> read_scheduler_metrics(std::string_view text) {
  std::vector<const Name*> left_out;
  for (const auto& name : kNames) {
    if (!name.replaced_by.empty() && has_family(text, name.replaced_by)) left_out.push_back(&name);
  }
  KubeScheduler scheduler;
  std::uint64_t own = 0;
  Found found;
  const auto wanted = [&](std::string_view full) {
    found = find_name(full);
    return found.name && std::find(left_out.begin(), left_out.end(), found.name) == left_out.end();
  };
  const auto facts = read_metrics_text(text, wanted, [&](const Sample& sample) {
    // A value that is no number says that nothing was measured.
    if (!std::isfinite(sample.value)) return;
    own += sample.name.starts_with("scheduler_");
    found.name->take(scheduler, sample, found.part);
  });
  if (own == 0) {
    return fail("no metric of a kube-scheduler on the page{}{}; is it another program's?",
                facts.first_error.empty() ? "" : ": ", facts.first_error);
  }
  return scheduler;
}

}  // namespace schedlens::kube
