// SPDX-License-Identifier: Apache-2.0
#include "kube/state_meta.h"

namespace schedlens::kube {
namespace {

model::OwnerText read_owner_text(Fields fields) {
  model::OwnerText owner;
  while (fields.next()) {
    if (fields.number() == 1) owner.kind = fields.symbol("kind");
    if (fields.number() == 3) owner.name = fields.string("name");
    if (fields.number() == 6) owner.controller = fields.boolean("controller");
  }
  return owner;
}

}  // namespace

model::StateMeta read_state_meta(Fields fields) {
  model::StateMeta meta;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        meta.name = fields.string("name");
        break;
      case 3:
        meta.ns = fields.symbol("namespace");
        break;
      case 6:
        meta.resource_version = fields.string("resourceVersion");
        break;
      case 7:
        meta.generation = fields.integer("generation");
        break;
      case 8:
        meta.created = fields.time("creationTimestamp");
        break;
      case 9:
        meta.deleting = fields.time("deletionTimestamp");
        break;
      case 11: {
        const auto [key, value] = fields.entry("labels");
        meta.labels.push_back({Symbol(key), std::string(value)});
        break;
      }
      case 13:
        meta.owners.push_back(read_owner_text(fields.message("ownerReferences")));
        break;
    }
  }
  return meta;
}

model::ConditionText read_condition_text(Fields fields, std::uint32_t reason_field) {
  model::ConditionText condition;
  while (fields.next()) {
    if (fields.number() == 1) condition.type = fields.symbol("type");
    if (fields.number() == 2) condition.status = fields.symbol("status");
    if (fields.number() == reason_field) condition.reason = fields.symbol("reason");
  }
  return condition;
}

}  // namespace schedlens::kube
