// SPDX-License-Identifier: Apache-2.0
#pragma once
// A limit that a workload meets, with what is needed to say who fills it.

#include "base/symbol.h"
#include "diagnose/verdict.h"
#include "model/limit.h"

namespace schedlens::diagnose {

// Whose running workloads count against a limit. Empty names mean anybody's.
struct LimitScope {
  enum class Kind : std::uint8_t { kNobody, kQos, kAssociation } kind = Kind::kNobody;
  Symbol qos;
  Symbol user;
  Symbol account;
  std::uint32_t association = 0;
};

struct LimitHit {
  ReachedLimit limit;
  model::LimitKind kind = model::LimitKind::kCount;  // kCount for a partition's own rules
  LimitScope scope;
};

}  // namespace schedlens::diagnose
