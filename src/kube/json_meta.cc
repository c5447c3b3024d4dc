// SPDX-License-Identifier: Apache-2.0
#include "kube/json_meta.h"

#include "kube/selectors.h"

namespace schedlens::kube {
namespace {

void read_owner(JsonValue& item, JsonMeta& meta) {
  model::OwnerReference owner;
  bool is_controller = false;
  item.fields([&](JsonValue& f) {
    if (f.name() == "kind") owner.kind = f.symbol();
    if (f.name() == "name") owner.name = f.string();
    if (f.name() == "uid") owner.uid = f.string();
    if (f.name() == "controller") is_controller = f.boolean();
  });
  if (is_controller) meta.object.controller = owner;
  meta.owners.push_back(std::move(owner));
}

}  // namespace

void read_json_meta(JsonValue& metadata, JsonMeta& meta) {
  metadata.fields([&](JsonValue& f) {
    auto& m = meta.object;
    if (f.name() == "name") m.meta.name = f.string();
    if (f.name() == "namespace") m.meta.ns = f.symbol();
    if (f.name() == "uid") m.meta.uid = f.string();
    if (f.name() == "creationTimestamp") m.created = f.time();
    if (f.name() == "deletionTimestamp") m.deleting = f.time();
    if (f.name() == "ownerReferences") f.items([&](JsonValue& item) { read_owner(item, meta); });
  });
}

Result<Meta> decode_json_meta(std::string_view object) {
  JsonMeta meta;
  auto read = each_json_field(object, [&](JsonValue& f) {
    if (f.name() == "metadata") read_json_meta(f, meta);
  });
  if (!read) return fail(read.error());
  return std::move(meta.object.meta);
}

std::vector<model::PodCondition> read_json_conditions(JsonValue& list) {
  std::vector<model::PodCondition> conditions;
  list.items([&](JsonValue& item) {
    auto& c = conditions.emplace_back();
    item.fields([&](JsonValue& f) {
      if (f.name() == "type") c.type = f.symbol();
      if (f.name() == "status") {
        const auto word = f.text();
        c.status = word == "True";
        c.unknown = word == "Unknown";
      }
      if (f.name() == "reason") c.reason = f.symbol();
      if (f.name() == "message") c.message = f.string();
      if (f.name() == "lastTransitionTime") c.since = f.time();
    });
  });
  return conditions;
}

model::LabelSelector read_json_selector(JsonValue& object) {
  model::LabelSelector selector;
  object.fields([&](JsonValue& f) {
    if (f.name() == "matchLabels") {
      f.fields([&](JsonValue& l) {
        selector.all.push_back({Symbol(l.name()), model::LabelOperator::kIn, {l.string()}});
      });
    }
    if (f.name() != "matchExpressions") return;
    f.items([&](JsonValue& item) {
      auto& e = selector.all.emplace_back();
      item.fields([&](JsonValue& part) {
        if (part.name() == "key") e.key = part.symbol();
        if (part.name() == "operator") e.op = label_operator(part.text());
        if (part.name() == "values") {
          part.items([&](JsonValue& v) { e.values.push_back(v.string()); });
        }
      });
    });
  });
  return selector;
}

model::Taint read_json_taint(JsonValue& object) {
  model::Taint taint;
  object.fields([&](JsonValue& f) {
    if (f.name() == "key") taint.key = f.symbol();
    if (f.name() == "value") taint.value = f.string();
    if (f.name() == "effect") taint.effect = taint_effect(f.text());
  });
  return taint;
}

std::int64_t whole_amount(Symbol resource, Amount amount) {
  return resource == model::names::kKubeCpu ? amount.milli_value() : amount.value();
}

model::Quantities read_json_amounts(JsonValue& object) {
  model::Quantities amounts;
  object.fields([&](JsonValue& f) {
    const Symbol name(f.name());
    amounts.set(name, whole_amount(name, f.quantity()));
  });
  return amounts;
}

}  // namespace schedlens::kube
