// SPDX-License-Identifier: Apache-2.0
// Nodes, namespaces and quotas in full.
#include "kube/decode_state.h"
#include "kube/object_fields.h"
#include "kube/pod_spec.h"
#include "kube/state_meta.h"

namespace schedlens::kube {
namespace {

model::NodeFacts::Taint read_taint_text(Fields fields) {
  model::NodeFacts::Taint taint;
  while (fields.next()) {
    if (fields.number() == 1) taint.key = fields.symbol("key");
    if (fields.number() == 2) taint.value = fields.symbol("value");
    if (fields.number() == 3) taint.effect = fields.symbol("effect");
  }
  return taint;
}

std::pair<Symbol, std::string> read_node_address(Fields fields) {
  std::pair<Symbol, std::string> address;
  while (fields.next()) {
    if (fields.number() == 1) address.first = fields.symbol("type");
    if (fields.number() == 2) address.second = fields.string("address");
  }
  return address;
}

void read_node_info(Fields fields, model::NodeFacts& node) {
  while (fields.next()) {
    if (fields.number() == 2) node.system_uuid = fields.string("systemUUID");
    if (fields.number() == 4) node.kernel = fields.string("kernelVersion");
    if (fields.number() == 5) node.os_image = fields.string("osImage");
    if (fields.number() == 6) node.runtime = fields.string("containerRuntimeVersion");
    if (fields.number() == 7) node.kubelet = fields.string("kubeletVersion");
    if (fields.number() == 8) node.kube_proxy = fields.string("kubeProxyVersion");
  }
}

void read_node_spec(Fields& spec, model::NodeFacts& node) {
  if (spec.number() == 1) node.pod_cidr = spec.string("podCIDR");
  if (spec.number() == 3) node.provider_id = spec.string("providerID");
  if (spec.number() == 4) node.unschedulable = spec.boolean("unschedulable");
  if (spec.number() == 5) node.taints.push_back(read_taint_text(spec.message("taints")));
}

void read_node_status(Fields& outer, model::NodeFacts& node) {
  ResourceList capacity, allocatable;
  each_field(outer, "status", [&](Fields& status) {
    if (status.number() == 1) read_amount(status, "capacity", capacity);
    if (status.number() == 2) read_amount(status, "allocatable", allocatable);
    if (status.number() == 4) {
      node.conditions.push_back(read_condition_text(status.message("conditions"), 5));
    }
    if (status.number() == 5) {
      node.addresses.push_back(read_node_address(status.message("addresses")));
    }
    if (status.number() == 7) read_node_info(status.message("nodeInfo"), node);
  });
  node.capacity = rounded(capacity);
  node.allocatable = rounded(allocatable);
}

void find_roles(model::NodeFacts& node) {
  constexpr std::string_view kRole = "node-role.kubernetes.io/";
  for (const auto& label : node.meta.labels) {
    const auto key = label.key.view();
    if (key.starts_with(kRole)) node.roles.emplace_back(key.substr(kRole.size()));
  }
}

void read_exact_amount(Fields& fields, const char* name,
                       std::vector<std::pair<Symbol, double>>& into) {
  const auto [resource, amount] = fields.amount(name);
  // As precise as a sum of thousandths: what is larger loses nothing by whole units.
  const auto milli = amount.milli_value();
  into.emplace_back(resource, milli % 1000 == 0 ? static_cast<double>(amount.value())
                                                : static_cast<double>(milli) / 1000);
}

}  // namespace

Result<model::NodeFacts> decode_node_state(std::string_view object) {
  return decode_state<model::NodeFacts>(
      object,
      [](Fields& fields, model::NodeFacts& node) {
        if (fields.number() == 2) {
          each_field(fields, "spec", [&](Fields& spec) { read_node_spec(spec, node); });
        }
        if (fields.number() == 3) read_node_status(fields, node);
      },
      find_roles);
}

Result<model::NamespaceFacts> decode_namespace_state(std::string_view object) {
  return decode_state<model::NamespaceFacts>(object, [](Fields& fields, model::NamespaceFacts& ns) {
    if (fields.number() != 3) return;
    each_field(fields, "status", [&](Fields& status) {
      if (status.number() == 1) ns.phase = status.symbol("phase");
      if (status.number() == 2) {
        ns.conditions.push_back(read_condition_text(status.message("conditions"), 5));
      }
    });
  });
}

Result<model::QuotaFacts> decode_quota_state(std::string_view object) {
  return decode_state<model::QuotaFacts>(object, [](Fields& fields, model::QuotaFacts& quota) {
    if (fields.number() != 3) return;
    each_field(fields, "status", [&](Fields& status) {
      if (status.number() == 1) read_exact_amount(status, "hard", quota.hard);
      if (status.number() == 2) read_exact_amount(status, "used", quota.used);
    });
  });
}

}  // namespace schedlens::kube
