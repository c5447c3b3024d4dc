// SPDX-License-Identifier: Apache-2.0
#include "cli/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/fold_names.h"
#include "cli/kube_health.h"
#include "cli/layout.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

constexpr std::size_t kLabel = 14;
// slurmctld answers with at most this many threads at once (MAX_SERVER_THREADS, fixed when Slurm is
// built); beyond it clients wait.
constexpr std::uint64_t kSlurmServerThreads = 256;

std::string line(const Style& style, std::string_view label, std::string_view text,
                 Tone tone = Tone::kPlain) {
  return labelled(style, fmt::format("  {}", label), kLabel, text, tone);
}

std::string controller(const model::Snapshot& snapshot, const Style& style) {
  std::string_view name = snapshot.scheduler == "slurm" ? "slurmctld" : "scheduler";
  const model::SourceStatus* newest = nullptr;
  const model::SourceStatus* failed = nullptr;
  for (const auto& s : snapshot.sources) {
    if (s.state == model::SourceState::kFailed || s.state == model::SourceState::kNever) {
      if (!failed) failed = &s;
    } else if (s.last_success && (!newest || *s.last_success > *newest->last_success)) {
      newest = &s;
    }
  }
  if (!newest) {
    if (!failed) return line(style, name, "unknown: no source says when it was read", Tone::kWarn);
    return line(style, name, "does not answer: " + printable(failed->error), Tone::kBad);
  }
  auto text = fmt::format("answered {}", relative(newest->last_success, snapshot.time));
  if (snapshot.vitals) {
    const auto& v = *snapshot.vitals;
    text +=
        fmt::format("; threads {} of {}, agent queue {}, DBD queue {}", number(v.server_threads),
                    kSlurmServerThreads, number(v.agent_queue), number(v.dbd_queue));
  } else {
    text += "; its statistics are unknown";
  }
  return line(style, name, text);
}

// How cycles ended other than by having seen the whole queue.
std::string early_ends(const std::vector<model::CycleExit>& all) {
  std::vector<std::string> parts;
  for (const auto& e : all) {
    if (e.count > 0 && e.cause != "end_of_queue") {
      parts.push_back(fmt::format("{} {}", printable(e.cause), e.count));
    }
  }
  return parts.empty() ? "" : fmt::format("; ended early by {}", fmt::join(parts, ", "));
}

std::string main_cycle(const model::SchedulerVitals& v, const Style& style) {
  const auto& c = v.main;
  return line(
      style, "main cycle",
      fmt::format("last {}, mean {}, max {}; {}{}", cycle_time(c.last_microseconds),
                  cycle_time(c.mean_microseconds), cycle_time(c.max_microseconds),
                  c.queue_length ? counted(*c.queue_length, "job") + " queued" : "? jobs queued",
                  early_ends(c.exits)));
}

std::string backfill(const model::SchedulerVitals& v, Timestamp now, const Style& style) {
  const auto& c = v.backfill;
  if (!c.last_when && c.total.value_or(0) == 0) {
    return line(style, "backfill", "has not run since the counters were reset", Tone::kWarn);
  }
  return line(style, "backfill",
              fmt::format("{}: last {}, mean {}, max {}; {} of {} queued tried{}",
                          relative(c.last_when, now), cycle_time(c.last_microseconds),
                          cycle_time(c.mean_microseconds), cycle_time(c.max_microseconds),
                          number(c.last_depth_try), number(c.queue_length), early_ends(c.exits)));
}

// Who asks the controller for how much of its time, as shares of the time it spent on RPCs.
std::string rpc_load(const model::SchedulerVitals& v, Timestamp now, const Style& style) {
  std::uint64_t count = 0, total = 0;
  for (const auto& r : v.rpc_by_type) {
    count += r.count;
    total += r.total_microseconds;
  }
  if (count == 0) return "";
  auto top = [&](std::vector<model::RpcStats> stats, std::size_t n) {
    std::sort(stats.begin(), stats.end(), [](const auto& a, const auto& b) {
      return std::tuple(~a.total_microseconds, a.name) < std::tuple(~b.total_microseconds, b.name);
    });
    std::vector<std::string> parts;
    for (const auto& r : stats) {
      if (parts.size() == n) break;
      parts.push_back(fmt::format(
          "{} {}", printable(r.name),
          percent(static_cast<double>(r.total_microseconds), static_cast<double>(total))));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  };
  auto text = fmt::format("{}", count);
  if (v.since && *v.since < now) text += fmt::format(" in {}", short_duration(now - *v.since));
  text +=
      fmt::format(", mean {}; most time for {}", cycle_time(total / count), top(v.rpc_by_type, 1));
  if (!v.rpc_by_user.empty()) text += fmt::format("; users {}", top(v.rpc_by_user, 2));
  return line(style, "RPCs", text);
}

std::string node_states(const model::Snapshot& snapshot, const Style& style) {
  std::array<std::uint32_t, static_cast<std::size_t>(model::NodeBucket::kCount)> counts{};
  for (const auto& node : snapshot.nodes) ++counts[static_cast<std::size_t>(model::bucket(node))];
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    parts.push_back(
        fmt::format("{} {}", counts[i], model::bucket_name(static_cast<model::NodeBucket>(i))));
  }
  return line(
      style, "nodes",
      fmt::format("{}: {}", snapshot.nodes.size(),
                  parts.empty() ? "none were read" : fmt::to_string(fmt::join(parts, ", "))));
}

// Nodes out of service, those of one state and reason together.
std::string out_of_service(const model::Snapshot& snapshot, std::size_t most, const Style& style) {
  struct Group {
    std::string state;
    const model::NodeReason* reason = nullptr;
    std::vector<model::NodeId> nodes;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Group> by_reason;
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    const auto& node = snapshot.nodes[i];
    if (model::in_service(node)) continue;
    auto state = model::display_state(node);
    auto& group = by_reason[{state, node.reason ? node.reason->text : "",
                             node.reason ? node.reason->author : ""}];
    group.state = state;
    if (node.reason) group.reason = &*node.reason;
    group.nodes.push_back({i});
  }
  std::vector<const Group*> groups;
  for (const auto& [key, group] : by_reason) groups.push_back(&group);
  std::stable_sort(groups.begin(), groups.end(), [](const Group* a, const Group* b) {
    return a->nodes.size() > b->nodes.size();
  });
  std::string out;
  for (std::size_t i = 0; i < std::min(most, groups.size()); ++i) {
    const auto& g = *groups[i];
    auto text = fold_names(snapshot, g.nodes);
    if (g.reason) {
      text += fmt::format(": {}", printable(g.reason->text));
      if (!g.reason->author.empty()) text += fmt::format(", {}", printable(g.reason->author));
      if (g.reason->since) text += " " + relative(g.reason->since, snapshot.time);
    }
    out += line(style, g.state, text, Tone::kBad);
  }
  if (groups.size() > most) {
    std::size_t rest = 0;
    for (auto i = most; i < groups.size(); ++i) rest += groups[i]->nodes.size();
    out += line(style, "", fmt::format("and {} more nodes out of service", rest), Tone::kDim);
  }
  return out;
}

}  // namespace

std::string render_health(const model::Snapshot& snapshot, const HealthRoom& room,
                          const Style& style) {
  if (snapshot.kubernetes) {
    return render_kube_health(snapshot, !room.cycles, style) + node_states(snapshot, style) +
           out_of_service(snapshot, room.reasons, style);
  }
  std::string out = controller(snapshot, style);
  if (snapshot.vitals) {
    if (room.cycles) out += main_cycle(*snapshot.vitals, style);
    out += backfill(*snapshot.vitals, snapshot.time, style);
    if (room.cycles) out += rpc_load(*snapshot.vitals, snapshot.time, style);
  }
  return out + node_states(snapshot, style) + out_of_service(snapshot, room.reasons, style);
}

}  // namespace schedlens::cli
