// SPDX-License-Identifier: Apache-2.0
#include "metrics/kube_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>

#include "base/text.h"
#include "metrics/state_families.h"
#include "model/kubernetes.h"

namespace schedlens::metrics {
namespace {

// Every table with the list of the objects that it is about.
template <class Visit>
void each_table(Visit visit) {
  using model::KubeState;
  visit(node_families(), &KubeState::nodes);
  visit(namespace_families(), &KubeState::namespaces);
  visit(deployment_families(), &KubeState::deployments);
  visit(replica_set_families(), &KubeState::replica_sets);
  visit(stateful_set_families(), &KubeState::stateful_sets);
  visit(daemon_set_families(), &KubeState::daemon_sets);
  visit(job_families(), &KubeState::jobs);
  visit(cron_job_families(), &KubeState::cron_jobs);
  visit(autoscaler_families(), &KubeState::autoscalers);
  visit(budget_families(), &KubeState::budgets);
  visit(quota_families(), &KubeState::quotas);
  visit(claim_families(), &KubeState::claims);
  visit(volume_families(), &KubeState::volumes);
}

class Page {
 public:
  Page(const model::StateChoice& choice, const std::vector<std::string>& left_out, StateLines& out)
      : choice_(choice), left_out_(left_out), out_(out) {}

  // each(body) runs body(object) for every object.
  template <class Object, class Each>
  void write(const StateTable<Object>& table, Each each) {
    if (!choice_.wants(table.kind)) return;
    for (const auto& family : table.families) {
      if (!wanted(table.kind, family.name)) continue;
      out_.family(family.name, family.type, family.help);
      each([&](const Object& object) {
        table.identify(object, out_);
        family.write(object, out_);
      });
    }
  }

 private:
  bool wanted(model::StateKind kind, std::string_view name) const {
    if (name.ends_with("_labels") && choice_.labels(kind).empty()) return false;
    return std::find(left_out_.begin(), left_out_.end(), name) == left_out_.end();
  }

  const model::StateChoice& choice_;
  const std::vector<std::string>& left_out_;
  StateLines& out_;
};

void write_pods(const model::Snapshot& snapshot, const model::StateChoice& choice, Page& page) {
  const auto& labels = choice.labels(model::StateKind::kPods);
  const auto each = [&](auto&& body) {
    for (const auto& w : snapshot.workloads) {
      if (w.pod && w.pod->detail) body(PodView{w, *w.pod, *w.pod->detail, labels});
    }
  };
  page.write(pod_families(), each);
  page.write(pod_container_families(), each);
}

}  // namespace

const std::vector<StateFamilyFacts>& kube_state_families() {
  static const auto all = [] {
    std::vector<StateFamilyFacts> facts;
    const auto add = [&](const auto& table) {
      for (const auto& f : table.families) facts.push_back({table.kind, f.name, f.type, f.help});
    };
    add(pod_families());
    add(pod_container_families());
    each_table([&](const auto& table, auto) { add(table); });
    return facts;
  }();
  return all;
}

Result<std::vector<std::string>> read_left_out(std::string_view patterns) {
  std::vector<std::string> left_out;
  for (const auto part : split(patterns, ',')) {
    const auto pattern = trim(part);
    if (pattern.empty()) continue;
    const auto count = left_out.size();
    try {
      const std::regex expression(std::string(pattern), std::regex::ECMAScript);
      for (const auto& family : kube_state_families()) {
        const bool fits = std::regex_search(family.name.begin(), family.name.end(), expression);
        if (fits) left_out.emplace_back(family.name);
      }
    } catch (const std::regex_error& e) {
      return fail("'{}' is no regular expression: {}", printable(pattern), e.what());
    }
    if (left_out.size() == count) return fail("no metric fits '{}'", printable(pattern));
  }
  return left_out;
}

void write_kube_state(const model::Snapshot& snapshot, const model::StateChoice& choice,
                      const std::vector<std::string>& left_out,
                      const std::function<void(std::string_view)>& sink) {
  StateLines out(sink);
  Page page(choice, left_out, out);
  write_pods(snapshot, choice, page);
  if (snapshot.kubernetes && snapshot.kubernetes->state) {
    const auto& state = *snapshot.kubernetes->state;
    each_table([&](const auto& table, auto list) {
      if (!(state.*list)) return;
      page.write(table, [&](auto&& body) {
        for (const auto& object : *(state.*list)) body(*object);
      });
    });
  }
  out.finish();
}

std::string kube_state_markdown() {
  std::string page =
      "\n## Of Kubernetes' objects, as kube-state-metrics has them\n\n"
      "At `/metrics/kube-state`, of the kinds that `metrics.kube_state` names "
      "([Instead of kube-state-metrics](kubernetes.md#instead-of-kube-state-metrics)).\n";
  std::string_view kind;
  for (const auto& f : kube_state_families()) {
    if (const auto name = model::resource_name(f.kind); name != kind) {
      fmt::format_to(std::back_inserter(page),
                     "\n### {}\n\n| metric | type | meaning |\n| --- | --- | --- |\n", name);
      kind = name;
    }
    fmt::format_to(std::back_inserter(page), "| `{}` | {} | {} |\n", f.name, type_name(f.type),
                   f.help);
  }
  return page;
}

}  // namespace schedlens::metrics
