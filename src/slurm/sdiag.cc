// SPDX-License-Identifier: Apache-2.0
#include "slurm/sdiag.h"

#include <array>
#include <span>

#include "base/text.h"
#include "slurm/record.h"

namespace schedlens::slurm {
namespace {

using model::SchedulerVitals;
using Number = std::optional<std::uint64_t>;

// "Mon Nov 30 03:11:09 2026 (1796008269)": the number in parentheses is unambiguous.
std::optional<Timestamp> moment(std::string_view text) {
  auto open = text.rfind('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  auto seconds = parse_number<std::int64_t>(text.substr(open + 1, text.size() - open - 2));
  if (!seconds || *seconds <= 0) return std::nullopt;
  return Timestamp{*seconds};
}

enum class Section {
  kGeneral,
  kMain,
  kMainExit,
  kBackfill,
  kBackfillExit,
  kByType,
  kByUser,
  kOther
};

std::optional<Section> section_of(std::string_view line) {
  if (line.starts_with("Main schedule statistics")) return Section::kMain;
  if (line.starts_with("Main scheduler exit")) return Section::kMainExit;
  if (line.starts_with("Backfilling stats")) return Section::kBackfill;
  if (line.starts_with("Backfill exit")) return Section::kBackfillExit;
  if (line.starts_with("Remote Procedure Call statistics by message type")) return Section::kByType;
  if (line.starts_with("Remote Procedure Call statistics by user")) return Section::kByUser;
  if (line.starts_with("Pending RPC")) return Section::kOther;
  return std::nullopt;
}

struct Key {
  std::string_view text;
  Number* value;
};

void set(std::span<const Key> keys, std::string_view key, std::string_view value) {
  for (const auto& known : keys) {
    if (key == known.text) *known.value = parse_number<std::uint64_t>(value);
  }
}

void read_general(std::string_view key, std::string_view value, SchedulerVitals& v) {
  const std::array<Key, 12> keys = {{{"Server thread count", &v.server_threads},
                                     {"Agent queue size", &v.agent_queue},
                                     {"Agent count", &v.agents},
                                     {"Agent thread count", &v.agent_threads},
                                     {"DBD Agent queue size", &v.dbd_queue},
                                     {"Jobs submitted", &v.jobs_submitted},
                                     {"Jobs started", &v.jobs_started},
                                     {"Jobs completed", &v.jobs_completed},
                                     {"Jobs canceled", &v.jobs_cancelled},
                                     {"Jobs failed", &v.jobs_failed},
                                     {"Jobs pending", &v.jobs_pending},
                                     {"Jobs running", &v.jobs_running}}};
  set(keys, key, value);
  if (key == "Job states ts") v.job_states_time = moment(value);
}

void read_cycle(std::string_view key, std::string_view value, SchedulerVitals::Cycle& c) {
  const std::array<Key, 14> keys = {{{"Last cycle", &c.last_microseconds},
                                     {"Max cycle", &c.max_microseconds},
                                     {"Mean cycle", &c.mean_microseconds},
                                     {"Total cycles", &c.total},
                                     {"Mean depth cycle", &c.depth_mean},
                                     {"Depth Mean", &c.depth_mean},
                                     {"Depth Mean (try depth)", &c.depth_try_mean},
                                     {"Last depth cycle", &c.last_depth},
                                     {"Last depth cycle (try sched)", &c.last_depth_try},
                                     {"Last queue length", &c.queue_length},
                                     {"Queue length mean", &c.queue_length_mean},
                                     {"Cycles per minute", &c.per_minute},
                                     {"Last table size", &c.table_size},
                                     {"Mean table size", &c.table_size_mean}}};
  set(keys, key, value);
  if (key == "Last cycle when") c.last_when = moment(value);
}

void read_backfill(std::string_view key, std::string_view value, SchedulerVitals& v) {
  const std::array<Key, 3> keys = {
      {{"Total backfilled jobs (since last slurm start)", &v.backfilled_since_start},
       {"Total backfilled jobs (since last stats cycle start)", &v.backfilled_since_reset},
       {"Total backfilled heterogeneous job components", &v.backfilled_het}}};
  set(keys, key, value);
  read_cycle(key, value, v.backfill);
}

// "Hit default_queue_depth" and "Timeout (max_sched_time)" by the parameter they name, the others
// in words.
std::string exit_cause(std::string_view key) {
  if (key.starts_with("End of job queue")) return "end_of_queue";
  if (key.starts_with("Blocked on licenses")) return "licenses";
  if (key.starts_with("System state changed")) return "state_changed";
  if (auto open = key.rfind('('); open != std::string_view::npos && key.ends_with(')')) {
    return std::string(key.substr(open + 1, key.size() - open - 2));
  }
  if (key.starts_with("Hit ")) key.remove_prefix(4);
  auto cause = lower(trim(key));
  for (auto& c : cause) {
    if (c == ' ') c = '_';
  }
  return cause;
}

void read_exit(std::string_view line, std::vector<model::CycleExit>& exits) {
  // "End of job queue:32" has no space, and a cause could hold a colon.
  auto colon = line.rfind(':');
  if (colon == std::string_view::npos) return;
  auto count = parse_number<std::uint64_t>(trim(line.substr(colon + 1)));
  if (count) exits.push_back({exit_cause(trim(line.substr(0, colon))), *count});
}

// "REQUEST_PING   ( 1008) count:9   ave_time:167   total_time:1511"
void read_rpc(std::string_view line, std::vector<model::RpcStats>& list) {
  auto number_after = [&](std::string_view key) -> std::uint64_t {
    auto at = line.find(key);
    if (at == std::string_view::npos) return 0;
    auto rest = line.substr(at + key.size());
    return parse_number<std::uint64_t>(rest.substr(0, rest.find_first_of(" \t"))).value_or(0);
  };
  auto open = line.find('(');
  if (open == std::string_view::npos || line.find("count:") == std::string_view::npos) return;
  model::RpcStats stats;
  stats.name = trim(line.substr(0, open));
  stats.count = number_after(" count:");
  stats.mean_microseconds = number_after("ave_time:");
  stats.total_microseconds = number_after("total_time:");
  list.push_back(std::move(stats));
}

void read_line(Section section, std::string_view line, SchedulerVitals& v) {
  if (section == Section::kMainExit) return read_exit(line, v.main.exits);
  if (section == Section::kBackfillExit) return read_exit(line, v.backfill.exits);
  if (section == Section::kByType) return read_rpc(line, v.rpc_by_type);
  if (section == Section::kByUser) return read_rpc(line, v.rpc_by_user);
  auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  auto key = trim(line.substr(0, colon));
  auto value = trim(line.substr(colon + 1));
  if (section == Section::kGeneral) read_general(key, value, v);
  if (section == Section::kMain) read_cycle(key, value, v.main);
  if (section == Section::kBackfill) read_backfill(key, value, v);
}

}  // namespace

Result<SchedulerVitals> parse_sdiag(std::string_view text) {
  if (trim(text).empty()) return fail("no output");
  SchedulerVitals vitals;
  auto section = Section::kGeneral;
  for (auto line : lines(text)) {
    if (auto next = section_of(line)) {
      section = *next;
    } else if (line.starts_with("sdiag output at ")) {
      vitals.time = moment(line);
    } else if (line.starts_with("Data since ")) {
      vitals.since = moment(line);
    } else if (line.starts_with("Latency for ")) {
      section = Section::kOther;
    } else {
      read_line(section, line, vitals);
    }
  }
  if (!vitals.time || !vitals.server_threads || !vitals.jobs_submitted) {
    return fail("no statistics in {} bytes of output", text.size());
  }
  if (text.back() != '\n') return fail("output is cut off after {} bytes", text.size());
  return vitals;
}

}  // namespace schedlens::slurm
