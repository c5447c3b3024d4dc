// SPDX-License-Identifier: Apache-2.0
#include "cli/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/pending_causes.h"
#include "base/text.h"
#include "base/time_text.h"
#include "cli/gpu_map.h"
#include "cli/health.h"
#include "cli/layout.h"
#include "cli/pod_words.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

using Kind = Column::Kind;
constexpr std::size_t kLabel = 14;

// How many lines each part may take.
struct Room {
  bool tables = true;  // one line per GPU type and per class, and empty lines between the parts
  std::size_t types = 4, queues = 6, holders = 5, classes = 8, longest = 4, reasons = 4;
};

// From the roomiest to the tightest; a screen gets the first that it can hold.
constexpr std::array kRooms = {
    Room{}, Room{.types = 3, .queues = 4, .holders = 4, .classes = 6, .longest = 3, .reasons = 3},
    Room{.types = 2, .queues = 3, .holders = 3, .classes = 5, .longest = 3, .reasons = 1},
    Room{.tables = false, .queues = 3, .holders = 3, .longest = 2, .reasons = 2},
    Room{.tables = false, .queues = 2, .holders = 2, .longest = 1, .reasons = 1}};

std::string title(const Style& style, std::string_view text) {
  return paint(style, Tone::kBold, text) + '\n';
}

// "USER" or, when not all are listed, "USER (5/23)".
std::string headed(std::string_view word, std::size_t shown, std::size_t all) {
  return shown >= all ? std::string(word) : fmt::format("{} ({}/{})", word, shown, all);
}

std::string bar(const diagnose::GpuSplit& gpus) {
  constexpr std::uint64_t kCells = 20;
  if (gpus.total == 0) return "";
  auto used = (gpus.used * kCells + gpus.total / 2) / gpus.total;
  auto off = std::min(kCells - used, (gpus.out_of_service * kCells + gpus.total / 2) / gpus.total);
  return std::string(used, '#') + std::string(kCells - used - off, '.') + std::string(off, 'x');
}

std::string header(const model::Snapshot& s, const Style& style) {
  auto name = s.cluster.empty() ? std::string("cluster") : printable(s.cluster);
  return paint(style, Tone::kBold, name) +
         fmt::format(
             "  {} {}  {}  {}\n", printable(s.scheduler),
             s.scheduler_version.empty() ? "of unknown version" : printable(s.scheduler_version),
             local_time(s.time), counted(s.nodes.size(), "node"));
}

std::string gpu_line(const diagnose::GpuSplit& g, const Style& style) {
  auto text = fmt::format("{}: {} used, {} free, {} out of service", g.total, g.used, g.free,
                          g.out_of_service);
  if (g.unknown > 0) text += fmt::format(", {} unknown", g.unknown);
  return labelled(style, "  GPUs", kLabel, text + " " + bar(g));
}

std::string gpu_types(const diagnose::Holdings& h, const Room& room, const Style& style) {
  if (h.gpus.total == 0) return "  no GPUs\n";
  if (!room.tables) return gpu_line(h.gpus, style);
  bool unknown = h.gpus.unknown > 0;
  std::vector<Column> columns = {
      {headed("GPU TYPE", std::min(room.types, h.types.size()), h.types.size())},
      {"TOTAL", Kind::kNumber},
      {"USED", Kind::kNumber},
      {"FREE", Kind::kNumber},
      {"OUT OF SERVICE", Kind::kNumber}};
  if (unknown) columns.push_back({"UNKNOWN", Kind::kNumber});
  columns.push_back({"USED #  FREE .  OUT x"});
  Table table(std::move(columns), 2);
  auto add = [&](std::string_view name, const diagnose::GpuSplit& g) {
    std::vector<Cell> cells = {
        name,
        std::to_string(g.total),
        std::to_string(g.used),
        std::to_string(g.free),
        {std::to_string(g.out_of_service), g.out_of_service ? Tone::kBad : Tone::kPlain}};
    if (unknown) cells.emplace_back(std::to_string(g.unknown), Tone::kWarn);
    cells.emplace_back(bar(g));
    table.row(std::move(cells));
  };
  for (std::size_t i = 0; i < std::min(room.types, h.types.size()); ++i) {
    add(h.types[i].type.empty() ? "gpu" : h.types[i].type.view(), h.types[i].gpus);
  }
  if (h.types.size() > 1) add("all", h.gpus);
  return table.render(style);
}

std::string queues(const model::Snapshot& s, const diagnose::Holdings& h, const Room& room,
                   const Style& style) {
  std::vector<diagnose::QueueHolding> lines = h.queues;
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.demand.gpus_held + a.demand.gpus_waiting > b.demand.gpus_held + b.demand.gpus_waiting;
  });
  auto shown = std::min(room.queues, lines.size());
  Table table(
      {{headed(s.kubernetes ? "SCHEDULER" : "PARTITION", shown, lines.size()), Kind::kFlexible},
       {"STATE"},
       {"NODES", Kind::kNumber},
       {"GPUS", Kind::kNumber},
       {"USED", Kind::kNumber},
       {"FREE", Kind::kNumber},
       {"OUT", Kind::kNumber},
       {"RUNNING", Kind::kNumber},
       {"WAITING", Kind::kNumber},
       {"FOR GPUS", Kind::kNumber}},
      2);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& q = s.queue(lines[i].queue);
    const auto& g = lines[i].gpus;
    bool up = q.state == model::QueueState::kUp;
    table.row({q.name.view(),
               {lower(model::state_name(q.state)), up ? Tone::kPlain : Tone::kBad},
               std::to_string(lines[i].nodes),
               std::to_string(g.total),
               g.unknown ? std::string(kUnknown) : std::to_string(g.used),
               g.unknown ? std::string(kUnknown) : std::to_string(g.free),
               std::to_string(g.out_of_service),
               std::to_string(lines[i].demand.running),
               std::to_string(lines[i].demand.waiting),
               std::to_string(lines[i].demand.gpus_waiting)});
  }
  return table.render(style);
}

std::string holders(std::string_view word, const std::vector<diagnose::Holder>& all,
                    const Room& room, const Style& style) {
  auto shown = std::min(room.holders, all.size());
  std::size_t longest_name = style.width > 0 && style.width < 100 ? 12 : 18;
  Table table(
      {{headed(word, shown, all.size())}, {"GPUS HELD", Kind::kNumber}, {"WAITING", Kind::kNumber}},
      2);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row({cut_to(name_or_dash(all[i].name), longest_name),
               std::to_string(all[i].demand.gpus_held),
               std::to_string(all[i].demand.gpus_waiting)});
  }
  return table.render(style);
}

std::string demand_sentence(const model::Snapshot& s, const diagnose::Holdings& h) {
  const auto noun = vocabulary(s).workload;
  return fmt::format("  {} running with {}; {} waiting for {}; {} free\n",
                     counted(h.demand.running, noun), counted(h.demand.gpus_held, "GPU"),
                     counted(h.demand.waiting, noun), counted(h.demand.gpus_waiting, "GPU"),
                     counted(h.gpus.free, "GPU"));
}

std::string classes_line(const std::vector<api::CauseGroup>& groups, const Style& style) {
  std::vector<std::string> parts;
  for (const auto& g : groups) {
    parts.push_back(
        fmt::format("{} {} ({})", diagnose::cause_name(g.cause), g.tasks, counted(g.gpus, "GPU")));
  }
  if (parts.empty()) return "";
  return labelled(style, "  waits for", kLabel, fmt::format("{}", fmt::join(parts, ", ")));
}

std::string classes_table(const model::Snapshot& s, const std::vector<api::CauseGroup>& groups,
                          const Room& room, const Style& style) {
  auto shown = std::min(room.classes, groups.size());
  Table table({{headed("ROOT CAUSE", shown, groups.size())},
               {s.kubernetes ? "PODS" : "JOBS", Kind::kNumber},
               {"GPUS", Kind::kNumber},
               {"LONGEST", Kind::kNumber},
               {"FIRST IN THE QUEUE", Kind::kFlexible}},
              2);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& g = groups[i];
    std::string first;
    for (std::size_t k = 0; k < std::min<std::size_t>(4, g.workloads.size()); ++k) {
      if (k > 0) first += ' ';
      first += model::display_id(s.workload(g.workloads[k]));
    }
    table.row({diagnose::cause_name(g.cause), std::to_string(g.tasks), std::to_string(g.gpus),
               duration(g.longest_wait), first});
  }
  return table.render(style);
}

std::string fragmentation(const diagnose::Fragmentation& f, std::string_view noun,
                          const Style& style) {
  if (f.gpus_total == 0) return "";
  std::vector<std::string> by;
  for (const auto& [why, gpus] : f.stranded_by) {
    if (gpus > 0) by.push_back(fmt::format("{} by {}", gpus, diagnose::stranding_name(why)));
  }
  auto text = fmt::format(
      "{} free, {} stranded{}; largest hole {} on one node", f.gpus_free, f.gpus_stranded,
      by.empty() ? "" : fmt::format(" ({})", fmt::join(by, ", ")), f.largest_hole);
  for (const auto& fit : f.standard) {
    if (fit.gpus != 8) continue;
    text += fmt::format("; {} of 8 GPUs could start", counted(fit.fits_now, noun));
    if (fit.fits_pooled > fit.fits_now) {
      text += fmt::format(", {} if the free GPUs stood together", fit.fits_pooled);
    }
  }
  return labelled(style, "  free GPUs", kLabel, text);
}

struct Wait {
  Seconds waited;
  model::WorkloadId id;
};

std::string longest_waiting_pods(const model::Snapshot& s, const api::Causes& causes,
                                 const std::vector<Wait>& waits, const Room& room,
                                 const Style& style) {
  Table table({{"LONGEST WAITING", Kind::kFlexible, 20},
               {"OWNER", Kind::kFlexible},
               {"GPUS", Kind::kNumber},
               {"WAITED", Kind::kNumber},
               {"ROOT CAUSE"},
               {"SCHEDULER SAYS", Kind::kFlexible}},
              2);
  const diagnose::GroupCounts groups(s);
  for (std::size_t i = 0; i < std::min(room.longest, waits.size()); ++i) {
    const auto& w = s.workload(waits[i].id);
    table.row({printable(model::display_id(w)), printable(owner_and_group(w, groups)),
               std::to_string(model::gpus_requested(w)), short_duration(waits[i].waited),
               std::string(diagnose::cause_name(causes[waits[i].id.index])),
               printable(w.reason_text.empty() ? name_or_dash(w.reason) : w.reason_text)});
  }
  return table.render(style);
}

std::string longest_waiting(const model::Snapshot& s, const api::Causes& causes, const Room& room,
                            const Style& style) {
  std::vector<Wait> waits;
  for (auto id : s.pending()) {
    if (auto waited = model::waited(s.workload(id), s.time)) waits.push_back({*waited, id});
  }
  std::stable_sort(waits.begin(), waits.end(),
                   [](const Wait& a, const Wait& b) { return a.waited > b.waited; });
  if (s.kubernetes) return longest_waiting_pods(s, causes, waits, room, style);
  Table table({{"LONGEST WAITING"},
               {"USER", Kind::kFlexible},
               {"ACCOUNT", Kind::kFlexible},
               {"GPUS", Kind::kNumber},
               {"WAITED", Kind::kNumber},
               {"ROOT CAUSE"},
               {"SCHEDULER SAYS", Kind::kFlexible}},
              2);
  for (std::size_t i = 0; i < std::min(room.longest, waits.size()); ++i) {
    const auto& w = s.workload(waits[i].id);
    table.row({model::display_id(w), name_or_dash(w.user), name_or_dash(w.account),
               std::to_string(model::gpus_requested(w)), short_duration(waits[i].waited),
               diagnose::cause_name(causes[waits[i].id.index]), name_or_dash(w.reason)});
  }
  return table.render(style);
}

std::string render(const model::Snapshot& s, const StatusFacts& facts, const Room& room,
                   const Style& style) {
  std::string gap = room.tables ? "\n" : "";
  const auto& h = facts.holdings;
  std::string out = header(s, style);
  out += title(style, "1 Who holds the resources");
  out += gpu_types(h, room, style);
  if (const auto parts = gpu_parts_in_all(s); !parts.empty()) {
    out += labelled(style, "  GPU parts", kLabel, parts);
  }
  out += queues(s, h, room, style);
  // A pod names no user.
  out += s.kubernetes ? holders("NAMESPACE", h.accounts, room, style)
                      : beside(holders("USER", h.users, room, style),
                               holders("ACCOUNT", h.accounts, room, style), 4);
  out += gap + title(style, "2 Are the decisions reasonable");
  out += demand_sentence(s, h);
  out +=
      room.tables ? classes_table(s, facts.causes, room, style) : classes_line(facts.causes, style);
  out += fragmentation(facts.fragmentation, vocabulary(s).workload, style);
  out += longest_waiting(s, api::causes_by_id(s, facts.causes), room, style);
  out += gap + title(style, "3 Is the scheduler healthy");
  out += render_health(s, {.reasons = room.reasons, .cycles = room.tables}, style);
  return out + render_sources(s, style);
}

}  // namespace

std::string render_status(const model::Snapshot& s, const StatusFacts& facts, const Style& style) {
  std::string text;
  for (const auto& room : kRooms) {
    text = render(s, facts, room, style);
    auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    // One line is left for the prompt.
    if (style.height == 0 || lines < style.height) break;
  }
  return text;
}

}  // namespace schedlens::cli
