// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_node.h"

#include "kube/condition.h"
#include "kube/fields.h"
#include "kube/pod_spec.h"
#include "kube/request.h"
#include "kube/selectors.h"
#include "model/node_object.h"

namespace schedlens::kube {
namespace {

struct NodeParts {
  model::NodeObject object;
  ResourceList capacity;
  ResourceList allocatable;
  std::string address;
  bool internal = false;  // address is an InternalIP
};

void read_spec(Fields fields, model::NodeObject& node) {
  while (fields.next()) {
    if (fields.number() == 4) node.unschedulable = fields.boolean("unschedulable");
    if (fields.number() == 5) node.taints.push_back(read_taint(fields.message("taints")));
  }
}

void read_address(Fields fields, NodeParts& parts) {
  std::string_view type, address;
  while (fields.next()) {
    if (fields.number() == 1) type = fields.text("type");
    if (fields.number() == 2) address = fields.text("address");
  }
  const bool internal = type == "InternalIP";
  if (!parts.address.empty() && (parts.internal || !internal)) return;
  parts.address = std::string(address);
  parts.internal = internal;
}

void read_status(Fields fields, NodeParts& parts) {
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        read_amount(fields, "capacity", parts.capacity);
        break;
      case 2:
        read_amount(fields, "allocatable", parts.allocatable);
        break;
      case 4:
        parts.object.conditions.push_back(
            read_condition<model::NodeCondition>(fields.message("conditions")));
        break;
      case 5:
        read_address(fields.message("addresses"), parts);
        break;
      case 6: {
        auto endpoints = fields.message("daemonEndpoints");
        while (endpoints.next()) {
          if (endpoints.number() != 1) continue;
          auto kubelet = endpoints.message("kubeletEndpoint");
          while (kubelet.next()) {
            if (kubelet.number() == 1) parts.object.kubelet_port = kubelet.int32("Port");
          }
        }
        break;
      }
      case 7: {
        auto info = fields.message("nodeInfo");
        while (info.next()) {
          if (info.number() == 7) parts.object.kubelet_version = info.string("kubeletVersion");
        }
        break;
      }
    }
  }
}

}  // namespace

Result<DecodedNode> decode_node(std::string_view object) {
  return decoded([&] {
    Fields fields(object);
    ObjectMeta meta;
    NodeParts parts;
    while (fields.next()) {
      if (fields.number() == 1) meta = read_object_meta(fields.message("metadata"));
      if (fields.number() == 2) read_spec(fields.message("spec"), parts.object);
      if (fields.number() == 3) read_status(fields.message("status"), parts);
    }
    auto& node = parts.object;
    node.uid = std::move(meta.meta.uid);
    node.labels = model::Labels(std::move(meta.labels));
    node.created = meta.created;
    node.capacity = rounded(parts.capacity);
    node.allocatable = rounded(parts.allocatable);
    return DecodedNode{std::move(meta.meta), std::move(parts.address),
                       std::make_shared<const model::NodeObject>(std::move(node))};
  });
}

}  // namespace schedlens::kube
