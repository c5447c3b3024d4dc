// SPDX-License-Identifier: Apache-2.0
#include "metrics/kube_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "metrics/state_lines.h"
#include "model/kube_state.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::metrics {
namespace {

using model::StateKind;
using testing::HasSubstr;
using testing::Not;

struct Cluster {
  model::Snapshot snapshot;
  model::KubeState state;
  model::StateChoice choice;

  Cluster() { choice.kinds.fill(true); }

  template <class T>
  void add(model::StateList<T> model::KubeState::*list, T object) {
    if (!(state.*list)) (state.*list).emplace();
    (state.*list)->push_back(std::make_shared<const T>(std::move(object)));
  }

  std::string page(const std::vector<std::string>& left_out = {}) {
    auto kubernetes = std::make_shared<model::Kubernetes>();
    kubernetes->state = std::make_shared<const model::KubeState>(state);
    snapshot.kubernetes = kubernetes;
    std::string text, piece;
    for (KubeStatePage page(snapshot, choice, left_out); page.next(piece);) text += piece;
    return text;
  }
};

// The samples of one family.
std::string samples(const std::string& page, const std::string& family) {
  std::string found;
  for (const auto line : split(page, '\n')) {
    if (line.starts_with(family + "{")) (found += line) += '\n';
  }
  return found;
}

model::StateMeta named(const char* ns, const char* name) {
  model::StateMeta meta;
  meta.ns = Symbol(ns);
  meta.name = name;
  meta.created = Timestamp{1'700'000'000};
  meta.generation = 4;
  return meta;
}

model::Quantities amounts(std::initializer_list<std::pair<const char*, std::int64_t>> items) {
  model::Quantities result;
  for (const auto& [name, amount] : items) result.set(Symbol(name), amount);
  return result;
}

// A pod that crashes again and again.
struct PodParts {
  model::Workload workload;
  std::shared_ptr<model::Pod> pod = std::make_shared<model::Pod>();
  std::shared_ptr<model::PodDetail> detail = std::make_shared<model::PodDetail>();
  std::shared_ptr<model::PodTemplate> made_from = std::make_shared<model::PodTemplate>();
  std::shared_ptr<model::PodSpec> spec = std::make_shared<model::PodSpec>();

  explicit PodParts(const char* name) {
    workload.name = name;
    pod->ns = Symbol("ml");
    pod->uid = "u1";
    pod->node_name = Symbol("n1");
    detail->phase = Symbol("Running");
    model::ContainerTemplate main;
    main.name = Symbol("main");
    main.image = Symbol("train:2");
    main.requests = amounts({{"cpu", 1500}, {"memory", 1 << 20}, {"nvidia.com/gpu", 8}});
    main.limits = amounts({{"example.com/nic", 1}, {"odd", 3}});
    made_from->containers.push_back(main);
    model::ContainerState state;
    state.name = main.name;
    state.image = Symbol("registry/train:2");
    state.image_id = Symbol("sha256:1");
    state.id = "containerd://7";
    state.phase = model::ContainerPhase::kWaiting;
    state.now.reason = Symbol("CrashLoopBackOff");
    state.restarts = 7;
    state.last = model::ContainerRun{Symbol("OOMKilled"), 137, Timestamp{10}, Timestamp{20}};
    detail->containers.push_back(state);
  }
  void into(model::Snapshot& snapshot) {
    detail->made_from = made_from;
    pod->spec = spec;
    pod->detail = detail;
    workload.pod = pod;
    snapshot.workloads.push_back(workload);
  }
};

constexpr auto kPod = R"(namespace="ml",pod="p",uid="u1")";
std::string of_pod(std::string_view family, std::string_view rest) {
  return fmt::format("{}{{{}{}\n", family, kPod, rest);
}

TEST(KubeState, AContainerThatCrashes) {
  Cluster c;
  PodParts("p").into(c.snapshot);
  const auto page = c.page();
  EXPECT_EQ(samples(page, "kube_pod_container_info"),
            of_pod("kube_pod_container_info",
                   R"(,container="main",image_spec="train:2",image="registry/train:2",)"
                   R"(image_id="sha256:1",container_id="containerd://7"} 1)"));
  EXPECT_EQ(samples(page, "kube_pod_container_status_waiting"),
            of_pod("kube_pod_container_status_waiting", R"(,container="main"} 1)"));
  EXPECT_EQ(samples(page, "kube_pod_container_status_waiting_reason"),
            of_pod("kube_pod_container_status_waiting_reason",
                   R"(,container="main",reason="CrashLoopBackOff"} 1)"));
  EXPECT_EQ(samples(page, "kube_pod_container_status_running"),
            of_pod("kube_pod_container_status_running", R"(,container="main"} 0)"));
  EXPECT_EQ(samples(page, "kube_pod_container_status_terminated_reason"), "");
  EXPECT_EQ(samples(page, "kube_pod_container_status_last_terminated_reason"),
            of_pod("kube_pod_container_status_last_terminated_reason",
                   R"(,container="main",reason="OOMKilled"} 1)"));
  EXPECT_EQ(
      samples(page, "kube_pod_container_status_last_terminated_exitcode"),
      of_pod("kube_pod_container_status_last_terminated_exitcode", R"(,container="main"} 137)"));
  EXPECT_EQ(samples(page, "kube_pod_container_status_restarts_total"),
            of_pod("kube_pod_container_status_restarts_total", R"(,container="main"} 7)"));
  EXPECT_THAT(page, HasSubstr("# TYPE kube_pod_container_status_restarts_total counter\n"));
}

TEST(KubeState, RequestsAreInCoresAndBytesAndWhatIsNoResourceIsLeftOut) {
  Cluster c;
  PodParts("p").into(c.snapshot);
  const auto page = c.page();
  const auto line = [](const char* family, const char* rest) {
    return of_pod(family, fmt::format(R"(,container="main",node="n1",{})", rest));
  };
  const auto* requests = "kube_pod_container_resource_requests";
  EXPECT_EQ(samples(page, requests),
            line(requests, R"(resource="cpu",unit="core"} 1.5)") +
                line(requests, R"(resource="memory",unit="byte"} 1048576)") +
                line(requests, R"(resource="nvidia_com_gpu",unit="integer"} 8)"));
  const auto* limits = "kube_pod_container_resource_limits";
  EXPECT_EQ(samples(page, limits), line(limits, R"(resource="example_com_nic",unit="integer"} 1)"));
}

TEST(KubeState, APodWithoutConditionsHasNoneInItsSeries) {
  Cluster c;
  PodParts parts("p");
  parts.detail->phase = Symbol();
  parts.into(c.snapshot);
  const auto page = c.page();
  EXPECT_EQ(samples(page, "kube_pod_status_ready"), "");
  EXPECT_EQ(samples(page, "kube_pod_status_scheduled"), "");
  EXPECT_EQ(samples(page, "kube_pod_status_phase"), "");
  EXPECT_EQ(samples(page, "kube_pod_start_time"), "");
  EXPECT_EQ(samples(page, "kube_pod_completion_time"), "");
  EXPECT_EQ(samples(page, "kube_pod_owner"),
            of_pod("kube_pod_owner", R"(,owner_kind="",owner_name="",owner_is_controller=""} 1)"));
}

TEST(KubeState, ConditionsAndPhasesAreOneOfThreeAndOneOfFive) {
  Cluster c;
  PodParts parts("p");
  model::PodCondition ready, scheduled;
  ready.type = Symbol("Ready");
  ready.unknown = true;
  scheduled.type = Symbol("PodScheduled");
  scheduled.status = true;
  scheduled.since = Timestamp{77};
  parts.pod->conditions = {ready, scheduled};
  parts.into(c.snapshot);
  const auto page = c.page();
  EXPECT_EQ(samples(page, "kube_pod_status_ready"),
            of_pod("kube_pod_status_ready", R"(,condition="true"} 0)") +
                of_pod("kube_pod_status_ready", R"(,condition="false"} 0)") +
                of_pod("kube_pod_status_ready", R"(,condition="unknown"} 1)"));
  EXPECT_EQ(samples(page, "kube_pod_status_scheduled_time"),
            of_pod("kube_pod_status_scheduled_time", "} 77"));
  EXPECT_EQ(samples(page, "kube_pod_status_unschedulable"), "");
  EXPECT_THAT(page, HasSubstr(of_pod("kube_pod_status_phase", R"(,phase="Running"} 1)")));
  EXPECT_THAT(page, HasSubstr(of_pod("kube_pod_status_phase", R"(,phase="Failed"} 0)")));
}

TEST(KubeState, WhatStandsTwiceInAnObjectIsWrittenOnce) {
  Cluster c;
  PodParts parts("p");
  const model::TolerationText toleration{Symbol("gpu"), Symbol("Exists"), {}, {}, std::nullopt};
  parts.made_from->tolerations = {toleration, toleration};
  parts.into(c.snapshot);
  model::NodeFacts node;
  node.meta = named("", "n1");
  node.conditions = {{Symbol("Ready"), Symbol("True"), {}}, {Symbol("Ready"), Symbol("False"), {}}};
  c.add(&model::KubeState::nodes, node);
  model::AutoscalerFacts scaler;
  scaler.meta = named("ml", "web");
  scaler.targets = {{"cpu", {}, {}, 60}, {"cpu", {}, {}, 70}};
  c.add(&model::KubeState::autoscalers, scaler);
  const auto page = c.page();
  std::set<std::string_view> seen;
  for (const auto line : split(page, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    EXPECT_TRUE(seen.insert(line.substr(0, line.rfind(' '))).second) << line;
  }
  EXPECT_EQ(samples(page, "kube_horizontalpodautoscaler_spec_target_metric"),
            R"(kube_horizontalpodautoscaler_spec_target_metric{namespace="ml",)"
            R"(horizontalpodautoscaler="web",metric_name="cpu",metric_target_type="utilization"})"
            " 60\n");
}

TEST(KubeState, LabelsAreShownAsFarAsTheyAreAskedFor) {
  Cluster c;
  PodParts parts("p");
  parts.pod->labels = model::Labels({{Symbol("app"), "a\"b"}, {Symbol("secret"), "s"}});
  parts.into(c.snapshot);
  EXPECT_EQ(samples(c.page(), "kube_pod_labels"), "");
  ASSERT_TRUE(model::read_state_labels("pods=[app,absent]", c.choice));
  EXPECT_EQ(samples(c.page(), "kube_pod_labels"),
            of_pod("kube_pod_labels", R"(,label_app="a\"b"} 1)"));
}

TEST(KubeState, KeysThatBecomeOneNameAreToldApart) {
  const auto labels = prometheus_labels("label", {{Symbol("app.io/name"), "dot"},
                                                  {Symbol("app-io/name"), "dash"},
                                                  {Symbol("nodeType"), "x"},
                                                  {Symbol("app_io_name_conflict1"), "mean"}});
  std::vector<std::string> shown;
  std::set<std::string> names;
  for (const auto& [name, value] : labels) {
    shown.push_back(name + "=" + value);
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_THAT(shown,
              testing::IsSupersetOf({"label_app_io_name_conflict1=dash",
                                     "label_app_io_name_conflict2=dot", "label_node_type=x"}));
}

TEST(KubeState, ANode) {
  Cluster c;
  model::NodeFacts node;
  node.meta = named("", "n1");
  node.addresses = {{Symbol("Hostname"), "n1"}, {Symbol("InternalIP"), "10.0.0.1"}};
  node.kubelet = "v1.36.3";
  node.unschedulable = true;
  node.roles = {"worker"};
  node.taints = {{Symbol("maintenance"), Symbol("soon"), Symbol("NoSchedule")}};
  node.capacity = amounts({{"cpu", 96000}, {"pods", 110}, {"attachable-volumes-csi-x", 5}});
  node.conditions = {{Symbol("Ready"), Symbol("Unknown"), {}}};
  c.add(&model::KubeState::nodes, node);
  const auto page = c.page();
  EXPECT_EQ(samples(page, "kube_node_info"),
            R"(kube_node_info{node="n1",kernel_version="",os_image="",)"
            R"(container_runtime_version="",kubelet_version="v1.36.3",)"
            R"(kubeproxy_version="deprecated",provider_id="",pod_cidr="",system_uuid="",)"
            R"(internal_ip="10.0.0.1"} 1)"
            "\n");
  EXPECT_EQ(samples(page, "kube_node_status_capacity"),
            R"(kube_node_status_capacity{node="n1",resource="attachable_volumes_csi_x",)"
            R"(unit="byte"} 5)"
            "\n"
            R"(kube_node_status_capacity{node="n1",resource="cpu",unit="core"} 96)"
            "\n"
            R"(kube_node_status_capacity{node="n1",resource="pods",unit="integer"} 110)"
            "\n");
  EXPECT_EQ(samples(page, "kube_node_spec_unschedulable"),
            "kube_node_spec_unschedulable{node=\"n1\"} 1\n");
  EXPECT_EQ(samples(page, "kube_node_role"), "kube_node_role{node=\"n1\",role=\"worker\"} 1\n");
  EXPECT_THAT(page, HasSubstr(R"({node="n1",condition="Ready",status="unknown"} 1)"));
}

TEST(KubeState, AJobSaysWhyItFailed) {
  Cluster c;
  model::JobFacts job;
  job.meta = named("ml", "late");
  job.failed = 1;
  job.conditions = {{Symbol("Failed"), Symbol("True"), Symbol("DeadlineExceeded")}};
  c.add(&model::KubeState::jobs, job);
  job.meta = named("ml", "running");
  job.failed = 2;
  job.conditions.clear();
  c.add(&model::KubeState::jobs, job);
  const auto page = c.page();
  const auto failed = samples(page, "kube_job_status_failed");
  EXPECT_THAT(failed, HasSubstr(R"({namespace="ml",job_name="late",reason="DeadlineExceeded"} 1)"));
  EXPECT_THAT(failed, HasSubstr(R"({namespace="ml",job_name="late",reason="Evicted"} 0)"));
  EXPECT_THAT(failed, HasSubstr(R"({namespace="ml",job_name="running",reason=""} 2)"));
  EXPECT_THAT(samples(page, "kube_job_failed"), Not(HasSubstr("running")));
}

TEST(KubeState, WhatWasNotReadHasNoSeries) {
  Cluster c;
  EXPECT_EQ(c.page(), "");
  c.state.jobs.emplace();  // read, and there are none
  EXPECT_EQ(c.page(), "");
}

TEST(KubeState, OnlyChosenKindsAndWhatIsNotLeftOut) {
  Cluster c;
  PodParts("p").into(c.snapshot);
  model::DeploymentFacts deployment;
  deployment.meta = named("ml", "web");
  deployment.wanted = 3;
  c.add(&model::KubeState::deployments, deployment);
  EXPECT_THAT(c.page(), HasSubstr("kube_deployment_spec_replicas{namespace=\"ml\","
                                  "deployment=\"web\"} 3\n"));
  const auto left_out = read_left_out("kube_pod_info, ^kube_.+_created$");
  ASSERT_TRUE(left_out);
  EXPECT_EQ(samples(c.page(*left_out), "kube_pod_info"), "");
  EXPECT_EQ(samples(c.page(*left_out), "kube_deployment_created"), "");
  EXPECT_NE(samples(c.page(*left_out), "kube_pod_status_phase"), "");
  c.choice.kinds[static_cast<std::size_t>(StateKind::kDeployments)] = false;
  EXPECT_THAT(c.page(), Not(HasSubstr("kube_deployment_")));
}

TEST(KubeState, WrongPatternsAreNamed) {
  EXPECT_THAT(read_left_out("kube_pod_(").error().message(),
              HasSubstr("'kube_pod_(' is no regular expression"));
  EXPECT_EQ(read_left_out("kube_secret_info").error().message(),
            "no metric fits 'kube_secret_info'");
}

TEST(KubeState, EveryFamilyIsDeclaredOnce) {
  std::set<std::string_view> names;
  for (const auto& f : kube_state_families()) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_EQ(f.type == Type::kCounter, f.name.ends_with("_total")) << f.name;
    EXPECT_TRUE(f.help.ends_with('.')) << f.name;
    EXPECT_EQ(f.help.find_first_of("\\\n"), std::string_view::npos) << f.name;
  }
}

// What the rules, alerts and dashboards of kubernetes-mixin and kube-prometheus read.
TEST(KubeState, NamesThatCommonRulesReadAreThere) {
  constexpr std::string_view kRead[] = {"kube_daemonset_status_current_number_scheduled",
                                        "kube_daemonset_status_desired_number_scheduled",
                                        "kube_daemonset_status_number_available",
                                        "kube_daemonset_status_number_misscheduled",
                                        "kube_daemonset_status_updated_number_scheduled",
                                        "kube_deployment_metadata_generation",
                                        "kube_deployment_spec_replicas",
                                        "kube_deployment_status_condition",
                                        "kube_deployment_status_observed_generation",
                                        "kube_deployment_status_replicas_available",
                                        "kube_deployment_status_replicas_updated",
                                        "kube_horizontalpodautoscaler_spec_max_replicas",
                                        "kube_horizontalpodautoscaler_spec_min_replicas",
                                        "kube_horizontalpodautoscaler_status_current_replicas",
                                        "kube_horizontalpodautoscaler_status_desired_replicas",
                                        "kube_job_failed",
                                        "kube_job_owner",
                                        "kube_job_spec_completions",
                                        "kube_job_status_active",
                                        "kube_job_status_start_time",
                                        "kube_job_status_succeeded",
                                        "kube_namespace_labels",
                                        "kube_namespace_status_phase",
                                        "kube_node_info",
                                        "kube_node_role",
                                        "kube_node_spec_taint",
                                        "kube_node_spec_unschedulable",
                                        "kube_node_status_allocatable",
                                        "kube_node_status_capacity",
                                        "kube_node_status_condition",
                                        "kube_persistentvolume_status_phase",
                                        "kube_persistentvolumeclaim_access_mode",
                                        "kube_persistentvolumeclaim_labels",
                                        "kube_pod_container_info",
                                        "kube_pod_container_resource_limits",
                                        "kube_pod_container_resource_requests",
                                        "kube_pod_container_status_last_terminated_reason",
                                        "kube_pod_container_status_restarts_total",
                                        "kube_pod_container_status_waiting",
                                        "kube_pod_container_status_waiting_reason",
                                        "kube_pod_info",
                                        "kube_pod_labels",
                                        "kube_pod_owner",
                                        "kube_pod_status_phase",
                                        "kube_pod_status_ready",
                                        "kube_pod_status_reason",
                                        "kube_poddisruptionbudget_status_current_healthy",
                                        "kube_poddisruptionbudget_status_desired_healthy",
                                        "kube_replicaset_owner",
                                        "kube_resourcequota",
                                        "kube_statefulset_metadata_generation",
                                        "kube_statefulset_replicas",
                                        "kube_statefulset_status_current_revision",
                                        "kube_statefulset_status_observed_generation",
                                        "kube_statefulset_status_replicas",
                                        "kube_statefulset_status_replicas_ready",
                                        "kube_statefulset_status_replicas_updated",
                                        "kube_statefulset_status_update_revision"};
  const auto& all = kube_state_families();
  for (const auto name : kRead) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& f) { return f.name == name; }))
        << name;
  }
}

}  // namespace
}  // namespace schedlens::metrics
