// SPDX-License-Identifier: Apache-2.0
#include "cli/job.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/fold_names.h"
#include "cli/gpu_map.h"
#include "cli/layout.h"
#include "cli/node_share.h"
#include "cli/pod_words.h"
#include "cli/request_text.h"
#include "cli/sources.h"
#include "cli/table.h"
#include "cli/usage.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

using Kind = Column::Kind;
using model::Snapshot;
using model::Workload;
constexpr std::size_t kLabel = 13;

class Lines {
 public:
  explicit Lines(const Style& style) : style_(style) {}

  // Nothing when there is nothing to say.
  void add(std::string_view label, std::string_view text, Tone tone = Tone::kPlain) {
    if (text.empty() || text == "-") return;
    out_ += labelled(style_, label, kLabel, printable(text), tone);
  }
  const std::string& text() const { return out_; }

 private:
  const Style& style_;
  std::string out_;
};

std::string title(const Workload& w, const Style& style) {
  auto out = paint(style, Tone::kBold,
                   fmt::format("{} {}", w.pod ? "pod" : "job", printable(model::display_id(w))));
  if (!w.name.empty() && !w.pod) out += fmt::format("  {}", printable(w.name));
  out += "  " + paint(style, tone_of(w), printable(lower(model::full_state(w))));
  return out + '\n';
}

std::string who(const Workload& w) {
  if (w.pod) return who_sentence(w);
  return fmt::format("user {}, account {}, QOS {}, {} {}", name_or_dash(w.user),
                     name_or_dash(w.account), name_or_dash(w.qos),
                     w.queues.size() > 1 ? "partitions" : "partition", names_of(w.queues));
}

std::string array_text(const Workload& w) {
  if (!w.array) return "";
  auto text =
      w.array->task_id
          ? fmt::format("task {} of array {}", *w.array->task_id, w.array->job_id)
          : fmt::format("{} of array {}: {}", counted(w.array->waiting_count, "waiting task"),
                        w.array->job_id, w.array->waiting_tasks);
  if (w.array->max_running) text += fmt::format(", at most {} at once", *w.array->max_running);
  return text;
}

std::string priority_text(const Workload& w) {
  if (!w.priority) return std::string(kUnknown);
  auto text = *w.priority == 0 ? std::string("0 (held)") : std::to_string(*w.priority);
  if (w.nice != 0) text += fmt::format(", nice {}", w.nice);
  if (!w.factors) return text;
  const auto& f = *w.factors;
  std::vector<std::string> parts;
  auto add = [&](std::string_view name, double value) {
    if (value != 0) parts.push_back(fmt::format("{} {:.0f}", name, value));
  };
  add("age", f.age);
  add("association", f.association);
  add("fair share", f.fair_share);
  add("size", f.job_size);
  add("partition", f.queue);
  add("QOS", f.qos);
  add("site", f.site);
  add("TRES", f.tres);
  return parts.empty() ? text : fmt::format("{}: {}", text, fmt::join(parts, ", "));
}

std::string limit_text(const Workload& w) {
  if (!w.time_limit.known()) return std::string(kUnknown);
  auto text = w.time_limit.has_value() ? short_duration(w.time_limit.value) : "unlimited";
  if (w.time_min) text += fmt::format(", at least {}", short_duration(*w.time_min));
  return text;
}

std::string scheduler_reason(const Workload& w) {
  if (w.reason.empty()) return std::string(kUnknown);
  if (w.reason_text.starts_with(w.reason.view())) return w.reason_text;
  if (w.reason_text.empty()) return w.reason.str();
  return fmt::format("{} ({})", w.reason.view(), w.reason_text);
}

void add_waiting(Lines& lines, const Snapshot& s, const Workload& w, diagnose::RootCause cause) {
  lines.add(
      "waits for",
      fmt::format("{}: see schedlens why {}", diagnose::cause_name(cause), model::display_id(w)),
      Tone::kWarn);
  lines.add("scheduler", scheduler_reason(w));
  auto start = model::forecast(w);
  lines.add("forecast", start ? moment(start, s.time) : "the scheduler has none");
  if (!w.planned_nodes.empty()) lines.add("planned on", fold_names(s, w.planned_nodes));
}

void add_times(Lines& lines, const Snapshot& s, const Workload& w) {
  lines.add("submitted", moment(w.submitted, s.time));
  lines.add("eligible", moment(w.eligible, s.time));
  lines.add("waited", duration(model::waited(w, s.time)));
  if (!model::is_pending(w)) {
    lines.add("started", moment(w.start, s.time));
    lines.add(model::is_finished(w) ? "ended" : "ends", moment(w.end, s.time));
  }
  if (w.deadline) lines.add("deadline", moment(w.deadline, s.time));
  if (!w.pod) lines.add("time limit", limit_text(w));
  if (w.restarts > 0) lines.add("restarts", std::to_string(w.restarts));
  if (w.exit && model::is_finished(w)) {
    lines.add("exit", fmt::format("code {}, signal {}", w.exit->code, w.exit->signal));
  }
}

void add_request(Lines& lines, const Snapshot& s, const Workload& w) {
  if (!w.pod) lines.add("asks for", request_sentence(w));
  lines.add("constraint", w.request.features);
  lines.add("on nodes", fold_names(s, w.request.required_nodes));
  if (w.request.excluded_nodes) lines.add("not on", fold_names(s, *w.request.excluded_nodes));
  lines.add(w.request.any_licence ? "one licence of" : "licences", gres_list(w.request.licences));
  lines.add("reservation", w.reservation.view());
  lines.add("dependency", w.dependency);
}

std::string nodes_table(const Snapshot& s, const Workload& w, const Style& style) {
  Table table({{"NODE"},
               {"STATE"},
               {"GPUS", Kind::kNumber},
               {"INDEXES"},
               {"CPUS", Kind::kNumber},
               {"MEMORY", Kind::kNumber},
               {"NODE LOAD", Kind::kNumber},
               {"FREE MEMORY", Kind::kNumber},
               {"OTHER JOBS", Kind::kNumber}});
  for (auto id : w.allocation.nodes) {
    const auto& node = s.node(id);
    auto share = share_of(w, id);
    auto jobs = s.workloads_on(id).size();
    table.row({node.name.view(),
               {model::display_state(node), tone_of(node)},
               number(share.gpus),
               share.gpu_indexes,
               number(share.cpus),
               bytes(share.memory),
               fmt::format("{} of {}", load(node.cpu_load), node.cpus),
               bytes(node.memory_free),
               jobs > 0 ? std::to_string(jobs - 1) : std::string(kUnknown)});
  }
  return table.render(style);
}

}  // namespace

std::vector<std::string> efficiency_facts(const Snapshot& s, const Workload& w) {
  std::vector<std::string> facts;
  if (w.state != model::WorkloadState::kRunning) return facts;
  if (w.flags.has(model::WorkloadFlag::kConfiguring)) return facts;  // its nodes are not ready
  std::size_t alone = 0, loaded = 0;
  double node_load = 0;
  std::uint64_t held = 0;
  for (auto id : w.allocation.nodes) {
    if (s.workloads_on(id).size() != 1) continue;
    ++alone;
    auto cpus = share_of(w, id).cpus;
    const auto& load = s.node(id).cpu_load;
    if (!cpus || !load) continue;
    ++loaded;
    node_load += *load;
    held += *cpus;
  }
  if (loaded > 0) {
    facts.push_back(fmt::format("alone on {}: their load is {:.1f} while it holds {} there ({})",
                                counted(loaded, "of its nodes", "of its nodes"), node_load,
                                counted(held, "CPU"),
                                percent(node_load, static_cast<double>(held))));
  }
  if (w.start && w.time_limit.has_value() && s.time > *w.start) {
    auto ran = s.time - *w.start;
    facts.push_back(fmt::format(
        "has used {} of its time limit ({} of {})",
        percent(static_cast<double>(ran.value), static_cast<double>(w.time_limit.value.value)),
        short_duration(ran), short_duration(w.time_limit.value)));
  }
  return facts;
}

std::string render_job(const Snapshot& s, model::WorkloadId id, diagnose::RootCause cause,
                       const Style& style) {
  const auto& w = s.workload(id);
  Lines lines(style);
  lines.add("who", who(w));
  if (w.pod) {
    for (const auto& [label, text] : pod_facts(s, w)) lines.add(label, text);
  }
  lines.add("array", array_text(w));
  if (w.het) {
    lines.add("het job", fmt::format("component {} of {}", w.het->offset, w.het->job_id));
  }
  if (model::is_pending(w)) add_waiting(lines, s, w, cause);
  add_request(lines, s, w);
  add_times(lines, s, w);
  if (!w.pod) lines.add("priority", priority_text(w));
  lines.add("comment", w.comment);
  if (model::holds_resources(w)) {
    lines.add("runs on", fmt::format("{}: {}", counted(w.allocation.nodes.size(), "node"),
                                     fold_names(s, w.allocation.nodes)));
    for (const auto& fact : efficiency_facts(s, w)) lines.add("use", fact);
    const auto use =
        w.pod ? pod_use_facts(s, id) : std::vector<std::pair<std::string, std::string>>();
    bool gpus_measured = false;
    for (const auto& [label, text] : use) {
      lines.add(label, text);
      gpus_measured |= label == "GPU use";
    }
    if (model::gpus_held(w) > 0 && !gpus_measured) {
      lines.add("GPU use", "unknown: the scheduler does not measure it");
    }
  }
  auto out = title(w, style) + lines.text();
  if (model::holds_resources(w) && !w.allocation.nodes.empty()) {
    out += '\n' + nodes_table(s, w, style);
  }
  return out + render_troubled_sources(s, style);
}

}  // namespace schedlens::cli
