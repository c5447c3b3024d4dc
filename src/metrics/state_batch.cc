// SPDX-License-Identifier: Apache-2.0
// Jobs and cron jobs, autoscalers and disruption budgets.
#include "base/text.h"
#include "metrics/state_families.h"

namespace schedlens::metrics {
namespace {

using enum Type;
using model::AutoscalerFacts;
using model::BudgetFacts;
using model::CronJobFacts;
using model::JobFacts;

template <class Object, auto member>
void number(const Object& object, StateLines& out) {
  out.add(static_cast<double>(object.*member));
}
template <class Object, auto member>
void maybe(const Object& object, StateLines& out) {
  if (object.*member) out.add(static_cast<double>(*(object.*member)));
}
template <class Object, auto member>
void moment(const Object& object, StateLines& out) {
  out.add_time(object.*member);
}
template <class Object>
void created(const Object& object, StateLines& out) {
  out.add_time(object.meta.created);
}
template <class Object>
void labels(const Object& object, StateLines& out) {
  out.add(1, prometheus_labels("label", object.meta.labels));
}

// What a condition of that type is; nothing while there is none.
void job_condition(const JobFacts& job, std::string_view type, StateLines& out) {
  for (const auto& c : job.conditions) {
    if (c.type.view() == type) out.add_condition(c.status.view(), "condition");
  }
}

// Failed pods, and which of the known reasons ended the job.
void job_failed(const JobFacts& job, StateLines& out) {
  if (job.failed == 0) {
    out.add(0);
    return;
  }
  bool known = false;
  for (const auto& c : job.conditions) {
    if (c.type.view() != "Failed") continue;
    for (const std::string_view word : {"BackoffLimitExceeded", "DeadlineExceeded", "Evicted"}) {
      out.add(c.reason.view() == word ? 1 : 0, {{"reason", word}});
      known = known || c.reason.view() == word;
    }
  }
  if (!known) out.add(job.failed, {{"reason", ""}});
}

using J = JobFacts;
constexpr StateFamily<J> kJobs[] = {
    {"kube_job_info", kGauge, "A job.", [](const J&, StateLines& out) { out.add(1); }},
    {"kube_job_created", kGauge, "When a job was created, in seconds since 1970.", created},
    {"kube_job_labels", kGauge, "Those labels of a job that the configuration asks for.", labels},
    {"kube_job_owner", kGauge, "Owners of a job.",
     [](const J& job, StateLines& out) { add_owners(job.meta.owners, out); }},
    {"kube_job_spec_parallelism", kGauge, "Pods that a job runs at one time at most.",
     maybe<J, &J::parallelism>},
    {"kube_job_spec_completions", kGauge, "Pods of a job that must succeed.",
     maybe<J, &J::completions>},
    {"kube_job_spec_active_deadline_seconds", kGauge, "How long a job may take.",
     maybe<J, &J::deadline_seconds>},
    {"kube_job_status_active", kGauge, "Pods of a job that are not over.", number<J, &J::active>},
    {"kube_job_status_succeeded", kGauge, "Pods of a job that have succeeded.",
     number<J, &J::succeeded>},
    {"kube_job_status_failed", kGauge, "Pods of a job that have failed, or why it did.",
     job_failed},
    {"kube_job_status_start_time", kGauge, "When a job was begun, in seconds since 1970.",
     moment<J, &J::started>},
    {"kube_job_status_completion_time", kGauge, "When a job was complete, in seconds since 1970.",
     moment<J, &J::completed>},
    {"kube_job_status_suspended", kGauge, "1 for a job that is suspended.",
     [](const J& job, StateLines& out) {
       for (const auto& c : job.conditions) {
         if (c.type.view() == "Suspended") out.add(c.status.view() == "True" ? 1 : 0);
       }
     }},
    {"kube_job_complete", kGauge, "1 for what a job's condition Complete is.",
     [](const J& job, StateLines& out) { job_condition(job, "Complete", out); }},
    {"kube_job_failed", kGauge, "1 for what a job's condition Failed is.",
     [](const J& job, StateLines& out) { job_condition(job, "Failed", out); }},
};

using C = CronJobFacts;
constexpr StateFamily<C> kCronJobs[] = {
    {"kube_cronjob_info", kGauge, "Schedule and policy of a cron job.",
     [](const C& c, StateLines& out) {
       out.add(1, {{"schedule", c.schedule},
                   {"concurrency_policy", c.concurrency_policy.view()},
                   {"timezone", c.time_zone.empty() ? "local" : c.time_zone.view()}});
     }},
    {"kube_cronjob_created", kGauge, "When a cron job was created, in seconds since 1970.",
     created},
    {"kube_cronjob_labels", kGauge, "Those labels of a cron job that the configuration asks for.",
     labels},
    {"kube_cronjob_metadata_resource_version", kGauge, "Version of the object in the API server.",
     [](const C& c, StateLines& out) {
       if (const auto version = parse_number<std::uint64_t>(c.meta.resource_version)) {
         out.add(static_cast<double>(*version));
       }
     }},
    {"kube_cronjob_spec_suspend", kGauge, "1 for a cron job that is suspended.",
     maybe<C, &C::suspended>},
    {"kube_cronjob_spec_starting_deadline_seconds", kGauge, "How late a cron job may make its job.",
     maybe<C, &C::starting_deadline_seconds>},
    {"kube_cronjob_spec_successful_job_history_limit", kGauge, "Successful jobs that are kept.",
     maybe<C, &C::keep_successful>},
    {"kube_cronjob_spec_failed_job_history_limit", kGauge, "Failed jobs that are kept.",
     maybe<C, &C::keep_failed>},
    {"kube_cronjob_status_active", kGauge, "Jobs of a cron job that are not over.",
     number<C, &C::active>},
    {"kube_cronjob_status_last_schedule_time", kGauge,
     "When a cron job last made a job, in seconds since 1970.", moment<C, &C::last_scheduled>},
    {"kube_cronjob_status_last_successful_time", kGauge,
     "When a job of a cron job last succeeded, in seconds since 1970.",
     moment<C, &C::last_successful>},
};

void figures(const std::vector<AutoscalerFacts::Figures>& all, StateLines& out) {
  for (const auto& f : all) {
    const std::pair<std::string_view, std::optional<double>> numbers[] = {
        {"value", f.value}, {"average", f.average}, {"utilization", f.utilization}};
    for (const auto& [type, number] : numbers) {
      if (number) out.add(*number, {{"metric_name", f.name}, {"metric_target_type", type}});
    }
  }
}

using H = AutoscalerFacts;
constexpr StateFamily<H> kAutoscalers[] = {
    {"kube_horizontalpodautoscaler_info", kGauge, "What an autoscaler scales.",
     [](const H& h, StateLines& out) {
       out.add(1, {{"scaletargetref_api_version", h.target_version.view()},
                   {"scaletargetref_kind", h.target_kind.view()},
                   {"scaletargetref_name", h.target_name}});
     }},
    {"kube_horizontalpodautoscaler_labels", kGauge,
     "Those labels of an autoscaler that the configuration asks for.", labels},
    {"kube_horizontalpodautoscaler_metadata_generation", kGauge,
     "How often an autoscaler's spec was changed.",
     [](const H& h, StateLines& out) { out.add(static_cast<double>(h.meta.generation)); }},
    {"kube_horizontalpodautoscaler_spec_max_replicas", kGauge, "Pods at most.", number<H, &H::max>},
    {"kube_horizontalpodautoscaler_spec_min_replicas", kGauge, "Pods at least.", maybe<H, &H::min>},
    {"kube_horizontalpodautoscaler_spec_target_metric", kGauge,
     "What an autoscaler steers each of its metrics to.",
     [](const H& h, StateLines& out) { figures(h.targets, out); }},
    {"kube_horizontalpodautoscaler_status_target_metric", kGauge,
     "What an autoscaler last saw of each of its metrics.",
     [](const H& h, StateLines& out) { figures(h.seen, out); }},
    {"kube_horizontalpodautoscaler_status_condition", kGauge,
     "1 for what a condition of an autoscaler is.",
     [](const H& h, StateLines& out) {
       for (const auto& c : h.conditions) {
         out.add_condition(c.status.view(), "status", {{"condition", c.type.view()}});
       }
     }},
    {"kube_horizontalpodautoscaler_status_current_replicas", kGauge, "Pods that there are.",
     number<H, &H::current>},
    {"kube_horizontalpodautoscaler_status_desired_replicas", kGauge,
     "Pods that an autoscaler wants now.", number<H, &H::desired>},
};

using B = BudgetFacts;
constexpr StateFamily<B> kBudgets[] = {
    {"kube_poddisruptionbudget_created", kGauge,
     "When a disruption budget was created, in seconds since 1970.", created},
    {"kube_poddisruptionbudget_labels", kGauge,
     "Those labels of a disruption budget that the configuration asks for.", labels},
    {"kube_poddisruptionbudget_status_current_healthy", kGauge, "Pods that are healthy.",
     number<B, &B::healthy>},
    {"kube_poddisruptionbudget_status_desired_healthy", kGauge, "Healthy pods that there must be.",
     number<B, &B::wanted>},
    {"kube_poddisruptionbudget_status_pod_disruptions_allowed", kGauge,
     "Pods that may be disrupted now.", number<B, &B::allowed>},
    {"kube_poddisruptionbudget_status_expected_pods", kGauge, "Pods that the budget counts.",
     number<B, &B::expected>},
    {"kube_poddisruptionbudget_status_observed_generation", kGauge,
     "The generation that the controller has seen.", number<B, &B::observed_generation>},
};

}  // namespace

StateTable<J> job_families() {
  return {model::StateKind::kJobs,
          [](const J& job, StateLines& out) {
            out.object({{"namespace", job.meta.ns.view()}, {"job_name", job.meta.name}});
          },
          kJobs};
}

StateTable<C> cron_job_families() {
  return {model::StateKind::kCronJobs,
          [](const C& c, StateLines& out) {
            out.object({{"namespace", c.meta.ns.view()}, {"cronjob", c.meta.name}});
          },
          kCronJobs};
}

StateTable<H> autoscaler_families() {
  return {model::StateKind::kAutoscalers,
          [](const H& h, StateLines& out) {
            out.object({{"namespace", h.meta.ns.view()}, {"horizontalpodautoscaler", h.meta.name}});
          },
          kAutoscalers};
}

StateTable<B> budget_families() {
  return {model::StateKind::kBudgets,
          [](const B& b, StateLines& out) {
            out.object({{"namespace", b.meta.ns.view()}, {"poddisruptionbudget", b.meta.name}});
          },
          kBudgets};
}

}  // namespace schedlens::metrics
