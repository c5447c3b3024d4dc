// SPDX-License-Identifier: Apache-2.0
#pragma once
// What kube-state-metrics tells of a pod and scheduling does not read: its containers, addresses,
// tolerations as written. Decoded only where the pods' series are asked for. Pods made from one
// template share one PodTemplate.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/quantities.h"

namespace schedlens::model {

struct ContainerTemplate {
  Symbol name;
  Symbol image;
  Symbol restart_policy;  // "Always" of a sidecar, otherwise empty
  Quantities requests;
  Quantities limits;
  friend bool operator==(const ContainerTemplate&, const ContainerTemplate&) = default;
};

struct TolerationText {
  Symbol key, op, value, effect;
  std::optional<std::int64_t> seconds;
  friend bool operator==(const TolerationText&, const TolerationText&) = default;
};

struct PodTemplate {
  std::vector<ContainerTemplate> containers;
  std::vector<ContainerTemplate> init_containers;
  std::vector<TolerationText> tolerations;
  Quantities overhead;
  Symbol restart_policy;
  Symbol service_account;
  friend bool operator==(const PodTemplate&, const PodTemplate&) = default;
};

enum class ContainerPhase : std::uint8_t { kUnset, kWaiting, kRunning, kTerminated };

struct ContainerRun {
  Symbol reason;
  std::int32_t exit_code = 0;
  std::optional<Timestamp> started, finished;
};

struct ContainerState {
  Symbol name;
  Symbol image;
  Symbol image_id;
  std::string id;
  ContainerPhase phase = ContainerPhase::kUnset;
  bool ready = false;
  std::int32_t restarts = 0;
  ContainerRun now;                  // reason where waiting or terminated
  std::optional<ContainerRun> last;  // the run before, where it has ended
};

struct OwnerText {
  Symbol kind;
  std::string name;
  bool controller = false;
};

struct ClaimVolume {
  std::string volume;
  std::string claim;
  bool read_only = false;
};

struct PodDetail {
  std::shared_ptr<const PodTemplate> made_from;  // never null
  std::vector<ContainerState> containers;
  std::vector<ContainerState> init_containers;
  std::vector<OwnerText> owners;
  std::vector<ClaimVolume> claims;
  std::vector<std::string> ips;  // status.podIPs
  std::string ip;                // status.podIP
  Symbol host_ip;
  Symbol qos_class;
  Symbol phase;  // as written
  std::optional<Timestamp> created, started;
};
using PodDetailPtr = std::shared_ptr<const PodDetail>;

}  // namespace schedlens::model
