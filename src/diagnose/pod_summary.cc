// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "diagnose/constraint_list.h"
#include "diagnose/pod_constraints.h"
#include "diagnose/pod_text.h"
#include "diagnose/room_to_come.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;
using Step = PodAssessment::Step;

namespace {

const model::Pod& pod_of(const PodFindings& f) {
  return *f.evaluation.cluster().snapshot().workload(f.id).pod;
}

std::string too_large(const PodFindings& f) {
  const auto& cluster = f.evaluation.cluster();
  for (const auto& ask : f.answer.asks) {
    std::int64_t most = 0;
    NodeId largest{};
    for (std::uint32_t i = 0; i < f.answer.failed.size(); ++i) {
      const bool wanted = f.answer.failed[i].only(reasons_of(PodFilter::kNodeAffinity)).empty();
      const auto total = healthy_total(cluster, ask, {i});
      if (!wanted || total <= most) continue;
      most = total;
      largest = {i};
    }
    if (ask.amount <= most) continue;
    if (most == 0) {
      return fmt::format("It asks for {}, and no node it may use has any.",
                         amount_text(ask.name, ask.amount));
    }
    return fmt::format("It asks for {}, and the largest node it may use ({}) has {}.",
                       amount_text(ask.name, ask.amount), cluster.name(largest),
                       amount_text(ask.name, most));
  }
  return fmt::format("It asks for {}, and no single node it may use has all of that.",
                     asks_text(f.answer));
}

std::string devices_never(const PodFindings& f) {
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < f.answer.failed.size(); ++i) {
    if (f.answer.failed[i].only(reasons_of(PodFilter::kNodeAffinity)).empty()) nodes.push_back({i});
  }
  return fmt::format(
      "It asks for {}, and no node it may use has that even when all its devices "
      "are free: {}.",
      f.answer.devices->asks_text(), f.answer.devices->room_text(nodes));
}

std::string selects_none(const PodFindings& f) {
  if (!f.answer.whole_pod.empty()) {
    return "The nodes that its affinity names contradict each other, so it can run on none.";
  }
  return fmt::format("No node of the cluster matches its node selector or affinity: {}.",
                     filter_detail(f.evaluation, f.id, f.answer, PodFilter::kNodeAffinity));
}

std::string key_absent(const PodFindings& f) {
  Symbol key;
  auto note = [&](const Topology& t) {
    if (t.values.empty() && key.empty()) key = t.key;
  };
  if (f.answer.spread) {
    for (const auto& c : f.answer.spread->constraints()) note(*c.topology);
  }
  if (f.answer.affinity) {
    for (const auto& t : f.answer.affinity->affinity()) note(*t.topology);
  }
  return fmt::format("It is to be placed by the node label {}, which no node carries.", key.view());
}

std::string own_nomination(const PodFindings& f) {
  const auto& cluster = f.evaluation.cluster();
  const auto node = f.assessment.nodes.front();
  const auto priority = pod_of(f).priority.value_or(0);
  std::size_t ending = 0;
  for (const auto& p : cluster.assigned_on(node)) {
    const auto& other = cluster.pod(p);
    if (other.deleting && other.priority.value_or(0) < priority) ++ending;
  }
  return fmt::format(
      "The scheduler has made room for it on {} by preemption; {} of lower priority "
      "{} still ending there.",
      cluster.name(node), plural(ending, "pod"), ending == 1 ? "is" : "are");
}

std::string others_nomination(const PodFindings& f) {
  const auto& cluster = f.evaluation.cluster();
  std::vector<std::string> names;
  for (const auto& n : cluster.nominees()) {
    const auto& nodes = f.assessment.nodes;
    if (n.id == f.id || std::find(nodes.begin(), nodes.end(), n.node) == nodes.end()) continue;
    names.push_back(display_id(cluster.snapshot().workload(n.id)));
  }
  return fmt::format("Its room on {} is promised to waiting pods of at least its priority: {}.",
                     some_nodes(cluster, f.assessment.nodes), some_of(names));
}

std::string unhealthy(const PodFindings& f) {
  const auto& cluster = f.evaluation.cluster();
  std::vector<std::string> names;
  for (auto node : f.assessment.nodes) {
    const auto health = node_health(cluster, *pod_of(f).spec, f.answer, node);
    names.push_back(fmt::format("{} ({})", cluster.name(node), health.state));
  }
  auto text = fmt::format("{} would hold it ({}) if in good health and in service: {}.",
                          plural(names.size(), "node"), asks_text(f.answer), some_of(names));
  if (!f.answer.devices) return text;
  const auto taints = f.answer.devices->taints_text();
  if (!taints.empty()) text += fmt::format(" Its devices are tainted: {}.", taints);
  return text;
}

std::string constraint(const PodFindings& f) {
  std::map<PodFilter, std::size_t> by_filter;
  for (auto node : f.assessment.nodes) {
    const auto filters = filters_of(f.answer.failed[node.index]);
    for (std::size_t i = 0; i < kPodFilters; ++i) {
      const auto filter = static_cast<PodFilter>(i);
      if (filters.has(filter)) ++by_filter[filter];
    }
  }
  std::vector<std::pair<PodFilter, std::size_t>> most_first(by_filter.begin(), by_filter.end());
  std::stable_sort(most_first.begin(), most_first.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [filter, count] : most_first) {
    parts.push_back(fmt::format("{} excludes {} ({})", filter_name(filter), count,
                                filter_detail(f.evaluation, f.id, f.answer, filter)));
  }
  return fmt::format("{} {} the room for {}, but {}.", plural(f.assessment.nodes.size(), "node"),
                     f.assessment.nodes.size() == 1 ? "has" : "have", asks_text(f.answer),
                     fmt::join(parts, " and "));
}

// Free amounts on the nodes that only lack room: in sum and at most on one.
struct Room {
  std::int64_t sum = 0, most = 0;
  NodeId node{};
};
Room room(const PodFindings& f, const ResourceAsk& ask) {
  Room room;
  for (auto node : f.assessment.nodes) {
    const auto free = std::max<std::int64_t>(0, ask.free(node));
    room.sum += free;
    if (free > room.most) {
      room.most = free;
      room.node = node;
    }
  }
  return room;
}

std::string resources(const PodFindings& f) {
  const auto nodes = f.assessment.nodes.size();
  if (nodes == 0) {
    return fmt::format("No node that is in service and open to it has room for {}.",
                       asks_text(f.answer));
  }
  if (f.answer.devices) {
    const bool devices =
        std::any_of(f.assessment.nodes.begin(), f.assessment.nodes.end(),
                    [&](NodeId n) { return f.answer.failed[n.index].has(PodReason::kNoDevices); });
    if (devices) {
      return fmt::format("It asks for {} on one node; of the {} it may use: {}.",
                         f.answer.devices->asks_text(), plural(nodes, "node"),
                         f.answer.devices->room_text(f.assessment.nodes));
    }
  }
  const auto& cluster = f.evaluation.cluster();
  const bool scattered = f.assessment.cause == RootCause::kFragmentation;
  std::vector<std::string> parts;
  for (const auto& ask : f.answer.asks) {
    const auto r = room(f, ask);
    if (r.most >= ask.amount) continue;
    parts.push_back(
        fmt::format("{} free in all{}", amount_text(ask.name, r.sum),
                    r.most > 0 ? fmt::format(", at most {} on one node ({})",
                                             amount_text(ask.name, r.most), cluster.name(r.node))
                               : ""));
  }
  if (parts.empty()) {
    return fmt::format("The {} it may use {} all of {}, but no single one has everything at once.",
                       plural(nodes, "node"), scattered ? "have" : "do not have free",
                       asks_text(f.answer));
  }
  return fmt::format("It asks for {} on one node; the {} it may use {} {}.", asks_text(f.answer),
                     plural(nodes, "node"), nodes == 1 ? "has" : "have", fmt::join(parts, "; "));
}

}  // namespace

std::string summarize_pod(const PodFindings& f) {
  const auto& cluster = f.evaluation.cluster();
  switch (f.assessment.step) {
    case Step::kNoNodes:
      return "The cluster has no nodes.";
    case Step::kWholePod:
      if (f.answer.whole_pod_by == PodFilter::kDynamicResources) {
        return fmt::format("The scheduler looks at no node for its ResourceClaims: {}.",
                           f.answer.whole_pod);
      }
      return fmt::format("Its storage is not ready: {}.", f.answer.whole_pod);
    case Step::kAffinitySelectsNone:
      return selects_none(f);
    case Step::kTooLarge:
      return too_large(f);
    case Step::kDevicesNever:
      return devices_never(f);
    case Step::kTopologyKeyAbsent:
      return key_absent(f);
    case Step::kOwnNomination:
      return own_nomination(f);
    case Step::kOthersNomination:
      return others_nomination(f);
    case Step::kVolumes:
      return fmt::format(
          "{} would take it but for its volumes: {}.", some_nodes(cluster, f.assessment.nodes),
          f.answer.exclusive_user
              ? filter_detail(f.evaluation, f.id, f.answer, PodFilter::kVolumeRestrictions)
              : filter_detail(f.evaluation, f.id, f.answer, PodFilter::kVolumeBinding));
    case Step::kNotRead:
      return fmt::format("Nothing that was read keeps it from {}; what was not read may.",
                         some_nodes(cluster, f.assessment.nodes));
    case Step::kUnhealthy:
      return unhealthy(f);
    case Step::kConstraint:
      return constraint(f);
    case Step::kResources:
      return resources(f);
    case Step::kFits:
      break;
  }
  return fmt::format("It fits on {} now.", plural(f.assessment.nodes.size(), "node"));
}

std::vector<std::string> pod_details(const PodFindings& f) {
  std::vector<std::string> details;
  const auto& cluster = f.evaluation.cluster();
  if (f.assessment.cause != RootCause::kUnhealthyNodes && !f.verdict.unhealthy_nodes.empty()) {
    const auto would =
        std::count_if(f.verdict.unhealthy_nodes.begin(), f.verdict.unhealthy_nodes.end(),
                      [](const UnhealthyNode& n) { return n.would_fit; });
    if (would > 0) {
      details.push_back(fmt::format("{} that {} cordoned or unhealthy would hold it.",
                                    plural(static_cast<std::uint64_t>(would), "node"),
                                    would == 1 ? "is" : "are"));
    }
  }
  // What stands in the way in addition on nodes that a single change would not open.
  std::size_t several = 0;
  for (auto failed : f.answer.failed) several += filters_of(failed).size() > 1 ? 1 : 0;
  if (several > 0) {
    details.push_back(fmt::format(
        "{} of {} nodes {} more than one test; the scheduler's message shows only the first.",
        several, cluster.node_count(), several == 1 ? "fails" : "fail"));
  }
  if (f.message.fit && f.message.fit->placement) {
    const auto& place = *f.message.fit->placement;
    details.push_back(fmt::format("The scheduler has found a place for it on {} by preempting {}.",
                                  place.node, plural(place.victims, "pod")));
  } else if (f.message.fit && !f.message.fit->preemption.empty()) {
    details.push_back(fmt::format("Preemption: {}.", f.message.fit->preemption));
  }
  if (f.assessment.step != Step::kFits && f.answer.whole_pod.empty()) {
    for (auto& text : room_to_come(f.evaluation, f.answer, f.verdict)) details.push_back(text);
  }
  if (f.assessment.step == Step::kOwnNomination) {
    auto when = when_preempted_ones_end(cluster, f.id, f.assessment.nodes.front());
    if (!when.empty()) details.push_back(std::move(when));
  }
  return details;
}

std::vector<std::string> pod_unsure(const PodFindings& f) {
  auto unsure = f.answer.unknown_why;
  for (auto& sentence : unsure) {
    if (!sentence.empty()) sentence[0] = static_cast<char>(std::toupper(sentence[0]));
    if (!sentence.ends_with('.')) sentence += '.';
  }
  const auto& pod = pod_of(f);
  if (!pod.volumes.empty()) {
    unsure.push_back(
        "How many volumes a node can attach and how much storage is free for new ones is not "
        "read.");
  }
  for (const auto& ask : f.answer.asks) {
    const bool listed =
        ask.column && std::any_of(ask.column->allocatable.begin(), ask.column->allocatable.end(),
                                  [](std::int64_t a) { return a > 0; });
    const bool extended = ask.name.view().find('/') != std::string_view::npos;
    if (!listed && extended && !f.evaluation.cluster().kubernetes().device_classes) {
      unsure.push_back(
          fmt::format("A DeviceClass may stand for {} since 1.36; DeviceClasses were not read.",
                      ask.name.view()));
    }
  }
  const auto scheduler = pod.spec->scheduler.view();
  if (!scheduler.empty() && scheduler != "default-scheduler") {
    unsure.push_back(fmt::format(
        "The scheduler \"{}\" may have other rules than the default one, which were applied here.",
        scheduler));
  }
  return unsure;
}

}  // namespace schedlens::diagnose
