// SPDX-License-Identifier: Apache-2.0
#pragma once
// Amounts of what nodes have and workloads ask for.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/shared.h"

namespace schedlens::model {

// Countable devices beside CPUs and memory, as Slurm's GRES: "gpu", or "gpu" of type "a100".
// An empty type means any type.
struct GresCount {
  Symbol name;
  Symbol type;
  std::uint64_t count = 0;
  friend bool operator==(const GresCount&, const GresCount&) = default;
};

// Devices of one name and type on one node.
struct GresPool {
  Symbol name;
  Symbol type;
  std::uint64_t total = 0;
  // Absent when the scheduler did not say.
  std::optional<std::uint64_t> used;
  // Device indexes in use, ascending (the scheduler's own numbering, not NVML's); empty when the
  // scheduler names none.
  std::vector<std::uint16_t> used_indexes;
  // Socket affinity as the scheduler writes it ("0-1"), empty for none.
  std::string sockets;
  friend bool operator==(const GresPool&, const GresPool&) = default;
};

// Amounts by name: "cpu", "mem" (bytes), "node", "billing", "gres/gpu", "gres/gpu:a100",
// "license/matlab"; Slurm's TRES. Sorted by name, each once. Copies share them.
class ResourceCounts {
 public:
  struct Item {
    Symbol name;
    double count = 0;
    friend bool operator==(const Item&, const Item&) = default;
  };

  void set(Symbol name, double count);
  void add(Symbol name, double count);
  std::optional<double> get(Symbol name) const;
  bool empty() const { return items_->empty(); }

  const std::vector<Item>& items() const { return *items_; }
  std::vector<Item>& items() { return items_.edit(); }

  // No copy shares them.
  bool alone() const { return items_.alone(); }
  friend bool operator==(const ResourceCounts&, const ResourceCounts&) = default;

 private:
  Shared<std::vector<Item>> items_;
};

// GPUs in amounts by name: the untyped total where there is one, otherwise the sum of the types
// ("gres/gpu=4,gres/gpu:a100=4" are four GPUs, not eight).
std::uint64_t gpu_count(const ResourceCounts& counts);

// GPUs asked for in a list of GRES.
std::uint64_t gpu_count(const std::vector<GresCount>& gres);

// The names every part of the program needs.
namespace names {
inline const Symbol kGpu{"gpu"};
inline const Symbol kCpu{"cpu"};
inline const Symbol kMemory{"mem"};
inline const Symbol kNode{"node"};
inline const Symbol kGresGpu{"gres/gpu"};
}  // namespace names

}  // namespace schedlens::model
