// SPDX-License-Identifier: Apache-2.0
#include "slurm/job_words.h"

#include <array>

#include "base/text.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {
namespace {

using model::WorkloadFlag;
using model::WorkloadState;

struct StateWord {
  std::string_view word, short_word;
  WorkloadState state;
};
constexpr std::array<StateWord, 12> kStates = {
    {{"PENDING", "PD", WorkloadState::kPending},
     {"RUNNING", "R", WorkloadState::kRunning},
     {"SUSPENDED", "S", WorkloadState::kSuspended},
     {"COMPLETED", "CD", WorkloadState::kCompleted},
     {"CANCELLED", "CA", WorkloadState::kCancelled},
     {"FAILED", "F", WorkloadState::kFailed},
     {"TIMEOUT", "TO", WorkloadState::kTimeout},
     {"NODE_FAIL", "NF", WorkloadState::kNodeFail},
     {"PREEMPTED", "PR", WorkloadState::kPreempted},
     {"BOOT_FAIL", "BF", WorkloadState::kBootFail},
     {"DEADLINE", "DL", WorkloadState::kDeadline},
     {"OUT_OF_MEMORY", "OOM", WorkloadState::kOutOfMemory}}};

struct FlagWord {
  std::string_view word, short_word;
  WorkloadFlag flag;
  WorkloadState implied;  // kUnknown where the flag goes with several states
};
// A job that holds resources for sure is running; one that is queued again is pending.
constexpr std::array<FlagWord, 17> kFlags = {
    {{"COMPLETING", "CG", WorkloadFlag::kCompleting, WorkloadState::kUnknown},
     {"CONFIGURING", "CF", WorkloadFlag::kConfiguring, WorkloadState::kRunning},
     {"REQUEUED", "RQ", WorkloadFlag::kRequeued, WorkloadState::kPending},
     {"REQUEUE_HOLD", "RH", WorkloadFlag::kRequeueHold, WorkloadState::kPending},
     {"SPECIAL_EXIT", "SE", WorkloadFlag::kSpecialExit, WorkloadState::kPending},
     {"RESIZING", "RS", WorkloadFlag::kResizing, WorkloadState::kRunning},
     {"STOPPED", "ST", WorkloadFlag::kStopped, WorkloadState::kRunning},
     {"REVOKED", "RV", WorkloadFlag::kRevoked, WorkloadState::kUnknown},
     {"REQUEUE_FED", "RF", WorkloadFlag::kRequeueFederation, WorkloadState::kPending},
     {"RESV_DEL_HOLD", "RD", WorkloadFlag::kReservationDeletedHold, WorkloadState::kPending},
     {"SIGNALING", "SI", WorkloadFlag::kSignaling, WorkloadState::kRunning},
     {"STAGE_OUT", "SO", WorkloadFlag::kStageOut, WorkloadState::kUnknown},
     {"LAUNCH_FAILED", "LF", WorkloadFlag::kLaunchFailed, WorkloadState::kUnknown},
     {"RECONFIG_FAIL", "", WorkloadFlag::kReconfigFail, WorkloadState::kUnknown},
     {"POWER_UP_NODE", "", WorkloadFlag::kPowerUpNode, WorkloadState::kUnknown},
     {"UPDATE_DB", "UD", WorkloadFlag::kUpdateDb, WorkloadState::kUnknown},
     {"EXPEDITING", "EX", WorkloadFlag::kExpediting, WorkloadState::kUnknown}}};

// Texts that Slurm prints in place of the token, by how they begin.
struct ReasonText {
  std::string_view begins, token;
};
constexpr std::array<ReasonText, 5> kReasonTexts = {
    {{"Nodes required for job are DOWN", "Resources"},
     {"launch failure limit exceeded", "JobHoldMaxRequeue"},
     {"launch failed requeued held", "JobHeldAdmin"},
     {"user env retrieval failed", "JobHeldUser"},
     {"Job's account not permitted", "AccountNotAllowed"}}};

bool token_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// How many tasks "9", "1-40" or "1-99:2" stands for.
std::optional<std::uint64_t> task_range_size(std::string_view text) {
  std::uint64_t step = 1;
  if (auto pair = cut(text, ':')) {
    auto number = parse_number<std::uint32_t>(pair->second);
    if (!number || *number == 0) return std::nullopt;
    step = *number;
    text = pair->first;
  }
  auto ends = cut(text, '-');
  auto first = parse_number<std::uint32_t>(ends ? ends->first : text);
  auto last = parse_number<std::uint32_t>(ends ? ends->second : text);
  if (!first || !last || *last < *first) return std::nullopt;
  return (*last - *first) / step + 1;
}

}  // namespace

Result<TaskList> parse_task_list(std::string_view text) {
  auto whole = text;
  auto bad = [&] { return fail("'{}' is no list of array tasks", printable(whole.substr(0, 60))); };
  if (text.starts_with('[')) {
    if (!text.ends_with(']')) return bad();
    text = text.substr(1, text.size() - 2);
  }
  TaskList list;
  if (auto pair = cut(text, '%')) {
    list.max_running = parse_number<std::uint32_t>(pair->second);
    if (!list.max_running) return bad();
    text = pair->first;
  }
  list.tasks = text;
  std::uint64_t count = 0;
  for (auto part : split(text, ',')) {
    // "..." is where a tool gave up printing; there it is a cut list.
    auto size = task_range_size(part);
    if (!size) return bad();
    count += *size;
  }
  if (count == 0 || count > 0xFFFFFFFF) return bad();
  list.count = static_cast<std::uint32_t>(count);
  return list;
}

Status parse_job_id(std::string_view text, model::Workload& w) {
  auto end = text.find_first_of("_+");
  auto number = parse_number<std::uint32_t>(text.substr(0, end));
  auto bad = [&] { return fail("'{}' is no job id", printable(text.substr(0, 60))); };
  if (!number) return bad();
  if (end == std::string_view::npos) return {};
  auto rest = text.substr(end + 1);
  if (text[end] == '+') {
    auto offset = parse_number<std::uint32_t>(rest);
    if (!offset) return bad();
    w.het = model::HetPlace{*number, *offset};
    return {};
  }
  auto& place = w.array.emplace();
  place.job_id = *number;
  if (auto task = parse_number<std::uint32_t>(rest)) {
    place.task_id = *task;
    return {};
  }
  auto list = parse_task_list(rest);
  if (!list) return fail(list.error());
  place.waiting_tasks = std::move(list->tasks);
  place.waiting_count = list->count;
  place.max_running = list->max_running;
  return {};
}

void parse_job_state(std::string_view word, model::Workload& w) {
  for (const auto& s : kStates) {
    if (word != s.word && word != s.short_word) continue;
    w.state = s.state;
    return;
  }
  for (const auto& f : kFlags) {
    if (word != f.word && (word != f.short_word || word.empty())) continue;
    w.flags.set(f.flag);
    w.state = f.implied;
    return;
  }
  w.unknown_state = printable(word);
}

void parse_job_reason(std::string_view text, model::Workload& w) {
  if (text.size() > 1 && text.front() == '(' && text.back() == ')') {
    text = text.substr(1, text.size() - 2);
  }
  for (const auto& known : kReasonTexts) {
    if (!text.starts_with(known.begins)) continue;
    w.reason = Symbol(known.token);
    w.reason_text = text;
    return;
  }
  std::size_t end = 0;
  while (end < text.size() && token_character(text[end])) ++end;
  if (end == text.size()) {
    w.reason = Symbol(text);
    return;
  }
  // "ReqNodeNotAvail, ...", "RaisedSignal:53(...)"; other sentences name no token.
  w.reason_text = text;
  if (end > 0 && (text[end] == ',' || text[end] == ':' || text[end] == '(')) {
    w.reason = Symbol(text.substr(0, end));
  }
}

std::optional<model::Exit> parse_exit(std::string_view text) {
  if (auto pair = cut(text, ':')) {
    auto code = parse_number<int>(pair->first);
    auto signal = parse_number<int>(pair->second);
    if (!code || !signal) return std::nullopt;
    return model::Exit{*code, *signal};
  }
  auto status = parse_number<std::uint32_t>(text);
  if (!status || *status > 0xFFFF) return std::nullopt;
  return model::Exit{static_cast<int>(*status >> 8), static_cast<int>(*status & 0x7F)};
}

model::Sharing parse_sharing(std::string_view word) {
  if (word == "OK") return model::Sharing::kShareable;
  if (word == "NO" || word == "NODE") return model::Sharing::kWholeNode;
  if (word == "YES") return model::Sharing::kOversubscribe;
  if (word == "USER") return model::Sharing::kUser;
  if (word == "MCS") return model::Sharing::kMcs;
  return model::Sharing::kUnspecified;
}

}  // namespace schedlens::slurm
