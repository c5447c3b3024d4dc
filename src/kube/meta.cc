// SPDX-License-Identifier: Apache-2.0
#include "kube/meta.h"

#include <algorithm>
#include <array>

#include "kube/fields.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

// Annotations are many and long (kubectl keeps the whole object in one): only these are kept.
bool is_read(std::string_view annotation) {
  static const std::array kRead = {names::kVolcanoGroup,         names::kCoschedulingGroup,
                                   names::kOldCoschedulingGroup, names::kOldestCoschedulingGroup,
                                   names::kKueueGroup,           names::kBetaStorageClass,
                                   names::kDefaultStorageClass,  names::kBetaDefaultStorageClass};
  return std::any_of(kRead.begin(), kRead.end(),
                     [&](Symbol name) { return name.view() == annotation; });
}

model::OwnerReference read_owner(Fields fields, bool& is_controller) {
  model::OwnerReference owner;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        owner.kind = fields.symbol("kind");
        break;
      case 3:
        owner.name = fields.string("name");
        break;
      case 4:
        owner.uid = fields.string("uid");
        break;
      case 6:
        is_controller = fields.boolean("controller");
        break;
    }
  }
  return owner;
}

// When kube-scheduler last wrote the status; what it wrote is not read.
void read_managed_fields(Fields fields, std::optional<Timestamp>& written) {
  std::string_view manager, subresource;
  std::optional<Timestamp> when;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        manager = fields.text("manager");
        break;
      case 4:
        when = fields.time("time");
        break;
      case 8:
        subresource = fields.text("subresource");
        break;
    }
  }
  if (manager != "kube-scheduler" || subresource != "status" || !when) return;
  if (!written || *written < *when) written = when;
}

std::string_view find(const std::vector<model::Label>& labels, Symbol key) {
  for (const auto& label : labels) {
    if (label.key == key) return label.value;
  }
  return {};
}

}  // namespace

std::string_view ObjectMeta::labelled(Symbol key) const {
  const auto label = find(labels, key);
  return label.empty() ? annotation(key) : label;
}

std::string_view ObjectMeta::annotation(Symbol key) const {
  return find(annotations, key);
}

ObjectMeta read_object_meta(Fields fields) {
  ObjectMeta m;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        m.meta.name = fields.string("name");
        break;
      case 3:
        m.meta.ns = fields.symbol("namespace");
        break;
      case 5:
        m.meta.uid = fields.string("uid");
        break;
      case 8:
        m.created = fields.time("creationTimestamp");
        break;
      case 9:
        m.deleting = fields.time("deletionTimestamp");
        break;
      case 11: {
        const auto [key, value] = fields.entry("labels");
        m.labels.push_back({Symbol(key), std::string(value)});
        break;
      }
      case 12: {
        const auto [key, value] = fields.entry("annotations");
        if (is_read(key)) m.annotations.push_back({Symbol(key), std::string(value)});
        break;
      }
      case 13: {
        bool is_controller = false;
        auto owner = read_owner(fields.message("ownerReferences"), is_controller);
        if (is_controller) m.controller = std::move(owner);
        break;
      }
      case 17:
        read_managed_fields(fields.message("managedFields"), m.scheduler_wrote_status);
        break;
    }
  }
  return m;
}

Result<Meta> decode_meta(std::string_view object) {
  return decoded([&] {
    Fields fields(object);
    Meta meta;
    while (fields.next()) {
      if (fields.number() != 1) continue;
      auto metadata = fields.message("metadata");
      while (metadata.next()) {
        if (metadata.number() == 1) meta.name = metadata.string("name");
        if (metadata.number() == 3) meta.ns = metadata.symbol("namespace");
        if (metadata.number() == 5) meta.uid = metadata.string("uid");
      }
    }
    return meta;
  });
}

}  // namespace schedlens::kube
