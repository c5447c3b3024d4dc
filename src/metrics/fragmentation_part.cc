// SPDX-License-Identifier: Apache-2.0
// How usable the free GPUs are.
#include <array>
#include <map>
#include <span>
#include <string>

#include "metrics/parts.h"

namespace schedlens::metrics {
namespace {

using diagnose::Stranding;

constexpr std::array kCausesOfSlurm = {Stranding::kCpu, Stranding::kMemory, Stranding::kShared,
                                       Stranding::kReserved, Stranding::kQueue};
constexpr std::array kCausesOfKubernetes = {Stranding::kCpu, Stranding::kMemory, Stranding::kTaint,
                                            Stranding::kPods};
using ByCause = std::map<Stranding, std::uint64_t>;

std::uint64_t get(const ByCause& sums, Stranding cause) {
  auto it = sums.find(cause);
  return it == sums.end() ? 0 : it->second;
}

// The one GPU type of the node, or "mixed".
std::string_view type_of(const model::Node& node) {
  const model::GresPool* first = nullptr;
  for (const auto& pool : node.gres) {
    if (pool.name != model::names::kGpu) continue;
    if (first && first->type != pool.type) return "mixed";
    first = &pool;
  }
  return first ? first->type.view() : "";
}

void write_stranded(const model::Snapshot& s, const diagnose::Fragmentation& f, Exposition& out) {
  std::span<const Stranding> causes = kCausesOfSlurm;
  if (s.kubernetes) causes = kCausesOfKubernetes;
  std::map<std::string_view, ByCause> by_type;
  std::vector<const diagnose::NodeFragmentation*> node_at(s.nodes.size());
  for (const auto& n : f.nodes) {
    by_type[type_of(s.node(n.node))][n.stranded_by] += n.stranded;
    node_at[n.node.index] = &n;
  }
  for (const auto& [type, sums] : by_type) {
    for (auto cause : causes) {
      out.sample(family("schedlens_gpus_stranded"), get(sums, cause), type, stranding_name(cause));
    }
  }
  for (const auto& queue : s.queues) {
    ByCause sums;
    bool has_gpus = false;
    for (auto id : queue.nodes) {
      const auto* n = node_at[id.index];
      if (!n) continue;
      has_gpus = true;
      sums[n->stranded_by] += n->stranded;
    }
    if (!has_gpus) continue;
    for (auto cause : causes) {
      out.sample(family("schedlens_partition_gpus_stranded"), get(sums, cause), queue.name,
                 stranding_name(cause));
    }
  }
}

}  // namespace

void write_ledger(const Analysis& analysis, Exposition& out) {
  if (analysis.ledger.total == 0) return;
  for (const auto& part : analysis.ledger.parts) {
    out.sample(family("schedlens_ledger_gpus"), part.gpus, gpu_state_name(part.state), part.cause);
  }
}

void write_fragmentation(const model::Snapshot& s, const Analysis& analysis, Exposition& out) {
  const auto& f = analysis.fragmentation;
  if (f.nodes.empty()) return;
  out.sample(family("schedlens_gpus_allocatable"), f.gpus_allocatable);
  out.sample(family("schedlens_gpus_planned"), f.gpus_planned);
  out.sample(family("schedlens_gpus_largest_hole"), f.largest_hole);
  write_stranded(s, f, out);
  for (const auto& [size, share] : f.by_size) {
    out.sample(family("schedlens_gpu_fragmentation_ratio"), share, std::to_string(size));
  }
  for (const auto& fit : f.standard) {
    out.sample(family("schedlens_gpu_jobs_fitting"), fit.fits_now, std::to_string(fit.gpus));
  }
  for (const auto& fit : f.standard) {
    out.sample(family("schedlens_gpu_jobs_fitting_pooled"), fit.fits_pooled,
               std::to_string(fit.gpus));
  }
  out.sample(family("schedlens_queue_gpus_waiting"), f.queue_gpus_waiting);
  out.sample(family("schedlens_queue_gpus_startable"), f.queue_gpus_startable);
  out.sample(family("schedlens_queue_gpus_startable_pooled"), f.queue_gpus_startable_pooled);
}

}  // namespace schedlens::metrics
