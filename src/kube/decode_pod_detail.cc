// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_pod_detail.h"

#include <functional>

#include "kube/fields.h"
#include "kube/pod_spec.h"
#include "kube/request.h"
#include "kube/state_meta.h"

namespace schedlens::kube {
namespace {

model::ContainerTemplate read_container(Fields fields) {
  model::ContainerTemplate container;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        container.name = fields.symbol("name");
        break;
      case 2:
        container.image = fields.symbol("image");
        break;
      case 8: {
        ResourceList requests, limits;
        read_requirements(fields.message("resources"), requests, limits);
        container.requests = rounded(requests);
        container.limits = rounded(limits);
        break;
      }
      case 24:
        container.restart_policy = fields.symbol("restartPolicy");
        break;
    }
  }
  return container;
}

model::TolerationText read_toleration_text(Fields fields) {
  model::TolerationText toleration;
  while (fields.next()) {
    if (fields.number() == 1) toleration.key = fields.symbol("key");
    if (fields.number() == 2) toleration.op = fields.symbol("operator");
    if (fields.number() == 3) toleration.value = fields.symbol("value");
    if (fields.number() == 4) toleration.effect = fields.symbol("effect");
    if (fields.number() == 5) toleration.seconds = fields.integer("tolerationSeconds");
  }
  return toleration;
}

void read_volume(Fields fields, std::vector<model::ClaimVolume>& claims) {
  model::ClaimVolume volume;
  bool is_claim = false;
  while (fields.next()) {
    if (fields.number() == 1) volume.volume = fields.string("name");
    if (fields.number() != 2) continue;
    auto source = fields.message("volumeSource");
    while (source.next()) {
      if (source.number() != 10) continue;
      is_claim = true;
      auto claim = source.message("persistentVolumeClaim");
      while (claim.next()) {
        if (claim.number() == 1) volume.claim = claim.string("claimName");
        if (claim.number() == 2) volume.read_only = claim.boolean("readOnly");
      }
    }
  }
  if (is_claim) claims.push_back(std::move(volume));
}

void read_spec(Fields fields, model::PodTemplate& made_from, model::PodDetail& pod) {
  ResourceList overhead;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        read_volume(fields.message("volumes"), pod.claims);
        break;
      case 2:
        made_from.containers.push_back(read_container(fields.message("containers")));
        break;
      case 3:
        made_from.restart_policy = fields.symbol("restartPolicy");
        break;
      case 8:
        made_from.service_account = fields.symbol("serviceAccountName");
        break;
      case 20:
        made_from.init_containers.push_back(read_container(fields.message("initContainers")));
        break;
      case 22:
        made_from.tolerations.push_back(read_toleration_text(fields.message("tolerations")));
        break;
      case 32:
        read_amount(fields, "overhead", overhead);
        break;
    }
  }
  made_from.overhead = rounded(overhead);
}

model::ContainerRun read_terminated(Fields fields) {
  model::ContainerRun run;
  while (fields.next()) {
    if (fields.number() == 1) run.exit_code = fields.int32("exitCode");
    if (fields.number() == 3) run.reason = fields.symbol("reason");
    if (fields.number() == 5) run.started = fields.time("startedAt");
    if (fields.number() == 6) run.finished = fields.time("finishedAt");
  }
  return run;
}

void read_state(Fields fields, model::ContainerState& container) {
  while (fields.next()) {
    switch (fields.number()) {
      case 1: {
        container.phase = model::ContainerPhase::kWaiting;
        auto waiting = fields.message("waiting");
        while (waiting.next()) {
          if (waiting.number() == 1) container.now.reason = waiting.symbol("reason");
        }
        break;
      }
      case 2: {
        container.phase = model::ContainerPhase::kRunning;
        auto running = fields.message("running");
        while (running.next()) {
          if (running.number() == 1) container.now.started = running.time("startedAt");
        }
        break;
      }
      case 3:
        container.phase = model::ContainerPhase::kTerminated;
        container.now = read_terminated(fields.message("terminated"));
        break;
    }
  }
}

model::ContainerState read_container_state(Fields fields) {
  model::ContainerState container;
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        container.name = fields.symbol("name");
        break;
      case 2:
        read_state(fields.message("state"), container);
        break;
      case 3: {
        auto last = fields.message("lastState");
        while (last.next()) {
          if (last.number() == 3) container.last = read_terminated(last.message("terminated"));
        }
        break;
      }
      case 4:
        container.ready = fields.boolean("ready");
        break;
      case 5:
        container.restarts = fields.int32("restartCount");
        break;
      case 6:
        container.image = fields.symbol("image");
        break;
      case 7:
        container.image_id = fields.symbol("imageID");
        break;
      case 8:
        container.id = fields.string("containerID");
        break;
    }
  }
  return container;
}

std::string read_ip(Fields fields) {
  std::string ip;
  while (fields.next()) {
    if (fields.number() == 1) ip = fields.string("ip");
  }
  return ip;
}

void read_status(Fields fields, model::PodDetail& pod) {
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        pod.phase = fields.symbol("phase");
        break;
      case 5:
        pod.host_ip = fields.symbol("hostIP");
        break;
      case 6:
        pod.ip = fields.string("podIP");
        break;
      case 7:
        pod.started = fields.time("startTime");
        break;
      case 8:
        pod.containers.push_back(read_container_state(fields.message("containerStatuses")));
        break;
      case 9:
        pod.qos_class = fields.symbol("qosClass");
        break;
      case 10:
        pod.init_containers.push_back(
            read_container_state(fields.message("initContainerStatuses")));
        break;
      case 12:
        pod.ips.push_back(read_ip(fields.message("podIPs")));
        break;
    }
  }
}

std::size_t mixed(std::size_t hash, std::size_t with) {
  return (hash ^ with) * std::size_t{0x9E3779B97F4A7C15} + (hash >> 7);
}

std::size_t hash_of(const model::Quantities& amounts, std::size_t hash) {
  for (const auto& item : amounts.items()) {
    hash = mixed(mixed(hash, item.name.id()), static_cast<std::size_t>(item.amount));
  }
  return hash;
}

// Equal templates have equal hashes; those that differ only in tolerations may, too.
std::size_t hash_of(const model::PodTemplate& t) {
  std::size_t hash = mixed(t.restart_policy.id(), t.service_account.id());
  for (const auto* list : {&t.containers, &t.init_containers}) {
    for (const auto& c : *list) {
      hash = mixed(mixed(hash, c.name.id()), c.image.id());
      hash = hash_of(c.limits, hash_of(c.requests, hash));
    }
  }
  return mixed(hash, t.tolerations.size());
}

}  // namespace

std::shared_ptr<const model::PodTemplate> TemplatePool::share(model::PodTemplate made_from) {
  const auto hash = hash_of(made_from);
  const auto [first, last] = templates_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    auto known = at->second.lock();
    if (known && *known == made_from) return known;
  }
  if (templates_.size() >= sweep_at_) sweep();
  auto shared = std::make_shared<const model::PodTemplate>(std::move(made_from));
  templates_.emplace(hash, shared);
  return shared;
}

void TemplatePool::sweep() {
  std::erase_if(templates_, [](const auto& entry) { return entry.second.expired(); });
  sweep_at_ = std::max<std::size_t>(64, templates_.size() * 2);
}

Result<model::PodDetailPtr> decode_pod_detail(std::string_view object, TemplatePool& templates) {
  return decoded([&]() -> model::PodDetailPtr {
    Fields fields(object);
    auto pod = std::make_shared<model::PodDetail>();
    model::PodTemplate made_from;
    while (fields.next()) {
      if (fields.number() == 1) {
        auto meta = read_state_meta(fields.message("metadata"));
        pod->owners = std::move(meta.owners);
        pod->created = meta.created;
      }
      if (fields.number() == 2) read_spec(fields.message("spec"), made_from, *pod);
      if (fields.number() == 3) read_status(fields.message("status"), *pod);
    }
    for (auto* list : {&pod->containers, &pod->init_containers}) list->shrink_to_fit();
    pod->owners.shrink_to_fit();
    pod->made_from = templates.share(std::move(made_from));
    return pod;
  });
}

}  // namespace schedlens::kube
