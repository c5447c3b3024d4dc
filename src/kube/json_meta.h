// SPDX-License-Identifier: Apache-2.0
#pragma once
// Metadata and conditions of custom resources.

#include <vector>

#include "kube/json_value.h"
#include "kube/meta.h"
#include "model/labels.h"
#include "model/quantities.h"

namespace schedlens::kube {

// As ObjectMeta of the core types; owners are all owners, the controller among them.
struct JsonMeta {
  ObjectMeta object;
  std::vector<model::OwnerReference> owners;
};
void read_json_meta(JsonValue& metadata, JsonMeta& meta);
Result<Meta> decode_json_meta(std::string_view object);

std::vector<model::PodCondition> read_json_conditions(JsonValue& list);
model::LabelSelector read_json_selector(JsonValue& object);
model::Taint read_json_taint(JsonValue& object);
// cpu in thousandths, all else in whole units, rounded up.
std::int64_t whole_amount(Symbol resource, Amount amount);
// An object of quantities by resource name.
model::Quantities read_json_amounts(JsonValue& object);

}  // namespace schedlens::kube
