// SPDX-License-Identifier: Apache-2.0
// What only Kubernetes has: namespaces with their quotas, unhealthy devices, and the metrics of
// kube-scheduler in one form for all versions.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "diagnose/permit_waits.h"
#include "metrics/parts.h"
#include "metrics/state_families.h"
#include "model/gpu_parts.h"
#include "model/kubernetes.h"
#include "model/unhealthy_devices.h"

namespace schedlens::metrics {
namespace {

using model::KubeScheduler;
using model::Snapshot;

void write_holders(const Snapshot& s, const RenderInput& input, Exposition& out) {
  if (!input.analysis) return;
  const auto& namespaces = input.analysis->holdings.accounts;
  for (const auto& h : namespaces) {
    out.sample(family("schedlens_namespace_gpus_held"), h.demand.gpus_held, h.name);
  }
  for (const auto& h : namespaces) {
    out.sample(family("schedlens_namespace_gpus_waiting"), h.demand.gpus_waiting, h.name);
  }
  for (const auto& h : namespaces) {
    out.sample(family("schedlens_namespace_pods"), h.demand.running, h.name, "running");
    out.sample(family("schedlens_namespace_pods"), h.demand.waiting, h.name, "pending");
  }
  std::map<Symbol, Seconds> oldest;
  for (const auto id : s.pending()) {
    const auto& w = s.workload(id);
    const auto age = model::waited(w, s.time);
    if (age) oldest[w.account] = std::max(oldest[w.account], *age);
  }
  for (const auto& [name, age] : oldest) {
    out.sample(family("schedlens_namespace_pending_oldest_seconds"), age, name);
  }
}

void write_quotas(const std::vector<model::ResourceQuota>& quotas, Exposition& out) {
  const auto write = [&](FamilyRef f, model::Quantities model::ResourceQuota::*part) {
    for (const auto& quota : quotas) {
      for (const auto& item : (quota.*part).items()) {
        out.sample(f, in_base_units(item), quota.ns, quota.name, item.name);
      }
    }
  };
  write(family("schedlens_namespace_quota"), &model::ResourceQuota::hard);
  write(family("schedlens_namespace_quota_used"), &model::ResourceQuota::used);
}

void write_unhealthy_devices(const Snapshot& s, Exposition& out) {
  for (const auto& node : s.nodes) {
    if (!node.object) continue;
    const auto unhealthy = model::unhealthy_devices(*node.object);
    for (const auto& item : unhealthy.items()) {
      out.sample(family("schedlens_node_devices_unhealthy"), item.amount, node.name, item.name);
    }
  }
}

struct Parts {
  std::uint64_t total = 0;
  std::optional<std::uint64_t> used = 0;
  std::optional<double> worth = 0.0, used_worth = 0.0;

  void add(const model::GresPool& pool, std::optional<double> each) {
    total += pool.total;
    if (!pool.used) used.reset();
    if (used) *used += *pool.used;
    if (!each) worth.reset();
    if (worth) *worth += static_cast<double>(pool.total) * *each;
    if (!each || !pool.used) used_worth.reset();
    if (used_worth) *used_worth += static_cast<double>(*pool.used) * *each;
  }
};

void write_gpu_parts(const Snapshot& s, Exposition& out) {
  std::map<std::string, Parts> all;
  for (const auto& node : s.nodes) {
    for (const auto& pool : node.gres) {
      if (!model::is_gpu_part(node, pool)) continue;
      std::string name(pool.name.view());
      if (!pool.type.empty()) name.append(":").append(pool.type.view());
      all[name].add(pool, model::worth_of_part(node, pool));
    }
  }
  const auto write = [&](FamilyRef f, auto Parts::*part) {
    for (const auto& [name, parts] : all) out.sample(f, parts.*part, name);
  };
  write(family("schedlens_gpu_parts"), &Parts::total);
  write(family("schedlens_gpu_parts_used"), &Parts::used);
  write(family("schedlens_gpu_parts_worth_gpus"), &Parts::worth);
  write(family("schedlens_gpu_parts_used_worth_gpus"), &Parts::used_worth);
}

void write_permit_waits(const Snapshot& s, Exposition& out) {
  const auto waits = diagnose::permit_waits(s);
  if (!waits) return;
  std::map<Symbol, std::uint64_t> pods;
  std::map<Symbol, Seconds> oldest;
  for (const auto& wait : *waits) {
    const auto ns = s.workload(wait.pod).account;
    ++pods[ns];
    oldest[ns] = std::max(oldest[ns], wait.waiting);
  }
  for (const auto& [ns, count] : pods) {
    out.sample(family("schedlens_permit_waiting_pods"), count, ns);
  }
  for (const auto& [ns, age] : oldest) {
    out.sample(family("schedlens_permit_waiting_oldest_seconds"), age, ns);
  }
}

void write_gates(const Snapshot& s, Exposition& out) {
  std::map<std::pair<Symbol, Symbol>, std::uint64_t> pods;
  for (const auto id : s.pending()) {
    const auto& w = s.workload(id);
    if (!w.pod) continue;
    for (const auto gate : w.pod->gates) ++pods[{w.account, gate}];
  }
  for (const auto& [where, count] : pods) {
    out.sample(family("schedlens_gated_pods"), count, where.first, where.second);
  }
}

using Schedulers = std::vector<KubeScheduler>;

void write_facts(const Schedulers& all, Exposition& out) {
  for (const auto& k : all) {
    if (k.leader) out.sample(family("schedlens_kube_scheduler_leader"), *k.leader, k.address);
  }
  for (const auto& k : all) {
    out.sample(family("schedlens_kube_scheduler_start_timestamp_seconds"), k.started, k.address);
  }
}

void write_attempts(const Schedulers& all, Exposition& out) {
  for (const auto& k : all) {
    for (const auto& a : k.attempts) {
      out.sample(family("schedlens_kube_scheduler_attempts_total"), a.count, k.address, a.profile,
                 a.result);
    }
  }
  for (const auto& k : all) {
    for (const auto& a : k.attempts) {
      if (!a.durations) continue;
      out.sample(family("schedlens_kube_scheduler_attempt_seconds_total"), a.durations->seconds,
                 k.address, a.profile, a.result);
    }
  }
}

void write_queues(const Schedulers& all, Exposition& out) {
  for (const auto& k : all) {
    for (const auto& q : k.queues) {
      // A gauge below zero is wrong; what is right is not known.
      if (q.negative) continue;
      out.sample(family("schedlens_kube_scheduler_pending_pods"), q.pods, k.address, q.queue);
    }
  }
  for (const auto& k : all) {
    for (const auto& e : k.entries) {
      out.sample(family("schedlens_kube_scheduler_queue_entries_total"), e.count, k.address,
                 e.queue, e.event);
    }
  }
}

void write_extension_points(const Schedulers& all, Exposition& out) {
  const auto write = [&](FamilyRef f, double model::Durations::*part) {
    for (const auto& k : all) {
      for (const auto& p : k.extension_points) {
        out.sample(f, p.durations.*part, k.address, p.profile, p.name, p.status);
      }
    }
  };
  write(family("schedlens_kube_scheduler_extension_point_calls_total"), &model::Durations::count);
  write(family("schedlens_kube_scheduler_extension_point_seconds_total"),
        &model::Durations::seconds);
}

void write_plugins(const Schedulers& all, Exposition& out) {
  const auto write = [&](FamilyRef f, double model::Durations::*part) {
    for (const auto& k : all) {
      for (const auto& p : k.plugins) {
        out.sample(f, p.sampled.*part, k.address, p.plugin, p.extension_point, p.status);
      }
    }
  };
  write(family("schedlens_kube_scheduler_plugin_sampled_calls_total"), &model::Durations::count);
  write(family("schedlens_kube_scheduler_plugin_sampled_seconds_total"),
        &model::Durations::seconds);
  for (const auto& k : all) {
    for (const auto& p : k.rejecting_plugins) {
      out.sample(family("schedlens_kube_scheduler_rejecting_plugin_pods"), p.pods, k.address,
                 p.profile, p.plugin);
    }
  }
}

void write_preemption(const Schedulers& all, Exposition& out) {
  const auto write = [&](FamilyRef f, std::optional<double> KubeScheduler::*part) {
    for (const auto& k : all) out.sample(f, k.*part, k.address);
  };
  write(family("schedlens_kube_scheduler_preemption_attempts_total"),
        &KubeScheduler::preemption_attempts);
  write(family("schedlens_kube_scheduler_preemptions_total"), &KubeScheduler::preemptions);
  write(family("schedlens_kube_scheduler_preemption_victims_total"),
        &KubeScheduler::preemption_victims);
}

void write_permit_and_cache(const Schedulers& all, Exposition& out) {
  const auto write = [&](FamilyRef f, double model::Durations::*part) {
    for (const auto& k : all) {
      for (const auto& w : k.permit_waits) out.sample(f, w.durations.*part, k.address, w.name);
    }
  };
  write(family("schedlens_kube_scheduler_permit_waits_total"), &model::Durations::count);
  write(family("schedlens_kube_scheduler_permit_wait_seconds_total"), &model::Durations::seconds);
  for (const auto& k : all) {
    for (const auto& c : k.cache) {
      out.sample(family("schedlens_kube_scheduler_cached_objects"), c.count, k.address, c.name);
    }
  }
  for (const auto& k : all) {
    out.sample(family("schedlens_kube_scheduler_scheduled_after_flush_total"),
               k.scheduled_after_flush, k.address);
  }
}

}  // namespace

void write_kubernetes(const Snapshot& s, const RenderInput& input, Exposition& out) {
  write_holders(s, input, out);
  if (s.kubernetes->quotas) write_quotas(*s.kubernetes->quotas, out);
  write_unhealthy_devices(s, out);
  write_gpu_parts(s, out);
  write_permit_waits(s, out);
  write_gates(s, out);
  const auto& schedulers = s.kubernetes->schedulers;
  write_facts(schedulers, out);
  write_attempts(schedulers, out);
  write_queues(schedulers, out);
  write_extension_points(schedulers, out);
  write_plugins(schedulers, out);
  write_preemption(schedulers, out);
  write_permit_and_cache(schedulers, out);
  write_control_plane(*s.kubernetes, out);
  write_kubelets(*s.kubernetes, out);
}

}  // namespace schedlens::metrics
