// SPDX-License-Identifier: Apache-2.0
// What can be changed about the claims of storage that a pod waits for. What a change of a claim
// leads to, its binding to a volume, is played through as the volume controller does it.

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/pod_changes.h"
#include "diagnose/pod_cluster.h"
#include "diagnose/pod_volumes.h"
#include "diagnose/remedy_text.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::Kubernetes;
using model::Snapshot;
using model::StorageClass;
using model::Volume;
using model::VolumeClaim;

namespace {

template <class K>
auto* find_claim(K& k, Symbol ns, const std::string& name) {
  const auto at = std::find_if(k.volume_claims->begin(), k.volume_claims->end(),
                               [&](const VolumeClaim& c) { return c.ns == ns && c.name == name; });
  return at == k.volume_claims->end() ? nullptr : &*at;
}

const StorageClass* find_class(const Kubernetes& k, Symbol name) {
  if (!k.storage_classes) return nullptr;
  for (const auto& c : *k.storage_classes) {
    if (c.name == name) return &c;
  }
  return nullptr;
}

void bind(VolumeClaim& claim, Volume& volume) {
  claim.phase = model::ClaimPhase::kBound;
  claim.volume = volume.name;
  volume.claim = fmt::format("{}/{}", claim.ns.view(), claim.name);
  volume.phase = "Bound";
}

// As the volume controller does it; of a class that waits for the first pod the scheduler does.
void bind_at_once(Kubernetes& k, VolumeClaim& claim) {
  const auto* storage_class = find_class(k, claim.storage_class);
  if (storage_class && storage_class->wait_for_first_consumer) return;
  Volume* best = nullptr;
  for (auto& v : *k.volumes) {
    if (suits(v, claim) && (!best || v.capacity_bytes < best->capacity_bytes)) best = &v;
  }
  if (!best) {
    if (!storage_class || !makes_volumes(*storage_class)) return;
    Volume made;
    made.name = fmt::format("for-{}-{}", claim.ns.view(), claim.name);
    made.storage_class = claim.storage_class;
    made.capacity_bytes = claim.request_bytes;
    k.volumes->push_back(std::move(made));
    best = &k.volumes->back();
  }
  bind(claim, *best);
}

// A volume of the class is in use, so whoever makes them was at work.
bool has_served(const Kubernetes& k, const StorageClass& c) {
  return std::any_of(k.volumes->begin(), k.volumes->end(), [&](const Volume& v) {
    return v.storage_class == c.name && v.phase == "Bound";
  });
}

bool has_volume_for(const Kubernetes& k, const VolumeClaim& claim) {
  return std::any_of(k.volumes->begin(), k.volumes->end(),
                     [&](const Volume& v) { return suits(v, claim); });
}

// A claim that is not bound, and what might be done about it.
class Unbound {
 public:
  Unbound(const Kubernetes& k, const VolumeClaim& claim) : k_(k), claim_(claim) {}

  // Another class has made volumes for others, or has a free one that suits.
  std::vector<Step> other_class() const {
    std::vector<Step> steps;
    for (const auto& c : *k_.storage_classes) {
      if (c.name == claim_.storage_class) continue;
      auto changed = claim_;
      changed.storage_class = c.name;
      if (!has_volume_for(k_, changed) && !(makes_volumes(c) && has_served(k_, c))) continue;
      const auto now =
          find_class(k_, claim_.storage_class)
              ? fmt::format("instead of {}", claim_.storage_class.view())
          : claim_.storage_class.empty()
              ? std::string("instead of none")
              : fmt::format("instead of {}, which does not exist", claim_.storage_class.view());
      steps.push_back(
          anew(RemedyKind::kFewerWishes,
               fmt::format(".spec.storageClassName = {}", json_text(c.name.view())),
               fmt::format("Claim {} is of class {} {}.", claim_.name, c.name.view(), now),
               [name = c.name](VolumeClaim& other) { other.storage_class = name; }));
    }
    return steps;
  }

  // The largest free volume of its class that would do but for its size.
  std::vector<Step> less_storage() const {
    auto changed = claim_;
    changed.request_bytes = 0;
    const Volume* largest = nullptr;
    for (const auto& v : *k_.volumes) {
      if (v.capacity_bytes >= claim_.request_bytes || !suits(v, changed)) continue;
      if (!largest || v.capacity_bytes > largest->capacity_bytes) largest = &v;
    }
    if (!largest) return {};
    const auto size = largest->capacity_bytes;
    return {anew(RemedyKind::kSmallerRequest,
                 fmt::format(".spec.resources.requests.storage = \"{}\"", bytes_text({size})),
                 fmt::format("Claim {} asks for {} instead of {}: volume {} has that.", claim_.name,
                             bytes_text({size}), bytes_text({claim_.request_bytes}), largest->name),
                 [size](VolumeClaim& other) { other.request_bytes = size; })};
  }

  // One that a deleted claim has left, with its data.
  std::vector<Step> released_volume() const {
    for (const auto& v : *k_.volumes) {
      auto free = v;
      free.phase = "Available";
      free.claim.clear();
      if (v.phase != "Released" || !suits(free, claim_)) continue;
      return {by_operator(
          RemedyKind::kRelease,
          fmt::format("kubectl patch pv {} --type=json -p {}", shell_word(v.name),
                      shell_word(R"([{"op": "remove", "path": "/spec/claimRef"}])")),
          fmt::format("Volume {}, which {} has left, is free for claim {}: with the data on it.",
                      v.name, v.claim, claim_.name),
          [name = v.name, ns = claim_.ns, claim = claim_.name](Snapshot& s) {
            change_kubernetes(s, [&](Kubernetes& k) {
              for (auto& volume : *k.volumes) {
                if (volume.name != name) continue;
                volume.phase = "Available";
                volume.claim.clear();
              }
              if (auto* c = find_claim(k, ns, claim)) bind_at_once(k, *c);
            });
          })};
    }
    return {};
  }

 private:
  // What a claim asks for cannot be changed: it is made anew, as no pod that runs uses it.
  Step anew(RemedyKind kind, const std::string& filter, std::string effect,
            const std::function<void(VolumeClaim&)>& change) const {
    Step step;
    step.kind = kind;
    step.command = fmt::format(
        "kubectl get pvc -n {} {} -o json | jq {} | kubectl replace --force -f -",
        shell_word(claim_.ns.view()), shell_word(claim_.name),
        shell_word(filter +
                   " | del(.metadata.uid, .metadata.resourceVersion, .spec.volumeName, .status)"));
    step.effect = std::move(effect) + " The claim is made anew.";
    step.edit = [change, ns = claim_.ns, name = claim_.name](Snapshot& s) {
      change_kubernetes(s, [&](Kubernetes& k) {
        auto* claim = find_claim(k, ns, name);
        if (!claim) return;
        change(*claim);
        bind_at_once(k, *claim);
      });
    };
    return step;
  }

  const Kubernetes& k_;
  const VolumeClaim& claim_;
};

constexpr Bytes kNoExample{std::int64_t{1} << 30};

// A claim that the pod names and that does not exist: of the default class, else of one that can
// serve it, and as large as the namespace's others.
std::vector<Step> made_claim(const Kubernetes& k, Symbol ns, const std::string& name) {
  VolumeClaim claim;
  claim.ns = ns;
  claim.name = name;
  claim.phase = model::ClaimPhase::kPending;
  claim.access_modes = {"ReadWriteOnce"};
  claim.request_bytes = kNoExample.value;
  for (const auto& other : *k.volume_claims) {
    if (other.ns == ns && other.request_bytes > 0) claim.request_bytes = other.request_bytes;
  }
  const StorageClass* best = nullptr;
  for (const auto& c : *k.storage_classes) {
    claim.storage_class = c.name;
    if (!makes_volumes(c) && !has_volume_for(k, claim)) continue;
    if (!best || c.is_default) best = &c;
  }
  if (!best) return {};
  claim.storage_class = best->name;
  const auto size = bytes_text({claim.request_bytes});
  Step step;
  step.kind = RemedyKind::kRelease;
  step.command = fmt::format(
      "echo {} | kubectl create -n {} -f -",
      shell_word(fmt::format(
          R"({{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {{"name": {}}}, )"
          R"("spec": {{"storageClassName": {}, "accessModes": ["ReadWriteOnce"], )"
          R"("resources": {{"requests": {{"storage": "{}"}}}}}}}})",
          json_text(name), json_text(best->name.view()), size)),
      shell_word(ns.view()));
  step.effect = fmt::format(
      "Makes claim {} of class {}. Its size of {} is only an example: put in what the pod needs.",
      name, best->name.view(), size);
  step.edit = [claim](Snapshot& s) {
    change_kubernetes(s, [&](Kubernetes& other) {
      other.volume_claims->push_back(claim);
      bind_at_once(other, other.volume_claims->back());
    });
  };
  return {std::move(step)};
}

// The pod that uses a claim that is for one pod only.
std::vector<Step> ended_user(const Snapshot& s, const Verdict& v, const std::string& claim) {
  const auto ns = s.workload(v.workload).pod->ns;
  for (std::uint32_t i = 0; i < s.workloads.size(); ++i) {
    const auto& w = s.workloads[i];
    if (!is_assigned(w) || w.pod->ns != ns || w.pod->deleting) continue;
    const auto& volumes = w.pod->volumes;
    const bool uses = std::any_of(volumes.begin(), volumes.end(),
                                  [&](const auto& volume) { return volume.claim == claim; });
    if (!uses) continue;
    auto step = by_operator(
        RemedyKind::kEndWorkloads,
        fmt::format("kubectl delete pod -n {} {}", shell_word(ns.view()), shell_word(w.name)),
        fmt::format("Ends the pod that uses claim {}, which is for one pod "
                    "only.",
                    claim),
        [id = model::WorkloadId{i}](Snapshot& other) { end_workload(other, id); });
    step.ends = {model::WorkloadId{i}};
    return {std::move(step)};
  }
  return {};
}

void append(std::vector<Step>& to, std::vector<Step> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

std::vector<Step> served_claims(const Snapshot& s, const Verdict& v) {
  const auto& k = *s.kubernetes;
  if (!k.volume_claims || !k.volumes || !k.storage_classes) return {};
  const auto& pod = *s.workload(v.workload).pod;
  std::vector<Step> steps;
  for (const auto& volume : pod.volumes) {
    const auto* claim = find_claim(k, pod.ns, volume.claim);
    if (!claim) {
      if (!volume.ephemeral) append(steps, made_claim(k, pod.ns, volume.claim));
      continue;
    }
    if (claim->read_write_once_pod) append(steps, ended_user(s, v, volume.claim));
    // One of the pod's own is made anew from its template with the pod.
    if (claim->phase != model::ClaimPhase::kPending || claim->deleting || volume.ephemeral)
      continue;
    const Unbound unbound(k, *claim);
    append(steps, unbound.other_class());
    append(steps, unbound.less_storage());
    append(steps, unbound.released_volume());
  }
  return steps;
}

}  // namespace schedlens::diagnose
