// SPDX-License-Identifier: Apache-2.0
#include "cli/pod_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/device_words.h"
#include "cli/layout.h"
#include "cli/table.h"
#include "cli/words.h"
#include "diagnose/pod_text.h"
#include "diagnose/withheld_pods.h"
#include "model/gpu_parts.h"
#include "model/node_object.h"
#include "model/pod.h"
#include "model/unhealthy_devices.h"

namespace schedlens::cli {
namespace {

using Kind = Column::Kind;
using Facts = std::vector<std::pair<std::string, std::string>>;

void add(Facts& facts, std::string_view label, std::string text) {
  if (!text.empty()) facts.emplace_back(label, std::move(text));
}

std::string group_text(const model::Snapshot& snapshot, const model::Pod& pod) {
  const auto count = diagnose::GroupCounts(snapshot).of(pod);
  if (!count) return "";
  return fmt::format("{}: {}, {} of them with a node; it needs {} to start", pod.group,
                     counted(count->exist, "pod"), count->bound,
                     count->needed ? fmt::format("at least {}", *count->needed)
                                   : std::string("an unknown number"));
}

std::string parts_text(const model::Node& node) {
  const auto worth = model::parts_worth(node);
  if (!worth) return "";
  return fmt::format("{} of {:.1f} GPUs' worth used",
                     worth->used ? fmt::format("{:.1f}", *worth->used) : std::string(kUnknown),
                     worth->total);
}

std::string mixed_text(const model::NodeObject& node) {
  const auto mixed = model::mixed_gpus(node);
  if (!mixed) return "";
  return fmt::format(
      "{} of {} beside {} of {}: {}", mixed->whole_count, mixed->whole.view(), mixed->slice_count,
      mixed->slice.view(),
      mixed->stale
          ? "the node has no more GPUs than that, so one of both is left from before a MIG "
            "change; its kubelet must start anew"
          : "some of its GPUs are split, or one of both is left from before a MIG change");
}

// Not of interest while all is well: Ready, and the pressures that are not there.
bool as_it_should_be(const model::NodeCondition& c) {
  return !c.unknown && c.status == (c.type.view() == "Ready");
}

std::string condition_text(const model::NodeCondition& c, Timestamp now) {
  auto text = fmt::format("{}={}", c.type.view(),
                          c.unknown  ? "Unknown"
                          : c.status ? "True"
                                     : "False");
  if (!c.reason.empty()) text += fmt::format(" ({})", c.reason.view());
  if (c.since) text += " " + relative(c.since, now);
  return text;
}

std::string unhealthy_text(const model::NodeObject& node) {
  std::vector<std::string> parts;
  const auto unhealthy = model::unhealthy_devices(node);
  for (const auto& item : unhealthy.items()) {
    parts.push_back(fmt::format("{} of {} {}", item.amount, model::devices_there(node, item.name),
                                item.name.view()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string place_or_message(const model::Workload& w) {
  if (!w.pod->node_name.empty()) return w.pod->node_name.str();
  if (!model::is_pending(w)) return "-";
  if (!w.reason_text.empty()) return w.reason_text;
  return w.reason.empty() ? "nothing" : w.reason.str();
}

std::string pod_state(const model::Workload& w) {
  if (w.pod->deleting) return "terminating";
  if (!w.pod->status_reason.empty()) return w.pod->status_reason.str();
  return lower(model::full_state(w));
}

}  // namespace

std::string quantities(const model::Quantities& q) {
  std::vector<std::string> parts;
  for (const auto& item : q.items()) {
    const auto name = item.name.view();
    if (name == "cpu") {
      parts.push_back(fmt::format("cpu {:g}", static_cast<double>(item.amount) / 1000));
    } else if (name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-")) {
      parts.push_back(fmt::format("{} {}", name, short_bytes({item.amount})));
    } else {
      parts.push_back(fmt::format("{} {}", name, item.amount));
    }
  }
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string owner_of(const model::Workload& w) {
  if (!w.pod->owner) return "-";
  return fmt::format("{}/{}", w.pod->owner->kind.view(), w.pod->owner->name);
}

std::string owner_and_group(const model::Workload& w, const diagnose::GroupCounts& groups) {
  const auto count = groups.of(*w.pod);
  if (!count) return owner_of(w);
  auto text = fmt::format("group {} {}/{}", w.pod->group, count->exist,
                          count->needed ? std::to_string(*count->needed) : std::string(kUnknown));
  return w.pod->owner ? fmt::format("{}, {}", owner_of(w), text) : text;
}

std::string who_sentence(const model::Workload& w) {
  const auto& pod = *w.pod;
  auto text = fmt::format("owner {}", owner_of(w));
  text += fmt::format(", priority {}",
                      pod.priority ? std::to_string(*pod.priority) : std::string(kUnknown));
  if (!pod.spec->priority_class.empty()) {
    text += fmt::format(" ({})", pod.spec->priority_class.view());
  }
  if (!pod.spec->scheduler.empty())
    text += fmt::format(", scheduler {}", pod.spec->scheduler.view());
  return printable(text);
}

Facts pod_facts(const model::Snapshot& snapshot, const model::Workload& w) {
  const auto& pod = *w.pod;
  Facts facts;
  add(facts, "requests", quantities(pod.request));
  for (const auto& term : pod.spec->terms) add(facts, "", diagnose::term_text(term));
  add(facts, "", diagnose::beyond_spec_text(pod));
  std::vector<std::string> selector;
  for (const auto& label : pod.spec->node_selector) {
    selector.push_back(fmt::format("{}={}", label.key.view(), label.value));
  }
  add(facts, "node selector", fmt::format("{}", fmt::join(selector, ", ")));
  std::vector<std::string> gates;
  for (const auto gate : pod.gates) gates.push_back(gate.str());
  add(facts, "gates", fmt::format("{}", fmt::join(gates, ", ")));
  const auto& kubernetes = *snapshot.kubernetes;
  add(facts, "belongs to", diagnose::to_text(diagnose::owner_chain(kubernetes, pod)));
  add(facts, "group", group_text(snapshot, pod));
  add(facts, "nominated", pod.nominated_node.str());
  if (pod.deleting) add(facts, "deleting", moment(pod.deleting, snapshot.time));
  std::vector<std::string> claims;
  for (const auto& volume : pod.volumes) claims.push_back(volume.claim);
  add(facts, "claims", fmt::format("{}", fmt::join(claims, ", ")));
  add(facts, "devices", device_health_text(pod));
  return facts;
}

Facts node_facts(const model::Node& node, Timestamp now) {
  const auto& object = *node.object;
  Facts facts;
  add(facts, "allocatable", quantities(object.allocatable));
  add(facts, "GPU parts", parts_text(node));
  add(facts, "mixed GPUs", mixed_text(object));
  add(facts, "unhealthy", unhealthy_text(object));
  std::vector<std::string> taints, conditions;
  for (const auto& taint : object.taints) taints.push_back(to_text(taint));
  for (const auto& c : object.conditions) {
    if (!as_it_should_be(c)) conditions.push_back(condition_text(c, now));
  }
  add(facts, "taints", fmt::format("{}", fmt::join(taints, ", ")));
  add(facts, "conditions", fmt::format("{}", fmt::join(conditions, ", ")));
  return facts;
}

std::string withheld_lines(const model::Snapshot& snapshot, const Style& style) {
  const auto withheld = diagnose::withheld_pods(snapshot);
  if (withheld.empty()) return "";
  Table table({{"NEVER MADE FOR", Kind::kFlexible},
               {"PODS", Kind::kNumber},
               {"ROOT CAUSE"},
               {"LAST TRY", Kind::kNumber},
               {"BECAUSE", Kind::kFlexible, 20}});
  for (const auto& w : withheld) {
    table.row({printable(fmt::format("{}/{} in {}", w.kind.view(), w.owner, w.ns.view())),
               w.missing ? std::to_string(*w.missing) : std::string(kUnknown),
               std::string(diagnose::cause_name(w.cause)), relative(w.last_try, snapshot.time),
               printable(w.summary)});
  }
  auto out = '\n' + table.render(style);
  for (const auto& w : withheld) {
    for (const auto& remedy : w.remedies) {
      out += labelled(style, "", 2, printable("An operator: " + remedy.effect));
      for (auto command : split(remedy.command, '\n')) {
        out += "     " + paint(style, Tone::kGood, printable(command)) + '\n';
      }
    }
  }
  return out;
}

std::string pod_table(const model::Snapshot& snapshot, const std::vector<std::string>& causes,
                      const std::vector<model::WorkloadId>& shown, const Style& style) {
  Table table({{"NAMESPACE", Kind::kFlexible},
               {"POD", Kind::kFlexible},
               {"OWNER", Kind::kFlexible},
               {"PRIORITY", Kind::kNumber},
               {"GPUS", Kind::kNumber},
               {"STATE", Kind::kFlexible, 7},
               {"WAITED", Kind::kNumber},
               {"ROOT CAUSE"},
               {"NODE / SCHEDULER SAYS", Kind::kFlexible, 12}});
  const diagnose::GroupCounts groups(snapshot);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto& w = snapshot.workload(shown[i]);
    const auto gpus = model::holds_resources(w) ? model::gpus_held(w) : model::gpus_requested(w);
    table.row({printable(w.pod->ns.view()),
               printable(w.name),
               printable(owner_and_group(w, groups)),
               w.pod->priority ? std::to_string(*w.pod->priority) : std::string(kUnknown),
               std::to_string(gpus),
               {printable(pod_state(w)), tone_of(w)},
               duration(model::waited(w, snapshot.time)),
               causes[i],
               printable(place_or_message(w))});
  }
  return table.empty() ? "no pods match\n" : table.render(style);
}

}  // namespace schedlens::cli
