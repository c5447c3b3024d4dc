// SPDX-License-Identifier: Apache-2.0
#pragma once
// A limit that a workload meets, with what is needed to say who fills it.

#include <array>
#include <cstdint>

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

// Tells a limit of QOS and associations from every other.
struct LimitKey {
  std::array<std::uint32_t, 7> parts{};
  friend bool operator==(const LimitKey&, const LimitKey&) = default;
};
inline LimitKey limit_key(const LimitScope& scope, model::LimitKind kind, Symbol resource) {
  return {{static_cast<std::uint32_t>(scope.kind), scope.qos.id(), scope.user.id(),
           scope.account.id(), scope.association, static_cast<std::uint32_t>(kind), resource.id()}};
}
inline LimitKey limit_key(const LimitHit& hit) {
  return limit_key(hit.scope, hit.kind, hit.limit.resource);
}
struct LimitKeyHash {
  std::size_t operator()(const LimitKey& key) const {
    std::size_t hash = 0;
    for (auto part : key.parts) hash = (hash ^ part) * 0x9e3779b97f4a7c15;
    return hash;
  }
};

}  // namespace schedlens::diagnose
