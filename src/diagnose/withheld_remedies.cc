// SPDX-License-Identifier: Apache-2.0
#include "diagnose/withheld_remedies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>

#include "base/text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/pod_maker.h"
#include "diagnose/remedy_text.h"
#include "model/kubernetes.h"

namespace schedlens::diagnose {

using model::Snapshot;

const model::ResourceQuota* find_quota(const Snapshot& snapshot, Symbol ns,
                                       const std::string& name) {
  if (!snapshot.kubernetes->quotas) return nullptr;
  for (const auto& q : *snapshot.kubernetes->quotas) {
    if (q.ns == ns && q.name == name) return &q;
  }
  return nullptr;
}

double in_units_of_the_text(const std::string& name, std::int64_t amount) {
  const bool cpu = name == "cpu" || name.ends_with(".cpu");
  return static_cast<double>(amount) / (cpu ? 1000 : 1);
}

namespace {

std::string quantity_text(double amount) {
  return amount == std::floor(amount) ? fmt::format("{:.0f}", amount) : fmt::format("{}", amount);
}

// A controller that was refused tries again with growing delay; a change of it makes it try at
// once.
std::string try_again(const WithheldPods& w) {
  return fmt::format("kubectl annotate {} -n {} --overwrite \"tried-again=$(date +%s)\"",
                     shell_word(fmt::format("{}/{}", lower(w.kind.view()), w.owner)),
                     shell_word(w.ns.view()));
}

// The quota as it must be for all pods that are missing, as far as is known how many these are.
std::vector<Remedy> quota_remedies(const Snapshot& snapshot, const WithheldPods& w) {
  const auto refusal = parse_quota_refusal(w.message);
  if (!refusal || refusal->amounts.empty()) return {};
  const auto pods = std::max(1u, w.missing.value_or(1));
  const auto owner = fmt::format("{} {}", w.kind.view(), w.owner);
  Remedy remedy;
  remedy.who = Actor::kOperator;
  if (w.room_now) {
    remedy.kind = RemedyKind::kWake;
    remedy.command = try_again(w);
    remedy.effect = fmt::format("{} tries again at once.", owner);
    return {std::move(remedy)};
  }
  const auto* quota = find_quota(snapshot, w.ns, refusal->quota);
  std::vector<std::string> hard, amounts;
  for (const auto& a : refusal->amounts) {
    if (!a.requested || !a.limited) return {};
    auto used = a.used.value_or(0), limit = *a.limited;
    if (quota) {
      const Symbol name(a.name);
      const auto now = quota->hard.find(name);
      if (!now) continue;  // no longer limited
      limit = in_units_of_the_text(a.name, *now);
      used = in_units_of_the_text(a.name, quota->used.get(name));
    }
    const auto enough = used + *a.requested * pods;
    if (enough <= limit) continue;
    hard.push_back(fmt::format("\"{}\":\"{}\"", a.name, quantity_text(enough)));
    amounts.push_back(fmt::format("{}={}", a.name, quantity_text(enough)));
  }
  if (hard.empty()) return {};
  const auto patch = fmt::format("{{\"spec\":{{\"hard\":{{{}}}}}}}", fmt::join(hard, ","));
  remedy.kind = RemedyKind::kRaiseLimit;
  remedy.command = fmt::format("kubectl patch resourcequota {} -n {} --type=merge -p {}\n{}",
                               shell_word(refusal->quota), shell_word(w.ns.view()),
                               shell_word(patch), try_again(w));
  remedy.effect = fmt::format(
      "Quota {} has {} from then on, for the whole namespace, and {} tries again at once: {} can "
      "be "
      "made. Whether nodes have room for them is known once they exist.",
      refusal->quota, fmt::join(amounts, " and "), owner, plural(pods, "pod"));
  return {std::move(remedy)};
}

Remedy untried(Actor who, RemedyKind kind, std::string command, std::string effect) {
  Remedy remedy;
  remedy.who = who;
  remedy.kind = kind;
  remedy.command = std::move(command);
  remedy.effect = std::move(effect);
  return remedy;
}

// Who has the template that the owner's pods are made from: the owner, or the Deployment above.
std::optional<PodMaker> template_of(const Snapshot& snapshot, const WithheldPods& w) {
  const auto own = pod_maker(w.kind, w.owner);
  const auto& controllers = snapshot.kubernetes->controllers;
  if (!own || !controllers) return own;
  for (const auto& c : *controllers) {
    if (c.kind != w.kind || c.ns != w.ns || c.name != w.owner || !c.owner) continue;
    return pod_maker(c.owner->kind, c.owner->name);
  }
  return own;
}

std::string how_it_changes(const PodMaker& maker) {
  return maker.anew ? fmt::format(" The {} is made anew.", maker.word) : std::string();
}

// What a container may have at most, or must have at least.
std::string container_filter(const RangeRefusal& r) {
  const auto name = json_text(r.resource);
  return fmt::format(
      "($spec | .containers[], .initContainers[]? | .resources | (.limits, .requests) | "
      "select(.[{0}]?) | .[{0}]) = {1}",
      name, json_text(r.bound));
}

std::vector<Remedy> range_remedies(const Snapshot& snapshot, const WithheldPods& w,
                                   const std::vector<RangeRefusal>& refusals) {
  std::vector<Remedy> remedies;
  const auto maker = template_of(snapshot, w);
  const bool of_containers = std::all_of(refusals.begin(), refusals.end(),
                                         [](const auto& r) { return r.per == "Container"; });
  std::vector<std::string> filters, bounds, ranges, others;
  for (const auto& r : refusals) {
    filters.push_back(container_filter(r));
    bounds.push_back(fmt::format("{} {} instead of {}", r.bound, r.resource, r.asked));
    const auto name = json_text(r.resource);
    ranges.push_back(fmt::format(
        "(.items[].spec.limits[] | select(.type == {}) | .{} | select(.[{}]? == {}) | .[{}]) = {}",
        json_text(r.per), r.maximum ? "max" : "min", name, json_text(r.bound), name,
        json_text(r.asked)));
    others.push_back(fmt::format("{} {}", r.asked, r.resource));
  }
  if (maker && of_containers) {
    remedies.push_back(
        untried(Actor::kUser, RemedyKind::kSmallerRequest,
                change_command(*maker, w.ns, fmt::format("{}", fmt::join(filters, " | "))),
                fmt::format("A container that asks for it has {}, as the LimitRange of the "
                            "namespace wants it.{}",
                            fmt::join(bounds, " and "), how_it_changes(*maker))));
  }
  const auto ns = shell_word(w.ns.view());
  remedies.push_back(untried(
      Actor::kOperator, RemedyKind::kRaiseLimit,
      fmt::format("kubectl get limitrange -n {} -o json | jq {} | kubectl replace -f -\n{}", ns,
                  shell_word(fmt::format("{}", fmt::join(ranges, " | "))), try_again(w)),
      fmt::format("The LimitRange allows {} to all of the namespace, and {} {} tries again at "
                  "once. Whether nodes have room for its pods is known once they exist.",
                  fmt::join(others, " and "), w.kind.view(), w.owner)));
  return remedies;
}

// Of what a quota counts and the pods do not name: "requests.memory for: main; limits.cpu for:
// a,b".
struct Unnamed {
  std::string list;      // "requests", "limits"
  std::string resource;  // "memory"
  std::vector<std::string> containers;
};
std::vector<Unnamed> parse_unnamed(std::string_view text) {
  std::vector<Unnamed> list;
  for (auto part : split(text, ';')) {
    const auto for_whom = trim(part).find(" for: ");
    if (for_whom == std::string_view::npos) return {};  // of releases that do not say whose
    const auto name = trim(part).substr(0, for_whom);
    Unnamed one;
    const bool limits = name.starts_with("limits.");
    one.list = limits ? "limits" : "requests";
    const auto dot = name.find('.');
    one.resource = name.substr(dot == std::string_view::npos ? 0 : dot + 1);
    for (auto c : split(trim(part).substr(for_whom + 6), ',')) one.containers.emplace_back(trim(c));
    list.push_back(std::move(one));
  }
  return list;
}

// Only to have something to put there.
std::string example_of(const std::string& resource) {
  return resource == "cpu" ? "1" : "1Gi";
}

std::vector<Remedy> unnamed_remedies(const Snapshot& snapshot, const WithheldPods& w,
                                     const QuotaRefusal& refusal) {
  const auto unnamed = parse_unnamed(refusal.must_specify);
  if (unnamed.empty()) return {};
  std::vector<std::string> filters, named, requests, limits;
  for (const auto& u : unnamed) {
    const auto example = example_of(u.resource);
    named.push_back(fmt::format("{} {}", example, u.resource));
    (u.list == "limits" ? limits : requests)
        .push_back(fmt::format("{}: {}", json_text(u.resource), json_text(example)));
    for (const auto& container : u.containers) {
      filters.push_back(fmt::format(
          "($spec | .containers[], .initContainers[]? | select(.name == {}) | .resources.{}[{}]) = "
          "{}",
          json_text(container), u.list, json_text(u.resource), json_text(example)));
    }
  }
  std::vector<Remedy> remedies;
  const auto amounts = fmt::format("{}", fmt::join(named, " and "));
  constexpr std::string_view kOnlyAnExample = "only an example: put in what the pod needs.";
  if (const auto maker = template_of(snapshot, w)) {
    remedies.push_back(
        untried(Actor::kUser, RemedyKind::kFewerWishes,
                change_command(*maker, w.ns, fmt::format("{}", fmt::join(filters, " | "))),
                fmt::format("Its containers name {}, {}{}", amounts, kOnlyAnExample,
                            how_it_changes(*maker))));
  }
  std::vector<std::string> defaults;
  if (!requests.empty()) {
    defaults.push_back(fmt::format("\"defaultRequest\": {{{}}}", fmt::join(requests, ", ")));
  }
  if (!limits.empty()) {
    defaults.push_back(fmt::format("\"default\": {{{}}}", fmt::join(limits, ", ")));
  }
  const auto range =
      fmt::format(R"({{"apiVersion": "v1", "kind": "LimitRange", "metadata": {{"name": {}}}, )"
                  R"("spec": {{"limits": [{{"type": "Container", {}}}]}}}})",
                  json_text(refusal.quota + "-defaults"), fmt::join(defaults, ", "));
  remedies.push_back(untried(
      Actor::kOperator, RemedyKind::kRaiseLimit,
      fmt::format("echo {} | kubectl apply -n {} -f -\n{}", shell_word(range),
                  shell_word(w.ns.view()), try_again(w)),
      fmt::format("Containers of the namespace that name nothing have {}, only an example, and {} "
                  "{} tries again at once.",
                  amounts, w.kind.view(), w.owner)));
  return remedies;
}

}  // namespace

std::vector<RangeRefusal> parse_range_refusals(std::string_view text) {
  static const std::regex kRange(
      R"((maximum|minimum) (\S+) usage per (\w+) is ([^\s,]+), but (?:limit|request) is ([^\s,\]]+?)\.?(?=[\s,\]]|$))");
  std::vector<RangeRefusal> list;
  const std::string whole(text);
  for (std::sregex_iterator at(whole.begin(), whole.end(), kRange), end; at != end; ++at) {
    const auto& m = *at;
    RangeRefusal r{m[1] == "maximum", m[2], m[3], m[4], m[5]};
    const bool known = std::any_of(list.begin(), list.end(), [&](const RangeRefusal& other) {
      return other.maximum == r.maximum && other.resource == r.resource && other.per == r.per;
    });
    if (!known) list.push_back(std::move(r));
  }
  return list;
}

std::vector<Remedy> withheld_remedies(const Snapshot& snapshot, const WithheldPods& w) {
  if (const auto refusal = parse_quota_refusal(w.message)) {
    return refusal->must_specify.empty() ? quota_remedies(snapshot, w)
                                         : unnamed_remedies(snapshot, w, *refusal);
  }
  const auto ranges = parse_range_refusals(w.message);
  return ranges.empty() ? std::vector<Remedy>() : range_remedies(snapshot, w, ranges);
}

}  // namespace schedlens::diagnose
