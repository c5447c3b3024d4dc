// SPDX-License-Identifier: Apache-2.0
// Jobs, what makes them by the clock, what scales, and what limits disruptions, in full.
#include "kube/decode_state.h"
#include "kube/object_fields.h"
#include "kube/state_meta.h"

namespace schedlens::kube {
namespace {

void read_job_spec(Fields& spec, model::JobFacts& job) {
  if (spec.number() == 1) job.parallelism = spec.int32("parallelism");
  if (spec.number() == 2) job.completions = spec.int32("completions");
  if (spec.number() == 3) job.deadline_seconds = spec.integer("activeDeadlineSeconds");
  if (spec.number() == 10) job.suspended = spec.boolean("suspend");
}

void read_job_status(Fields& status, model::JobFacts& job) {
  if (status.number() == 1) {
    job.conditions.push_back(read_condition_text(status.message("conditions"), 5));
  }
  if (status.number() == 2) job.started = status.time("startTime");
  if (status.number() == 3) job.completed = status.time("completionTime");
  if (status.number() == 4) job.active = status.int32("active");
  if (status.number() == 5) job.succeeded = status.int32("succeeded");
  if (status.number() == 6) job.failed = status.int32("failed");
}

void read_cron_job_spec(Fields& spec, model::CronJobFacts& job) {
  if (spec.number() == 1) job.schedule = spec.string("schedule");
  if (spec.number() == 2) {
    job.starting_deadline_seconds = spec.integer("startingDeadlineSeconds");
  }
  if (spec.number() == 3) job.concurrency_policy = spec.symbol("concurrencyPolicy");
  if (spec.number() == 4) job.suspended = spec.boolean("suspend");
  if (spec.number() == 6) job.keep_successful = spec.int32("successfulJobsHistoryLimit");
  if (spec.number() == 7) job.keep_failed = spec.int32("failedJobsHistoryLimit");
  if (spec.number() == 8) job.time_zone = spec.symbol("timeZone");
}

using Figures = model::AutoscalerFacts::Figures;

double in_units(Fields& fields, const char* name) {
  const auto text = [&] {
    auto quantity = fields.message(name);
    std::string_view number;
    while (quantity.next()) {
      if (quantity.number() == 1) number = quantity.text("string");
    }
    return number;
  }();
  const auto amount = parse_quantity(text);
  if (!amount) throw Fault(amount.error().within(name).message());
  return static_cast<double>(amount->milli_value()) / 1000;
}

// A MetricTarget has its numbers one place after a MetricValueStatus, behind its type.
void read_figures(Fields fields, std::uint32_t first, Figures& figures) {
  while (fields.next()) {
    if (fields.number() == first) figures.value = in_units(fields, "value");
    if (fields.number() == first + 1) figures.average = in_units(fields, "averageValue");
    if (fields.number() == first + 2) {
      figures.utilization = static_cast<double>(fields.int32("averageUtilization"));
    }
  }
}

std::string read_metric_name(Fields fields) {
  std::string name;
  while (fields.next()) {
    if (fields.number() == 1) name = fields.string("name");
  }
  return name;
}

enum class Shape { kNamed, kMetric, kObjectTarget, kObjectSeen };

// The five sorts of metric differ in where they have their name.
void read_source(Fields fields, Shape shape, std::uint32_t first, Figures& figures) {
  const bool metric_third = shape == Shape::kObjectTarget;
  while (fields.next()) {
    if (fields.number() == 1 && shape == Shape::kNamed) {
      figures.name = fields.string("name");
    } else if ((fields.number() == 1 && (shape == Shape::kMetric || shape == Shape::kObjectSeen)) ||
               (fields.number() == 3 && metric_third)) {
      figures.name = read_metric_name(fields.message("metric"));
    } else if (fields.number() == 2) {
      read_figures(fields.message("target"), first, figures);
    }
  }
}

Figures read_metric(Fields fields, bool seen) {
  Figures figures;
  const std::uint32_t first = seen ? 1 : 2;
  while (fields.next()) {
    switch (fields.number()) {
      case 2:
        read_source(fields.message("object"), seen ? Shape::kObjectSeen : Shape::kObjectTarget,
                    first, figures);
        break;
      case 3:
        read_source(fields.message("pods"), Shape::kMetric, first, figures);
        break;
      case 4:
        read_source(fields.message("resource"), Shape::kNamed, first, figures);
        break;
      case 5:
        read_source(fields.message("external"), Shape::kMetric, first, figures);
        break;
      case 7:
        read_source(fields.message("containerResource"), Shape::kNamed, first, figures);
        break;
    }
  }
  return figures;
}

void read_autoscaler_spec(Fields& spec, model::AutoscalerFacts& a) {
  if (spec.number() == 1) {
    each_field(spec, "scaleTargetRef", [&](Fields& target) {
      if (target.number() == 1) a.target_kind = target.symbol("kind");
      if (target.number() == 2) a.target_name = target.string("name");
      if (target.number() == 3) a.target_version = target.symbol("apiVersion");
    });
  }
  if (spec.number() == 2) a.min = spec.int32("minReplicas");
  if (spec.number() == 3) a.max = spec.int32("maxReplicas");
  if (spec.number() == 4) a.targets.push_back(read_metric(spec.message("metrics"), false));
}

void read_autoscaler_status(Fields& status, model::AutoscalerFacts& a) {
  if (status.number() == 3) a.current = status.int32("currentReplicas");
  if (status.number() == 4) a.desired = status.int32("desiredReplicas");
  if (status.number() == 5) a.seen.push_back(read_metric(status.message("currentMetrics"), true));
  if (status.number() == 6) {
    a.conditions.push_back(read_condition_text(status.message("conditions"), 4));
  }
}

}  // namespace

Result<model::JobFacts> decode_job_state(std::string_view object) {
  return decode_state<model::JobFacts>(object, [](Fields& fields, model::JobFacts& job) {
    if (fields.number() == 2) {
      each_field(fields, "spec", [&](Fields& spec) { read_job_spec(spec, job); });
    }
    if (fields.number() != 3) return;
    each_field(fields, "status", [&](Fields& status) { read_job_status(status, job); });
  });
}

Result<model::CronJobFacts> decode_cron_job_state(std::string_view object) {
  return decode_state<model::CronJobFacts>(object, [](Fields& fields, model::CronJobFacts& job) {
    if (fields.number() == 2) {
      each_field(fields, "spec", [&](Fields& spec) { read_cron_job_spec(spec, job); });
    }
    if (fields.number() != 3) return;
    each_field(fields, "status", [&](Fields& status) {
      if (status.number() == 1) ++job.active;
      if (status.number() == 4) job.last_scheduled = status.time("lastScheduleTime");
      if (status.number() == 5) job.last_successful = status.time("lastSuccessfulTime");
    });
  });
}

Result<model::AutoscalerFacts> decode_autoscaler_state(std::string_view object) {
  return decode_state<model::AutoscalerFacts>(
      object, [](Fields& fields, model::AutoscalerFacts& a) {
        if (fields.number() == 2) {
          each_field(fields, "spec", [&](Fields& spec) { read_autoscaler_spec(spec, a); });
        }
        if (fields.number() != 3) return;
        each_field(fields, "status", [&](Fields& status) { read_autoscaler_status(status, a); });
      });
}

Result<model::BudgetFacts> decode_budget_state(std::string_view object) {
  return decode_state<model::BudgetFacts>(object, [](Fields& fields, model::BudgetFacts& budget) {
    if (fields.number() != 3) return;
    each_field(fields, "status", [&](Fields& status) {
      if (status.number() == 1) budget.observed_generation = status.integer("observedGeneration");
      if (status.number() == 3) budget.allowed = status.int32("disruptionsAllowed");
      if (status.number() == 4) budget.healthy = status.int32("currentHealthy");
      if (status.number() == 5) budget.wanted = status.int32("desiredHealthy");
      if (status.number() == 6) budget.expected = status.int32("expectedPods");
    });
  });
}

}  // namespace schedlens::kube
