// SPDX-License-Identifier: Apache-2.0
#include "cli/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/fold_names.h"
#include "cli/forecast.h"
#include "cli/layout.h"
#include "cli/pod_words.h"
#include "cli/request_text.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/words.h"
#include "diagnose/remedies.h"
#include "model/pod.h"

namespace schedlens::cli {
namespace {

using Kind = Column::Kind;
using diagnose::Verdict;
using model::Snapshot;

constexpr std::size_t kLabel = 12, kRemedyLabel = 5;
// On a screen; in a pipe all are listed.
constexpr std::size_t kAheadShown = 10, kUnhealthyShown = 8, kHoldersShown = 5;

std::string line(const Style& style, std::string_view label, std::string_view text,
                 Tone tone = Tone::kPlain) {
  return text.empty() ? "" : labelled(style, label, kLabel, printable(text), tone);
}

std::string title(const Style& style, std::string_view text) {
  return '\n' + paint(style, Tone::kBold, text) + '\n';
}

std::size_t shown_of(std::size_t all, std::size_t most, const Style& style) {
  return style.width == 0 ? all : std::min(all, most);
}

std::string rest(std::size_t all, std::size_t shown, const Style& style) {
  if (shown >= all) return "";
  return paint(style, Tone::kDim, fmt::format("  and {} more\n", all - shown));
}

std::string user_sentence(const model::Workload& w) {
  return fmt::format("user {}, account {}, QOS {}, {} {}", name_or_dash(w.user),
                     name_or_dash(w.account), name_or_dash(w.qos),
                     w.queues.size() > 1 ? "partitions" : "partition", names_of(w.queues));
}

std::string head(const Snapshot& s, const Verdict& v, const Style& style) {
  const auto& w = s.workload(v.workload);
  auto out = paint(style, Tone::kBold,
                   fmt::format("{} {}", vocabulary(s).workload, printable(model::display_id(w))));
  if (!w.name.empty() && !w.pod) out += "  " + printable(w.name);
  out += "  " + paint(style, tone_of(w), printable(lower(model::full_state(w))));
  out += fmt::format("  {}\n\n", w.pod ? who_sentence(w) : user_sentence(w));
  out += line(style, "root cause", diagnose::cause_name(v.cause), Tone::kBold);
  for (const auto& row : wrap(printable(v.summary), style.width)) {
    out += paint(style, Tone::kBold, row) + '\n';
  }
  for (const auto& detail : v.details) {
    for (const auto& row : wrap(printable(detail), style.width)) out += row + '\n';
  }
  return out + '\n';
}

// A pod's nodes counted as kube-scheduler counts them, beside what it said.
std::string as_scheduler(const Verdict& v, const Style& style) {
  if (v.as_scheduler.empty()) return "";
  std::vector<std::string> parts;
  for (const auto& c : v.as_scheduler) {
    // What stops a pod as a whole has no number.
    parts.push_back(c.count > 0 ? fmt::format("{} {}", c.count, c.reason) : c.reason);
  }
  return line(style, "we count", fmt::format("{}", fmt::join(parts, ", "))) +
         line(style, "", v.message_difference, Tone::kWarn);
}

// What it asks for and what the scheduler says of it.
std::string facts(const Snapshot& s, const Verdict& v, const Style& style) {
  const auto& w = s.workload(v.workload);
  std::vector<std::string> owners;
  for (const auto& [kind, name] : v.owners)
    owners.push_back(fmt::format("{} {}", kind.view(), name));
  auto out = line(style, "belongs to", fmt::format("{}", fmt::join(owners, ", ")));
  out += line(style, "asks for", w.pod ? quantities(w.pod->request) : request_sentence(w));
  out += line(style, "waited", duration(model::waited(w, s.time)));
  if (v.forecast) out += line(style, "starts", start_sentence(s, v.workload, *v.forecast));
  out += line(style, w.pod ? "scheduler" : printable(s.scheduler) + " says",
              v.scheduler_reason.empty() ? "nothing" : v.scheduler_reason);
  return out + line(style, "", v.reason_difference, Tone::kWarn) + as_scheduler(v, style);
}

std::string gpus(const Verdict& v, const Style& style) {
  const auto& g = v.gpus;
  if (g.requested == 0) return "";
  auto text = fmt::format("{} asked", g.requested);
  if (g.requested_per_node > 0) text += fmt::format(" ({} per node)", g.requested_per_node);
  text += fmt::format(
      "; on the nodes it may use: {} free, {} of them with the CPUs and memory it needs, {} "
      "stranded, largest hole {} on one node, {} out of service",
      g.free, g.free_allocatable, g.stranded, g.largest_hole, g.out_of_service);
  return line(style, "GPUs", text);
}

std::string fit(const Snapshot& s, const Verdict& v, const Style& style) {
  if (v.cause == diagnose::RootCause::kNone) return "";
  if (v.fit.fits_now) {
    return line(style, "fits now", "yes, on " + fold_names(s, v.fit.nodes), Tone::kGood);
  }
  return line(style, "fits now",
              fmt::format("no: {} {} every test, {} needed", counted(v.fit.nodes_passing, "node"),
                          v.fit.nodes_passing == 1 ? "passes" : "pass", v.fit.nodes_needed));
}

std::string constraints(const Snapshot& s, const Verdict& v, const Style& style) {
  Table table({{"CONSTRAINT"},
               {"ASKED", Kind::kFlexible},
               {"RULES OUT", Kind::kNumber},
               {"ALONE", Kind::kNumber},
               {"NODES RULED OUT", Kind::kFlexible},
               {"BY THIS ALONE", Kind::kFlexible}},
              2);
  for (const auto& c : v.constraints) {
    table.row({c.name,
               c.detail.empty() ? "-" : c.detail,
               std::to_string(c.ruled_out.size()),
               {std::to_string(c.only.size()), c.only.empty() ? Tone::kPlain : Tone::kWarn},
               c.ruled_out.empty() ? "-" : fold_names(s, c.ruled_out),
               c.only.empty() ? "-" : fold_names(s, c.only)});
  }
  if (table.empty()) return "";
  return title(style, fmt::format("Tests that the {} must pass", counted(s.nodes.size(), "node"))) +
         table.render(style);
}

std::string devices(const Snapshot& s, const Verdict& v, const Style& style) {
  std::string out;
  for (const auto& row : v.devices) {
    out += title(style,
                 printable(fmt::format(
                     "Devices for request {} of claim {}: {} of class {}", row.request, row.claim,
                     row.all ? "all" : std::to_string(row.count), row.device_class.view())));
    // Nodes that are alike stand in one line.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<model::NodeId>>
        alike;
    for (const auto& n : row.nodes) alike[{n.free, n.tainted, n.matching}].push_back(n.node);
    Table table({{"NODES", Kind::kFlexible},
                 {"MATCHING", Kind::kNumber},
                 {"FREE", Kind::kNumber},
                 {"TAINTED", Kind::kNumber}},
                2);
    for (const auto& [counts, nodes] : alike) {
      const auto& [free, tainted, matching] = counts;
      table.row({fold_names(s, nodes), std::to_string(matching), std::to_string(free),
                 std::to_string(tainted)});
    }
    out += table.empty() ? labelled(style, "", 2, "no node has one that matches", Tone::kWarn)
                         : table.render(style);
    if (!row.held_by.empty()) {
      out +=
          labelled(style, "held by", 2, printable(fmt::format("{}", fmt::join(row.held_by, ", "))));
    }
  }
  return out;
}

std::string limit_sentence(const diagnose::ReachedLimit& l) {
  auto what = l.resource.empty() ? l.name : fmt::format("{} {}", l.name, l.resource.view());
  auto text = fmt::format("{}: {} is {}", l.holder, what, amount(l.limit, l.unit));
  if (l.used) text += fmt::format(", {} used", amount(*l.used, l.unit));
  text += fmt::format(", {} asked", amount(l.requested, l.unit));
  if (l.request_alone_exceeds) text += "; the request alone exceeds it, waiting does not help";
  return text;
}

std::string limits(const Verdict& v, const Style& style) {
  if (v.limits.empty()) return "";
  auto out = title(style, "Limits reached");
  for (const auto& l : v.limits) {
    out += labelled(style, "", 2, printable(limit_sentence(l)), Tone::kWarn);
    if (l.filled_by.empty()) continue;
    auto shown = shown_of(l.filled_by.size(), kHoldersShown, style);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < shown; ++i) {
      parts.push_back(
          fmt::format("{} {}", l.filled_by[i].holder, amount(l.filled_by[i].amount, l.unit)));
    }
    if (shown < l.filled_by.size()) {
      parts.push_back(fmt::format("and {} more", l.filled_by.size() - shown));
    }
    out += labelled(style, "", 4, printable(fmt::format("filled by {}", fmt::join(parts, ", "))));
  }
  return out;
}

std::string reservations(const Snapshot& s, const Verdict& v, const Style& style) {
  if (v.reservations.empty()) return "";
  auto out = title(style, "Reservations in the way");
  for (const auto& r : v.reservations) {
    auto text = fmt::format("{}: {}", r.name.view(), r.effect);
    if (r.end) text += fmt::format("; ends {}", moment(r.end, s.time));
    if (!r.nodes.empty()) text += "; on " + fold_names(s, r.nodes);
    out += labelled(style, "", 2, printable(text));
  }
  return out;
}

// Those that would hold the workload first; nodes of one state and reason together.
std::string unhealthy(const Snapshot& s, const Verdict& v, const Style& style) {
  struct Group {
    const diagnose::UnhealthyNode* one;
    std::vector<model::NodeId> nodes;
  };
  std::vector<Group> groups;
  for (const auto& node : v.unhealthy_nodes) {
    auto it = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return g.one->state == node.state && g.one->reason == node.reason &&
             g.one->would_fit == node.would_fit;
    });
    if (it == groups.end()) it = groups.insert(it, Group{&node, {}});
    it->nodes.push_back(node.node);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return a.one->would_fit > b.one->would_fit;
  });
  Table table({{"STATE"},
               {"NODES", Kind::kNumber},
               {"WOULD HOLD IT"},
               {"NAMES", Kind::kFlexible},
               {"REASON", Kind::kFlexible}},
              2);
  auto shown = shown_of(groups.size(), kUnhealthyShown, style);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& g = groups[i];
    table.row({{g.one->state, Tone::kBad},
               std::to_string(g.nodes.size()),
               {g.one->would_fit ? "yes" : "no", g.one->would_fit ? Tone::kWarn : Tone::kPlain},
               fold_names(s, g.nodes),
               g.one->reason.empty() ? "-" : g.one->reason});
  }
  if (table.empty()) return "";
  return title(style, "Nodes out of service") + table.render(style) +
         rest(groups.size(), shown, style);
}

std::string ahead(const Snapshot& s, const Verdict& v, const Style& style) {
  Table table({{"AHEAD"},
               {"USER", Kind::kFlexible},
               {"ACCOUNT", Kind::kFlexible},
               {"PARTITION", Kind::kFlexible},
               {"PRIORITY", Kind::kNumber},
               {"GPUS", Kind::kNumber},
               {"WAITED", Kind::kNumber},
               {"FORECAST", Kind::kNumber}},
              2);
  auto shown = shown_of(v.ahead.size(), kAheadShown, style);
  std::uint64_t waited_for = 0;
  for (auto id : v.ahead) {
    const auto& w = s.workload(id);
    waited_for += model::gpus_requested(w) * model::task_count(w);
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& w = s.workload(v.ahead[i]);
    table.row({model::display_id(w), name_or_dash(w.user), name_or_dash(w.account),
               names_of(w.queues), number(w.priority), std::to_string(model::gpus_requested(w)),
               duration(model::waited(w, s.time)), relative(model::forecast(w), s.time)});
  }
  if (table.empty()) return "";
  return title(style, fmt::format("Ahead of it in the queue: {} asking for {}",
                                  counted(v.ahead.size(), "record"), counted(waited_for, "GPU"))) +
         table.render(style) + rest(v.ahead.size(), shown, style);
}

std::string ids_of(const Snapshot& s, const std::vector<model::WorkloadId>& ids,
                   const Style& style) {
  const auto shown = shown_of(ids.size(), kAheadShown, style);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : ", ") + model::display_id(s.workload(ids[i]));
  }
  return shown < ids.size() ? fmt::format("{} and {} more", text, ids.size() - shown) : text;
}

// The commands stand on lines of their own, so that they can be copied.
std::string remedies(const Snapshot& s, const Verdict& v, const Style& style) {
  if (v.remedies.empty()) return "";
  auto out = title(style, "What would let it start");
  int number = 0;
  for (const auto& r : v.remedies) {
    auto when =
        std::string(r.starts == diagnose::Starts::kNow ? "starts in the next cycle"
                                                       : "starts when those ahead of it have");
    if (r.forecast) when += ", " + start_clause(s, *r.forecast);
    const auto who = r.who == diagnose::Actor::kUser ? "its user" : "an operator";
    out += labelled(style, fmt::format("  {}.", ++number), kRemedyLabel,
                    printable(fmt::format("{} ({}): {}", when, who, r.effect)));
    for (auto command : split(r.command, '\n')) {
      out += std::string(kRemedyLabel, ' ') + paint(style, Tone::kGood, printable(command)) + '\n';
    }
    if (!r.ends.empty()) {
      out += labelled(style, "", kRemedyLabel, "ends " + printable(ids_of(s, r.ends, style)),
                      Tone::kWarn);
    }
    if (!r.delays.empty()) {
      out += labelled(style, "", kRemedyLabel, "delays " + printable(ids_of(s, r.delays, style)),
                      Tone::kWarn);
    } else if (!diagnose::delays_known(s, r)) {
      out += labelled(style, "", kRemedyLabel, "whom it delays is not known", Tone::kDim);
    }
  }
  return out;
}

std::string unsure(const Verdict& v, const Style& style) {
  if (v.unsure.empty()) return "";
  auto out = title(style, "Not sure");
  for (const auto& sentence : v.unsure) out += labelled(style, "", 2, printable(sentence));
  return out;
}

}  // namespace

std::string render_why(const Snapshot& s, const Verdict& v, const Style& style) {
  auto out = head(s, v, style);
  out += facts(s, v, style);
  out += gpus(v, style);
  out += fit(s, v, style);
  out += remedies(s, v, style);
  out += constraints(s, v, style);
  out += devices(s, v, style);
  out += limits(v, style);
  out += reservations(s, v, style);
  out += unhealthy(s, v, style);
  out += ahead(s, v, style);
  out += unsure(v, style);
  auto ages = render_sources(s, style);
  return ages.empty() ? out : out + '\n' + ages;
}

}  // namespace schedlens::cli
