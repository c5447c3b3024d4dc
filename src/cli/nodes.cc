// SPDX-License-Identifier: Apache-2.0
#include "cli/nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/device_words.h"
#include "cli/gpu_map.h"
#include "cli/layout.h"
#include "cli/node_share.h"
#include "cli/pod_words.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/usage.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

using Kind = Column::Kind;
constexpr std::size_t kLabel = 14;

std::string reason_text(const model::Node& node, Timestamp now) {
  if (!node.reason || node.reason->text.empty()) return "";
  return fmt::format("{} ({} {})", printable(node.reason->text), printable(node.reason->author),
                     relative(node.reason->since, now));
}

// The state of one word and, where it says more, the whole of it.
std::string state_text(const model::Node& node) {
  auto word = model::display_state(node);
  auto full = model::full_state(node);
  return equal_ignoring_case(word, full) ? word : fmt::format("{} ({})", word, full);
}

std::string memory_text(const model::Node& node) {
  auto text = fmt::format("{} of {} allocated", short_bytes(node.memory_allocated),
                          short_bytes(node.memory));
  if (node.memory_reserved.value > 0) {
    text += fmt::format(", {} set aside for the system", short_bytes(node.memory_reserved));
  }
  return text + fmt::format(", {} free by the operating system", bytes(node.memory_free));
}

std::string cpu_text(const model::Node& node) {
  auto text = fmt::format("{} of {} allocated", node.cpus_allocated, node.cpus);
  if (node.cpus_effective && *node.cpus_effective != node.cpus) {
    text += fmt::format(" ({} for jobs)", *node.cpus_effective);
  }
  return text + fmt::format(", load {}; {} of {} with {}", load(node.cpu_load),
                            counted(node.sockets, "socket"), counted(node.cores_per_socket, "core"),
                            counted(node.threads_per_core, "thread"));
}

std::string gpu_text(const model::Node& node) {
  std::string out;
  for (const auto& pool : node.gres) {
    if (pool.name != model::names::kGpu) continue;
    if (!out.empty()) out += ", ";
    out += fmt::format("{} of {} {} used", number(pool.used), pool.total,
                       pool.type.empty() ? "GPUs" : printable(pool.type.view()));
  }
  auto map = gpu_map(node);
  return map.empty() ? out : fmt::format("{}   {}", out, map);
}

std::string other_gres(const model::Node& node) {
  std::vector<std::string> parts;
  for (const auto& pool : node.gres) {
    if (pool.name == model::names::kGpu) continue;
    parts.push_back(fmt::format("{}{}{} {} of {}", printable(pool.name.view()),
                                pool.type.empty() ? "" : ":", printable(pool.type.view()),
                                number(pool.used), pool.total));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string between(std::optional<Timestamp> from, std::optional<Timestamp> to) {
  return from && to ? short_duration(*to - *from) : std::string(kUnknown);
}

// A pod names no user.
std::string jobs_table(const model::Snapshot& snapshot, model::NodeId node, const Style& style) {
  const bool pods = snapshot.kubernetes != nullptr;
  Table table({{pods ? "POD" : "JOB"},
               {pods ? "OWNER" : "USER", Kind::kFlexible},
               {"ACCOUNT", Kind::kFlexible},
               {"PARTITION", Kind::kFlexible},
               {"STATE", Kind::kFlexible, 7},
               {"GPUS", Kind::kNumber},
               {"INDEXES"},
               {"CPUS", Kind::kNumber},
               {"MEMORY", Kind::kNumber},
               {"NODES", Kind::kNumber},
               {"RAN", Kind::kNumber},
               {"LEFT", Kind::kNumber},
               {"NAME", Kind::kFlexible}});
  auto on_node = snapshot.workloads_on(node);
  std::vector<model::WorkloadId> jobs(on_node.begin(), on_node.end());
  std::stable_sort(jobs.begin(), jobs.end(), [&](auto a, auto b) {
    return snapshot.workload(a).job_id < snapshot.workload(b).job_id;
  });
  std::optional<diagnose::GroupCounts> groups;
  if (pods) groups.emplace(snapshot);
  for (auto id : jobs) {
    const auto& w = snapshot.workload(id);
    auto share = share_of(w, node);
    table.row({model::display_id(w),
               groups && w.pod ? printable(owner_and_group(w, *groups)) : name_or_dash(w.user),
               name_or_dash(w.account), names_of(w.queues), lower(model::full_state(w)),
               number(share.gpus), share.gpu_indexes, number(share.cpus), bytes(share.memory),
               std::to_string(w.allocation.nodes.size()), between(w.start, snapshot.time),
               between(snapshot.time, w.end), w.name});
  }
  return table.empty() ? "no jobs\n" : table.render(style);
}

std::string reservations(const model::Snapshot& snapshot, model::NodeId node, const Style& style) {
  std::string out;
  for (const auto& r : snapshot.reservations) {
    if (std::find(r.nodes.begin(), r.nodes.end(), node) == r.nodes.end()) continue;
    auto text =
        fmt::format("{}{}, from {} to {}", printable(r.name.view()), r.active ? " (active)" : "",
                    moment(r.start, snapshot.time), moment(r.end, snapshot.time));
    if (!r.users.empty()) text += ", users " + names_of(r.users);
    if (!r.accounts.empty()) text += ", accounts " + names_of(r.accounts);
    if (!r.flags.empty()) text += fmt::format(", {}", fmt::join(r.flags, ","));
    out += labelled(style, "reservation", kLabel, printable(text), Tone::kWarn);
  }
  return out;
}

}  // namespace

std::string render_nodes(const model::Snapshot& snapshot, const std::vector<model::NodeId>& shown,
                         const Style& style) {
  std::vector<Column> columns = {{"NODE"},
                                 {"STATE"},
                                 {"GPUS", Kind::kNumber},
                                 {"MAP"},
                                 {"TYPE", Kind::kFlexible},
                                 {"CPUS", Kind::kNumber},
                                 {"MEMORY", Kind::kNumber},
                                 {"LOAD", Kind::kNumber},
                                 {"JOBS", Kind::kNumber},
                                 {"REASON", Kind::kFlexible}};
  // Only where there are any: MIG slices and shares of GPUs, which are no GPUs.
  constexpr std::ptrdiff_t kParts = 5;
  bool parts = std::any_of(shown.begin(), shown.end(),
                           [&](auto id) { return gpu_parts(snapshot.node(id)) != "-"; });
  if (parts) {
    columns.insert(columns.begin() + kParts,
                   {{"GPU PARTS", Kind::kFlexible, 12}, {"IN GPUS", Kind::kNumber}});
  }
  Table table(std::move(columns));
  for (auto id : shown) {
    const auto& node = snapshot.node(id);
    auto map = gpu_map(node);
    bool has_gpus = model::gpus_total(node) > 0;
    std::vector<Cell> cells = {
        node.name.view(),
        {model::display_state(node), tone_of(node)},
        gpu_use(node),
        !map.empty() ? map : std::string(has_gpus ? kUnknown : "-"),
        gpu_types(node),
        fmt::format("{}/{}", node.cpus_allocated, node.cpus),
        fmt::format("{}/{}", short_bytes(node.memory_allocated), short_bytes(node.memory)),
        load(node.cpu_load),
        std::to_string(snapshot.workloads_on(id).size()),
        reason_text(node, snapshot.time)};
    if (parts) cells.insert(cells.begin() + kParts, {gpu_parts(node), gpu_parts_worth(node)});
    table.row(std::move(cells));
  }
  auto out = table.empty() ? "no nodes match\n" : table.render(style);
  return out + render_troubled_sources(snapshot, style);
}

std::string render_node(const model::Snapshot& snapshot, model::NodeId id, const Style& style) {
  const auto& node = snapshot.node(id);
  auto line = [&](std::string_view label, std::string_view text, Tone tone = Tone::kPlain) {
    return text.empty() || text == "-" ? "" : labelled(style, label, kLabel, text, tone);
  };
  std::string out = paint(style, Tone::kBold, printable(node.name.view())) + "  " +
                    paint(style, tone_of(node), state_text(node)) + '\n';
  out += line("reason", reason_text(node, snapshot.time), Tone::kBad);
  out += reservations(snapshot, id, style);
  out += line("GPUs", gpu_text(node));
  out += line("other devices", other_gres(node));
  out += line("CPUs", cpu_text(node));
  out += line("memory", memory_text(node));
  out += line("partitions", names_of(node.queues));
  out += line("features", names_of(node.features));
  if (node.features_available != node.features) {
    out += line("available", names_of(node.features_available));
  }
  out += line("owner", name_or_dash(node.owner));
  out += line("MCS label", name_or_dash(node.mcs_label));
  if (node.object) {
    for (const auto& [label, text] : node_facts(node, snapshot.time))
      out += line(label, printable(text));
    for (const auto& [label, text] : node_device_facts(snapshot, id))
      out += line(label, printable(text));
    for (const auto& [label, text] : node_use_facts(snapshot, id))
      out += line(label, printable(text));
  } else {
    out += line("weight", std::to_string(node.weight));
  }
  out += line("booted", moment(node.boot_time, snapshot.time));
  out += line("last busy", moment(node.last_busy, snapshot.time));
  out += line("version", printable(node.version));
  out += line("comment", printable(node.comment));
  out += '\n' + jobs_table(snapshot, id, style);
  return out + render_troubled_sources(snapshot, style);
}

}  // namespace schedlens::cli
