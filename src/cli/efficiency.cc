// SPDX-License-Identifier: Apache-2.0
#include "cli/efficiency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/fold_names.h"
#include "cli/layout.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

using diagnose::GpuLedger;
using diagnose::GpuState;
using Kind = Column::Kind;

std::string title(const Style& style, std::string_view text) {
  return '\n' + paint(style, Tone::kBold, text) + '\n';
}

Tone tone_of_state(GpuState state) {
  switch (state) {
    case GpuState::kInUse:
      return Tone::kGood;
    case GpuState::kUnknown:
    case GpuState::kNoDemand:
      return Tone::kDim;
    default:
      return Tone::kWarn;
  }
}

// States in the order in which people ask for them: what works first.
constexpr std::array kShown = {
    GpuState::kInUse,    GpuState::kAllocatedIdle, GpuState::kHeldIdle,  GpuState::kReservedIdle,
    GpuState::kStranded, GpuState::kNotScheduled,  GpuState::kElsewhere, GpuState::kNoDemand,
    GpuState::kDrained,  GpuState::kDown,          GpuState::kUnhealthy, GpuState::kMaintenance,
    GpuState::kUnknown};
static_assert(kShown.size() == diagnose::kGpuStates);

std::string meaning(const GpuLedger& ledger, GpuState state) {
  std::vector<std::string> causes;
  for (const auto& part : ledger.parts) {
    if (part.state != state || part.cause.empty() || part.gpus == 0) continue;
    causes.push_back(fmt::format("{} {}", part.gpus, part.cause));
  }
  auto text = std::string(diagnose::gpu_state_meaning(state));
  return causes.empty() ? text : fmt::format("{}: {}", text, fmt::join(causes, ", "));
}

std::string states(const GpuLedger& ledger, const Style& style) {
  Table table({{"STATE"},
               {"GPUS", Kind::kNumber},
               {"SHARE", Kind::kNumber},
               {"WHAT THEY DO", Kind::kFlexible}});
  for (auto state : kShown) {
    const auto gpus = ledger.gpus[static_cast<std::size_t>(state)];
    if (gpus == 0 && state != GpuState::kInUse) continue;
    table.row({{diagnose::gpu_state_name(state), tone_of_state(state)},
               std::to_string(gpus),
               percent(static_cast<double>(gpus), static_cast<double>(ledger.total)),
               meaning(ledger, state)});
  }
  table.row({"all", std::to_string(ledger.total), "", ""});
  return table.render(style);
}

std::string queues(const GpuLedger& ledger, const Style& style) {
  if (ledger.queues.size() < 2) return "";
  std::vector<GpuState> shown;
  for (auto state : kShown) {
    if (ledger.gpus[static_cast<std::size_t>(state)] > 0) shown.push_back(state);
  }
  std::vector<Column> columns = {{"PARTITION", Kind::kFlexible}};
  for (auto state : shown) {
    std::string word(diagnose::gpu_state_name(state));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c == '_' ? ' ' : static_cast<char>(c - ('a' - 'A')); });
    columns.push_back({std::move(word), Kind::kNumber});
  }
  Table table(std::move(columns), 2);
  for (const auto& queue : ledger.queues) {
    std::vector<Cell> row = {name_or_dash(queue.queue)};
    for (auto state : shown) {
      row.emplace_back(std::to_string(queue.gpus[static_cast<std::size_t>(state)]));
    }
    table.row(std::move(row));
  }
  return title(style, "By partition; a node in several counts in each") + table.render(style);
}

std::string findings(const model::Snapshot& s, const std::vector<diagnose::EfficiencyFinding>& list,
                     const Style& style) {
  constexpr std::size_t kLabel = 18, kMost = 20;
  std::string out;
  std::size_t shown = 0;
  for (const auto& f : list) {
    if (style.width > 0 && shown == kMost) break;
    ++shown;
    auto text = f.text;
    if (f.nodes.size() > 1) text += fmt::format(" Nodes: {}.", fold_names(s, f.nodes));
    std::string kind(diagnose::kind_name(f.kind));
    std::replace(kind.begin(), kind.end(), '_', ' ');
    out += labelled(style, kind, kLabel, printable(text), f.exact ? Tone::kPlain : Tone::kDim);
  }
  if (shown < list.size()) {
    out += labelled(style, "", kLabel, fmt::format("and {} more (--wide)", list.size() - shown),
                    Tone::kDim);
  }
  return out.empty() ? out : title(style, "What is lost, and to what") + out;
}

std::string hours(double gpu_seconds) {
  return fmt::format("{:.2f}", gpu_seconds / 3600);
}

std::string preemptions(const metrics::EfficiencyCounts& counts, const Style& style) {
  constexpr std::size_t kMost = 10;
  const auto side = [](const std::string& who, Symbol queue, Symbol kind) {
    if (who.empty()) return std::string(kUnknown);
    return fmt::format("{} ({}, {})", who, name_or_dash(queue), name_or_dash(kind));
  };
  Table table({{"WHEN"},
               {"VICTIM", Kind::kFlexible},
               {"GPUS", Kind::kNumber},
               {"GPU HOURS", Kind::kNumber},
               {"BY", Kind::kFlexible}},
              2);
  std::uint64_t all = 0;
  for (const auto& [kind, count] : counts.preemptions) all += count;
  std::size_t shown = 0;
  for (const auto& p : counts.latest) {
    if (style.width > 0 && shown++ == kMost) break;
    auto by = side(p.preemptor, p.kind.preemptor_queue, p.kind.preemptor_class);
    if (p.inferred) by = "probably " + by;
    table.row({relative(p.when, *counts.until),
               side(p.victim, p.kind.victim_queue, p.kind.victim_class), std::to_string(p.gpus),
               p.gpu_seconds ? hours(*p.gpu_seconds) : std::string(kUnknown), std::move(by)});
  }
  if (table.empty()) return "";
  return title(style, fmt::format("Preemptions: {} counted, the latest", all)) +
         table.render(style);
}

std::string counted(const metrics::EfficiencyCounts& counts, const Style& style) {
  Table table({{"STATE"}, {"BY"}, {"GPU HOURS", Kind::kNumber}}, 2);
  for (auto state : kShown) {
    for (const auto& [key, seconds] : counts.gpu_seconds) {
      if (key.first != state || seconds == 0) continue;
      table.row({std::string(diagnose::gpu_state_name(state)),
                 key.second.empty() ? std::string("-") : key.second, hours(seconds)});
    }
  }
  Table lost({{"ENDED BY"}, {"RUNS", Kind::kNumber}, {"GPU HOURS", Kind::kNumber}}, 2);
  for (std::size_t i = 0; i < counts.lost.size(); ++i) {
    if (counts.lost[i].runs == 0) continue;
    lost.row({std::string(loss_name(static_cast<metrics::LossCause>(i))),
              std::to_string(counts.lost[i].runs), hours(counts.lost[i].gpu_seconds)});
  }
  if (counts.unseen.runs > 0) {
    lost.row({"unseen", std::to_string(counts.unseen.runs), hours(counts.unseen.gpu_seconds)});
  }
  auto out = title(style, fmt::format("GPU time since the server started to count, {}",
                                      relative(counts.since, *counts.until))) +
             table.render(style);
  if (!lost.empty()) out += title(style, "Runs that ended badly") + lost.render(style);
  return out + preemptions(counts, style);
}

}  // namespace

std::string render_efficiency(const model::Snapshot& s, const GpuLedger& ledger,
                              const std::vector<diagnose::EfficiencyFinding>& list,
                              const metrics::EfficiencyCounts* counts, const Style& style) {
  auto out = ledger.total > 0 ? states(ledger, style) + queues(ledger, style) : "no GPUs\n";
  out += findings(s, list, style);
  if (counts) out += counted(*counts, style);
  for (const auto& text : ledger.unsure) out += labelled(style, "not sure", 10, printable(text));
  return out + render_troubled_sources(s, style);
}

}  // namespace schedlens::cli
