// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "diagnose/constraint_list.h"
#include "diagnose/pod_text.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;

namespace {

struct View {
  const PodEvaluation& evaluation;
  const PodCluster& cluster;
  model::WorkloadId id;
  const model::Pod& pod;
  const PodAnswer& answer;

  std::string full_name(model::WorkloadId other) const {
    const auto& w = cluster.snapshot().workload(other);
    return w.pod->ns == pod.ns ? w.name : display_id(w);
  }
};

std::string taints(const View& v) {
  std::map<std::string, std::uint32_t> nodes;
  for (std::uint32_t i = 0; i < v.answer.failed.size(); ++i) {
    if (!v.answer.failed[i].has(PodReason::kTaint)) continue;
    for (const auto* t : untolerated_but_cordon(*v.pod.spec, v.cluster.object({i}))) {
      ++nodes[to_text(*t)];
    }
  }
  std::vector<std::string> parts;
  for (const auto& [text, count] : nodes) {
    parts.push_back(fmt::format("{} ({})", text, plural(count, "node")));
  }
  return some_of(parts, 5);
}

std::string node_affinity(const View& v) {
  const auto& spec = *v.pod.spec;
  std::vector<std::string> parts;
  for (const auto& l : spec.node_selector) {
    parts.push_back(fmt::format("{}={}", l.key.view(), l.value));
  }
  if (!spec.node_affinity) return fmt::format("{}", fmt::join(parts, ", "));
  std::vector<std::string> terms;
  for (const auto& term : *spec.node_affinity) {
    std::vector<std::string> expressions;
    for (const auto& e : term.labels) expressions.push_back(to_text(e));
    for (const auto& e : term.fields) expressions.push_back(to_text(e));
    terms.push_back(expressions.empty() ? "nothing"
                                        : fmt::format("{}", fmt::join(expressions, ", ")));
  }
  if (terms.empty()) terms.push_back("nothing");
  parts.push_back(some_of(terms, 8));
  if (terms.size() > 1) parts.back() = fmt::format("one of: {}", fmt::join(terms, " | "));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string ports(const View& v) {
  constexpr std::array<std::string_view, 3> kProtocols = {"TCP", "UDP", "SCTP"};
  std::vector<std::string> parts;
  for (const auto& p : v.pod.spec->host_ports) {
    parts.push_back(fmt::format("{}{}{}/{}", p.ip, p.ip.empty() ? "" : ":", p.port,
                                kProtocols[static_cast<std::size_t>(p.protocol)]));
  }
  return fmt::format("host port {}", some_of(parts, 8));
}

std::string resources(const View& v) {
  std::vector<std::string> parts;
  for (std::size_t r = 0; r < v.answer.asks.size(); ++r) {
    const auto short_of = std::count_if(v.answer.failed.begin(), v.answer.failed.end(),
                                        [&](PodReasons failed) { return failed.has_resource(r); });
    if (short_of == 0) continue;
    parts.push_back(fmt::format("{} (short on {})",
                                amount_text(v.answer.asks[r].name, v.answer.asks[r].amount),
                                plural(static_cast<std::uint64_t>(short_of), "node")));
  }
  const auto full = std::count_if(v.answer.failed.begin(), v.answer.failed.end(),
                                  [](PodReasons f) { return f.has(PodReason::kTooManyPods); });
  if (full > 0) {
    parts.push_back(fmt::format("a place among the node's pods (none on {})",
                                plural(static_cast<std::uint64_t>(full), "node")));
  }
  return some_of(parts, 8);
}

std::string claims(const View& v) {
  std::vector<std::string> names;
  for (const auto& volume : v.pod.volumes) {
    const auto* claim = v.evaluation.volumes().claim(v.pod.ns, volume.claim);
    names.push_back(claim && !claim->volume.empty()
                        ? fmt::format("claim {} on volume {}", volume.claim, claim->volume)
                        : fmt::format("claim {}", volume.claim));
  }
  return some_of(names, 5);
}

std::string spread(const View& v) {
  std::vector<std::string> parts;
  if (!v.answer.spread) return {};
  for (const auto& c : v.answer.spread->constraints()) {
    std::vector<std::pair<std::int64_t, std::string>> domains;
    for (std::size_t i = 0; i < c.counts.size(); ++i) {
      if (c.is_domain[i]) domains.emplace_back(c.counts[i], c.topology->values[i]);
    }
    std::sort(domains.begin(), domains.end());
    std::vector<std::string> counts;
    for (const auto& [count, name] : domains) counts.push_back(fmt::format("{} {}", name, count));
    auto text = fmt::format("{} of pods {}, at most {} apart: {}", c.topology->key.view(),
                            c.selects_none ? "nothing" : to_text(c.selector), c.max_skew,
                            counts.empty() ? "no domain" : some_of(counts, 6));
    if (c.domains < c.min_domains) {
      text += fmt::format(", and with fewer than {} domains each may hold {}", c.min_domains,
                          c.max_skew);
    }
    parts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string existing_terms(const View& v) {
  std::vector<std::string> names;
  std::string example;
  for (const auto& p : v.cluster.assigned()) {
    const auto& other = v.cluster.pod(p);
    for (const auto& asked : other.spec->anti_affinity) {
      const auto selection = v.evaluation.match().selection(asked, other.ns);
      if (selection.selects(v.pod.ns, v.pod.labels) != Answer::kYes) continue;
      if (!v.cluster.object(p.node).labels.find(asked.topology_key)) continue;
      if (example.empty()) {
        example = fmt::format("{} by {}", to_text(*asked.pods), asked.topology_key.view());
      }
      names.push_back(v.full_name(p.id));
      break;
    }
  }
  if (names.empty()) return {};
  return fmt::format("anti-affinity of {} against {}", some_of(names), example);
}

std::string inter_pod(const View& v) {
  std::vector<std::string> parts;
  if (!v.answer.affinity) return {};
  auto meant = [&](const PodSelection& s) {
    std::vector<std::string> names;
    for (const auto& p : v.cluster.assigned()) {
      const auto& other = v.cluster.pod(p);
      if (s.selects(other.ns, other.labels) == Answer::kYes) names.push_back(v.full_name(p.id));
    }
    return names.empty() ? std::string("none runs") : some_of(names);
  };
  auto add = [&](const PodAffinity::Term& t, std::string_view what) {
    parts.push_back(fmt::format("{} pods {} by {}: {}", what,
                                t.selection.pods ? to_text(*t.selection.pods) : "nothing",
                                t.topology->key.view(), meant(t.selection)));
  };
  auto any = [&](PodReason r) {
    return std::any_of(v.answer.failed.begin(), v.answer.failed.end(),
                       [&](PodReasons f) { return f.has(r); });
  };
  if (any(PodReason::kPodAffinity)) {
    for (const auto& t : v.answer.affinity->affinity()) add(t, "affinity to");
  }
  if (any(PodReason::kPodAntiAffinity)) {
    for (const auto& t : v.answer.affinity->anti_affinity()) add(t, "anti-affinity against");
  }
  if (any(PodReason::kExistingAntiAffinity)) {
    if (auto text = existing_terms(v); !text.empty()) parts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string devices(const View& v) {
  if (!v.answer.devices) return {};
  std::vector<std::string> parts;
  for (auto& text : {v.answer.devices->asks_text(), v.answer.devices->places_text()}) {
    if (!text.empty()) parts.push_back(text);
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string filter_detail(const PodEvaluation& evaluation, model::WorkloadId id,
                          const PodAnswer& answer, PodFilter filter) {
  const auto& cluster = evaluation.cluster();
  const View v{evaluation, cluster, id, *cluster.snapshot().workload(id).pod, answer};
  switch (filter) {
    case PodFilter::kNodeUnschedulable:
      return "not cordoned";
    case PodFilter::kTaintToleration:
      return taints(v);
    case PodFilter::kNodeAffinity:
      return node_affinity(v);
    case PodFilter::kNodePorts:
      return ports(v);
    case PodFilter::kNodeResourcesFit:
      return resources(v);
    case PodFilter::kVolumeRestrictions:
      return answer.exclusive_user ? fmt::format("a claim for one pod only, which {} uses",
                                                 v.full_name(*answer.exclusive_user))
                                   : claims(v);
    case PodFilter::kVolumeBinding:
    case PodFilter::kVolumeZone:
      return claims(v);
    case PodFilter::kPodTopologySpread:
      return spread(v);
    case PodFilter::kInterPodAffinity:
      return inter_pod(v);
    case PodFilter::kDynamicResources:
      return devices(v);
    case PodFilter::kNodeName:
    case PodFilter::kNodeVolumeLimits:
    case PodFilter::kCount:
      break;
  }
  return {};
}

std::vector<Constraint> pod_constraints(const PodEvaluation& evaluation, model::WorkloadId id,
                                        const PodAnswer& answer) {
  std::array<Constraint, kPodFilters> by_filter;
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    const auto filters = filters_of(answer.failed[i]);
    for (std::size_t f = 0; f < kPodFilters; ++f) {
      if (!filters.has(static_cast<PodFilter>(f))) continue;
      by_filter[f].ruled_out.push_back({i});
      if (filters.size() == 1) by_filter[f].only.push_back({i});
    }
  }
  std::vector<Constraint> list;
  for (std::size_t f = 0; f < kPodFilters; ++f) {
    if (by_filter[f].ruled_out.empty()) continue;
    const auto filter = static_cast<PodFilter>(f);
    by_filter[f].name = filter_name(filter);
    by_filter[f].detail = filter_detail(evaluation, id, answer, filter);
    list.push_back(std::move(by_filter[f]));
  }
  std::stable_sort(list.begin(), list.end(), [](const Constraint& a, const Constraint& b) {
    return a.ruled_out.size() > b.ruled_out.size();
  });
  return list;
}

}  // namespace schedlens::diagnose
