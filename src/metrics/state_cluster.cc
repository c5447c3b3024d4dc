// SPDX-License-Identifier: Apache-2.0
// Nodes, namespaces and quotas; what all kinds say alike.
#include <array>

#include "metrics/state_families.h"

namespace schedlens::metrics {
namespace {

using enum Type;
using model::NamespaceFacts;
using model::NodeFacts;
using model::QuotaFacts;

constexpr std::string_view kInternalIp = "InternalIP";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A device or another resource that somebody added: it has a domain that is not Kubernetes' own.
bool is_extended(std::string_view name) {
  return contains(name, "/") && !contains(name, "kubernetes.io/") && !name.starts_with("requests.");
}

void node_info(const NodeFacts& n, StateLines& out) {
  std::string_view internal_ip;
  for (const auto& [type, address] : n.addresses) {
    if (type.view() == kInternalIp && internal_ip.empty()) internal_ip = address;
  }
  out.add(1, {{"kernel_version", n.kernel},
              {"os_image", n.os_image},
              {"container_runtime_version", n.runtime},
              {"kubelet_version", n.kubelet},
              {"kubeproxy_version", n.kube_proxy.empty() ? "deprecated" : n.kube_proxy},
              {"provider_id", n.provider_id},
              {"pod_cidr", n.pod_cidr},
              {"system_uuid", n.system_uuid},
              {"internal_ip", internal_ip}});
}

void addresses(const NodeFacts& n, StateLines& out) {
  for (const auto& [type, address] : n.addresses) {
    out.add(1, {{"type", type.view()}, {"address", address}});
  }
}

template <model::Quantities NodeFacts::*amounts>
void node_resources(const NodeFacts& n, StateLines& out) {
  for (const auto& item : (n.*amounts).items()) {
    const auto labels = resource_labels(item.name, true);
    if (!labels) continue;
    out.add(in_base_units(item), {{"resource", labels->resource}, {"unit", labels->unit}});
  }
}

void taints(const NodeFacts& n, StateLines& out) {
  for (const auto& t : n.taints) {
    out.add(1, {{"key", t.key.view()}, {"value", t.value.view()}, {"effect", t.effect.view()}});
  }
}

void node_conditions(const NodeFacts& n, StateLines& out) {
  for (const auto& c : n.conditions) {
    out.add_condition(c.status.view(), "status", {{"condition", c.type.view()}});
  }
}

template <class Object>
void labels_of(const Object& object, StateLines& out) {
  out.add(1, prometheus_labels("label", object.meta.labels));
}
template <class Object>
void created(const Object& object, StateLines& out) {
  out.add_time(object.meta.created);
}
template <class Object>
void deleting(const Object& object, StateLines& out) {
  out.add_time(object.meta.deleting);
}

constexpr StateFamily<NodeFacts> kNodeFamilies[] = {
    {"kube_node_info", kGauge, "Versions and addresses of a node.", node_info},
    {"kube_node_created", kGauge, "When a node was created, in seconds since 1970.", created},
    {"kube_node_deletion_timestamp", kGauge,
     "When a node that is being deleted may go, in seconds since 1970.", deleting},
    {"kube_node_labels", kGauge, "Those labels of a node that the configuration asks for.",
     labels_of},
    {"kube_node_role", kGauge, "Roles of a node.",
     [](const NodeFacts& n, StateLines& out) {
       for (const auto& role : n.roles) out.add(1, {{"role", role}});
     }},
    {"kube_node_spec_unschedulable", kGauge, "1 for a node that takes no new pods.",
     [](const NodeFacts& n, StateLines& out) { out.add(n.unschedulable ? 1 : 0); }},
    {"kube_node_spec_taint", kGauge, "Taints of a node.", taints},
    {"kube_node_status_capacity", kGauge, "What a node has.", node_resources<&NodeFacts::capacity>},
    {"kube_node_status_allocatable", kGauge, "What pods can get of a node.",
     node_resources<&NodeFacts::allocatable>},
    {"kube_node_status_condition", kGauge, "1 for what a condition of a node is.", node_conditions},
    {"kube_node_status_addresses", kGauge, "Addresses of a node.", addresses},
};

constexpr StateFamily<NamespaceFacts> kNamespaceFamilies[] = {
    {"kube_namespace_created", kGauge, "When a namespace was created, in seconds since 1970.",
     created},
    {"kube_namespace_labels", kGauge,
     "Those labels of a namespace that the configuration asks for.", labels_of},
    {"kube_namespace_status_phase", kGauge, "1 for the phase that a namespace is in.",
     [](const NamespaceFacts& n, StateLines& out) {
       for (const std::string_view word : {"Active", "Terminating"}) {
         out.add(n.phase.view() == word ? 1 : 0, {{"phase", word}});
       }
     }},
    {"kube_namespace_status_condition", kGauge, "1 for what a condition of a namespace is.",
     [](const NamespaceFacts& n, StateLines& out) {
       for (const auto& c : n.conditions) {
         out.add_condition(c.status.view(), "status", {{"condition", c.type.view()}});
       }
     }},
};

constexpr StateFamily<QuotaFacts> kQuotaFamilies[] = {
    {"kube_resourcequota_created", kGauge, "When a quota was created, in seconds since 1970.",
     created},
    {"kube_resourcequota_labels", kGauge,
     "Those labels of a quota that the configuration asks for.", labels_of},
    {"kube_resourcequota", kGauge, "What a quota allows and how much of it is used.",
     [](const QuotaFacts& q, StateLines& out) {
       for (const auto& [resource, amount] : q.hard) {
         out.add(amount, {{"resource", resource.view()}, {"type", "hard"}});
       }
       for (const auto& [resource, amount] : q.used) {
         out.add(amount, {{"resource", resource.view()}, {"type", "used"}});
       }
     }},
};

}  // namespace

std::optional<ResourceLabels> resource_labels(Symbol resource, bool of_node) {
  const auto name = resource.view();
  if (name == "cpu") return ResourceLabels{"cpu", "core"};
  if (name == "memory") return ResourceLabels{"memory", "byte"};
  if (name == "storage" || name == "ephemeral-storage") {
    return ResourceLabels{sanitized(name), "byte"};
  }
  if (name == "pods" && of_node) return ResourceLabels{"pods", "integer"};
  if (name.starts_with("hugepages-") || name.starts_with("attachable-volumes-")) {
    return ResourceLabels{sanitized(name), "byte"};
  }
  if (is_extended(name)) return ResourceLabels{sanitized(name), "integer"};
  return std::nullopt;
}

double in_base_units(const model::Quantities::Item& item) {
  const auto name = item.name.view();
  const bool cpu = name == "cpu" || name == "requests.cpu" || name == "limits.cpu";
  return static_cast<double>(item.amount) / (cpu ? 1000 : 1);
}

void add_owners(const std::vector<model::OwnerText>& owners, StateLines& out) {
  if (owners.empty()) {
    out.add(1, {{"owner_kind", ""}, {"owner_name", ""}, {"owner_is_controller", ""}});
  }
  for (const auto& owner : owners) {
    out.add(1, {{"owner_kind", owner.kind.view()},
                {"owner_name", owner.name},
                {"owner_is_controller", word(owner.controller)}});
  }
}

StateTable<NodeFacts> node_families() {
  return {model::StateKind::kNodes,
          [](const NodeFacts& n, StateLines& out) {
            out.object({{"node", n.meta.name}});
          },
          kNodeFamilies};
}

StateTable<NamespaceFacts> namespace_families() {
  return {model::StateKind::kNamespaces,
          [](const NamespaceFacts& n, StateLines& out) {
            out.object({{"namespace", n.meta.name}});
          },
          kNamespaceFamilies};
}

StateTable<QuotaFacts> quota_families() {
  return {model::StateKind::kQuotas,
          [](const QuotaFacts& q, StateLines& out) {
            out.object({{"namespace", q.meta.ns.view()}, {"resourcequota", q.meta.name}});
          },
          kQuotaFamilies};
}

}  // namespace schedlens::metrics
