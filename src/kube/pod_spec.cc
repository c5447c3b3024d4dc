// SPDX-License-Identifier: Apache-2.0
#include "kube/pod_spec.h"

#include <algorithm>

#include "kube/fields.h"
#include "kube/selectors.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

model::HostProtocol protocol(std::string_view word) {
  if (word == "UDP") return model::HostProtocol::kUdp;
  if (word == "SCTP") return model::HostProtocol::kSctp;
  return model::HostProtocol::kTcp;
}

void read_port(Fields fields, std::vector<model::HostPort>& ports) {
  model::HostPort port;
  while (fields.next()) {
    if (fields.number() == 2) port.port = fields.int32("hostPort");
    if (fields.number() == 4) port.protocol = protocol(fields.text("protocol"));
    if (fields.number() == 5) port.ip = fields.string("hostIP");
  }
  if (port.port > 0) ports.push_back(std::move(port));
}

ContainerResources read_container(Fields fields, std::vector<model::HostPort>& ports) {
  ContainerResources container;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        container.name = fields.string("name");
        break;
      case 6:
        read_port(fields.message("ports"), ports);
        break;
      case 8:
        read_requirements(fields.message("resources"), container.requests, container.limits);
        break;
      case 24:
        container.restartable = fields.text("restartPolicy") == "Always";
        break;
    }
  }
  return container;
}

void read_init_container(Fields fields, PodSpecParts& parts) {
  std::vector<model::HostPort> ports;
  parts.resources.init_containers.push_back(read_container(fields, ports));
  // An ordinary init container's ports are not reserved.
  if (!parts.resources.init_containers.back().restartable) return;
  std::move(ports.begin(), ports.end(), std::back_inserter(parts.spec.host_ports));
}

std::vector<model::PodAffinityTerm> read_required_terms(Fields fields) {
  std::vector<model::PodAffinityTerm> terms;
  while (fields.next()) {
    if (fields.number() != 1) continue;
    terms.push_back(
        read_pod_affinity_term(fields.message("requiredDuringSchedulingIgnoredDuringExecution")));
  }
  return terms;
}

void read_affinity(Fields fields, model::PodSpec& spec) {
  while (fields.next()) {
    switch (fields.number()) {
      case 1: {
        auto node = fields.message("nodeAffinity");
        while (node.next()) {
          if (node.number() != 1) continue;
          spec.node_affinity =
              read_node_selector(node.message("requiredDuringSchedulingIgnoredDuringExecution"));
        }
        break;
      }
      case 2:
        spec.affinity = read_required_terms(fields.message("podAffinity"));
        break;
      case 3:
        spec.anti_affinity = read_required_terms(fields.message("podAntiAffinity"));
        break;
    }
  }
}

void read_volume(Fields fields, std::vector<model::PodVolume>& volumes) {
  std::string_view name;
  std::optional<model::PodVolume> volume;
  while (fields.next()) {
    if (fields.number() == 1) name = fields.text("name");
    if (fields.number() != 2) continue;
    auto source = fields.message("volumeSource");
    while (source.next()) {
      if (source.number() == 10) {
        auto claim = source.message("persistentVolumeClaim");
        while (claim.next()) {
          if (claim.number() == 1) volume = model::PodVolume{claim.string("claimName"), false};
        }
      } else if (source.number() == 29) {
        (void)source.text("ephemeral");
        volume = model::PodVolume{"", true};
      }
    }
  }
  if (!volume) return;
  if (volume->ephemeral) volume->claim = std::string(name);
  volumes.push_back(std::move(*volume));
}

model::PodResourceClaim read_claim(Fields fields) {
  model::PodResourceClaim claim;
  while (fields.next()) {
    if (fields.number() == 1) claim.name = fields.string("name");
    if (fields.number() == 3) claim.claim = fields.string("resourceClaimName");
    if (fields.number() == 4) claim.claim_template = fields.string("resourceClaimTemplateName");
  }
  return claim;
}

// The group in one word: within a workload a pod group, within that a replica.
std::string read_workload_reference(Fields fields) {
  std::string name, group, replica;
  while (fields.next()) {
    if (fields.number() == 1) name = fields.string("name");
    if (fields.number() == 2) group = fields.string("podGroup");
    if (fields.number() == 3) replica = fields.string("podGroupReplicaKey");
  }
  for (const auto* part : {&group, &replica}) {
    if (!part->empty()) name += "/" + *part;
  }
  return name;
}

std::string read_only_name(Fields fields, const char* name) {
  std::string text;
  while (fields.next()) {
    if (fields.number() == 1) text = fields.string(name);
  }
  return text;
}

// What the scheduler's filters read besides containers, and how long the pod may live.
void read_constraint(Fields& fields, model::PodSpec& spec) {
  switch (fields.number()) {
    case 4:
      spec.grace = Seconds{fields.integer("terminationGracePeriodSeconds")};
      break;
    case 5:
      spec.run_limit = Seconds{fields.integer("activeDeadlineSeconds")};
      break;
    case 7: {
      const auto [key, value] = fields.entry("nodeSelector");
      spec.node_selector.push_back({Symbol(key), std::string(value)});
      break;
    }
    case 11:
      spec.host_network = fields.boolean("hostNetwork");
      break;
    case 18:
      read_affinity(fields.message("affinity"), spec);
      break;
    case 19:
      spec.scheduler = fields.symbol("schedulerName");
      break;
    case 22:
      spec.tolerations.push_back(read_toleration(fields.message("tolerations")));
      break;
    case 24:
      spec.priority_class = fields.symbol("priorityClassName");
      break;
    case 29:
      spec.runtime_class = fields.symbol("runtimeClassName");
      break;
    case 31:
      spec.never_preempts = fields.text("preemptionPolicy") == "Never";
      break;
    case 33:
      if (auto spread = read_spread_constraint(fields.message("topologySpreadConstraints"))) {
        spec.spread.push_back(std::move(*spread));
      }
      break;
  }
}

}  // namespace

void read_amount(Fields& fields, const char* name, ResourceList& into) {
  const auto [key, amount] = fields.amount(name);
  into.set(key, amount);
}

void read_requirements(Fields fields, ResourceList& requests, ResourceList& limits) {
  while (fields.next()) {
    if (fields.number() == 1) read_amount(fields, "limits", limits);
    if (fields.number() == 2) read_amount(fields, "requests", requests);
  }
}

PodSpecParts read_pod_spec(Fields fields) {
  PodSpecParts parts;
  auto& resources = parts.resources;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        read_volume(fields.message("volumes"), parts.volumes);
        break;
      case 2:
        resources.containers.push_back(
            read_container(fields.message("containers"), parts.spec.host_ports));
        break;
      case 10:
        parts.node_name = fields.symbol("nodeName");
        break;
      case 20:
        read_init_container(fields.message("initContainers"), parts);
        break;
      case 25:
        parts.priority = fields.int32("priority");
        break;
      case 32:
        read_amount(fields, "overhead", resources.overhead);
        break;
      case 38:
        parts.gates.push_back(Symbol(read_only_name(fields.message("schedulingGates"), "name")));
        break;
      case 39:
        parts.claims.push_back(read_claim(fields.message("resourceClaims")));
        break;
      case 40:
        read_requirements(fields.message("resources"), resources.pod_requests,
                          resources.pod_limits);
        break;
      case 42:
        parts.group = read_workload_reference(fields.message("workloadRef"));
        break;
      case 43:
        parts.group = read_only_name(fields.message("schedulingGroup"), "podGroupName");
        break;
      default:
        read_constraint(fields, parts.spec);
    }
  }
  return parts;
}

}  // namespace schedlens::kube
