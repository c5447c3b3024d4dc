// SPDX-License-Identifier: Apache-2.0
#include "diagnose/fit_message.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"

namespace schedlens::diagnose {
namespace {

constexpr std::string_view kNoNodes = "no nodes available to schedule pods";
constexpr std::string_view kAvailable = " nodes are available:";
constexpr std::string_view kPreemption = "preemption:";

// Takes a number and the blank behind it from the front.
std::optional<std::uint32_t> take_count(std::string_view& text) {
  const auto blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const auto count = parse_number<std::uint32_t>(text.substr(0, blank));
  if (count) text.remove_prefix(blank + 1);
  return count;
}

// Takes "0/64 nodes are available:" from the front.
std::optional<std::uint32_t> take_head(std::string_view& text) {
  if (!text.starts_with("0/")) return std::nullopt;
  const auto at = text.find(kAvailable);
  if (at == std::string_view::npos) return std::nullopt;
  const auto nodes = parse_number<std::uint32_t>(text.substr(2, at - 2));
  if (!nodes) return std::nullopt;
  text = trim(text.substr(at + kAvailable.size()));
  return nodes;
}

std::string_view without_dots(std::string_view text) {
  text = trim(text);
  while (text.ends_with('.')) text = trim(text.substr(0, text.size() - 1));
  return text;
}

// Where the next element of a list begins: ", " and a count. Reasons contain commas themselves.
std::size_t next_element(std::string_view list) {
  for (auto at = list.find(", "); at != std::string_view::npos; at = list.find(", ", at + 2)) {
    auto rest = list.substr(at + 2);
    if (take_count(rest)) return at;
  }
  return std::string_view::npos;
}

std::vector<SchedulerCount> read_counts(std::string_view list, bool cut) {
  std::vector<SchedulerCount> counts;
  while (true) {
    const auto end = next_element(list);
    auto element = list.substr(0, end);
    const bool whole = end != std::string_view::npos || !cut;
    const auto count = take_count(element);
    if (count && whole) counts.push_back({std::string(without_dots(element)), *count});
    if (end == std::string_view::npos) return counts;
    list.remove_prefix(end + 2);
  }
}

// The dot that ends the head of the message: before what a PostFilter plugin is known to say, or
// the last one in the text with something behind it.
std::size_t head_end(std::string_view body) {
  constexpr auto kTails = std::to_array<std::string_view>(
      {". preemption:", ". no new claims to deallocate", ". still not schedulable",
       ". deallocation of ResourceClaim", ". deletion of ResourceClaim", ". not found"});
  auto first = std::string_view::npos;
  for (auto tail : kTails) first = std::min(first, body.find(tail));
  if (first != std::string_view::npos || body.ends_with('.')) return first;
  return body.rfind(". ");
}

std::optional<FitMessage::Placement> read_placement(std::string_view text) {
  constexpr std::string_view kNode = "found a potential placement for pod on node ";
  constexpr std::string_view kVictims = ", preempting ";
  const auto at = text.find(kNode);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + kNode.size());
  const auto end = text.find(kVictims);
  if (end == std::string_view::npos) return std::nullopt;
  FitMessage::Placement placement;
  placement.node = std::string(trim(text.substr(0, end)));
  auto rest = text.substr(end + kVictims.size());
  const auto victims = take_count(rest);
  if (!victims || placement.node.empty()) return std::nullopt;
  placement.victims = *victims;
  return placement;
}

void read_tail(std::string_view tail, FitMessage& message) {
  tail = trim(tail);
  const auto at = tail.find(kPreemption);
  auto before = trim(tail.substr(0, at));
  if (before.ends_with(',')) before.remove_suffix(1);
  message.after_head = std::string(at == std::string_view::npos ? without_dots(before) : before);
  if (at == std::string_view::npos) return;
  auto text = trim(tail.substr(at + kPreemption.size()));
  message.preemption_nodes = take_head(text);
  if (message.preemption_nodes) {
    message.preemption_reasons = read_counts(text, message.cut);
  } else {
    message.preemption = std::string(without_dots(text));
    message.placement = read_placement(text);
  }
}

struct Renamed {
  std::string_view from, to;
};
constexpr auto kRenamed = std::to_array<Renamed>({
    {"node(s) didn't match Pod's node affinity",
     "node(s) didn't match Pod's node affinity/selector"},
    {"node(s) didn't match node selector", "node(s) didn't match Pod's node affinity/selector"},
    {"node(s) had volume node affinity conflict",
     "node(s) didn't match PersistentVolume's node affinity"},
    {"node(s) didn't match pod affinity/anti-affinity", ""},
    {"node(s) didn't match pod affinity/anti-affinity rules", ""},
});

bool is_old_taint(std::string_view reason) {
  return reason.starts_with("node(s) had untolerated taint {") ||
         (reason.starts_with("node(s) had taint {") &&
          reason.ends_with("that the pod didn't tolerate"));
}

}  // namespace

std::optional<FitMessage> parse_fit_message(std::string_view text) {
  FitMessage message;
  text = trim(text);
  if (without_dots(text) == kNoNodes) {
    message.form = FitMessage::Form::kNoNodes;
    return message;
  }
  const auto nodes = take_head(text);
  if (!nodes) return std::nullopt;
  message.nodes = *nodes;
  message.cut = text.ends_with(" ...");
  if (message.cut) text.remove_suffix(4);

  const auto end = head_end(text);
  const auto head = text.substr(0, end);
  auto first = head;
  const bool head_cut = message.cut && end == std::string_view::npos;
  if (take_count(first)) {
    message.reasons = read_counts(head, head_cut);
  } else {
    message.form = FitMessage::Form::kWholePod;
    message.whole_pod = std::string(without_dots(head));
  }
  if (end != std::string_view::npos) read_tail(text.substr(end + 1), message);
  return message;
}

std::string canonical_reason(std::string_view reason) {
  if (is_old_taint(reason)) return std::string(reason_text(PodReason::kTaint));
  for (const auto& renamed : kRenamed) {
    if (reason == renamed.from) return std::string(renamed.to);
  }
  return std::string(reason);
}

std::vector<SchedulerCount> canonical(const std::vector<SchedulerCount>& reasons) {
  std::map<std::string, std::uint32_t> sums;
  for (const auto& r : reasons) {
    auto name = canonical_reason(r.reason);
    if (!name.empty()) sums[std::move(name)] += r.count;
  }
  std::vector<SchedulerCount> list;
  for (const auto& [reason, count] : sums) list.push_back({reason, count});
  return list;
}

std::optional<PodFilter> filter_of_reason(std::string_view reason) {
  for (unsigned i = 0; i < static_cast<unsigned>(PodReason::kFirstResource); ++i) {
    const auto r = static_cast<PodReason>(i);
    if (reason == reason_text(r)) return filter_of(r);
  }
  if (reason.starts_with("Insufficient ")) return PodFilter::kNodeResourcesFit;
  struct Other {
    std::string_view text;
    PodFilter filter;
  };
  constexpr auto kOthers = std::to_array<Other>({
      {"node(s) didn't match the requested node name", PodFilter::kNodeName},
      {"node(s) didn't match scheduler-enforced node affinity", PodFilter::kNodeAffinity},
      {"pod affinity terms conflict", PodFilter::kNodeAffinity},
      {"node(s) had no available disk", PodFilter::kVolumeRestrictions},
      {"node(s) exceed max volume count", PodFilter::kNodeVolumeLimits},
      {"node(s) did not have enough free storage", PodFilter::kVolumeBinding},
      {"pod has unbound immediate PersistentVolumeClaims", PodFilter::kVolumeBinding},
      {"resourceclaim not available on the node", PodFilter::kDynamicResources},
      {"cannot allocate all claims", PodFilter::kDynamicResources},
      {"resourceclaim in use", PodFilter::kDynamicResources},
  });
  for (const auto& other : kOthers) {
    if (reason == other.text) return other.filter;
  }
  if (reason.starts_with("persistentvolumeclaim ") ||
      reason.starts_with("waiting for ephemeral volume controller")) {
    return PodFilter::kVolumeBinding;
  }
  return std::nullopt;
}

}  // namespace schedlens::diagnose
