// SPDX-License-Identifier: Apache-2.0
#include "kube/store.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kube/autoscaler_status.h"
#include "kube/decode_admission.h"
#include "kube/decode_devices.h"
#include "kube/decode_groups.h"
#include "kube/decode_node.h"
#include "kube/decode_objects.h"
#include "kube/decode_pod.h"
#include "kube/decode_pod_detail.h"
#include "kube/json_meta.h"
#include "kube/object_table.h"
#include "kube/share_pool.h"
#include "kube/spec_pool.h"
#include "kube/state_store.h"
#include "kube/to_model.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

// Events are many and most say nothing about scheduling.
constexpr auto kEventReasons = std::to_array<std::string_view>(
    {"FailedScheduling", "FailedCreate", "FailedBinding", "Preempted", "TriggeredScaleUp",
     "NotTriggerScaleUp", "WaitForFirstConsumer", "ProvisioningFailed", "Evicted"});

bool of_interest(const model::Event& event) {
  return std::find(kEventReasons.begin(), kEventReasons.end(), event.reason.view()) !=
         kEventReasons.end();
}

// A decoder that wants every object.
template <class Object, class Decode>
auto all(Decode decode) {
  return [decode](std::string_view bytes) -> Result<std::optional<Object>> {
    auto object = decode(bytes);
    if (!object) return fail(object.error());
    return std::optional<Object>(std::move(*object));
  };
}

template <class T>
using Table = ObjectTable<Decoded<T>>;

// What every Snapshot shows of a pod until it changes.
struct StoredPod {
  model::Shared<model::Workload> workload;
};

// A pod that started and is deleted by now. Readers of Snapshots may not see every one, so it is
// told for a while.
struct GonePod {
  model::Shared<model::Workload> workload;
  std::optional<Timestamp> told;  // first
};
constexpr Seconds kTold{120};
constexpr std::size_t kMostGone = 10'000;

Where where(const StoredPod& pod) {
  return {pod.workload->account, pod.workload->name};
}

template <class T>
void append(const Table<T>& table, std::optional<std::vector<T>>& list) {
  if (!table.loaded()) return;
  if (!list) list.emplace();
  list->reserve(list->size() + table.size());
  table.each([&](const Decoded<T>& decoded) { list->push_back(decoded.object); });
}

}  // namespace

struct Store::Tables {
  explicit Tables(GpuNames names) : gpus(std::move(names)) {
    pods.when_gone([this](const StoredPod& pod) {
      if (pod.workload->start && gone.size() < kMostGone) gone.push_back({pod.workload, {}});
    });
  }

  GpuNames gpus;
  // Of the streams' thread.
  SpecPool specs;
  SharePool<model::ResourceCounts> totals;
  TemplatePool templates;
  mutable std::mutex mutex;
  std::optional<StateStore> details;  // of the kinds that are chosen
  bool wants_pod_details() const {
    return details && details->choice().wants(model::StateKind::kPods);
  }

  std::vector<GonePod> gone;
  ObjectTable<StoredPod> pods{mutex, [this](std::string_view bytes) { return stored_pod(bytes); }};
  ObjectTable<DecodedNode> nodes{mutex, all<DecodedNode>(decode_node)};

  Table<model::Namespace> namespaces{mutex, all<Decoded<model::Namespace>>(decode_namespace)};
  Table<model::PriorityClass> priority_classes{
      mutex, all<Decoded<model::PriorityClass>>(decode_priority_class)};
  Table<model::ResourceQuota> quotas{mutex,
                                     all<Decoded<model::ResourceQuota>>(decode_resource_quota)};
  bool beta_budgets = false;  // of policy/v1beta1, where the server has no others
  Table<model::DisruptionBudget> budgets{
      mutex, all<Decoded<model::DisruptionBudget>>([this](std::string_view bytes) {
        return beta_budgets ? decode_beta_disruption_budget(bytes)
                            : decode_disruption_budget(bytes);
      }),
      [this](std::string_view version) { beta_budgets = version == "policy/v1beta1"; }};
  Table<model::VolumeClaim> claims{mutex, all<Decoded<model::VolumeClaim>>(decode_volume_claim)};
  Table<model::Volume> volumes{mutex, all<Decoded<model::Volume>>(decode_volume)};
  Table<model::StorageClass> storage_classes{
      mutex, all<Decoded<model::StorageClass>>(decode_storage_class)};
  // Each list may be of another version.
  DeviceApi claims_api = DeviceApi::kV1, slices_api = DeviceApi::kV1;
  Table<model::ResourceClaim> resource_claims{
      mutex, all<Decoded<model::ResourceClaim>>([this](std::string_view bytes) {
        return decode_resource_claim(bytes, claims_api);
      }),
      [this](std::string_view version) { claims_api = device_api(version); }};
  Table<model::ResourceClaimTemplate> claim_templates{
      mutex, all<Decoded<model::ResourceClaimTemplate>>(decode_claim_template)};
  Table<model::ResourceSlice> slices{
      mutex, all<Decoded<model::ResourceSlice>>([this](std::string_view bytes) {
        return decode_resource_slice(bytes, slices_api);
      }),
      [this](std::string_view version) { slices_api = device_api(version); }};
  Table<model::DeviceClass> device_classes{mutex,
                                           all<Decoded<model::DeviceClass>>(decode_device_class)};
  Table<model::Controller> jobs{mutex, all<Decoded<model::Controller>>(decode_job)};
  Table<model::Controller> replica_sets{mutex, all<Decoded<model::Controller>>(decode_replica_set)};
  Table<model::Controller> deployments{mutex, all<Decoded<model::Controller>>(decode_deployment)};
  Table<model::Controller> stateful_sets{mutex,
                                         all<Decoded<model::Controller>>(decode_stateful_set)};
  Table<model::Controller> daemon_sets{mutex, all<Decoded<model::Controller>>(decode_daemon_set)};
  template <class T>
  Table<T> json_table(Result<Decoded<T>> (*decode)(std::string_view)) {
    return Table<T>(mutex, all<Decoded<T>>(decode), nullptr, decode_json_meta);
  }
  Table<model::Controller> job_sets = json_table(decode_job_set);
  Table<model::Controller> volcano_jobs = json_table(decode_volcano_job);
  Table<model::PodGroup> volcano_groups = json_table(decode_pod_group);
  Table<model::PodGroup> coscheduling_groups = json_table(decode_pod_group);
  Table<model::PodGroup> own_groups = json_table(decode_pod_group);
  Table<model::GroupQueue> group_queues = json_table(decode_group_queue);
  Table<model::AdmissionWorkload> admission_workloads = json_table(decode_admission_workload);
  Table<model::LocalQueue> local_queues = json_table(decode_local_queue);
  Table<model::ClusterQueue> cluster_queues = json_table(decode_cluster_queue);
  Table<model::ResourceFlavor> flavors = json_table(decode_resource_flavor);
  Table<model::AutoscalerStatus> autoscalers{
      mutex, all<Decoded<model::AutoscalerStatus>>(decode_autoscaler_status)};
  bool core_events = false;  // events of core/v1, where the server has no others
  Table<model::Event> events{mutex, [this](std::string_view bytes) { return event(bytes); },
                             [this](std::string_view version) { core_events = version == "v1"; }};

  Result<std::optional<Decoded<model::Event>>> event(std::string_view bytes) const {
    auto event = core_events ? decode_core_event(bytes) : decode_event(bytes);
    if (!event) return fail(event.error());
    if (!of_interest(event->object)) return std::optional<Decoded<model::Event>>();
    return std::optional(std::move(*event));
  }

  Result<std::optional<StoredPod>> stored_pod(std::string_view bytes) {
    const auto pod = decode_pod(bytes, specs, wants_pod_details() ? &templates : nullptr);
    if (!pod) return fail(pod.error());
    auto workload = to_workload(*pod, std::nullopt, gpus);
    totals.share(workload.request.totals);
    return std::optional(StoredPod{std::move(workload)});
  }

  void fill_nodes_and_pods(model::Snapshot& snapshot);
  void fill_gone(Timestamp now, model::Kubernetes& kubernetes);
  static void fill_queues(model::Snapshot& snapshot);
  void fill_rest(model::Kubernetes& kubernetes) const;
};

void Store::Tables::fill_nodes_and_pods(model::Snapshot& snapshot) {
  std::unordered_map<Symbol, std::uint32_t> places;
  places.reserve(nodes.size());
  nodes.each([&](const DecodedNode& node) {
    places.emplace(Symbol(node.meta.name), static_cast<std::uint32_t>(places.size()));
  });
  std::vector<NodeUse> uses(places.size());
  snapshot.workloads.reserve(pods.size());
  pods.each([&](StoredPod& stored) {
    const auto& pod = *stored.workload->pod;
    const auto place = places.find(pod.node_name);
    std::optional<model::NodeId> node;
    if (place != places.end()) {
      node = model::NodeId{place->second};
      uses[place->second].add(pod);
    }
    set_node(stored.workload, node);
    snapshot.workloads.push_back(stored.workload);
  });
  snapshot.nodes.reserve(places.size());
  nodes.each([&](const DecodedNode& node) {
    snapshot.nodes.push_back(to_node(node, uses[snapshot.nodes.size()], gpus));
  });
}

void Store::Tables::fill_gone(Timestamp now, model::Kubernetes& kubernetes) {
  std::erase_if(gone, [&](const GonePod& pod) { return pod.told && now - *pod.told > kTold; });
  for (auto& pod : gone) {
    if (!pod.told) pod.told = now;
    kubernetes.gone_pods.push_back(pod.workload);
  }
}

// What pods wait in is the queue of the scheduler that they name; each may use every node.
void Store::Tables::fill_queues(model::Snapshot& snapshot) {
  std::vector<Symbol> names = {Symbol("default-scheduler")};
  for (const auto& w : std::as_const(snapshot.workloads)) {
    for (const auto name : w.queues) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  std::vector<model::NodeId> everywhere(snapshot.nodes.size());
  for (std::uint32_t i = 0; i < everywhere.size(); ++i) everywhere[i] = {i};
  for (const auto name : names) {
    model::Queue queue;
    queue.name = name;
    queue.state = model::QueueState::kUp;
    queue.nodes = everywhere;
    queue.total_nodes = static_cast<std::uint32_t>(everywhere.size());
    snapshot.queues.push_back(std::move(queue));
  }
}

void Store::Tables::fill_rest(model::Kubernetes& kubernetes) const {
  append(namespaces, kubernetes.namespaces);
  append(priority_classes, kubernetes.priority_classes);
  append(quotas, kubernetes.quotas);
  append(budgets, kubernetes.disruption_budgets);
  append(claims, kubernetes.volume_claims);
  append(volumes, kubernetes.volumes);
  append(storage_classes, kubernetes.storage_classes);
  append(events, kubernetes.events);
  for (const auto* table : {&jobs, &replica_sets, &deployments, &stateful_sets, &daemon_sets,
                            &job_sets, &volcano_jobs}) {
    append(*table, kubernetes.controllers);
  }
  for (const auto* table : {&volcano_groups, &coscheduling_groups, &own_groups}) {
    append(*table, kubernetes.pod_groups);
  }
  autoscalers.each([&](const auto& status) { kubernetes.autoscaler = status.object; });
  append(group_queues, kubernetes.group_queues);
  append(admission_workloads, kubernetes.admission_workloads);
  append(local_queues, kubernetes.local_queues);
  append(cluster_queues, kubernetes.cluster_queues);
  append(flavors, kubernetes.resource_flavors);
  append(resource_claims, kubernetes.resource_claims);
  append(claim_templates, kubernetes.claim_templates);
  append(slices, kubernetes.resource_slices);
  append(device_classes, kubernetes.device_classes);
}

Store::Store(GpuNames gpus) : tables_(std::make_unique<Tables>(std::move(gpus))) {}
Store::~Store() = default;

Sink* Store::sink(std::string_view resource) {
  auto& t = *tables_;
  const std::pair<std::string_view, Sink*> sinks[] = {
      {"pods", &t.pods},
      {"nodes", &t.nodes},
      {"namespaces", &t.namespaces},
      {"priorityclasses", &t.priority_classes},
      {"resourcequotas", &t.quotas},
      {"poddisruptionbudgets", &t.budgets},
      {"persistentvolumeclaims", &t.claims},
      {"persistentvolumes", &t.volumes},
      {"storageclasses", &t.storage_classes},
      {"resourceclaims", &t.resource_claims},
      {"resourceclaimtemplates", &t.claim_templates},
      {"resourceslices", &t.slices},
      {"deviceclasses", &t.device_classes},
      {"jobs", &t.jobs},
      {"replicasets", &t.replica_sets},
      {"deployments", &t.deployments},
      {"statefulsets", &t.stateful_sets},
      {"daemonsets", &t.daemon_sets},
      {"jobsets", &t.job_sets},
      {"jobs.batch.volcano.sh", &t.volcano_jobs},
      {"podgroups.scheduling.volcano.sh", &t.volcano_groups},
      {"podgroups.scheduling.x-k8s.io", &t.coscheduling_groups},
      {"podgroups.scheduling.k8s.io", &t.own_groups},
      {"queues.scheduling.volcano.sh", &t.group_queues},
      {"workloads.kueue.x-k8s.io", &t.admission_workloads},
      {"localqueues", &t.local_queues},
      {"clusterqueues", &t.cluster_queues},
      {"resourceflavors", &t.flavors},
      {"events", &t.events},
      {"configmaps", &t.autoscalers},
  };
  Sink* main = nullptr;
  for (const auto& [name, sink] : sinks) {
    if (name == resource) main = sink;
  }
  return t.details ? t.details->with_details(resource, main) : main;
}

void Store::keep_details(model::StateChoice choice) {
  if (choice.any()) tables_->details.emplace(tables_->mutex, std::move(choice));
}

void Store::fill(model::Snapshot& snapshot, model::Kubernetes& kubernetes) const {
  std::lock_guard lock(tables_->mutex);
  tables_->fill_nodes_and_pods(snapshot);
  tables_->fill_gone(snapshot.time, kubernetes);
  Tables::fill_queues(snapshot);
  tables_->fill_rest(kubernetes);
  if (!tables_->details) return;
  auto details = std::make_shared<model::KubeState>();
  tables_->details->fill(*details);
  kubernetes.state = std::move(details);
}

}  // namespace schedlens::kube
