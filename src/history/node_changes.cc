// SPDX-License-Identifier: Apache-2.0
#include "history/node_changes.h"

#include "history/read_state.h"

namespace schedlens::history {

using memory::NodeChange;
using model::Snapshot;

namespace {

constexpr std::string_view kInService = "in service";
constexpr std::string_view kRemoved = "removed";

}  // namespace

std::string service_state(const model::Node& node) {
  if (model::in_service(node) && !node.flags.has(model::NodeFlag::kMaintenance)) {
    return std::string(kInService);
  }
  // A node that is being drained and one that is drained are told apart by its jobs alone.
  const auto state = model::display_state(node);
  return state == "draining" ? "drained" : state;
}

NodeChanges::NodeChanges(const std::vector<NodeChange>& last) {
  for (const auto& change : last) known_[change.node] = {change.to, change.reason};
}

std::vector<NodeChange> NodeChanges::feed(const Snapshot& s) {
  std::vector<NodeChange> out;
  const auto read = read_state(s, "nodes");
  if (!read.any) return out;
  for (const auto& node : s.nodes) {
    const auto state = service_state(node);
    const auto reason = node.reason ? node.reason->text : std::string();
    auto [it, added] = known_.try_emplace(node.name.str(), Known{state, reason});
    auto& known = it->second;
    // The first look says what is; a node that is out of service then is worth a record.
    const bool new_and_out = added && state != kInService;
    const bool changed = known.state != state || (state != kInService && known.reason != reason);
    if (!new_and_out && !changed) continue;
    NodeChange change;
    change.time = s.time;
    change.node = node.name.str();
    if (!added) change.from = known.state;
    change.to = state;
    if (node.reason) {
      change.reason = node.reason->text;
      change.author = node.reason->author;
      change.reason_since = node.reason->since;
    }
    change.gpus = static_cast<std::int64_t>(model::gpus_total(node));
    known = {state, reason};
    out.push_back(std::move(change));
  }
  if (!read.whole) return out;
  for (auto& [name, known] : known_) {
    if (known.state == kRemoved || s.find_node(Symbol(name))) continue;
    NodeChange change;
    change.time = s.time;
    change.node = name;
    change.from = known.state;
    change.to = kRemoved;
    known = {std::string(kRemoved), ""};
    out.push_back(std::move(change));
  }
  return out;
}

}  // namespace schedlens::history
