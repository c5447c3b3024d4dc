// SPDX-License-Identifier: Apache-2.0
// A large cluster's page has hundreds of megabytes and wants to be written family by family, so
// each pod is looked at some fifty times, from memory that no cache holds. What identifies an
// object is therefore made text once, in the order in which the families visit it, and the parts of
// pods are asked for some pods ahead.
#include "metrics/kube_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <utility>

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

const PodView& object_of(const PodView& view) {
  return view;
}
template <class Object>
const Object& object_of(const std::shared_ptr<const Object>& held) {
  return *held;
}

constexpr std::size_t kLine = 64;  // of a cache

void fetch(const PodView& view) {
  const auto* pod = reinterpret_cast<const char*>(&view.pod);
  for (std::size_t at = 0; at < sizeof(model::Pod); at += kLine) __builtin_prefetch(pod + at);
  const auto* detail = reinterpret_cast<const char*>(&view.detail);
  for (std::size_t at = 0; at < sizeof(model::PodDetail); at += kLine)
    __builtin_prefetch(detail + at);
}
template <class Object>
void fetch(const std::shared_ptr<const Object>& held) {
  __builtin_prefetch(held.get());
}

// What the parts asked for before point to.
void fetch_parts(const PodView& view) {
  const auto whole = [](const auto& list) {
    constexpr std::size_t kLines = 4;
    const auto* at = reinterpret_cast<const char*>(list.data());
    const auto size = list.size() * sizeof(list[0]);
    for (std::size_t i = 0; i < std::min(size, kLines * kLine); i += kLine) {
      __builtin_prefetch(at + i);
    }
  };
  whole(view.pod.conditions);
  whole(view.detail.containers);
  whole(view.detail.init_containers);
}
template <class Object>
void fetch_parts(const std::shared_ptr<const Object>&) {}

// The families of one kind of object, each of which visits all objects.
class KindSection {
 public:
  virtual ~KindSection() = default;
  // Writes until the lines are full; false when there is nothing left.
  virtual bool write(StateLines& out) = 0;
};

template <class Object, class Held>
class TableSection : public KindSection {
 public:
  TableSection(const StateTable<Object>& table, std::span<const Held> objects)
      : identify_(table.identify), objects_(objects) {}

  void add(const StateFamily<Object>& family) { families_.push_back(&family); }

  bool write(StateLines& out) override {
    if (families_.empty()) return false;
    if (ends_.empty()) write_identities(out);
    for (; family_ < families_.size(); ++family_, object_ = 0) {
      const auto& family = *families_[family_];
      if (object_ == 0) out.family(family.name, family.type, family.help);
      for (; object_ < objects_.size(); ++object_) {
        if (out.full()) return true;
        if (object_ + 2 * kAhead < objects_.size()) fetch(objects_[object_ + 2 * kAhead]);
        if (object_ + kAhead < objects_.size()) fetch_parts(objects_[object_ + kAhead]);
        out.object(identity(object_));
        family.write(object_of(objects_[object_]), out);
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t kAhead = 4;

  void write_identities(StateLines& out) {
    ends_.reserve(objects_.size());
    for (const auto& held : objects_) {
      identify_(object_of(held), out);
      identities_ += out.identity();
      ends_.push_back(identities_.size());
    }
  }
  std::string_view identity(std::size_t i) const {
    const auto begin = i > 0 ? ends_[i - 1] : 0;
    return std::string_view(identities_).substr(begin, ends_[i] - begin);
  }

  void (*identify_)(const Object&, StateLines&);
  std::span<const Held> objects_;
  std::vector<const StateFamily<Object>*> families_;
  std::string identities_;
  std::vector<std::size_t> ends_;  // of each object's part of them
  std::size_t family_ = 0, object_ = 0;
};

}  // namespace

struct KubeStatePage::State {
  model::StateChoice choice;
  std::vector<std::string> left_out;
  StateLines lines;
  std::vector<PodView> pods;
  std::vector<std::unique_ptr<KindSection>> sections;
  std::size_t section = 0;

  bool wanted(model::StateKind kind, std::string_view name) const {
    if (name.ends_with("_labels") && choice.labels(kind).empty()) return false;
    return std::find(left_out.begin(), left_out.end(), name) == left_out.end();
  }

  // Tables of one kind with the same objects.
  template <class Held, class Object, class... More>
  void add(std::span<const Held> objects, const StateTable<Object>& table, const More&... more) {
    if (!choice.wants(table.kind)) return;
    auto made = std::make_unique<TableSection<Object, Held>>(table, objects);
    const auto take = [&](const StateTable<Object>& one) {
      for (const auto& family : one.families) {
        if (wanted(one.kind, family.name)) made->add(family);
      }
    };
    take(table);
    (take(more), ...);
    sections.push_back(std::move(made));
  }

  void add_pods(const model::Snapshot& snapshot) {
    if (!choice.wants(model::StateKind::kPods)) return;
    const auto& labels = choice.labels(model::StateKind::kPods);
    for (const auto& w : snapshot.workloads) {
      if (w.pod && w.pod->detail) pods.push_back({w, *w.pod, *w.pod->detail, labels});
    }
    add(std::span<const PodView>(pods), pod_families(), pod_container_families());
  }
};

KubeStatePage::KubeStatePage(const model::Snapshot& snapshot, model::StateChoice choice,
                             std::vector<std::string> left_out)
    : state_(std::make_unique<State>()) {
  state_->choice = std::move(choice);
  state_->left_out = std::move(left_out);
  state_->add_pods(snapshot);
  if (!snapshot.kubernetes || !snapshot.kubernetes->state) return;
  const auto& all = *snapshot.kubernetes->state;
  each_table([&](const auto& table, auto list) {
    if (all.*list) state_->add(std::span(std::as_const(*(all.*list))), table);
  });
}

KubeStatePage::~KubeStatePage() = default;

bool KubeStatePage::next(std::string& piece) {
  auto& s = *state_;
  while (s.section < s.sections.size() && !s.sections[s.section]->write(s.lines)) {
    s.sections[s.section++].reset();
  }
  s.lines.take(piece);
  return !piece.empty();
}

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
