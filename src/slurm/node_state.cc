// SPDX-License-Identifier: Apache-2.0
#include "slurm/node_state.h"

#include <array>

#include "base/text.h"

namespace schedlens::slurm {
namespace {

using model::NodeFlag;
using model::NodeState;

struct BaseWord {
  std::string_view word;
  NodeState state;
};
constexpr std::array<BaseWord, 15> kBaseWords = {{{"UNKNOWN", NodeState::kUnknown},
                                                  {"UNK", NodeState::kUnknown},
                                                  {"DOWN", NodeState::kDown},
                                                  {"IDLE", NodeState::kIdle},
                                                  {"ALLOCATED", NodeState::kAllocated},
                                                  {"ALLOC", NodeState::kAllocated},
                                                  {"MIXED", NodeState::kMixed},
                                                  {"MIX", NodeState::kMixed},
                                                  {"ERROR", NodeState::kError},
                                                  {"FUTURE", NodeState::kFuture},
                                                  {"FUTR", NodeState::kFuture},
                                                  // Words of sinfo that are a state and a flag.
                                                  {"DRAINING", NodeState::kMixed},
                                                  {"DRNG", NodeState::kMixed},
                                                  {"FAILING", NodeState::kMixed},
                                                  {"FAILG", NodeState::kMixed}}};

struct FlagWord {
  std::string_view word;
  NodeFlag flag;
};
// Spellings beside those of model::flag_name.
constexpr std::array<FlagWord, 30> kFlagWords = {
    {{"DRAINING", NodeFlag::kDrain},
     {"DRNG", NodeFlag::kDrain},
     {"DRAINED", NodeFlag::kDrain},
     {"FAILING", NodeFlag::kFail},
     {"FAILG", NodeFlag::kFail},
     {"COMP", NodeFlag::kCompleting},
     {"RESV", NodeFlag::kReserved},
     {"MAINT", NodeFlag::kMaintenance},
     {"PLND", NodeFlag::kPlanned},
     {"INVAL", NodeFlag::kInvalidRegistration},
     {"INVALID_REGISTRATION", NodeFlag::kInvalidRegistration},
     {"NO_RESPOND", NodeFlag::kNotResponding},
     {"NO_RESP", NodeFlag::kNotResponding},
     {"REBOOT", NodeFlag::kRebootRequested},
     {"BOOT", NodeFlag::kRebootRequested},
     {"REBOOT^", NodeFlag::kRebootIssued},
     {"REBOOT_CANCEL", NodeFlag::kRebootCanceled},
     {"POWERING_UP", NodeFlag::kPoweringUp},
     {"POW_UP", NodeFlag::kPoweringUp},
     {"POWER_UP", NodeFlag::kPowerUp},
     {"POW_DN", NodeFlag::kPoweringDown},
     {"POWERED_DOWN", NodeFlag::kPoweredDown},
     {"POWERING_DOWN", NodeFlag::kPoweringDown},
     {"POWER_DOWN", NodeFlag::kPowerDown},
     {"DYNAMIC_NORM", NodeFlag::kDynamicNormal},
     {"DYNAMIC_NORMAL", NodeFlag::kDynamicNormal},
     {"BLKD", NodeFlag::kBlocked},
     {"BLOCK", NodeFlag::kBlocked},
     {"INVALID_REG", NodeFlag::kInvalidRegistration},
     {"CANCEL_REBOOT", NodeFlag::kRebootCanceled}}};

struct Suffix {
  char mark;
  NodeFlag flag;
};
constexpr std::array<Suffix, 9> kSuffixes = {{{'*', NodeFlag::kNotResponding},
                                              {'~', NodeFlag::kPoweredDown},
                                              {'#', NodeFlag::kPoweringUp},
                                              {'%', NodeFlag::kPoweringDown},
                                              {'!', NodeFlag::kPowerDown},
                                              {'$', NodeFlag::kMaintenance},
                                              {'@', NodeFlag::kRebootRequested},
                                              {'^', NodeFlag::kRebootIssued},
                                              {'-', NodeFlag::kPlanned}}};

bool apply_word(std::string_view word, model::Node& node) {
  bool known = false;
  for (const auto& base : kBaseWords) {
    if (!equal_ignoring_case(word, base.word)) continue;
    node.state = base.state;
    known = true;
  }
  for (unsigned i = 0; i < static_cast<unsigned>(NodeFlag::kCount); ++i) {
    auto flag = static_cast<NodeFlag>(i);
    if (!equal_ignoring_case(word, model::flag_name(flag))) continue;
    node.flags.set(flag);
    known = true;
  }
  for (const auto& entry : kFlagWords) {
    if (!equal_ignoring_case(word, entry.word)) continue;
    node.flags.set(entry.flag);
    known = true;
  }
  return known;
}

// sinfo's words for an idle node under one condition leave the state out.
void complete_idle(model::Node& node, bool base_seen) {
  using F = NodeFlag;
  if (base_seen || !node.unknown_states.empty()) return;
  if (node.flags.any()) node.state = NodeState::kIdle;
  if (node.flags.has(F::kInvalidRegistration)) node.state = NodeState::kUnknown;
}

bool is_base_word(std::string_view word) {
  for (const auto& base : kBaseWords) {
    if (equal_ignoring_case(word, base.word)) return true;
  }
  return false;
}

}  // namespace

void parse_node_state(std::string_view text, model::Node& node) {
  text = trim(text);
  bool base_seen = false;
  // sinfo's "+" at the end: busy and completing.
  if (text.size() > 1 && text.back() == '+') {
    node.flags.set(NodeFlag::kCompleting);
    text.remove_suffix(1);
  }
  for (auto word : split(text, '+')) {
    while (!word.empty()) {
      const Suffix* found = nullptr;
      for (const auto& suffix : kSuffixes) {
        if (word.back() == suffix.mark) found = &suffix;
      }
      if (!found) break;
      node.flags.set(found->flag);
      word.remove_suffix(1);
    }
    if (word.empty()) continue;
    base_seen |= is_base_word(word);
    if (!apply_word(word, node)) node.unknown_states.emplace_back(printable(word));
  }
  complete_idle(node, base_seen);
}

}  // namespace schedlens::slurm
