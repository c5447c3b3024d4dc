// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "kube/object_fields.h"
#include "kube/pod_spec.h"
#include "kube/request.h"
#include "kube/selectors.h"
#include "model/kubernetes.h"

namespace schedlens::kube {
namespace {

model::Quantities quota_amounts(const ResourceList& list) {
  model::Quantities result;
  for (const auto& item : list.items()) {
    const auto name = item.name.view();
    const bool cpu = name == "cpu" || name == "requests.cpu" || name == "limits.cpu";
    result.set(item.name, cpu ? item.amount.milli_value() : item.amount.value());
  }
  return result;
}

std::string read_scope(Fields fields) {
  std::string scope, op;
  std::vector<std::string> values;
  while (fields.next()) {
    if (fields.number() == 1) scope = fields.string("scopeName");
    if (fields.number() == 2) op = fields.string("operator");
    if (fields.number() == 3) values.push_back(fields.string("values"));
  }
  if (values.empty()) return op.empty() ? scope : fmt::format("{} {}", scope, op);
  return fmt::format("{} {} ({})", scope, op, fmt::join(values, ", "));
}

void read_quota_spec(Fields& outer, model::ResourceQuota& quota) {
  each_field(outer, "spec", [&](Fields& spec) {
    if (spec.number() == 2) quota.scopes.push_back(spec.string("scopes"));
    if (spec.number() != 3) return;
    each_field(spec, "scopeSelector", [&](Fields& selector) {
      if (selector.number() != 1) return;
      quota.scopes.push_back(read_scope(selector.message("matchExpressions")));
    });
  });
}

void read_quota_status(Fields& outer, model::ResourceQuota& quota) {
  ResourceList hard, used;
  each_field(outer, "status", [&](Fields& status) {
    if (status.number() == 1) read_amount(status, "hard", hard);
    if (status.number() == 2) read_amount(status, "used", used);
  });
  quota.hard = quota_amounts(hard);
  quota.used = quota_amounts(used);
}

model::ClaimPhase claim_phase(std::string_view word) {
  if (word == "Pending") return model::ClaimPhase::kPending;
  if (word == "Bound") return model::ClaimPhase::kBound;
  if (word == "Lost") return model::ClaimPhase::kLost;
  return model::ClaimPhase::kUnknown;
}

const Symbol kStorage{"storage"};

std::int64_t read_storage_request(Fields fields) {
  ResourceList requests, limits;
  read_requirements(fields, requests, limits);
  return requests.get(kStorage).value();
}

void read_claim_spec(Fields& outer, model::VolumeClaim& claim) {
  each_field(outer, "spec", [&](Fields& spec) {
    switch (spec.number()) {
      case 1:
        claim.access_modes.push_back(spec.string("accessModes"));
        break;
      case 2:
        claim.request_bytes = read_storage_request(spec.message("resources"));
        break;
      case 3:
        claim.volume = spec.string("volumeName");
        break;
      case 4:
        claim.selector = read_label_selector(spec.message("selector"));
        break;
      case 5:
        claim.storage_class = spec.symbol("storageClassName");
        break;
      case 6:
        claim.volume_mode = spec.string("volumeMode");
        break;
    }
  });
}

std::string read_claim_reference(Fields fields) {
  std::string_view ns, name;
  while (fields.next()) {
    if (fields.number() == 2) ns = fields.text("namespace");
    if (fields.number() == 3) name = fields.text("name");
  }
  return fmt::format("{}/{}", ns, name);
}

std::string read_csi_driver(Fields source) {
  std::string driver;
  while (source.next()) {
    if (source.number() != 22) continue;
    each_field(source, "csi", [&](Fields& csi) {
      if (csi.number() == 1) driver = csi.string("driver");
    });
  }
  return driver;
}

void read_volume_spec(Fields& outer, model::Volume& volume) {
  ResourceList capacity;
  each_field(outer, "spec", [&](Fields& spec) {
    switch (spec.number()) {
      case 1:
        read_amount(spec, "capacity", capacity);
        break;
      case 2:
        volume.csi_driver = read_csi_driver(spec.message("persistentVolumeSource"));
        break;
      case 3:
        volume.access_modes.push_back(spec.string("accessModes"));
        break;
      case 4:
        volume.claim = read_claim_reference(spec.message("claimRef"));
        break;
      case 6:
        volume.storage_class = spec.symbol("storageClassName");
        break;
      case 8:
        volume.volume_mode = spec.string("volumeMode");
        break;
      case 9:
        each_field(spec, "nodeAffinity", [&](Fields& affinity) {
          if (affinity.number() != 1) return;
          volume.node_affinity = read_node_selector(affinity.message("required"));
        });
        break;
    }
  });
  volume.capacity_bytes = capacity.get(kStorage).value();
}

// The annotation that named the class before there was a field is still honoured.
void prefer_annotated_class(const ObjectMeta& meta, Symbol& storage_class) {
  if (const auto named = meta.annotation(names::kBetaStorageClass); !named.empty()) {
    storage_class = Symbol(named);
  }
}

}  // namespace

Result<Decoded<model::Namespace>> decode_namespace(std::string_view object) {
  return decode_object<model::Namespace>(
      object,
      [](Fields& fields, model::Namespace& ns) {
        if (fields.number() != 3) return;
        each_field(fields, "status", [&](Fields& status) {
          if (status.number() == 1) ns.terminating = status.text("phase") == "Terminating";
        });
      },
      [](ObjectMeta& meta, model::Namespace& ns) {
        ns.name = Symbol(meta.meta.name);
        ns.labels = model::Labels(std::move(meta.labels));
      });
}

Result<Decoded<model::PriorityClass>> decode_priority_class(std::string_view object) {
  return decode_object<model::PriorityClass>(
      object,
      [](Fields& fields, model::PriorityClass& c) {
        if (fields.number() == 2) c.value = fields.int32("value");
        if (fields.number() == 3) c.global_default = fields.boolean("globalDefault");
        if (fields.number() == 5) c.never_preempts = fields.text("preemptionPolicy") == "Never";
      },
      [](ObjectMeta& meta, model::PriorityClass& c) { c.name = Symbol(meta.meta.name); });
}

Result<Decoded<model::ResourceQuota>> decode_resource_quota(std::string_view object) {
  return decode_object<model::ResourceQuota>(
      object,
      [](Fields& fields, model::ResourceQuota& quota) {
        if (fields.number() == 2) read_quota_spec(fields, quota);
        if (fields.number() == 3) read_quota_status(fields, quota);
      },
      [](ObjectMeta& meta, model::ResourceQuota& quota) {
        quota.ns = meta.meta.ns;
        quota.name = meta.meta.name;
      });
}

Result<Decoded<model::DisruptionBudget>> decode_disruption_budget(std::string_view object) {
  return decode_object<model::DisruptionBudget>(
      object,
      [](Fields& fields, model::DisruptionBudget& budget) {
        if (fields.number() == 2) {
          each_field(fields, "spec", [&](Fields& spec) {
            if (spec.number() != 2) return;
            budget.pods = read_label_selector(spec.message("selector"));
          });
        } else if (fields.number() == 3) {
          each_field(fields, "status", [&](Fields& status) {
            if (status.number() != 3) return;
            budget.disruptions_allowed = status.int32("disruptionsAllowed");
          });
        }
      },
      [](ObjectMeta& meta, model::DisruptionBudget& budget) {
        budget.ns = meta.meta.ns;
        budget.name = meta.meta.name;
      });
}

Result<Decoded<model::DisruptionBudget>> decode_beta_disruption_budget(std::string_view object) {
  auto budget = decode_disruption_budget(object);
  if (budget && budget->object.pods && budget->object.pods->all.empty())
    budget->object.pods.reset();
  return budget;
}

Result<Decoded<model::VolumeClaim>> decode_volume_claim(std::string_view object) {
  return decode_object<model::VolumeClaim>(
      object,
      [](Fields& fields, model::VolumeClaim& claim) {
        if (fields.number() == 2) read_claim_spec(fields, claim);
        if (fields.number() != 3) return;
        each_field(fields, "status", [&](Fields& status) {
          if (status.number() == 1) claim.phase = claim_phase(status.text("phase"));
        });
      },
      [](ObjectMeta& meta, model::VolumeClaim& claim) {
        claim.ns = meta.meta.ns;
        claim.name = meta.meta.name;
        claim.deleting = meta.deleting.has_value();
        const auto& modes = claim.access_modes;
        claim.read_write_once_pod =
            std::find(modes.begin(), modes.end(), "ReadWriteOncePod") != modes.end();
        prefer_annotated_class(meta, claim.storage_class);
      });
}

Result<Decoded<model::Volume>> decode_volume(std::string_view object) {
  return decode_object<model::Volume>(
      object,
      [](Fields& fields, model::Volume& volume) {
        if (fields.number() == 2) read_volume_spec(fields, volume);
        if (fields.number() != 3) return;
        each_field(fields, "status", [&](Fields& status) {
          if (status.number() == 1) volume.phase = status.string("phase");
        });
      },
      [](ObjectMeta& meta, model::Volume& volume) {
        volume.name = meta.meta.name;
        volume.labels = model::Labels(std::move(meta.labels));
        prefer_annotated_class(meta, volume.storage_class);
      });
}

Result<Decoded<model::StorageClass>> decode_storage_class(std::string_view object) {
  return decode_object<model::StorageClass>(
      object,
      [](Fields& fields, model::StorageClass& c) {
        if (fields.number() == 2) c.provisioner = fields.string("provisioner");
        if (fields.number() == 7) {
          c.wait_for_first_consumer = fields.text("volumeBindingMode") == "WaitForFirstConsumer";
        }
        if (fields.number() != 8) return;
        c.allowed_topologies.push_back(
            read_topology_selector_term(fields.message("allowedTopologies")));
      },
      [](ObjectMeta& meta, model::StorageClass& c) {
        c.name = Symbol(meta.meta.name);
        c.is_default = meta.annotation(names::kDefaultStorageClass) == "true" ||
                       meta.annotation(names::kBetaDefaultStorageClass) == "true";
      });
}

}  // namespace schedlens::kube
