// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_pod.h"

#include <algorithm>

#include "kube/decode_pod_detail.h"
#include "kube/fields.h"
#include "kube/pod_spec.h"
#include "kube/pod_status.h"
#include "kube/request.h"
#include "kube/spec_pool.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

const Symbol kPodScheduled{"PodScheduled"};
const Symbol kPodResizePending{"PodResizePending"};
const Symbol kInfeasible{"Infeasible"};

// Containers know nothing of what the kubelet gave them: their statuses do, by name.
void attach(std::vector<ContainerResources>& containers, std::vector<ContainerStatus>& statuses) {
  for (auto& container : containers) {
    for (auto& status : statuses) {
      if (status.name == container.name) container.actual = std::move(status.actual);
    }
  }
}

bool is_sidecar(const PodResources& resources, const std::string& name) {
  return std::any_of(resources.init_containers.begin(), resources.init_containers.end(),
                     [&](const auto& c) { return c.restartable && c.name == name; });
}

void take_runs(const PodStatusParts& status, DecodedPod& result) {
  const bool over =
      status.phase == model::PodPhase::kSucceeded || status.phase == model::PodPhase::kFailed;
  for (const auto& c : status.containers) {
    if (c.started && (!result.started || *c.started < *result.started)) result.started = c.started;
    if (!over) continue;
    if (c.finished && (!result.finished || *result.finished < *c.finished)) {
      result.finished = c.finished;
    }
    const bool bad = c.exit && (c.exit->code != 0 || c.exit->signal != 0);
    const bool bad_before = result.exit && (result.exit->code != 0 || result.exit->signal != 0);
    if (c.exit && (!result.exit || (bad && !bad_before))) result.exit = c.exit;
  }
}

std::string group_of(const PodSpecParts& spec, const ObjectMeta& meta) {
  if (!spec.group.empty()) return spec.group;
  for (const auto key :
       {names::kCoschedulingGroup, names::kOldCoschedulingGroup, names::kOldestCoschedulingGroup,
        names::kVolcanoGroup, names::kKueueGroup}) {
    if (const auto group = meta.labelled(key); !group.empty()) return std::string(group);
  }
  return "";
}

std::uint32_t restarts_of(const PodResources& resources, const PodStatusParts& status) {
  std::uint32_t sum = 0;
  for (const auto& c : status.containers) sum += c.restarts;
  for (const auto& c : status.init_containers) {
    if (is_sidecar(resources, c.name)) sum += c.restarts;
  }
  return sum;
}

void take_volumes(PodSpecParts& spec, const Meta& meta, model::Pod& pod) {
  pod.volumes = std::move(spec.volumes);
  for (auto& volume : pod.volumes) {
    if (volume.ephemeral) volume.claim = meta.name + "-" + volume.claim;
  }
}

void take_claims(PodSpecParts& spec, const PodStatusParts& status, model::Pod& pod) {
  pod.resource_claims = std::move(spec.claims);
  for (auto& claim : pod.resource_claims) {
    for (const auto& made : status.claims) {
      if (made.name == claim.name && claim.claim.empty()) claim.claim = made.claim;
    }
  }
}

// Containers that share a claim have the same devices.
void take_devices(PodStatusParts& status, model::Pod& pod) {
  std::vector<model::DeviceHealth> devices;
  for (auto* containers : {&status.init_containers, &status.containers}) {
    for (auto& container : *containers) {
      for (auto& device : container.devices) {
        if (std::find(devices.begin(), devices.end(), device) == devices.end()) {
          devices.push_back(std::move(device));
        }
      }
    }
  }
  devices.shrink_to_fit();
  if (!devices.empty()) pod.devices = std::move(devices);
}

// Template and status put together: the two requests and the shared spec.
void take_resources(PodSpecParts& spec, PodStatusParts& status, SpecPool& specs, model::Pod& pod) {
  auto& resources = spec.resources;
  spec.spec.request = rounded(effective_request(resources, Basis::kSpec));
  spec.spec.terms = request_terms(resources);
  spec.spec.limit = rounded(effective_limit(resources, Basis::kSpec));
  pod.spec = specs.share(std::move(spec.spec));

  attach(resources.containers, status.containers);
  attach(resources.init_containers, status.init_containers);
  resources.pod_actual = std::move(status.pod_actual);
  resources.claimed = std::move(status.claimed);
  const auto* resize = pod.condition(kPodResizePending);
  resources.resize_infeasible = resize && resize->reason == kInfeasible;
  pod.request = rounded(effective_request(resources, Basis::kStatus));
}

DecodedPod assemble(ObjectMeta meta, PodSpecParts spec, PodStatusParts status, SpecPool& specs,
                    model::PodDetailPtr detail) {
  DecodedPod result;
  auto pod = std::make_shared<model::Pod>();
  take_runs(status, result);
  pod->ns = meta.meta.ns;
  pod->uid = std::move(meta.meta.uid);
  pod->group = group_of(spec, meta);
  pod->owner = std::move(meta.controller);
  pod->labels = model::Labels(std::move(meta.labels));
  pod->deleting = meta.deleting;
  pod->condition_written = meta.scheduler_wrote_status;
  pod->gates = std::move(spec.gates);
  pod->node_name = spec.node_name;
  pod->priority = spec.priority;
  pod->phase = status.phase;
  pod->status_reason = status.reason;
  pod->nominated_node = status.nominated_node;
  pod->conditions = std::move(status.conditions);
  pod->conditions.shrink_to_fit();
  pod->restarts = restarts_of(spec.resources, status);
  take_volumes(spec, meta.meta, *pod);
  take_claims(spec, status, *pod);
  take_devices(status, *pod);
  take_resources(spec, status, specs, *pod);
  pod->detail = std::move(detail);
  specs.share_parts(*pod);

  const auto* scheduled = pod->condition(kPodScheduled);
  if (scheduled && scheduled->status) result.scheduled = scheduled->since;
  result.created = meta.created;
  result.meta = std::move(meta.meta);
  result.pod = std::move(pod);
  return result;
}

}  // namespace

Result<DecodedPod> decode_pod(std::string_view object, SpecPool& specs, TemplatePool* templates) {
  model::PodDetailPtr detail;
  if (templates) {
    auto read = decode_pod_detail(object, *templates);
    if (!read) return fail(read.error());
    detail = std::move(*read);
  }
  return decoded([&] {
    Fields fields(object);
    ObjectMeta meta;
    PodSpecParts spec;
    PodStatusParts status;
    while (fields.next()) {
      if (fields.number() == 1) meta = read_object_meta(fields.message("metadata"));
      if (fields.number() == 2) spec = read_pod_spec(fields.message("spec"));
      if (fields.number() == 3) status = read_pod_status(fields.message("status"));
    }
    return assemble(std::move(meta), std::move(spec), std::move(status), specs, std::move(detail));
  });
}

}  // namespace schedlens::kube
