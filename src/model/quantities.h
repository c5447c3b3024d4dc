// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exact amounts of Kubernetes resources, as the scheduler adds and compares them.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/symbol.h"
#include "model/shared.h"

namespace schedlens::model {

// By resource name ("cpu", "memory", "nvidia.com/gpu"), sorted by name, each once. cpu is counted
// in thousandths, everything else in whole units (bytes, devices, pods), both rounded up. Copies
// share them.
class Quantities {
 public:
  struct Item {
    Symbol name;
    std::int64_t amount = 0;
    friend bool operator==(const Item&, const Item&) = default;
  };

  // 0 where the name is absent: to the scheduler a resource that a node does not list is none.
  std::int64_t get(Symbol name) const;
  std::optional<std::int64_t> find(Symbol name) const;
  void set(Symbol name, std::int64_t amount);
  // Sums stop at the largest number instead of going round.
  void add(Symbol name, std::int64_t amount);
  void add(const Quantities& other);
  void subtract(const Quantities& other);
  // The larger of the two, name by name.
  void raise(const Quantities& other);

  const std::vector<Item>& items() const { return *items_; }
  std::vector<Item>& items() { return items_.edit(); }
  bool empty() const { return items_->empty(); }
  friend bool operator==(const Quantities&, const Quantities&) = default;

 private:
  Shared<std::vector<Item>> items_;
};

namespace names {
inline const Symbol kKubeCpu{"cpu"};
inline const Symbol kKubeMemory{"memory"};
inline const Symbol kKubePods{"pods"};
inline const Symbol kKubeEphemeralStorage{"ephemeral-storage"};
}  // namespace names

}  // namespace schedlens::model
