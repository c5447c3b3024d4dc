// SPDX-License-Identifier: Apache-2.0
#include "diagnose/withheld_pods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/text.h"
#include "diagnose/admission_wait.h"
#include "diagnose/constraint_list.h"
#include "diagnose/withheld_remedies.h"
#include "model/kubernetes.h"

namespace schedlens::diagnose {

using model::Snapshot;

std::optional<double> parse_amount(std::string_view text) {
  struct Suffix {
    std::string_view text;
    double factor;
  };
  constexpr auto kSuffixes = std::to_array<Suffix>({{"Ki", 1024.0},
                                                    {"Mi", 1048576.0},
                                                    {"Gi", 1073741824.0},
                                                    {"Ti", 1099511627776.0},
                                                    {"Pi", 1125899906842624.0},
                                                    {"Ei", 1152921504606846976.0},
                                                    {"n", 1e-9},
                                                    {"u", 1e-6},
                                                    {"m", 1e-3},
                                                    {"k", 1e3},
                                                    {"M", 1e6},
                                                    {"G", 1e9},
                                                    {"T", 1e12},
                                                    {"P", 1e15},
                                                    {"E", 1e18}});
  double factor = 1;
  for (const auto& s : kSuffixes) {
    if (!text.ends_with(s.text)) continue;
    factor = s.factor;
    text.remove_suffix(s.text.size());
    break;
  }
  const auto number = parse_number<double>(text);
  return number ? std::optional(*number * factor) : std::nullopt;
}

namespace {

// What stands between a label and the next one of the list, or the end.
std::string_view part(std::string_view text, std::string_view label, std::string_view next) {
  auto from = text.find(label);
  if (from == std::string_view::npos) return {};
  from += label.size();
  const auto to = next.empty() ? std::string_view::npos : text.find(next, from);
  return trim(text.substr(from, to == std::string_view::npos ? to : to - from));
}

using Member = std::optional<double> QuotaRefusal::Amount::*;
void read_amounts(std::string_view list, Member member, QuotaRefusal& refusal) {
  for (auto item : split(list, ',')) {
    const auto parts = cut(item, '=');
    if (!parts) continue;
    const auto name = trim(parts->first);
    auto& amounts = refusal.amounts;
    auto at =
        std::find_if(amounts.begin(), amounts.end(), [&](const auto& a) { return a.name == name; });
    if (at == amounts.end()) at = amounts.insert(at, {std::string(name), {}, {}, {}});
    (*at).*member = parse_amount(trim(parts->second));
  }
}

}  // namespace

std::optional<QuotaRefusal> parse_quota_refusal(std::string_view text) {
  QuotaRefusal refusal;
  if (auto name = part(text, "exceeded quota: ", ", requested: "); !name.empty()) {
    refusal.quota = std::string(name);
    using Amount = QuotaRefusal::Amount;
    read_amounts(part(text, ", requested: ", ", used: "), &Amount::requested, refusal);
    read_amounts(part(text, ", used: ", ", limited: "), &Amount::used, refusal);
    read_amounts(part(text, ", limited: ", ""), &Amount::limited, refusal);
    return refusal;
  }
  const auto failed = part(text, "failed quota: ", "");
  const auto colon = failed.find(": must specify ");
  if (colon == std::string_view::npos) return std::nullopt;
  refusal.quota = std::string(failed.substr(0, colon));
  refusal.must_specify = std::string(trim(part(failed, ": must specify ", "")));
  return refusal;
}

namespace {

const model::Controller* find_controller(const Snapshot& snapshot, const model::Event& e) {
  if (!snapshot.kubernetes->controllers) return nullptr;
  for (const auto& c : *snapshot.kubernetes->controllers) {
    const bool same = e.uid.empty() || c.uid.empty() || c.uid == e.uid;
    if (c.kind == e.kind && c.ns == e.ns && c.name == e.name && same) return &c;
  }
  return nullptr;
}

bool has_room_now(const model::ResourceQuota& quota, const QuotaRefusal& refusal) {
  if (refusal.amounts.empty()) return false;
  return std::all_of(refusal.amounts.begin(), refusal.amounts.end(), [&](const auto& a) {
    const auto hard = quota.hard.find(Symbol(a.name));
    if (!hard) return true;  // no longer limited
    const auto used = in_units_of_the_text(a.name, quota.used.get(Symbol(a.name)));
    return a.requested && used + *a.requested <= in_units_of_the_text(a.name, *hard);
  });
}

void explain_quota(const Snapshot& snapshot, const QuotaRefusal& refusal, WithheldPods& w) {
  const auto holder = fmt::format("quota {} in namespace {}", refusal.quota, w.ns.view());
  if (!refusal.must_specify.empty()) {
    w.summary = fmt::format("The {} counts what its pods do not name: they must specify {}.",
                            holder, refusal.must_specify);
    return;
  }
  std::vector<std::string> parts;
  for (const auto& a : refusal.amounts) {
    ReachedLimit limit;
    limit.holder = holder;
    limit.name = "ResourceQuota";
    limit.resource = Symbol(a.name);
    limit.limit = a.limited.value_or(0);
    limit.used = a.used;
    limit.requested = a.requested.value_or(0);
    limit.request_alone_exceeds = a.limited && a.requested && *a.requested > *a.limited;
    parts.push_back(fmt::format("{} of {} used and {} asked of {}", limit.used.value_or(0),
                                limit.limit, limit.requested, a.name));
    w.limits.push_back(std::move(limit));
  }
  const auto* quota = find_quota(snapshot, w.ns, refusal.quota);
  w.room_now = quota && has_room_now(*quota, refusal);
  w.summary = fmt::format("The {} is full: {}.", holder, fmt::join(parts, "; "));
  if (w.room_now) w.summary += " By now it has room; the owner tries again with growing delay.";
}

WithheldPods explain_event(const Snapshot& snapshot, const model::Event& e) {
  WithheldPods w;
  w.kind = e.kind;
  w.ns = e.ns;
  w.owner = e.name;
  w.message = e.note;
  w.last_try = e.last;
  w.tries = e.count;
  if (const auto refusal = parse_quota_refusal(e.note)) {
    explain_quota(snapshot, *refusal, w);
  } else {
    w.summary = fmt::format("The API server refuses its pods: {}", e.note);
  }
  return w;
}

}  // namespace

namespace {

// Jobs and the like that Kueue keeps suspended, so that their pods are not made.
void add_suspended(const Snapshot& snapshot, std::vector<WithheldPods>& list) {
  static const Symbol kPod{"Pod"};
  const auto& k = *snapshot.kubernetes;
  if (!k.admission_workloads) return;
  for (const auto& workload : *k.admission_workloads) {
    if (workload.owners.empty() || is_admitted(workload) || is_finished(workload)) continue;
    const auto& owner = workload.owners.front();
    if (owner.kind == kPod) continue;  // they exist, with a gate
    auto wait = admission_wait(snapshot, workload);
    WithheldPods w;
    w.kind = owner.kind;
    w.ns = workload.ns;
    w.owner = owner.name;
    std::int32_t count = 0;
    for (const auto& set : workload.pod_sets) count += std::max(0, set.count);
    w.missing = static_cast<std::uint32_t>(count);
    w.cause = wait.cause;
    w.summary = fmt::format("Kueue keeps it suspended. {}", wait.summary);
    for (const auto& detail : wait.details) {
      if (!detail.starts_with("Kueue says")) w.summary += " " + detail;
    }
    w.message = std::move(wait.message);
    w.limits = std::move(wait.limits);
    list.push_back(std::move(w));
  }
}

}  // namespace

std::vector<WithheldPods> withheld_pods(const Snapshot& snapshot) {
  static const Symbol kFailedCreate{"FailedCreate"};
  std::vector<WithheldPods> list;
  if (!snapshot.kubernetes) return list;
  add_suspended(snapshot, list);
  if (!snapshot.kubernetes->events) return list;
  // The last refusal of each owner; every pod name makes an event of its own.
  std::map<std::tuple<Symbol, Symbol, std::string>, std::pair<const model::Event*, std::uint32_t>>
      last;
  for (const auto& e : *snapshot.kubernetes->events) {
    if (e.reason != kFailedCreate) continue;
    auto& [event, tries] = last[{e.kind, e.ns, e.name}];
    tries += e.count;
    if (!event || event->last < e.last) event = &e;
  }
  for (const auto& [key, found] : last) {
    const auto* controller = find_controller(snapshot, *found.first);
    if (!controller && snapshot.kubernetes->controllers) continue;  // it is gone
    std::optional<std::uint32_t> missing;
    if (controller) {
      if (controller->finished || controller->suspended) continue;
      if (controller->desired && controller->existing) {
        if (*controller->existing >= *controller->desired) continue;
        missing = static_cast<std::uint32_t>(*controller->desired - *controller->existing);
      }
    }
    auto w = explain_event(snapshot, *found.first);
    w.missing = missing;
    w.tries = found.second;
    w.remedies = withheld_remedies(snapshot, w);
    list.push_back(std::move(w));
  }
  return list;
}

}  // namespace schedlens::diagnose
