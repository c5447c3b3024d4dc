// SPDX-License-Identifier: Apache-2.0
#include "slurm/node_table.h"

#include "slurm/hostlist.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {

NodeTable::NodeTable(const std::vector<model::Node>& nodes) {
  ids_.reserve(nodes.size());
  // Symbols' texts outlive everything, so the keys may point at them.
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    ids_.emplace(nodes[i].name.view(), model::NodeId{i});
}

std::optional<model::NodeId> NodeTable::find(Symbol name) const {
  auto it = ids_.find(name.view());
  return it == ids_.end() ? std::nullopt : std::optional(it->second);
}

Result<std::vector<model::NodeId>> NodeTable::resolve(std::string_view hostlist,
                                                      std::vector<std::string>* missing) {
  std::vector<model::NodeId> found;
  if (says_nothing(hostlist)) return found;
  auto done = for_each_host(hostlist, [&](std::string_view name) {
    if (auto it = ids_.find(name); it != ids_.end()) {
      found.push_back(it->second);
      return;
    }
    if (missing && missing->size() < kMaxUnknown) missing->emplace_back(name);
    if (unknown_.size() < kMaxUnknown) unknown_.emplace(name);
  });
  if (!done) return fail(done.error());
  return found;
}

std::vector<std::string> NodeTable::take_unknown() {
  std::vector<std::string> names(unknown_.begin(), unknown_.end());
  unknown_.clear();
  return names;
}

}  // namespace schedlens::slurm
