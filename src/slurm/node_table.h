// SPDX-License-Identifier: Apache-2.0
#pragma once
// From node names to ids, for the lists of nodes in every other output.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/symbol.h"
#include "model/ids.h"
#include "model/node.h"

namespace schedlens::slurm {

// One thread at a time. Keeps no reference to the nodes.
class NodeTable {
 public:
  explicit NodeTable(const std::vector<model::Node>& nodes);

  std::optional<model::NodeId> find(Symbol name) const;
  // The ids of the nodes in a hostlist. Names that are no nodes are left out, remembered, and
  // added to missing where that is given; a list that cannot be read gives an error.
  Result<std::vector<model::NodeId>> resolve(std::string_view hostlist,
                                             std::vector<std::string>* missing = nullptr);

  // Names without a node in all lists since the last call; at most kMaxUnknown.
  std::vector<std::string> take_unknown();
  static constexpr std::size_t kMaxUnknown = 1000;

 private:
  std::unordered_map<std::string_view, model::NodeId> ids_;
  std::set<std::string, std::less<>> unknown_;
};

}  // namespace schedlens::slurm
