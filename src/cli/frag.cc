// SPDX-License-Identifier: Apache-2.0
#include "cli/frag.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/fold_names.h"
#include "cli/gpu_map.h"
#include "cli/layout.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

using Kind = Column::Kind;
using diagnose::Fragmentation;
constexpr std::size_t kLabel = 14;

std::string title(const Style& style, std::string_view text) {
  return '\n' + paint(style, Tone::kBold, text) + '\n';
}

// What the scheduler's users call things.
struct Words {
  std::string_view noun;         // "job"
  std::string_view queue_title;  // "PARTITION"
  std::string_view memory_title;
  bool plans;  // the scheduler holds idle nodes for a job
};

Words words_of(const model::Snapshot& s) {
  const auto noun = vocabulary(s).workload;
  if (s.kubernetes) return {noun, "SCHEDULER", "MEMORY PER POD", false};
  return {noun, "PARTITION", "MEMORY PER JOB", true};
}

std::string summary(const Fragmentation& f, const Words& words, const Style& style) {
  auto line = [&](std::string_view label, const std::string& text) {
    return labelled(style, label, kLabel, text);
  };
  std::vector<std::string> by;
  for (const auto& [why, gpus] : f.stranded_by) {
    if (gpus > 0) by.push_back(fmt::format("{} by {}", gpus, diagnose::stranding_name(why)));
  }
  auto out =
      line("GPUs", fmt::format("{} in all: {} used, {} free, {} out of service", f.gpus_total,
                               f.gpus_used, f.gpus_free, f.gpus_out_of_service));
  out += line(
      "of the free",
      fmt::format("{} allocatable, {}{} stranded{}", f.gpus_allocatable,
                  words.plans ? fmt::format("{} planned for a job, ", f.gpus_planned) : "",
                  f.gpus_stranded, by.empty() ? "" : fmt::format(" ({})", fmt::join(by, ", "))));
  out += line("largest hole", fmt::format("{} on one node", counted(f.largest_hole, "GPU")));
  std::vector<std::string> sizes;
  for (const auto& [size, lost] : f.by_size) {
    sizes.push_back(fmt::format("{}-GPU {}s {}", size, words.noun,
                                lost ? percent(*lost, 1) : std::string(kUnknown)));
  }
  out += line("unusable by", fmt::format("{} of the allocatable", fmt::join(sizes, ", ")));
  if (f.queue_gpus_waiting > 0) {
    out +=
        line("queue", fmt::format("waits for {}: {} could start now, {} if the free GPUs stood in "
                                  "one place",
                                  counted(f.queue_gpus_waiting, "GPU"), f.queue_gpus_startable,
                                  f.queue_gpus_startable_pooled));
  }
  return out;
}

std::string fits(const Fragmentation& f, const Words& words, const Style& style) {
  Table standard({{"ONE NODE"}, {"FIT NOW", Kind::kNumber}, {"FIT POOLED", Kind::kNumber}}, 2);
  for (const auto& s : f.standard) {
    standard.row({s.shape, std::to_string(s.fits_now), std::to_string(s.fits_pooled)});
  }
  Table queue({{"WAITING SHAPE", Kind::kFlexible},
               {std::string(words.queue_title), Kind::kFlexible},
               {"GPUS", Kind::kNumber},
               {"WAITING", Kind::kNumber},
               {"FIT NOW", Kind::kNumber},
               {"FIT POOLED", Kind::kNumber}},
              2);
  for (const auto& s : f.queue) {
    bool blocked = s.fits_now < s.waiting && s.fits_pooled > s.fits_now;
    queue.row({s.shape,
               s.queue.empty() ? "any" : s.queue,
               std::to_string(s.gpus),
               std::to_string(s.waiting),
               {std::to_string(s.fits_now), blocked ? Tone::kWarn : Tone::kPlain},
               std::to_string(s.fits_pooled)});
  }
  std::string out;
  if (!standard.empty() || !queue.empty()) {
    out += title(style, words.plans ? "Jobs that could start, if nothing else did"
                                    : "Pods that could start, if nothing else did");
  }
  out += standard.render(style);
  if (!queue.empty() && !standard.empty()) out += '\n';
  return out + queue.render(style);
}

std::string needs(const Fragmentation& f, const Words& words, const Style& style) {
  Table table({{std::string(words.queue_title), Kind::kFlexible},
               {"CPUS PER GPU", Kind::kNumber},
               {"MEMORY PER GPU", Kind::kNumber},
               {std::string(words.memory_title), Kind::kNumber},
               {"FROM", Kind::kFlexible}},
              2);
  for (const auto& n : f.needs) {
    table.row({name_or_dash(n.queue),
               n.cpus_per_gpu > 0 || !words.plans ? load(n.cpus_per_gpu) : "1 per job",
               short_bytes(n.memory_per_gpu), short_bytes(n.memory_per_job), n.basis});
  }
  if (table.empty()) return "";
  return title(style, "What goes with a GPU") + table.render(style);
}

// The row of a node behind its name; nodes with equal rows are shown as one.
std::vector<Cell> node_row(const model::Node& node, const diagnose::NodeFragmentation& n) {
  auto cpus = node.cpus_effective.value_or(node.cpus);
  auto memory = node.memory - node.memory_reserved - node.memory_allocated;
  auto map = gpu_map(node);
  return {{model::display_state(node), tone_of(node)},
          gpu_use(node),
          map.empty() ? std::string(kUnknown) : map,
          std::to_string(n.free),
          std::to_string(n.allocatable),
          {std::to_string(n.stranded), n.stranded ? Tone::kWarn : Tone::kPlain},
          n.stranded ? std::string(diagnose::stranding_name(n.stranded_by)) : "-",
          fmt::format("{:.2f}", n.score),
          std::to_string(cpus - std::min(cpus, node.cpus_allocated)),
          short_bytes(std::max(memory, Bytes{}))};
}

std::string nodes(const model::Snapshot& s, const Fragmentation& f, bool each, const Style& style) {
  struct Group {
    std::vector<model::NodeId> nodes;
    std::vector<Cell> row;
  };
  std::vector<Group> groups;
  std::map<std::string, std::size_t> place;
  std::size_t left_out = 0;
  for (const auto& n : f.nodes) {
    if (!each && (n.free == 0 || (n.in_service && n.allocatable == n.total))) {
      ++left_out;
      continue;
    }
    auto row = node_row(s.node(n.node), n);
    std::string key = each ? s.node(n.node).name.str() : "";
    for (const auto& cell : row) key += cell.text + '\n';
    auto [it, is_new] = place.emplace(key, groups.size());
    if (is_new) groups.push_back({{}, std::move(row)});
    groups[it->second].nodes.push_back(n.node);
  }
  Table table({{"NODE", Kind::kFlexible, 12},
               {"", Kind::kNumber},
               {"STATE"},
               {"GPUS", Kind::kNumber},
               {"MAP"},
               {"FREE", Kind::kNumber},
               {"USABLE", Kind::kNumber},
               {"STRANDED", Kind::kNumber},
               {"BY"},
               {"SCORE", Kind::kNumber},
               {"CPUS", Kind::kNumber},
               {"MEMORY", Kind::kNumber}},
              2);
  for (auto& group : groups) {
    std::vector<Cell> cells = {fold_names(s, group.nodes), std::to_string(group.nodes.size())};
    std::move(group.row.begin(), group.row.end(), std::back_inserter(cells));
    table.row(std::move(cells));
  }
  std::string out;
  if (!table.empty()) {
    auto what = each ? "Nodes, and what else is free on them"
                     : "Nodes with some GPUs free, and what else is free on each";
    out += title(style, what) + table.render(style);
  }
  if (left_out > 0) {
    out += paint(
        style, Tone::kDim,
        fmt::format("  {} full or wholly free not shown (--all)\n", counted(left_out, "node")));
  }
  return out;
}

}  // namespace

std::string render_frag(const model::Snapshot& s, const Fragmentation& f, bool all_nodes,
                        const Style& style) {
  const auto words = words_of(s);
  std::string out = "no GPUs\n";
  if (f.gpus_total > 0) {
    out = summary(f, words, style) + fits(f, words, style) + needs(f, words, style) +
          nodes(s, f, all_nodes, style);
  }
  for (const auto& sentence : f.unsure) out += labelled(style, "not sure", 10, printable(sentence));
  return out + render_troubled_sources(s, style);
}

}  // namespace schedlens::cli
