// SPDX-License-Identifier: Apache-2.0
#include "kube/state_store.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kube/decode_state.h"

namespace schedlens::kube {
namespace {

using model::StateKind;

// Hands on to two; what either could not read is an error about the object.
class Both final : public Sink {
 public:
  Both(Sink* main, Sink& details) : main_(main), details_(details) {}

  void use_version(std::string_view api_version) override {
    if (main_) main_->use_version(api_version);
    details_.use_version(api_version);
  }
  void begin_list() override {
    if (main_) main_->begin_list();
    details_.begin_list();
  }
  void end_list() override {
    if (main_) main_->end_list();
    details_.end_list();
  }
  Status take(std::string_view object) override {
    auto taken = main_ ? main_->take(object) : Status();
    auto kept = details_.take(object);
    return taken ? kept : taken;
  }
  Status remove(std::string_view object) override {
    auto removed = main_ ? main_->remove(object) : Status();
    auto forgotten = details_.remove(object);
    return removed ? forgotten : removed;
  }

 private:
  Sink* main_;
  Sink& details_;
};

template <class T>
struct Kept {
  Meta meta;
  std::shared_ptr<const T> object;
};

template <class T>
using Table = ObjectTable<Kept<T>>;

// Labels are kept as far as they are shown.
template <class T>
auto keeping(Result<T> (*decode)(std::string_view), const model::LabelChoice& labels) {
  return [decode, &labels](std::string_view bytes) -> Result<std::optional<Kept<T>>> {
    auto object = decode(bytes);
    if (!object) return fail(object.error());
    std::erase_if(object->meta.labels,
                  [&](const model::Label& label) { return !labels.allows(label.key.view()); });
    Kept<T> kept;
    kept.meta.ns = object->meta.ns;
    kept.meta.name = object->meta.name;
    kept.object = std::make_shared<const T>(std::move(*object));
    return std::optional(std::move(kept));
  };
}

template <class T>
void append(const Table<T>& table, model::StateList<T>& list) {
  if (!table.loaded()) return;
  list.emplace();
  list->reserve(table.size());
  table.each([&](const Kept<T>& kept) { list->push_back(kept.object); });
  std::sort(list->begin(), list->end(), [](const auto& a, const auto& b) {
    if (a->meta.ns != b->meta.ns) return a->meta.ns < b->meta.ns;
    return a->meta.name < b->meta.name;
  });
}

}  // namespace

struct StateStore::Tables {
  Tables(std::mutex& mutex, const model::StateChoice& choice)
      : nodes(mutex, keeping(decode_node_state, choice.labels(StateKind::kNodes))),
        namespaces(mutex, keeping(decode_namespace_state, choice.labels(StateKind::kNamespaces))),
        deployments(mutex,
                    keeping(decode_deployment_state, choice.labels(StateKind::kDeployments))),
        replica_sets(mutex,
                     keeping(decode_replica_set_state, choice.labels(StateKind::kReplicaSets))),
        stateful_sets(mutex,
                      keeping(decode_stateful_set_state, choice.labels(StateKind::kStatefulSets))),
        daemon_sets(mutex, keeping(decode_daemon_set_state, choice.labels(StateKind::kDaemonSets))),
        jobs(mutex, keeping(decode_job_state, choice.labels(StateKind::kJobs))),
        cron_jobs(mutex, keeping(decode_cron_job_state, choice.labels(StateKind::kCronJobs))),
        autoscalers(mutex,
                    keeping(decode_autoscaler_state, choice.labels(StateKind::kAutoscalers))),
        budgets(mutex, keeping(decode_budget_state, choice.labels(StateKind::kBudgets))),
        quotas(mutex, keeping(decode_quota_state, choice.labels(StateKind::kQuotas))),
        claims(mutex, keeping(decode_claim_state, choice.labels(StateKind::kClaims))),
        volumes(mutex, keeping(decode_volume_state, choice.labels(StateKind::kVolumes))) {}

  Table<model::NodeFacts> nodes;
  Table<model::NamespaceFacts> namespaces;
  Table<model::DeploymentFacts> deployments;
  Table<model::ReplicaSetFacts> replica_sets;
  Table<model::StatefulSetFacts> stateful_sets;
  Table<model::DaemonSetFacts> daemon_sets;
  Table<model::JobFacts> jobs;
  Table<model::CronJobFacts> cron_jobs;
  Table<model::AutoscalerFacts> autoscalers;
  Table<model::BudgetFacts> budgets;
  Table<model::QuotaFacts> quotas;
  Table<model::ClaimFacts> claims;
  Table<model::VolumeFacts> volumes;
  std::vector<std::unique_ptr<Both>> both;

  Sink* of(StateKind kind) {
    switch (kind) {
      case StateKind::kNodes:
        return &nodes;
      case StateKind::kNamespaces:
        return &namespaces;
      case StateKind::kDeployments:
        return &deployments;
      case StateKind::kReplicaSets:
        return &replica_sets;
      case StateKind::kStatefulSets:
        return &stateful_sets;
      case StateKind::kDaemonSets:
        return &daemon_sets;
      case StateKind::kJobs:
        return &jobs;
      case StateKind::kCronJobs:
        return &cron_jobs;
      case StateKind::kAutoscalers:
        return &autoscalers;
      case StateKind::kBudgets:
        return &budgets;
      case StateKind::kQuotas:
        return &quotas;
      case StateKind::kClaims:
        return &claims;
      case StateKind::kVolumes:
        return &volumes;
      case StateKind::kPods:  // their details are part of the pod
      case StateKind::kCount:
        break;
    }
    return nullptr;
  }
};

StateStore::StateStore(std::mutex& mutex, model::StateChoice choice)
    : choice_(std::move(choice)), tables_(std::make_unique<Tables>(mutex, choice_)) {}
StateStore::~StateStore() = default;

Sink* StateStore::with_details(std::string_view resource, Sink* main) {
  for (std::size_t i = 0; i < model::kStateKinds; ++i) {
    const auto kind = static_cast<StateKind>(i);
    if (model::resource_name(kind) != resource || !choice_.wants(kind)) continue;
    auto* details = tables_->of(kind);
    if (!details) return main;
    tables_->both.push_back(std::make_unique<Both>(main, *details));
    return tables_->both.back().get();
  }
  return main;
}

void StateStore::fill(model::KubeState& into) const {
  const auto& t = *tables_;
  append(t.nodes, into.nodes);
  append(t.namespaces, into.namespaces);
  append(t.deployments, into.deployments);
  append(t.replica_sets, into.replica_sets);
  append(t.stateful_sets, into.stateful_sets);
  append(t.daemon_sets, into.daemon_sets);
  append(t.jobs, into.jobs);
  append(t.cron_jobs, into.cron_jobs);
  append(t.autoscalers, into.autoscalers);
  append(t.budgets, into.budgets);
  append(t.quotas, into.quotas);
  append(t.claims, into.claims);
  append(t.volumes, into.volumes);
}

}  // namespace schedlens::kube
