// SPDX-License-Identifier: Apache-2.0
#include "api/filter.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "model/enum_names.h"
#include "model/pod.h"

namespace schedlens::api {
namespace {

using model::Node;
using model::NodeId;
using model::Snapshot;
using model::Workload;
using model::WorkloadId;

bool names(const Words& wanted, Symbol name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name.view()) != wanted.end();
}

bool names_any(const Words& wanted, const std::vector<Symbol>& all) {
  return wanted.empty() ||
         std::any_of(all.begin(), all.end(), [&](Symbol name) { return names(wanted, name); });
}

// The words that may be asked for. Each is an error where it is none of them.
Status check_words(const Words& wanted, const Words& known, std::string_view kind,
                   bool list_all = false) {
  for (const auto& word : wanted) {
    auto same = [&](const std::string& k) { return equal_ignoring_case(word, k); };
    if (std::any_of(known.begin(), known.end(), same)) continue;
    auto text = fmt::format("no {} is named '{}'", kind, printable(word));
    if (auto near = nearest(lower(word), known)) return fail("{}, did you mean {}?", text, *near);
    if (list_all) return fail("{}; there are {}", text, fmt::join(known, ", "));
    return fail("{}", text);
  }
  return {};
}

template <class E>
void add_names(Words& known) {
  for (int i = 0; i < model::kEnumSize<E>; ++i) {
    known.push_back(lower(model::enum_name(static_cast<E>(i))));
  }
}

Words workload_states() {
  Words known = {"active", "all"};
  add_names<model::WorkloadState>(known);
  add_names<model::WorkloadFlag>(known);
  return known;
}

Words node_states() {
  Words known = {"unhealthy"};
  for (int i = 0; i < static_cast<int>(model::NodeBucket::kCount); ++i) {
    known.emplace_back(model::bucket_name(static_cast<model::NodeBucket>(i)));
  }
  add_names<model::NodeState>(known);
  add_names<model::NodeFlag>(known);
  return known;
}

Words cause_names() {
  Words known;
  for (unsigned i = 0; i < static_cast<unsigned>(diagnose::RootCause::kCount); ++i) {
    known.emplace_back(diagnose::cause_name(static_cast<diagnose::RootCause>(i)));
  }
  return known;
}

// Names are compared whole and as they are written.
template <class Things>
Status check_names(const Words& wanted, const Things& things, std::string_view kind) {
  for (const auto& word : wanted) {
    Words known;
    bool found = false;
    for (const auto& thing : things) {
      found = found || thing.name.view() == word;
      known.push_back(thing.name.str());
    }
    if (found) continue;
    auto near = nearest(word, known);
    return fail("no {} is named '{}'{}", kind, printable(word),
                near ? fmt::format(", did you mean {}?", *near) : "");
  }
  return {};
}

bool is_active(const Workload& w) {
  return model::is_pending(w) || model::holds_resources(w) || !model::is_finished(w);
}

// A word of "MIXED+DRAIN" is among those wanted.
bool has_word(std::string_view state, std::string_view wanted) {
  auto words = split(state, '+');
  return std::any_of(words.begin(), words.end(),
                     [&](auto word) { return equal_ignoring_case(word, wanted); });
}

bool in_state(const Workload& w, std::string_view wanted) {
  if (equal_ignoring_case(wanted, "all")) return true;
  if (equal_ignoring_case(wanted, "active")) return is_active(w);
  return has_word(model::full_state(w), wanted) ||
         equal_ignoring_case(model::state_name(w.state), wanted);
}

bool in_state(const Node& n, std::string_view wanted) {
  if (equal_ignoring_case(wanted, "unhealthy")) return !model::in_service(n);
  return has_word(model::display_state(n), wanted) || has_word(model::full_state(n), wanted);
}

template <class Thing>
bool in_states(const Thing& thing, const Words& wanted) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(),
                                       [&](const auto& word) { return in_state(thing, word); });
}

bool in_phase(const Workload& w, const WorkloadFilter& f) {
  switch (f.phase) {
    case Phase::kWaiting:
      return model::is_pending(w);
    case Phase::kHolding:
      return model::holds_resources(w);
    case Phase::kActive:
      // Who asks for finished jobs by their state means them.
      return !f.states.empty() || is_active(w);
    case Phase::kAll:
      return true;
  }
  return true;
}

bool has_reason(const Workload& w, const Words& wanted) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const auto& begin) {
           return starts_with_ignoring_case(w.reason.view(), begin) ||
                  starts_with_ignoring_case(w.reason_text, begin);
         });
}

bool has_cause(diagnose::RootCause cause, const Words& wanted) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const auto& word) {
           return equal_ignoring_case(diagnose::cause_name(cause), word);
         });
}

bool runs_on(const Snapshot& snapshot, const Workload& w, const Words& wanted) {
  if (wanted.empty()) return true;
  const auto& nodes = w.allocation.nodes;
  return model::holds_resources(w) && std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
           return names(wanted, snapshot.node(node).name);
         });
}

bool passes(const Snapshot& snapshot, const Workload& w, diagnose::RootCause cause,
            const WorkloadFilter& f) {
  auto gpus = model::gpus_requested(w);
  return in_phase(w, f) && names(f.users, w.user) && names(f.accounts, w.account) &&
         (f.namespaces.empty() || (w.pod && names(f.namespaces, w.pod->ns))) &&
         names(f.qos, w.qos) && names_any(f.queues, w.queues) && in_states(w, f.states) &&
         has_reason(w, f.reasons) && has_cause(cause, f.causes) &&
         (!f.gpus_min || gpus >= *f.gpus_min) && (!f.gpu || *f.gpu == (gpus > 0)) &&
         runs_on(snapshot, w, f.nodes);
}

Status check(const Snapshot& snapshot, const WorkloadFilter& f) {
  if (auto ok = check_words(f.states, workload_states(), "job state"); !ok) return ok;
  if (auto ok = check_words(f.causes, cause_names(), "root cause class", true); !ok) return ok;
  if (auto ok = check_names(f.queues, snapshot.queues, "partition"); !ok) return ok;
  return check_names(f.nodes, snapshot.nodes, "node");
}

bool has_gpus(const Node& n, const NodeFilter& f) {
  if (f.gpu && *f.gpu != (model::gpus_total(n) > 0)) return false;
  std::vector<Symbol> types;
  for (const auto& pool : n.gres) {
    if (pool.name == model::names::kGpu) types.push_back(pool.type);
  }
  if (!names_any(f.gpu_types, types)) return false;
  if (!f.free_gpus) return true;
  auto used = model::gpus_used(n);
  return model::in_service(n) && used && model::gpus_total(n) >= *used + *f.free_gpus;
}

}  // namespace

Result<std::vector<WorkloadId>> select_workloads(const Snapshot& snapshot, const Causes& causes,
                                                 const WorkloadFilter& filter) {
  if (auto ok = check(snapshot, filter); !ok) return fail(ok.error());
  auto chosen = [&](WorkloadId id) {
    return passes(snapshot, snapshot.workload(id), causes[id.index], filter);
  };
  std::vector<WorkloadId> out, holding, rest;
  for (auto id : snapshot.pending()) {
    if (chosen(id)) out.push_back(id);
  }
  for (std::uint32_t i = 0; i < snapshot.workloads.size(); ++i) {
    const auto& w = snapshot.workloads[i];
    if (model::is_pending(w) || !chosen({i})) continue;
    (model::holds_resources(w) ? holding : rest).push_back({i});
  }
  auto most_first = [&](WorkloadId id) {
    const auto& w = snapshot.workload(id);
    return std::tuple(~model::gpus_held(w), w.start.value_or(Timestamp{}), w.job_id);
  };
  std::sort(holding.begin(), holding.end(),
            [&](auto a, auto b) { return most_first(a) < most_first(b); });
  auto latest_first = [&](WorkloadId id) {
    const auto& w = snapshot.workload(id);
    return std::tuple(-w.end.value_or(Timestamp{}).unix_seconds, w.job_id);
  };
  std::sort(rest.begin(), rest.end(),
            [&](auto a, auto b) { return latest_first(a) < latest_first(b); });
  out.insert(out.end(), holding.begin(), holding.end());
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

Result<std::vector<NodeId>> select_nodes(const Snapshot& snapshot, const NodeFilter& filter) {
  if (auto ok = check_words(filter.states, node_states(), "node state"); !ok) {
    return fail(ok.error());
  }
  if (auto ok = check_names(filter.queues, snapshot.queues, "partition"); !ok) {
    return fail(ok.error());
  }
  std::vector<NodeId> out;
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    const auto& n = snapshot.nodes[i];
    if (in_states(n, filter.states) && names_any(filter.queues, n.queues) &&
        names_any(filter.features, n.features) && has_gpus(n, filter)) {
      out.push_back({i});
    }
  }
  return out;
}

std::optional<NodeId> find_node_named(const Snapshot& snapshot, std::string_view name) {
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    if (snapshot.nodes[i].name.view() == name) return NodeId{i};
  }
  return std::nullopt;
}

}  // namespace schedlens::api
