// SPDX-License-Identifier: Apache-2.0
#include "api/filter.h"

#include <algorithm>

#include "base/text.h"
#include "model/enum_names.h"

namespace schedlens::api {
namespace {

using model::Snapshot;
using model::Workload;
using model::WorkloadId;

bool asks(const std::string& wanted, Symbol value) {
  return wanted.empty() || wanted == value.view();
}

bool contains(const std::vector<Symbol>& list, const std::string& wanted) {
  return wanted.empty() ||
         std::any_of(list.begin(), list.end(), [&](Symbol s) { return s.view() == wanted; });
}

// "pending": the words joined by '+' in the full state, or the sets "active" and "all".
bool in_state(const Workload& w, const std::string& wanted) {
  if (wanted == "all") return true;
  if (wanted == "active") return !model::is_finished(w);
  auto state = model::full_state(w);
  for (auto word : split(state, '+')) {
    if (equal_ignoring_case(word, wanted)) return true;
  }
  return equal_ignoring_case(model::state_name(w.state), wanted);
}

bool is_workload_state(const std::string& word) {
  return word == "all" || word == "active" || model::parse_enum<model::WorkloadState>(word) ||
         model::parse_enum<model::WorkloadFlag>(word);
}

bool is_node_state(const std::string& word) {
  if (word == "unhealthy") return true;
  for (int i = 0; i < static_cast<int>(model::NodeBucket::kCount); ++i) {
    if (model::bucket_name(static_cast<model::NodeBucket>(i)) == word) return true;
  }
  return model::parse_enum<model::NodeState>(word) || model::parse_enum<model::NodeFlag>(word);
}

bool in_state(const model::Node& n, const std::string& wanted) {
  if (wanted.empty()) return true;
  if (wanted == "unhealthy") return !model::in_service(n);
  if (wanted == model::display_state(n) || wanted == model::bucket_name(model::bucket(n))) {
    return true;
  }
  auto state = model::full_state(n);
  auto words = split(state, '+');
  return std::any_of(words.begin(), words.end(),
                     [&](auto word) { return equal_ignoring_case(word, wanted); });
}

bool runs_on(const Workload& w, model::NodeId node) {
  const auto& nodes = w.allocation.nodes;
  return model::holds_resources(w) && std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

bool passes(const Workload& w, const WorkloadFilter& f, std::optional<model::NodeId> node) {
  return asks(f.user, w.user) && asks(f.account, w.account) && asks(f.qos, w.qos) &&
         contains(w.queues, f.queue) && in_state(w, f.state) &&
         (f.reason.empty() || equal_ignoring_case(w.reason.view(), f.reason)) &&
         (!f.gpu || *f.gpu == (model::gpus_requested(w) > 0)) && (!node || runs_on(w, *node));
}

bool has_queue(const Snapshot& snapshot, const std::string& name) {
  const auto& all = snapshot.queues;
  return std::any_of(all.begin(), all.end(), [&](auto& q) { return q.name.view() == name; });
}

}  // namespace

Result<std::vector<WorkloadId>> select_workloads(const Snapshot& snapshot,
                                                 const WorkloadFilter& filter) {
  if (!is_workload_state(filter.state)) return fail("no job state is named '{}'", filter.state);
  if (!filter.queue.empty() && !has_queue(snapshot, filter.queue)) {
    return fail("no partition is named '{}'", filter.queue);
  }
  std::optional<model::NodeId> node;
  if (!filter.node.empty()) {
    node = find_node_named(snapshot, filter.node);
    if (!node) return fail("no node is named '{}'", filter.node);
  }
  std::vector<WorkloadId> out, running, finished;
  for (auto id : snapshot.pending()) {
    if (passes(snapshot.workload(id), filter, node)) out.push_back(id);
  }
  for (std::uint32_t i = 0; i < snapshot.workloads.size(); ++i) {
    const auto& w = snapshot.workloads[i];
    if (model::is_pending(w) || !passes(w, filter, node)) continue;
    (model::is_finished(w) ? finished : running).push_back({i});
  }
  auto start = [&](WorkloadId id) { return snapshot.workload(id).start.value_or(Timestamp{}); };
  auto end = [&](WorkloadId id) { return snapshot.workload(id).end.value_or(Timestamp{}); };
  std::stable_sort(running.begin(), running.end(),
                   [&](auto a, auto b) { return start(a) < start(b); });
  std::stable_sort(finished.begin(), finished.end(),
                   [&](auto a, auto b) { return end(a) > end(b); });
  out.insert(out.end(), running.begin(), running.end());
  out.insert(out.end(), finished.begin(), finished.end());
  return out;
}

std::optional<model::NodeId> find_node_named(const Snapshot& snapshot, std::string_view name) {
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    if (snapshot.nodes[i].name.view() == name) return model::NodeId{i};
  }
  return std::nullopt;
}

Result<std::vector<model::NodeId>> select_nodes(const Snapshot& snapshot,
                                                const NodeFilter& filter) {
  if (!filter.state.empty() && !is_node_state(filter.state)) {
    return fail("no node state is named '{}'", filter.state);
  }
  if (!filter.queue.empty() && !has_queue(snapshot, filter.queue)) {
    return fail("no partition is named '{}'", filter.queue);
  }
  std::vector<model::NodeId> out;
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    const auto& n = snapshot.nodes[i];
    if (contains(n.queues, filter.queue) && contains(n.features, filter.feature) &&
        in_state(n, filter.state) && (!filter.gpu || *filter.gpu == (model::gpus_total(n) > 0))) {
      out.push_back({i});
    }
  }
  return out;
}

}  // namespace schedlens::api
