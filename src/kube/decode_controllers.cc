// SPDX-License-Identifier: Apache-2.0
// Jobs and the workloads of apps/v1: what they want and what there is.
#include <algorithm>

#include "kube/decode_objects.h"
#include "kube/object_fields.h"
#include "model/kubernetes.h"

namespace schedlens::kube {
namespace {

// Where an unset number of replicas is, the API server has put 1.
constexpr std::int32_t kDefaultReplicas = 1;

void take_meta(ObjectMeta& meta, Symbol kind, model::Controller& c) {
  c.kind = kind;
  c.ns = meta.meta.ns;
  c.name = meta.meta.name;
  c.uid = meta.meta.uid;
  c.owner = std::move(meta.controller);
  c.created = meta.created;
}

struct JobParts {
  model::Controller controller;
  std::optional<std::int32_t> parallelism, completions;
  std::int32_t active = 0, succeeded = 0;
  std::optional<Timestamp> started;
  std::optional<std::int64_t> run_limit;
};

bool read_is_over(Fields condition) {
  std::string_view type, status;
  while (condition.next()) {
    if (condition.number() == 1) type = condition.text("type");
    if (condition.number() == 2) status = condition.text("status");
  }
  return status == "True" && (type == "Complete" || type == "Failed");
}

void read_job(Fields& fields, JobParts& job) {
  if (fields.number() == 2) {
    each_field(fields, "spec", [&](Fields& spec) {
      if (spec.number() == 1) job.parallelism = spec.int32("parallelism");
      if (spec.number() == 2) job.completions = spec.int32("completions");
      if (spec.number() == 3) job.run_limit = spec.integer("activeDeadlineSeconds");
      if (spec.number() == 10) job.controller.suspended = spec.boolean("suspend");
    });
  } else if (fields.number() == 3) {
    each_field(fields, "status", [&](Fields& status) {
      if (status.number() == 1 && read_is_over(status.message("conditions"))) {
        job.controller.finished = true;
      }
      if (status.number() == 2) job.started = status.time("startTime");
      if (status.number() == 4) job.active = status.int32("active");
      if (status.number() == 5) job.succeeded = status.int32("succeeded");
    });
  }
}

// As the job controller: never more than are left to complete; without a number of completions no
// new pod once one has succeeded.
std::int32_t wanted_pods(const JobParts& job) {
  if (job.controller.finished) return 0;
  const auto parallelism = job.parallelism.value_or(1);
  if (job.completions) {
    return std::clamp<std::int32_t>(*job.completions - std::max(0, job.succeeded), 0,
                                    std::max(0, parallelism));
  }
  return job.succeeded > 0 ? job.active : parallelism;
}

// ReplicaSet, Deployment and StatefulSet: spec.replicas and, under different numbers,
// status.replicas.
Result<Decoded<model::Controller>> decode_replicated(std::string_view object, Symbol kind,
                                                     std::uint32_t status_replicas) {
  return decode_object<model::Controller>(
      object,
      [status_replicas](Fields& fields, model::Controller& c) {
        if (fields.number() == 2) {
          c.desired = kDefaultReplicas;
          each_field(fields, "spec", [&](Fields& spec) {
            if (spec.number() == 1) c.desired = spec.int32("replicas");
          });
        } else if (fields.number() == 3) {
          each_field(fields, "status", [&](Fields& status) {
            if (status.number() == status_replicas) c.existing = status.int32("replicas");
          });
        }
      },
      [kind](ObjectMeta& meta, model::Controller& c) { take_meta(meta, kind, c); });
}

}  // namespace

Result<Decoded<model::Controller>> decode_job(std::string_view object) {
  static const Symbol kind{"Job"};
  auto job = decode_object<JobParts>(object, read_job, [](ObjectMeta& meta, JobParts& parts) {
    take_meta(meta, kind, parts.controller);
    parts.controller.desired = wanted_pods(parts);
    parts.controller.existing = parts.active;
    if (parts.started && parts.run_limit) {
      parts.controller.deadline = *parts.started + Seconds{*parts.run_limit};
    }
  });
  if (!job) return fail(job.error());
  return Decoded<model::Controller>{std::move(job->meta), std::move(job->object.controller)};
}

Result<Decoded<model::Controller>> decode_replica_set(std::string_view object) {
  static const Symbol kind{"ReplicaSet"};
  return decode_replicated(object, kind, 1);
}

Result<Decoded<model::Controller>> decode_deployment(std::string_view object) {
  static const Symbol kind{"Deployment"};
  return decode_replicated(object, kind, 2);
}

Result<Decoded<model::Controller>> decode_stateful_set(std::string_view object) {
  static const Symbol kind{"StatefulSet"};
  return decode_replicated(object, kind, 2);
}

Result<Decoded<model::Controller>> decode_daemon_set(std::string_view object) {
  static const Symbol kind{"DaemonSet"};
  return decode_object<model::Controller>(
      object,
      [](Fields& fields, model::Controller& c) {
        if (fields.number() != 3) return;
        each_field(fields, "status", [&](Fields& status) {
          if (status.number() == 1) c.existing = status.int32("currentNumberScheduled");
          if (status.number() == 3) c.desired = status.int32("desiredNumberScheduled");
        });
      },
      [](ObjectMeta& meta, model::Controller& c) { take_meta(meta, kind, c); });
}

}  // namespace schedlens::kube
