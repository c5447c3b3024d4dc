// SPDX-License-Identifier: Apache-2.0
#include "cli/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/layout.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/words.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::cli {
namespace {

using api::UsageBy;
using diagnose::Compared;
using diagnose::UsageRow;
using Kind = Column::Kind;
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string cores(double n) {
  return n < 10 ? fmt::format("{:.2f}", n) : fmt::format("{:.1f}", n);
}

std::string size(double bytes) {
  return short_bytes({std::llround(bytes)});
}

// "0.31 (8%)": use, and its share of what those that were measured request.
std::string used(const Compared& c, std::string (*form)(double)) {
  const auto use = c.use();
  if (!use) return std::string(kUnknown);
  const auto share = c.share();
  return share ? fmt::format("{} ({})", form(*use), percent(*share, 1)) : form(*use);
}

// "3.2 of 4"; nothing is said of those that were not measured.
std::string busy_gpus(const diagnose::GpusCompared& g) {
  if (g.measured <= 0) return g.held > 0 ? std::string(kUnknown) : "-";
  return fmt::format("{:.1f} of {:g}", g.busy, g.measured);
}

std::string idle_gpus(const diagnose::GpusCompared& g) {
  if (g.measured <= 0) return g.held > 0 ? std::string(kUnknown) : "-";
  return fmt::format("{:g}", g.idle);
}

std::string gpu_memory(const diagnose::GpusCompared& g) {
  if (g.memory_total <= 0) return g.held > 0 ? std::string(kUnknown) : "-";
  return percent(g.memory, g.memory_total);
}

Cell idle_cell(const diagnose::GpusCompared& g) {
  return {idle_gpus(g), g.idle > 0 ? Tone::kWarn : Tone::kPlain};
}

std::string first_name(const model::Snapshot& s, const UsageRow& row) {
  if (row.pod) return s.workload(*row.pod).name;
  if (row.owner) return fmt::format("{}/{}", row.owner->kind.view(), row.owner->name);
  return row.ns.str();
}

std::string pod_table(const model::Snapshot& s, const api::ChosenUsage& chosen,
                      const Style& style) {
  const bool of_namespace = chosen.by == UsageBy::kNamespace;
  std::vector<Column> columns;
  if (!of_namespace) columns.push_back({"NAMESPACE", Kind::kFlexible});
  columns.push_back({of_namespace                 ? "NAMESPACE"
                     : chosen.by == UsageBy::kPod ? "POD"
                                                  : "OWNER",
                     Kind::kFlexible, 10});
  for (const char* title : {"PODS", "UNKNOWN", "CPU ASKED", "CPU USED", "MEMORY ASKED",
                            "MEMORY USED", "GPUS HELD", "GPUS BUSY", "IDLE", "GPU MEMORY"}) {
    columns.push_back({title, Kind::kNumber});
  }
  Table table(std::move(columns));
  for (const auto& row : chosen.rows) {
    std::vector<Cell> cells;
    if (!of_namespace) cells.emplace_back(row.ns.view());
    cells.emplace_back(first_name(s, row));
    for (auto text :
         {std::to_string(row.pods), std::to_string(std::max(row.cpu.unknown, row.memory.unknown)),
          cores(row.cpu.requested), used(row.cpu, cores), size(row.memory.requested),
          used(row.memory, size), std::to_string(row.gpus.held), busy_gpus(row.gpus)}) {
      cells.emplace_back(std::move(text));
    }
    cells.push_back(idle_cell(row.gpus));
    cells.emplace_back(gpu_memory(row.gpus));
    table.row(std::move(cells));
  }
  return table.empty() ? "no pods match\n" : table.render(style);
}

// Of a node its own use counts, which is more than that of its pods.
std::string node_table(const model::Snapshot& s, const api::ChosenUsage& chosen,
                       const Style& style) {
  Table table({{"NODE"},
               {"PODS", Kind::kNumber},
               {"CPUS", Kind::kNumber},
               {"ASKED", Kind::kNumber},
               {"USED", Kind::kNumber},
               {"MEMORY", Kind::kNumber},
               {"ASKED", Kind::kNumber},
               {"USED", Kind::kNumber},
               {"GPUS HELD", Kind::kNumber},
               {"GPUS BUSY", Kind::kNumber},
               {"IDLE", Kind::kNumber},
               {"GPU MEMORY", Kind::kNumber}});
  const auto known = [](const std::optional<double>& value, std::string (*form)(double)) {
    return value ? form(*value) : std::string(kUnknown);
  };
  for (const auto& row : chosen.rows) {
    std::optional<double> memory;
    if (row.whole && row.whole->memory) memory = static_cast<double>(row.whole->memory->value);
    table.row({s.node(*row.node).name.view(), std::to_string(row.pods),
               known(row.cpu_allocatable, cores), cores(row.cpu.requested),
               known(row.whole ? row.whole->cpu : std::nullopt, cores),
               known(row.memory_allocatable, size), size(row.memory.requested), known(memory, size),
               std::to_string(row.gpus.held), busy_gpus(row.gpus), idle_cell(row.gpus),
               gpu_memory(row.gpus)});
  }
  return table.empty() ? "no nodes\n" : table.render(style);
}

// How old the values are, or why there are none.
std::string head(const model::Snapshot& s, const diagnose::UsageReport& report,
                 const Style& style) {
  constexpr std::size_t kLabel = 10;
  if (report.measured) {
    auto text = fmt::format("{} old", short_duration(s.time - *report.newest));
    if (*report.oldest < *report.newest) {
      text += fmt::format(", the oldest {}", short_duration(s.time - *report.oldest));
    }
    std::vector<std::string> who;
    for (const auto& source : s.sources) {
      if (source.feeds == "usage" && source.last_success) who.push_back(source.name);
    }
    if (!who.empty()) text += fmt::format("; from {}", fmt::join(who, ", "));
    return labelled(style, "use", kLabel, text, Tone::kDim);
  }
  const auto* usage = s.kubernetes->usage.get();
  std::string why = "not known: ";
  if (!usage) {
    why += "nobody was asked for it";
  } else if (usage->no_metrics_api) {
    why +=
        "the cluster has no Metrics API (metrics-server), and neither kubelets nor "
        "dcgm-exporters gave any (--kubelet-use, --gpu-exporter)";
  } else {
    why += "nobody who was asked gave a value of the last ten minutes";
  }
  return labelled(style, "use", kLabel, why, Tone::kWarn);
}

std::string findings(const api::ChosenUsage& chosen, const Style& style) {
  constexpr std::size_t kLabel = 10, kMost = 20;
  std::string out;
  std::size_t shown = 0;
  for (const auto& f : chosen.findings) {
    if (style.width > 0 && shown == kMost) break;
    ++shown;
    const bool hint = f.kind == diagnose::UsageFindingKind::kMemoryHeld;
    out += labelled(style, hint ? "hint" : "finding", kLabel, printable(f.text),
                    hint ? Tone::kDim : Tone::kWarn);
  }
  if (shown < chosen.findings.size()) {
    out +=
        labelled(style, "", kLabel,
                 fmt::format("and {} more (--wide)", chosen.findings.size() - shown), Tone::kDim);
  }
  return out.empty() ? out : '\n' + out;
}

std::string who_measured(model::UsageView view) {
  switch (view) {
    case model::UsageView::kMetricsApi:
      return "the Metrics API";
    case model::UsageView::kKubeletResource:
      return "the kubelet's /metrics/resource";
    case model::UsageView::kKubeletSummary:
      return "the kubelet's /stats/summary";
    case model::UsageView::kCadvisor:
      break;
  }
  return "the kubelet's /metrics/cadvisor";
}

std::string use_text(const model::Snapshot& s, const model::Use& use, double cpu_requested,
                     double memory_requested) {
  std::vector<std::string> parts;
  const auto of = [](double requested, std::string (*form)(double)) {
    return requested > 0 ? fmt::format(" of {} requested", form(requested)) : std::string();
  };
  if (use.cpu) parts.push_back(fmt::format("{} CPUs{}", cores(*use.cpu), of(cpu_requested, cores)));
  if (use.memory) {
    parts.push_back(
        fmt::format("memory {}{}", short_bytes(*use.memory), of(memory_requested, size)));
  }
  auto text = fmt::format("{}", fmt::join(parts, ", "));
  if (use.window && use.window->value > 0) {
    text += fmt::format("; mean over {}", short_duration(*use.window));
  }
  if (use.sampled) text += fmt::format(", {}", relative(use.sampled, s.time));
  return text + ", from " + who_measured(use.view);
}

std::string device_text(const model::Snapshot& s, const model::GpuUse& gpu) {
  auto text =
      fmt::format("{}{}: busy {}", gpu.index.empty() ? gpu.uuid : gpu.index,
                  gpu.mig_instance.empty()
                      ? std::string()
                      : fmt::format(" instance {} ({})", gpu.mig_instance, gpu.mig_profile.view()),
                  gpu.busy ? percent(*gpu.busy, 1) : std::string(kUnknown));
  if (gpu.watched_since && gpu.busiest && *gpu.watched_since < s.time) {
    text += fmt::format(" (at most {} in {})", percent(*gpu.busiest, 1),
                        short_duration(s.time - *gpu.watched_since));
  }
  if (gpu.memory && gpu.memory_total) {
    text +=
        fmt::format(", memory {} of {}", short_bytes(*gpu.memory), short_bytes(*gpu.memory_total));
  }
  if (gpu.last_xid && *gpu.last_xid > 0) text += fmt::format(", last XID {}", *gpu.last_xid);
  if (gpu.pods.size() > 1) text += fmt::format(", shared by {} pods", gpu.pods.size());
  if (gpu.pods_known && gpu.pods.empty()) text += ", held by no pod";
  if (gpu.sampled) text += fmt::format(", {}", relative(gpu.sampled, s.time));
  return text;
}

template <class Wanted>
void add_devices(const model::Snapshot& s, Facts& facts, Wanted&& wanted) {
  const auto& usage = *s.kubernetes->usage;
  if (!usage.gpus) return;
  for (const auto& gpu : *usage.gpus) {
    if (wanted(gpu)) facts.emplace_back("GPU use", device_text(s, gpu));
  }
}

double in_cores(std::int64_t thousandths) {
  return static_cast<double>(thousandths) / 1000;
}

bool has_usage(const model::Snapshot& s) {
  return s.kubernetes && s.kubernetes->usage;
}

}  // namespace

std::string render_usage(const model::Snapshot& s, const diagnose::UsageReport& report,
                         const api::ChosenUsage& chosen, const Style& style) {
  auto out = head(s, report, style) + '\n';
  out += chosen.by == UsageBy::kNode ? node_table(s, chosen, style) : pod_table(s, chosen, style);
  out += findings(chosen, style);
  return out + render_troubled_sources(s, style);
}

Facts pod_use_facts(const model::Snapshot& s, model::WorkloadId pod) {
  Facts facts;
  if (!has_usage(s)) return facts;
  const auto& request = s.workload(pod).pod->request;
  if (const auto* use = s.kubernetes->usage->of_pod(pod)) {
    facts.emplace_back("use",
                       use_text(s, *use, in_cores(request.get(model::names::kKubeCpu)),
                                static_cast<double>(request.get(model::names::kKubeMemory))));
  }
  add_devices(s, facts, [&](const model::GpuUse& gpu) {
    return std::find(gpu.pods.begin(), gpu.pods.end(), pod) != gpu.pods.end();
  });
  return facts;
}

Facts node_use_facts(const model::Snapshot& s, model::NodeId node) {
  Facts facts;
  if (!has_usage(s)) return facts;
  if (const auto* use = s.kubernetes->usage->of_node(node)) {
    facts.emplace_back("use", use_text(s, *use, 0, 0));
  }
  add_devices(s, facts, [&](const model::GpuUse& gpu) { return gpu.node == node; });
  return facts;
}

}  // namespace schedlens::cli
