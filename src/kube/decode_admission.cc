// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_admission.h"

#include <algorithm>

#include "kube/json_decode.h"
#include "kube/json_meta.h"
#include "kube/request.h"

namespace schedlens::kube {
namespace {

ResourceList read_list(JsonValue& object) {
  ResourceList list;
  object.fields([&](JsonValue& f) { list.set(Symbol(f.name()), f.quantity()); });
  return list;
}

// Of what is not requested but limited, the limit is the request.
void read_requirements(JsonValue& f, ResourceList& requests, ResourceList& limits) {
  f.fields([&](JsonValue& r) {
    if (r.name() == "requests") requests = read_list(r);
    if (r.name() == "limits") limits = read_list(r);
  });
  for (const auto& item : limits.items()) {
    const auto& known = requests.items();
    const bool named =
        std::any_of(known.begin(), known.end(), [&](const auto& k) { return k.name == item.name; });
    if (!named) requests.set(item.name, item.amount);
  }
}

ContainerResources read_container(JsonValue& container) {
  ContainerResources result;
  container.fields([&](JsonValue& f) {
    if (f.name() == "restartPolicy") result.restartable = f.text() == "Always";
    if (f.name() == "resources") read_requirements(f, result.requests, result.limits);
  });
  return result;
}

model::Quantities read_template(JsonValue& pod_template) {
  PodResources pod;
  pod_template.fields([&](JsonValue& t) {
    if (t.name() != "spec") return;
    t.fields([&](JsonValue& f) {
      if (f.name() == "containers") {
        f.items([&](JsonValue& c) { pod.containers.push_back(read_container(c)); });
      }
      if (f.name() == "initContainers") {
        f.items([&](JsonValue& c) { pod.init_containers.push_back(read_container(c)); });
      }
      if (f.name() == "overhead") pod.overhead = read_list(f);
      if (f.name() == "resources") read_requirements(f, pod.pod_requests, pod.pod_limits);
    });
  });
  return rounded(effective_request(pod, Basis::kSpec));
}

model::PodSet read_pod_set(JsonValue& item) {
  model::PodSet set;
  item.fields([&](JsonValue& f) {
    if (f.name() == "name") set.name = f.string();
    if (f.name() == "count") set.count = f.int32();
    if (f.name() == "template") set.request = read_template(f);
  });
  return set;
}

struct Assignment {
  std::string name;
  std::vector<model::AdmittedResource> resources;
};

Assignment read_assignment(JsonValue& item) {
  Assignment assignment;
  std::vector<std::pair<Symbol, Symbol>> flavors;
  model::Quantities usage;
  item.fields([&](JsonValue& f) {
    if (f.name() == "name") assignment.name = f.string();
    if (f.name() == "resourceUsage") usage = read_json_amounts(f);
    if (f.name() != "flavors") return;
    f.fields(
        [&](JsonValue& flavor) { flavors.emplace_back(Symbol(flavor.name()), flavor.symbol()); });
  });
  for (const auto& [resource, flavor] : flavors) {
    assignment.resources.push_back({resource, flavor, usage.get(resource)});
  }
  return assignment;
}

struct WorkloadParts {
  model::AdmissionWorkload workload;
  std::vector<Assignment> assignments;
};

void read_workload_spec(JsonValue& f, model::AdmissionWorkload& w) {
  if (f.name() == "queueName") w.queue = f.string();
  if (f.name() == "priority" && !f.is_null()) w.priority = f.int32();
  if (f.name() == "priorityClassName") w.priority_class = f.symbol();
  if (f.name() == "active") w.active = f.is_null() || f.boolean();
  if (f.name() == "podSets") {
    f.items([&](JsonValue& item) { w.pod_sets.push_back(read_pod_set(item)); });
  }
  if (f.name() != "priorityClassRef") return;
  f.fields([&](JsonValue& r) {
    if (r.name() == "name") w.priority_class = r.symbol();
  });
}

void read_workload_status(JsonValue& f, WorkloadParts& parts) {
  auto& w = parts.workload;
  if (f.name() == "conditions") w.conditions = read_json_conditions(f);
  if (f.name() == "admission") {
    f.fields([&](JsonValue& a) {
      if (a.name() == "clusterQueue") w.cluster_queue = a.symbol();
      if (a.name() != "podSetAssignments") return;
      a.items([&](JsonValue& item) { parts.assignments.push_back(read_assignment(item)); });
    });
  }
  if (f.name() == "admissionChecks") {
    f.items([&](JsonValue& item) {
      auto& check = w.checks.emplace_back();
      item.fields([&](JsonValue& c) {
        if (c.name() == "name") check.name = c.string();
        if (c.name() == "state") check.state = c.symbol();
        if (c.name() == "message") check.message = c.string();
      });
    });
  }
  if (f.name() != "requeueState") return;
  f.fields([&](JsonValue& r) {
    if (r.name() == "requeueAt") w.requeue_at = r.time();
  });
}

model::FlavorQuota& quota_of(model::ClusterQueue& queue, Symbol flavor, Symbol resource) {
  auto at = std::find_if(queue.quotas.begin(), queue.quotas.end(), [&](const auto& q) {
    return q.flavor == flavor && q.resource == resource;
  });
  if (at != queue.quotas.end()) return *at;
  auto& quota = queue.quotas.emplace_back();
  quota.flavor = flavor;
  quota.resource = resource;
  return quota;
}

// What stands in one resource of a flavor: its name may come after its amounts.
struct ResourceParts {
  Symbol name;
  std::optional<Amount> nominal, borrowing, lending, total, borrowed;
};

ResourceParts read_resource(JsonValue& item) {
  ResourceParts parts;
  item.fields([&](JsonValue& f) {
    if (f.name() == "name") {
      parts.name = f.symbol();
      return;
    }
    if (f.is_null()) return;
    if (f.name() == "nominalQuota") parts.nominal = f.quantity();
    if (f.name() == "borrowingLimit") parts.borrowing = f.quantity();
    if (f.name() == "lendingLimit") parts.lending = f.quantity();
    if (f.name() == "total") parts.total = f.quantity();
    if (f.name() == "borrowed") parts.borrowed = f.quantity();
  });
  return parts;
}

// A flavor of the spec, or of what is reserved.
void read_flavor(JsonValue& item, model::ClusterQueue& queue) {
  Symbol flavor;
  std::vector<ResourceParts> resources;
  item.fields([&](JsonValue& f) {
    if (f.name() == "name") flavor = f.symbol();
    if (f.name() != "resources") return;
    f.items([&](JsonValue& r) { resources.push_back(read_resource(r)); });
  });
  for (const auto& r : resources) {
    auto& quota = quota_of(queue, flavor, r.name);
    if (r.nominal) quota.nominal = whole_amount(r.name, *r.nominal);
    if (r.borrowing) quota.borrowing_limit = whole_amount(r.name, *r.borrowing);
    if (r.lending) quota.lending_limit = whole_amount(r.name, *r.lending);
    if (r.total) quota.reserved = whole_amount(r.name, *r.total);
    if (r.borrowed) quota.borrowed = whole_amount(r.name, *r.borrowed);
  }
}

void read_queue_spec(JsonValue& f, model::ClusterQueue& queue) {
  if (f.name() == "cohort" || f.name() == "cohortName") queue.cohort = f.symbol();
  if (f.name() == "queueingStrategy") queue.strategy = f.symbol();
  if (f.name() == "stopPolicy") queue.stop_policy = f.symbol();
  if (f.name() == "namespaceSelector" && !f.is_null()) {
    queue.namespaces = read_json_selector(f);
  }
  if (f.name() != "resourceGroups") return;
  f.items([&](JsonValue& group) {
    group.fields([&](JsonValue& g) {
      if (g.name() != "flavors") return;
      g.items([&](JsonValue& flavor) { read_flavor(flavor, queue); });
    });
  });
}

}  // namespace

Result<Decoded<model::AdmissionWorkload>> decode_admission_workload(std::string_view document) {
  WorkloadParts parts;
  auto& w = parts.workload;
  auto part = [&](JsonValue& f) {
    if (f.name() == "spec") f.fields([&](JsonValue& s) { read_workload_spec(s, w); });
    if (f.name() == "status") f.fields([&](JsonValue& s) { read_workload_status(s, parts); });
  };
  return decode_json(document, w, part, [&](JsonMeta& meta) {
    w.ns = meta.object.meta.ns;
    w.name = meta.object.meta.name;
    w.uid = meta.object.meta.uid;
    w.owners = std::move(meta.owners);
    w.created = meta.object.created;
    for (auto& a : parts.assignments) {
      for (auto& set : w.pod_sets) {
        if (set.name == a.name) set.admitted = std::move(a.resources);
      }
    }
  });
}

Result<Decoded<model::LocalQueue>> decode_local_queue(std::string_view document) {
  model::LocalQueue queue;
  auto part = [&](JsonValue& f) {
    if (f.name() == "spec") {
      f.fields([&](JsonValue& s) {
        if (s.name() == "clusterQueue") queue.cluster_queue = s.symbol();
        if (s.name() == "stopPolicy") queue.stop_policy = s.symbol();
      });
    }
    if (f.name() != "status") return;
    f.fields([&](JsonValue& s) {
      if (s.name() == "pendingWorkloads") queue.pending = s.int32();
      if (s.name() == "admittedWorkloads") queue.admitted = s.int32();
    });
  };
  return decode_json(document, queue, part, [&](JsonMeta& meta) {
    queue.ns = meta.object.meta.ns;
    queue.name = meta.object.meta.name;
  });
}

Result<Decoded<model::ClusterQueue>> decode_cluster_queue(std::string_view document) {
  model::ClusterQueue queue;
  auto part = [&](JsonValue& f) {
    if (f.name() == "spec") f.fields([&](JsonValue& s) { read_queue_spec(s, queue); });
    if (f.name() != "status") return;
    f.fields([&](JsonValue& s) {
      if (s.name() == "conditions") queue.conditions = read_json_conditions(s);
      if (s.name() == "pendingWorkloads") queue.pending = s.int32();
      if (s.name() == "admittedWorkloads") queue.admitted = s.int32();
      if (s.name() == "flavorsReservation") {
        s.items([&](JsonValue& flavor) { read_flavor(flavor, queue); });
      }
    });
  };
  return decode_json(document, queue, part,
                     [&](JsonMeta& meta) { queue.name = Symbol(meta.object.meta.name); });
}

Result<Decoded<model::ResourceFlavor>> decode_resource_flavor(std::string_view document) {
  model::ResourceFlavor flavor;
  auto part = [&](JsonValue& f) {
    if (f.name() != "spec") return;
    f.fields([&](JsonValue& s) {
      if (s.name() == "nodeLabels") {
        s.fields([&](JsonValue& l) {
          flavor.node_labels.push_back({Symbol(l.name()), l.string()});
        });
      }
      if (s.name() == "nodeTaints") {
        s.items([&](JsonValue& t) { flavor.node_taints.push_back(read_json_taint(t)); });
      }
    });
  };
  return decode_json(document, flavor, part,
                     [&](JsonMeta& meta) { flavor.name = Symbol(meta.object.meta.name); });
}

}  // namespace schedlens::kube
