// SPDX-License-Identifier: Apache-2.0
#pragma once
// Nodes or licences set aside for some users over some time.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/ids.h"
#include "model/resources.h"

namespace schedlens::model {

struct Reservation {
  Symbol name;
  std::optional<Timestamp> start;
  std::optional<Timestamp> end;
  bool active = false;
  std::vector<NodeId> nodes;
  std::uint32_t node_count = 0;
  std::uint32_t core_count = 0;
  std::vector<std::string> flags;  // MAINT, IGNORE_JOBS, FLEX, ...
  std::vector<Symbol> users;
  std::vector<Symbol> accounts;
  std::vector<Symbol> groups;
  Symbol queue;
  std::string features;
  std::vector<GresCount> licences;
  ResourceCounts totals;

  bool has_flag(std::string_view flag) const;
  // The whole of its nodes is set aside, not only some cores of them.
  bool whole_nodes(std::uint64_t cores_of_its_nodes) const;
};

struct Licence {
  Symbol name;
  std::uint64_t total = 0;
  std::uint64_t used = 0;
  std::uint64_t reserved = 0;
  std::optional<std::uint64_t> deficit;  // used elsewhere beyond our share
  bool remote = false;
};

}  // namespace schedlens::model
