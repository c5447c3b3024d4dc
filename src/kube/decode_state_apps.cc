// SPDX-License-Identifier: Apache-2.0
// The workloads of apps/v1 in full.
#include <algorithm>

#include "base/text.h"
#include "kube/decode_state.h"
#include "kube/object_fields.h"
#include "kube/state_meta.h"

namespace schedlens::kube {
namespace {

// A number, or a percentage of something that is known later (util/intstr).
struct CountOrShare {
  std::int32_t count = 0;
  std::optional<std::int32_t> percent;
};

std::optional<CountOrShare> read_count_or_share(Fields fields) {
  CountOrShare value;
  bool is_text = false;
  std::string_view text;
  while (fields.next()) {
    if (fields.number() == 1) is_text = fields.integer("type") == 1;
    if (fields.number() == 2) value.count = fields.int32("intVal");
    if (fields.number() == 3) text = fields.text("strVal");
  }
  if (!is_text) return value;
  if (!text.ends_with('%')) return std::nullopt;
  value.percent = parse_number<std::int32_t>(text.substr(0, text.size() - 1));
  if (!value.percent) return std::nullopt;
  return value;
}

std::int32_t of_total(const CountOrShare& value, std::int32_t total, bool up) {
  if (!value.percent) return value.count;
  const auto hundredths = std::int64_t{*value.percent} * total;
  return static_cast<std::int32_t>((hundredths + (up ? 99 : 0)) / 100);
}

struct DeploymentParts : model::DeploymentFacts {
  std::optional<CountOrShare> unavailable_share, surge_share;
};

void read_strategy(Fields fields, DeploymentParts& parts) {
  while (fields.next()) {
    if (fields.number() != 2) continue;
    each_field(fields, "rollingUpdate", [&](Fields& update) {
      if (update.number() == 1) {
        parts.unavailable_share = read_count_or_share(update.message("maxUnavailable"));
      }
      if (update.number() == 2) {
        parts.surge_share = read_count_or_share(update.message("maxSurge"));
      }
    });
  }
}

void read_deployment_status(Fields& status, model::DeploymentFacts& d) {
  if (status.number() == 1) d.observed_generation = status.integer("observedGeneration");
  if (status.number() == 2) d.replicas = status.int32("replicas");
  if (status.number() == 3) d.updated = status.int32("updatedReplicas");
  if (status.number() == 4) d.available = status.int32("availableReplicas");
  if (status.number() == 5) d.unavailable = status.int32("unavailableReplicas");
  if (status.number() == 6) {
    d.conditions.push_back(read_condition_text(status.message("conditions"), 4));
  }
  if (status.number() == 7) d.ready = status.int32("readyReplicas");
}

void work_out_shares(DeploymentParts& parts) {
  const auto total = parts.wanted.value_or(1);
  if (parts.unavailable_share) {
    parts.max_unavailable = of_total(*parts.unavailable_share, total, false);
  }
  if (parts.surge_share) parts.max_surge = of_total(*parts.surge_share, total, true);
}

void read_stateful_set_spec(Fields& spec, model::StatefulSetFacts& s) {
  if (spec.number() == 1) s.wanted = spec.int32("replicas");
  if (spec.number() == 10) {
    s.retention.emplace();
    each_field(spec, "persistentVolumeClaimRetentionPolicy", [&](Fields& policy) {
      if (policy.number() == 1) s.retention->when_deleted = policy.symbol("whenDeleted");
      if (policy.number() == 2) s.retention->when_scaled = policy.symbol("whenScaled");
    });
  }
  if (spec.number() == 11) {
    s.first_ordinal = 0;
    each_field(spec, "ordinals", [&](Fields& ordinals) {
      if (ordinals.number() == 1) s.first_ordinal = ordinals.int32("start");
    });
  }
}

void read_stateful_set_status(Fields& status, model::StatefulSetFacts& s) {
  if (status.number() == 1) s.observed_generation = status.integer("observedGeneration");
  if (status.number() == 2) s.replicas = status.int32("replicas");
  if (status.number() == 3) s.ready = status.int32("readyReplicas");
  if (status.number() == 4) s.current = status.int32("currentReplicas");
  if (status.number() == 5) s.updated = status.int32("updatedReplicas");
  if (status.number() == 6) s.current_revision = status.string("currentRevision");
  if (status.number() == 7) s.update_revision = status.string("updateRevision");
  if (status.number() == 11) s.available = status.int32("availableReplicas");
}

void read_daemon_set_status(Fields& status, model::DaemonSetFacts& d) {
  if (status.number() == 1) d.current = status.int32("currentNumberScheduled");
  if (status.number() == 2) d.misscheduled = status.int32("numberMisscheduled");
  if (status.number() == 3) d.wanted = status.int32("desiredNumberScheduled");
  if (status.number() == 4) d.ready = status.int32("numberReady");
  if (status.number() == 5) d.observed_generation = status.integer("observedGeneration");
  if (status.number() == 6) d.updated = status.int32("updatedNumberScheduled");
  if (status.number() == 7) d.available = status.int32("numberAvailable");
  if (status.number() == 8) d.unavailable = status.int32("numberUnavailable");
}

}  // namespace

Result<model::DeploymentFacts> decode_deployment_state(std::string_view object) {
  return decode_state<DeploymentParts>(
      object,
      [](Fields& fields, DeploymentParts& parts) {
        if (fields.number() == 2) {
          each_field(fields, "spec", [&](Fields& spec) {
            if (spec.number() == 1) parts.wanted = spec.int32("replicas");
            if (spec.number() == 4) read_strategy(spec.message("strategy"), parts);
            if (spec.number() == 7) parts.paused = spec.boolean("paused");
          });
        }
        if (fields.number() != 3) return;
        each_field(fields, "status",
                   [&](Fields& status) { read_deployment_status(status, parts); });
      },
      work_out_shares);
}

Result<model::ReplicaSetFacts> decode_replica_set_state(std::string_view object) {
  return decode_state<model::ReplicaSetFacts>(
      object, [](Fields& fields, model::ReplicaSetFacts& r) {
        if (fields.number() == 2) {
          each_field(fields, "spec", [&](Fields& spec) {
            if (spec.number() == 1) r.wanted = spec.int32("replicas");
          });
        }
        if (fields.number() != 3) return;
        each_field(fields, "status", [&](Fields& status) {
          if (status.number() == 1) r.replicas = status.int32("replicas");
          if (status.number() == 2) r.fully_labelled = status.int32("fullyLabeledReplicas");
          if (status.number() == 3) r.observed_generation = status.integer("observedGeneration");
          if (status.number() == 4) r.ready = status.int32("readyReplicas");
        });
      });
}

Result<model::StatefulSetFacts> decode_stateful_set_state(std::string_view object) {
  return decode_state<model::StatefulSetFacts>(
      object, [](Fields& fields, model::StatefulSetFacts& s) {
        if (fields.number() == 2) {
          each_field(fields, "spec", [&](Fields& spec) { read_stateful_set_spec(spec, s); });
        }
        if (fields.number() != 3) return;
        each_field(fields, "status", [&](Fields& status) { read_stateful_set_status(status, s); });
      });
}

Result<model::DaemonSetFacts> decode_daemon_set_state(std::string_view object) {
  return decode_state<model::DaemonSetFacts>(object, [](Fields& fields, model::DaemonSetFacts& d) {
    if (fields.number() != 3) return;
    each_field(fields, "status", [&](Fields& status) { read_daemon_set_status(status, d); });
  });
}

}  // namespace schedlens::kube
