// SPDX-License-Identifier: Apache-2.0
#include "kube/pod_status.h"

#include <algorithm>

#include "kube/condition.h"
#include "kube/fields.h"
#include "kube/pod_spec.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

model::PodPhase pod_phase(std::string_view word) {
  if (word == "Pending") return model::PodPhase::kPending;
  if (word == "Running") return model::PodPhase::kRunning;
  if (word == "Succeeded") return model::PodPhase::kSucceeded;
  if (word == "Failed") return model::PodPhase::kFailed;
  return model::PodPhase::kUnknown;
}

void keep_earlier(std::optional<Timestamp>& moment, std::optional<Timestamp> other) {
  if (other && (!moment || *other < *moment)) moment = other;
}

struct Run {
  std::optional<Timestamp> started, finished;
  std::optional<model::Exit> exit;
};

Run read_terminated(Fields fields) {
  Run run;
  run.exit.emplace();
  while (fields.next()) {
    if (fields.number() == 1) run.exit->code = fields.int32("exitCode");
    if (fields.number() == 2) run.exit->signal = fields.int32("signal");
    if (fields.number() == 5) run.started = fields.time("startedAt");
    if (fields.number() == 6) run.finished = fields.time("finishedAt");
  }
  return run;
}

Run read_state(Fields fields) {
  Run run;
  while (fields.next()) {
    if (fields.number() == 2) {
      auto running = fields.message("running");
      while (running.next()) {
        if (running.number() == 1) run.started = running.time("startedAt");
      }
    } else if (fields.number() == 3) {
      run = read_terminated(fields.message("terminated"));
    }
  }
  return run;
}

model::DeviceState device_state(std::string_view word) {
  if (word == "Healthy") return model::DeviceState::kHealthy;
  if (word == "Unhealthy") return model::DeviceState::kUnhealthy;
  return model::DeviceState::kUnknown;
}

// The devices of one resource.
void add_devices(Fields fields, std::vector<model::DeviceHealth>& devices) {
  Symbol resource;
  const auto first = devices.size();
  while (fields.next()) {
    if (fields.number() == 1) resource = fields.symbol("name");
    if (fields.number() != 2) continue;
    auto one = fields.message("resources");
    auto& device = devices.emplace_back();
    while (one.next()) {
      if (one.number() == 1) device.device = one.string("resourceID");
      if (one.number() == 2) device.state = device_state(one.text("health"));
      if (one.number() == 6) device.message = one.string("message");
    }
  }
  for (auto i = first; i < devices.size(); ++i) devices[i].resource = resource;
}

ContainerStatus read_container_status(Fields fields) {
  ContainerStatus status;
  ResourceList allocated;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        status.name = fields.string("name");
        break;
      case 2: {
        const auto run = read_state(fields.message("state"));
        keep_earlier(status.started, run.started);
        status.finished = run.finished;
        status.exit = run.exit;
        break;
      }
      case 3:
        keep_earlier(status.started, read_state(fields.message("lastState")).started);
        break;
      case 5:
        status.restarts = static_cast<std::uint32_t>(std::max(0, fields.int32("restartCount")));
        break;
      case 10:
        read_amount(fields, "allocatedResources", allocated);
        break;
      case 11:
        status.actual.emplace();
        read_requirements(fields.message("resources"), status.actual->requests,
                          status.actual->limits);
        break;
      case 14:
        add_devices(fields.message("allocatedResourcesStatus"), status.devices);
        break;
    }
  }
  // As the scheduler: without status.resources the allocation alone says nothing.
  if (status.actual) status.actual->allocated = std::move(allocated);
  return status;
}

model::PodResourceClaim read_claim_status(Fields fields) {
  model::PodResourceClaim claim;
  while (fields.next()) {
    if (fields.number() == 1) claim.name = fields.string("name");
    if (fields.number() == 2) claim.claim = fields.string("resourceClaimName");
  }
  return claim;
}

void add_claimed(Fields fields, ResourceList& sum) {
  while (fields.next()) {
    if (fields.number() != 3) continue;
    const auto [name, amount] = fields.amount("resources");
    sum.add(name, amount);
  }
}

}  // namespace

PodStatusParts read_pod_status(Fields fields) {
  PodStatusParts status;
  ResourceList allocated;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        status.phase = pod_phase(fields.text("phase"));
        break;
      case 2:
        status.conditions.push_back(
            read_condition<model::PodCondition>(fields.message("conditions")));
        break;
      case 4:
        status.reason = fields.symbol("reason");
        break;
      case 8:
        status.containers.push_back(read_container_status(fields.message("containerStatuses")));
        break;
      case 10:
        status.init_containers.push_back(
            read_container_status(fields.message("initContainerStatuses")));
        break;
      case 11:
        status.nominated_node = fields.symbol("nominatedNodeName");
        break;
      case 15:
        status.claims.push_back(read_claim_status(fields.message("resourceClaimStatuses")));
        break;
      case 19:
        read_amount(fields, "allocatedResources", allocated);
        break;
      case 20:
        status.pod_actual.emplace();
        read_requirements(fields.message("resources"), status.pod_actual->requests,
                          status.pod_actual->limits);
        break;
      case 21:
        add_claimed(fields.message("nodeAllocatableResourceClaimStatuses"), status.claimed);
        break;
    }
  }
  if (status.pod_actual) status.pod_actual->allocated = std::move(allocated);
  return status;
}

}  // namespace schedlens::kube
