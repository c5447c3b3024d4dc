// SPDX-License-Identifier: Apache-2.0
// What can be changed about the ResourceClaims that a pod waits for, and who holds their devices.
// Claims are written as resource.k8s.io/v1 has them, since 1.34.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/pod_changes.h"
#include "diagnose/pod_text.h"
#include "diagnose/remedy_text.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::DeviceRequest;
using model::Kubernetes;
using model::NodeId;
using model::ResourceClaim;
using model::Snapshot;
using model::WorkloadId;

namespace {

constexpr std::size_t kMostClasses = 3;  // of devices, that are tried
constexpr int kFirstRelease = 34;

bool has_claims_of_today(const Snapshot& s) {
  std::string_view version = s.scheduler_version;
  if (!version.starts_with("1.")) return false;
  version.remove_prefix(2);
  const auto minor = parse_number<int>(version.substr(0, version.find('.')));
  return minor && *minor >= kFirstRelease;
}

bool all_read(const Kubernetes& k) {
  return k.resource_claims && k.claim_templates && k.device_classes && k.resource_slices;
}

ResourceClaim* find_claim(Kubernetes& k, Symbol ns, std::string_view name) {
  for (auto& c : *k.resource_claims) {
    if (c.ns == ns && c.name == name) return &c;
  }
  return nullptr;
}

const ResourceClaim* find_claim(const Kubernetes& k, Symbol ns, std::string_view name) {
  for (const auto& c : *k.resource_claims) {
    if (c.ns == ns && c.name == name) return &c;
  }
  return nullptr;
}

// A claim without devices is made anew with the change. One from a template belongs to its pod and
// would come back as the template has it.
class ClaimChange {
 public:
  explicit ClaimChange(const ResourceClaim& claim) : claim_(claim) {}
  bool possible() const { return !claim_.owner && !claim_.allocation && !claim_.deleting; }

  Step step(RemedyKind kind, const std::string& filter, std::string effect,
            const std::function<void(ResourceClaim&)>& change) const {
    Step step;
    step.kind = kind;
    step.command = fmt::format(
        "kubectl get resourceclaim -n {} {} -o json | jq {} | kubectl replace --force -f -",
        shell_word(claim_.ns.view()), shell_word(claim_.name),
        shell_word(filter + " | del(.metadata.uid, .metadata.resourceVersion, .status)"));
    step.effect = std::move(effect) + " The claim is made anew.";
    step.edit = [change, ns = claim_.ns, name = claim_.name](Snapshot& s) {
      change_kubernetes(s, [&](Kubernetes& k) {
        if (auto* claim = find_claim(k, ns, name)) change(*claim);
      });
    };
    return step;
  }

  // The same of one request, at the place where it says what it asks for.
  Step step_of_request(RemedyKind kind, const std::string& request, const std::string& filter,
                       std::string effect,
                       const std::function<void(DeviceRequest&)>& change) const {
    return step(kind,
                fmt::format("(.spec.devices.requests[] | select(.name == {}) | .exactly) |= ({})",
                            json_text(request), filter),
                std::move(effect), [change, request](ResourceClaim& claim) {
                  for (auto& r : claim.requests) {
                    if (r.name == request) change(r);
                  }
                });
  }

 private:
  const ResourceClaim& claim_;
};

std::string claim_spec(Symbol device_class) {
  return fmt::format(
      R"({{"devices": {{"requests": [{{"name": "device", "exactly": {{"deviceClassName": {}}}}}]}}}})",
      json_text(device_class.view()));
}

std::vector<DeviceRequest> one_of(Symbol device_class) {
  DeviceRequest request;
  request.name = "device";
  request.device_class = device_class;
  return {std::move(request)};
}

Step created(Symbol ns, const std::string& kind, const std::string& name, const std::string& spec,
             Symbol device_class) {
  Step step;
  step.kind = RemedyKind::kRelease;
  step.command =
      fmt::format("echo {} | kubectl create -n {} -f -",
                  shell_word(fmt::format(R"({{"apiVersion": "resource.k8s.io/v1", "kind": "{}", )"
                                         R"("metadata": {{"name": {}}}, "spec": {}}})",
                                         kind, json_text(name), spec)),
                  shell_word(ns.view()));
  step.effect = fmt::format(
      "Makes {} {} for one device of class {}, which is only an example: put in what the pod "
      "needs.",
      kind, name, device_class.view());
  return step;
}

// A claim that the pod names, or the template of one, and that does not exist.
std::vector<Step> made_claims(const Kubernetes& k, const model::Pod& pod, WorkloadId id) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < pod.resource_claims.size(); ++i) {
    const auto& asked = pod.resource_claims[i];
    const bool of_template = asked.claim.empty();
    const auto& templates = *k.claim_templates;
    const bool exists = of_template
                            ? std::any_of(templates.begin(), templates.end(),
                                          [&](const auto& t) {
                                            return t.ns == pod.ns && t.name == asked.claim_template;
                                          })
                            : find_claim(k, pod.ns, asked.claim) != nullptr;
    if (exists) continue;
    std::size_t tried = 0;
    for (const auto& c : *k.device_classes) {
      if (tried++ == kMostClasses) break;
      auto step = of_template
                      ? created(pod.ns, "ResourceClaimTemplate", asked.claim_template,
                                fmt::format(R"({{"spec": {}}})", claim_spec(c.name)), c.name)
                      : created(pod.ns, "ResourceClaim", asked.claim, claim_spec(c.name), c.name);
      ResourceClaim made;
      made.ns = pod.ns;
      made.name = of_template ? "of-template-" + asked.name : asked.claim;
      made.requests = one_of(c.name);
      if (of_template) made.owner = model::OwnerReference{Symbol("Pod"), "", pod.uid};
      step.edit = [made, id, i, of_template](Snapshot& s) {
        change_kubernetes(s, [&](Kubernetes& other) { other.resource_claims->push_back(made); });
        if (!of_template) return;
        auto changed = std::make_shared<model::Pod>(*s.workloads[id.index].pod);
        changed->resource_claims[i].claim = made.name;
        s.workloads[id.index].pod = std::move(changed);
      };
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

// For a class that does not exist.
std::vector<Step> other_class(const Kubernetes& k, const ResourceClaim& claim) {
  const ClaimChange change(claim);
  std::vector<Step> steps;
  if (!change.possible()) return steps;
  const auto& classes = *k.device_classes;
  for (const auto& request : claim.requests) {
    const bool known = std::any_of(classes.begin(), classes.end(),
                                   [&](const auto& c) { return c.name == request.device_class; });
    if (known || !request.first_available.empty()) continue;
    for (std::size_t i = 0; i < std::min(kMostClasses, classes.size()); ++i) {
      steps.push_back(change.step_of_request(
          RemedyKind::kFewerWishes, request.name,
          fmt::format(".deviceClassName = {}", json_text(classes[i].name.view())),
          fmt::format("Request {} of claim {} is for class {} instead of {}, which does not exist.",
                      request.name, claim.name, classes[i].name.view(),
                      request.device_class.view()),
          [name = classes[i].name](DeviceRequest& r) { r.device_class = name; }));
    }
  }
  return steps;
}

std::vector<model::Taint> taints_in_the_way(const Kubernetes& k, const Snapshot& s,
                                            const DeviceRow& row) {
  std::vector<model::Taint> taints;
  for (const auto& slice : *k.resource_slices) {
    const bool there = std::any_of(row.nodes.begin(), row.nodes.end(), [&](const auto& n) {
      return n.tainted > 0 && s.node(n.node).name == slice.place.node;
    });
    if (!there) continue;
    for (const auto& device : slice.devices) {
      for (const auto& taint : device.taints) {
        const bool known = std::any_of(taints.begin(), taints.end(), [&](const auto& t) {
          return t.key == taint.key && t.value == taint.value && t.effect == taint.effect;
        });
        if (!known) taints.push_back(taint);
      }
    }
  }
  return taints;
}

std::vector<Step> fewer_wishes_of_claims(const Snapshot& s, const Verdict& v) {
  const auto& k = *s.kubernetes;
  const auto ns = s.workload(v.workload).pod->ns;
  std::vector<Step> steps;
  for (const auto& row : v.devices) {
    const auto* claim = find_claim(k, ns, row.claim);
    if (!claim || !ClaimChange(*claim).possible()) continue;
    const auto request = std::find_if(claim->requests.begin(), claim->requests.end(),
                                      [&](const auto& r) { return r.name == row.request; });
    if (request == claim->requests.end() || row.request.find('/') != std::string::npos) continue;
    const ClaimChange change(*claim);
    const auto what = fmt::format("Request {} of claim {}", row.request, row.claim);
    std::uint32_t most = 0;
    for (const auto& n : row.nodes) most = std::max(most, n.free);
    if (!row.all && most > 0 && most < row.count) {
      steps.push_back(change.step_of_request(
          RemedyKind::kSmallerRequest, row.request, fmt::format(".count = {}", most),
          fmt::format("{} is for {} instead of {}.", what, plural(most, "device"), row.count),
          [most](DeviceRequest& r) { r.count = most; }));
    }
    if (!request->selectors.empty()) {
      steps.push_back(change.step_of_request(
          RemedyKind::kFewerWishes, row.request, "del(.selectors)",
          fmt::format("{} takes any device of class {}.", what, row.device_class.view()),
          [](DeviceRequest& r) { r.selectors.clear(); }));
    }
    const auto taints = taints_in_the_way(k, s, row);
    if (taints.empty() || taints.size() > kMostClasses) continue;
    std::vector<std::string> list, text;
    std::vector<model::Toleration> added;
    for (const auto& t : taints) {
      const auto effect = t.effect == model::TaintEffect::kNoExecute ? "NoExecute" : "NoSchedule";
      list.push_back(
          fmt::format(R"({{"key": {}, "operator": "Equal", "value": {}, "effect": "{}"}})",
                      json_text(t.key.view()), json_text(t.value), effect));
      text.push_back(model::to_text(t));
      added.push_back({t.key, model::TolerationOperator::kEqual, t.value, t.effect});
    }
    steps.push_back(change.step_of_request(
        RemedyKind::kFewerWishes, row.request,
        fmt::format(".tolerations += [{}]", fmt::join(list, ", ")),
        fmt::format("{} tolerates {}: first see what the device suffers from.", what,
                    some_of(text)),
        [added](DeviceRequest& r) {
          r.tolerations.insert(r.tolerations.end(), added.begin(), added.end());
        }));
  }
  return steps;
}

// Claims that have devices on a node, and how many of those that the row is about.
using HoldersOfNode = std::map<NodeId, std::vector<std::pair<std::size_t, const ResourceClaim*>>>;

HoldersOfNode holders(const Snapshot& s, const DeviceRow& row) {
  const auto& k = *s.kubernetes;
  std::map<std::pair<Symbol, std::string>, NodeId> pools;
  for (const auto& slice : *k.resource_slices) {
    if (const auto node = s.find_node(slice.place.node)) pools[{slice.driver, slice.pool}] = *node;
  }
  HoldersOfNode found;
  for (const auto& claim : *k.resource_claims) {
    const auto name = fmt::format("{}/{}", claim.ns.view(), claim.name);
    if (!claim.allocation ||
        std::find(row.held_by.begin(), row.held_by.end(), name) == row.held_by.end()) {
      continue;
    }
    std::map<NodeId, std::size_t> devices;
    for (const auto& d : claim.allocation->devices) {
      if (const auto at = pools.find({d.driver, d.pool}); at != pools.end()) ++devices[at->second];
    }
    for (const auto& [node, count] : devices) found[node].emplace_back(count, &claim);
  }
  return found;
}

std::optional<std::vector<WorkloadId>> users_of(const Snapshot& s, const ResourceClaim& claim) {
  std::vector<WorkloadId> users;
  for (const auto& user : claim.reserved_for) {
    if (user.resource != "pods") return std::nullopt;
    for (auto id : s.find_workloads(user.name)) {
      if (s.workload(id).pod && s.workload(id).pod->uid == user.uid) users.push_back(id);
    }
  }
  return users.size() == claim.reserved_for.size() ? std::optional(users) : std::nullopt;
}

}  // namespace

std::vector<Step> served_device_claims(const Snapshot& s, const Verdict& v) {
  const auto& k = *s.kubernetes;
  const auto& pod = *s.workload(v.workload).pod;
  if (pod.resource_claims.empty() || !all_read(k) || !has_claims_of_today(s)) return {};
  auto steps = made_claims(k, pod, v.workload);
  for (const auto& asked : pod.resource_claims) {
    const auto* claim = find_claim(k, pod.ns, asked.claim);
    if (!claim) continue;
    auto found = other_class(k, *claim);
    std::move(found.begin(), found.end(), std::back_inserter(steps));
  }
  auto found = fewer_wishes_of_claims(s, v);
  std::move(found.begin(), found.end(), std::back_inserter(steps));
  return steps;
}

// The node where the fewest pods have the devices that are short there.
std::vector<Step> ended_device_users(const Snapshot& s, const Verdict& v) {
  if (v.devices.size() != 1 || v.devices.front().all || !all_read(*s.kubernetes)) return {};
  const auto& row = v.devices.front();
  auto by_node = holders(s, row);
  std::optional<std::set<WorkloadId>> best;
  NodeId best_node{};
  for (const auto& n : row.nodes) {
    auto& held = by_node[n.node];
    std::stable_sort(held.begin(), held.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::size_t free = n.free;
    std::set<WorkloadId> ends;
    for (const auto& [count, claim] : held) {
      if (free >= row.count) break;
      const auto users = users_of(s, *claim);
      if (!users) continue;
      ends.insert(users->begin(), users->end());
      free += count;
    }
    if (free < row.count || ends.empty() || (best && best->size() <= ends.size())) continue;
    best = std::move(ends);
    best_node = n.node;
  }
  if (!best) return {};
  const std::vector<WorkloadId> ends(best->begin(), best->end());
  std::string command;
  for (auto id : ends) {
    const auto& w = s.workload(id);
    command += fmt::format("{}kubectl delete pod -n {} {}", command.empty() ? "" : "\n",
                           shell_word(w.account.view()), shell_word(w.name));
  }
  auto step = by_operator(
      RemedyKind::kEndWorkloads, std::move(command),
      fmt::format("Ends {} on {}, whose {} devices are free then.", plural(ends.size(), "pod"),
                  s.node(best_node).name.view(), row.device_class.view()),
      [ends](Snapshot& other) {
        for (auto id : ends) end_workload(other, id);
      });
  step.ends = ends;
  return {std::move(step)};
}

}  // namespace schedlens::diagnose
