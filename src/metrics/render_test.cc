// SPDX-License-Identifier: Apache-2.0
#include "metrics/render.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/text.h"
#include "diagnose/test_usage.h"
#include "metrics/parts.h"
#include "metrics/sample_efficiency_test.h"
#include "metrics/small_cluster_test.h"
#include "metrics/text_from_json_test.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::metrics {
namespace {

using model::LimitKind;
using model::NodeFlag;
using model::NodeState;
using model::Snapshot;
using model::Workload;
using model::WorkloadState;
using test::job;
using test::kNow;
using test::node;
using test::small;
using testing::HasSubstr;
using testing::Not;

struct Page {
  std::string text;
  std::map<std::string, double> value;               // by series, labels included
  std::map<std::string, std::vector<double>> named;  // by metric name
  std::vector<std::string> families;                 // in order of their TYPE lines

  double sum(const std::string& name) const {
    double total = 0;
    if (auto it = named.find(name); it != named.end()) {
      for (double v : it->second) total += v;
    }
    return total;
  }
};

Page read(std::string text) {
  Page page;
  for (auto line : split(text, '\n')) {
    if (line.starts_with("# TYPE ")) {
      page.families.emplace_back(line.substr(7, line.find(' ', 7) - 7));
    }
    if (line.empty() || line.front() == '#') continue;
    auto space = line.rfind(' ');
    auto series = std::string(line.substr(0, space));
    double value = std::stod(std::string(line.substr(space + 1)));
    EXPECT_TRUE(page.value.emplace(series, value).second) << "twice: " << series;
    page.named[series.substr(0, series.find('{'))].push_back(value);
  }
  page.text = std::move(text);
  return page;
}

// Everything there is, with the process left out because its figures differ every time.
std::string full_text(const Snapshot& s, Form form) {
  auto analysis = analyse(s);
  WaitTracker waits;
  Snapshot before;
  before.time = {kNow - 1000};
  waits.feed(before);
  waits.feed(s);
  RenderInput input{.now = {kNow}, .version = "0.1.0", .analysis = &analysis, .waits = &waits};
  input.node_info = true;
  input.form = form;
  return render(&s, input);
}

Page full_page(const Snapshot& s) {
  return read(full_text(s, Form::kText));
}

// With SCHEDLENS_UPDATE=1 in the environment the file is written anew; read the difference.
TEST(Render, SmallClusterAsWritten) {
  auto page = full_page(small());
  std::string path = SCHEDLENS_FIXTURES "/metrics/small.prom";
  if (std::getenv("SCHEDLENS_UPDATE")) std::ofstream(path) << page.text;
  std::ifstream file(path);
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(page.text, expected.str());
}

TEST(Render, JsonIsTheSamePage) {
  auto text = full_text(small(), Form::kText);
  auto from_json = test::TextFromJson().read(full_text(small(), Form::kJson));
  // The last sample is the length of the page itself.
  EXPECT_EQ(from_json.substr(0, from_json.rfind(' ')), text.substr(0, text.rfind(' ')));
}

TEST(Render, SumsAgree) {
  auto page = full_page(small());
  EXPECT_EQ(page.sum("schedlens_cluster_nodes"), 4);
  EXPECT_EQ(page.sum("schedlens_nodes"), 4);
  EXPECT_EQ(page.named["schedlens_nodes"].size(),
            static_cast<std::size_t>(model::NodeBucket::kCount))
      << "empty buckets are there, too";
  EXPECT_EQ(page.sum("schedlens_nodes_out_of_service"), 2);
  EXPECT_EQ(page.sum("schedlens_node_out_of_service_info"), 2);
  EXPECT_EQ(page.sum("schedlens_gpus"), 32);
  EXPECT_EQ(page.sum("schedlens_gpus"),
            page.sum("schedlens_gpus_used") + page.sum("schedlens_gpus_free") +
                page.sum("schedlens_gpus_out_of_service") + page.sum("schedlens_gpus_use_unknown"));
  EXPECT_EQ(page.sum("schedlens_gpus_free"), page.sum("schedlens_gpus_allocatable") +
                                                 page.sum("schedlens_gpus_planned") +
                                                 page.sum("schedlens_gpus_stranded"));
  EXPECT_EQ(page.sum("schedlens_node_gpus"), page.sum("schedlens_gpus"));
  EXPECT_EQ(page.sum("schedlens_jobs"), 4);
  EXPECT_EQ(page.sum("schedlens_job_tasks"), 43);
  EXPECT_EQ(page.value["schedlens_job_tasks{state=\"pending\"}"], 41);
  EXPECT_EQ(page.sum("schedlens_pending_tasks"), 41);
  EXPECT_EQ(page.sum("schedlens_pending_tasks_by_reason"), 41);
  EXPECT_EQ(page.sum("schedlens_pending_gpus"), page.sum("schedlens_queue_gpus_waiting"));
  EXPECT_EQ(page.sum("schedlens_user_gpus_held"), 6);
  EXPECT_EQ(page.sum("schedlens_exposition_series") + 2, page.value.size());
}

TEST(Render, PartitionsCountSharedNodesAndJobsInEach) {
  auto page = full_page(small());
  EXPECT_EQ(page.sum("schedlens_partition_nodes"), 6);
  EXPECT_EQ(page.value["schedlens_partition_gpus{partition=\"train\",type=\"a100\"}"], 16);
  EXPECT_EQ(page.value["schedlens_partition_gpus{partition=\"all\",type=\"a100\"}"], 16);
  EXPECT_EQ(page.value["schedlens_partition_tasks{partition=\"train\",state=\"pending\"}"], 41);
  EXPECT_EQ(page.value["schedlens_partition_tasks{partition=\"all\",state=\"pending\"}"], 1);
}

TEST(Render, ReasonsAreTokensAndGroups) {
  auto page = full_page(small());
  EXPECT_EQ(page.value.count("schedlens_pending_tasks_by_reason{reason=\"ReqNodeNotAvail\"}"), 1u);
  EXPECT_THAT(page.text, Not(HasSubstr("UnavailableNodes")));
  EXPECT_THAT(page.text, HasSubstr("{reason=\"ecc error on gpu # \\\"xid #\\\"\"} 1\n"));
  EXPECT_EQ(reason_token("(Resources)"), "unspecified");
  EXPECT_EQ(reason_token(""), "unspecified");
  EXPECT_EQ(reason_group("Kill task failed  "), "kill task failed");
  EXPECT_EQ(reason_group("node 12 lost 3"), reason_group("node 7 lost 100"));
  EXPECT_EQ(reason_group(std::string(500, 'x')).size(), 80u);
}

TEST(Render, LimitsOnlyWhereThereIsOneInBaseUnits) {
  auto page = full_page(small());
  EXPECT_EQ(page.value[R"(schedlens_qos_limit{qos="normal",scope="user",holder="alice",)"
                       R"(limit="MaxTRESPU",resource="gres/gpu"})"],
            8);
  EXPECT_THAT(page.text, HasSubstr("} 3600\n")) << "an hour of MaxWall";
  EXPECT_THAT(page.text, Not(HasSubstr("limit=\"GrpJobs\"")));
  EXPECT_EQ(page.named["schedlens_qos_limit"].size(), 3u);
  EXPECT_EQ(page.named["schedlens_qos_limit_used"].size(), 2u) << "nobody counts use of MaxWall";
}

TEST(Render, UnknownIsAbsent) {
  auto s = small();
  s.nodes[0].gres[0].used.reset();
  s.vitals->server_threads.reset();
  s.build_index();
  auto page = full_page(s);
  EXPECT_EQ(page.value.count("schedlens_node_gpus_used{node=\"n1\"}"), 0u);
  EXPECT_EQ(page.value["schedlens_gpus_use_unknown{type=\"a100\"}"], 8);
  EXPECT_EQ(page.named.count("schedlens_scheduler_server_threads"), 0u);
  EXPECT_EQ(page.named.count("schedlens_scheduler_agents"), 0u);
  s.vitals.reset();
  EXPECT_THAT(full_page(s).text, Not(HasSubstr("schedlens_scheduler_")));
}

TEST(Render, FailedFirstReadIsNotAnEmptyCluster) {
  Snapshot s;
  s.time = {kNow};
  model::SourceStatus never;
  never.name = "jobs";
  never.last_attempt = Timestamp{kNow};
  never.failures = never.reads = 1;
  s.sources = {never};
  s.build_index();
  auto page = read(render(&s, {.now = {kNow}, .version = "0.1.0"}));
  EXPECT_EQ(page.named.count("schedlens_jobs"), 0u);
  EXPECT_EQ(page.named.count("schedlens_nodes"), 0u);
  EXPECT_EQ(page.value["schedlens_source_state{source=\"jobs\",state=\"never\"}"], 1);
  EXPECT_EQ(page.named.count("schedlens_source_age_seconds"), 0u);

  s.sources[0].last_success = Timestamp{kNow};
  s.sources[0].state = model::SourceState::kFresh;
  page = read(render(&s, {.now = {kNow}, .version = "0.1.0"}));
  EXPECT_EQ(page.sum("schedlens_jobs"), 0);
  EXPECT_EQ(page.named.count("schedlens_jobs"), 1u) << "now it is known to be empty";

  // A cluster without accounting: its QOS are never read, its empty queue is.
  model::SourceStatus qos;
  qos.name = "qos";
  s.sources.push_back(qos);
  EXPECT_FALSE(known(s, "workloads", false));
  s.sources[0].feeds = "workloads";
  EXPECT_TRUE(known(s, "workloads", false));
  EXPECT_FALSE(known(s, "nodes", false));
}

TEST(Render, WithoutASnapshotItTellsOfItself) {
  auto page = read(render(nullptr, {.now = {kNow}, .version = "0.1.0", .process = own_process()}));
  EXPECT_EQ(page.value["schedlens_build_info{version=\"0.1.0\"}"], 1);
  EXPECT_GT(page.sum("schedlens_process_cpu_seconds_total"), 0);
  EXPECT_GT(page.sum("schedlens_process_resident_memory_bytes"), 1e6);
  EXPECT_GT(page.sum("schedlens_process_start_timestamp_seconds"), 1.5e9);
  EXPECT_EQ(page.named.count("schedlens_cluster_info"), 0u);
}

TEST(Render, SourcesHaveOneStateAndAnAge) {
  auto page = full_page(small());
  EXPECT_EQ(page.sum("schedlens_source_state"), 2) << "one of two sources each";
  EXPECT_EQ(page.value["schedlens_source_state{source=\"limits\",state=\"stale\"}"], 1);
  EXPECT_EQ(page.value["schedlens_source_age_seconds{source=\"limits\"}"], 900);
  EXPECT_EQ(page.value["schedlens_source_failures_total{source=\"limits\"}"], 2);
}

// The scheduler starts its counters again at midnight; the page follows and says since when.
TEST(Render, CountersFollowTheSchedulersReset) {
  auto s = small();
  auto before = full_page(s);
  s.vitals->since = Timestamp{kNow - 60};
  s.vitals->jobs_submitted = 2;
  s.vitals->rpc_by_user[0].count = 225;
  auto after = full_page(s);
  const std::string kJobs = "schedlens_scheduler_jobs_total{event=\"submitted\"}";
  EXPECT_EQ(before.value[kJobs], 263);
  EXPECT_EQ(after.value[kJobs], 2);
  EXPECT_EQ(after.value["schedlens_scheduler_user_rpcs_total{user=\"root\"}"], 225);
  EXPECT_GT(after.sum("schedlens_scheduler_statistics_since_timestamp_seconds"),
            before.sum("schedlens_scheduler_statistics_since_timestamp_seconds"));
}

TEST(Render, CardinalityIsBoundedAndTheRestCounted) {
  auto s = small();
  for (int i = 0; i < 150; ++i) {
    s.workloads.push_back(
        job(100 + static_cast<std::uint32_t>(i), "user" + std::to_string(i), "train", 1));
  }
  s.build_index();
  auto page = full_page(s);
  EXPECT_EQ(page.named["schedlens_user_gpus_held"].size(), 100u);
  EXPECT_EQ(page.value.count("schedlens_user_gpus_held{user=\"alice\"}"), 1u) << "who holds most";
  EXPECT_EQ(page.value["schedlens_dropped_series{family=\"schedlens_user_gpus_held\"}"], 52);

  RenderInput tight{.now = {kNow}, .version = "0.1.0"};
  tight.series_limit = 1;
  auto small_page = read(render(&s, tight));
  for (const auto& [name, values] : small_page.named) {
    if (name.find("schedlens_dropped_series") == 0) continue;
    EXPECT_EQ(values.size(), 1u) << name;
  }
}

TEST(Render, PrefixesChooseFamilies) {
  auto s = small();
  RenderInput input{.now = {kNow}, .version = "0.1.0"};
  input.prefixes = {"schedlens_jobs", "schedlens_cluster_info"};
  auto page = read(render(&s, input));
  EXPECT_THAT(page.families, testing::ElementsAre("schedlens_cluster_info", "schedlens_jobs",
                                                  "schedlens_jobs_flagged"));
}

void add_control_plane(model::Kubernetes& k) {
  const model::DurationHistogram durations{{3, 0.5}, {{0.1, 2}, {1, 3}}};
  const Symbol name("name");
  auto& server = k.api_servers.emplace_back();
  server.address = "https://k:6443";
  server.started = Timestamp{kNow - 1000};
  server.requests = {{Symbol("GET"), Symbol("200"), 5}};
  server.latencies = {{Symbol("GET"), durations}};
  for (auto* counts :
       {&server.inflight, &server.turned_away, &server.storage_errors, &server.objects}) {
    *counts = {{name, 1}};
  }
  server.watches = server.cut_off = server.storage_bytes = 1;
  server.storage = {{name, {1, 0.1}}};
  auto& etcd = k.etcd.emplace_back();
  etcd.address = "http://e:2381/metrics";
  etcd.started = server.started;
  etcd.has_leader = true;
  etcd.is_leader = false;
  etcd.leader_changes = etcd.proposals_failed = etcd.proposals_pending = etcd.slow_applies = 1;
  etcd.fsync = etcd.commit = durations;
  etcd.database_bytes = etcd.database_bytes_used = etcd.quota_bytes = 1;
  auto& kubelet = k.kubelets.emplace_back();
  kubelet.node = Symbol("n1");
  kubelet.relist = kubelet.pod_start = durations;
  kubelet.last_relist = server.started;
  kubelet.running_pods = 1;
  kubelet.runtime_errors = kubelet.evictions = kubelet.plugin_registrations = {{name, 1}};
  kubelet.device_allocations = {{name, {1, 0.1}}};
}

// A cluster of Kubernetes with something of everything that only it has.
Snapshot kubernetes() {
  Snapshot s;
  s.time = {kNow};
  s.nodes.resize(1);
  s.nodes[0].name = Symbol("n1");
  model::NodeObject object;
  object.capacity.set(Symbol("nvidia.com/gpu"), 8);
  object.capacity.set(Symbol("cpu"), 64'000);
  object.allocatable.set(Symbol("nvidia.com/gpu"), 7);
  object.allocatable.set(Symbol("cpu"), 63'000);
  s.nodes[0].object = std::make_shared<model::NodeObject>(object);
  s.nodes[0].gres.push_back({Symbol("mig"), Symbol("1g.10gb"), 7, 3, {}, ""});
  s.nodes[0].gres.push_back({Symbol("gpumem"), {}, 40, {}, {}, ""});
  model::Pod pod;
  pod.ns = Symbol("ml");
  pod.spec = std::make_shared<model::PodSpec>();
  pod.nominated_node = Symbol("n1");
  pod.condition_written = Timestamp{kNow - 30};
  s.scheduler_version = "1.36.3";
  s.workloads.resize(1);
  s.workloads[0].name = "p";
  s.workloads[0].account = pod.ns;
  s.workloads[0].state = model::WorkloadState::kPending;
  s.workloads[0].eligible = Timestamp{kNow - 60};
  s.workloads[0].pod = std::make_shared<model::Pod>(pod);
  pod.nominated_node = {};
  pod.conditions.clear();
  pod.gates = {Symbol("example.com/quota"), Symbol("example.com/data")};
  s.workloads.push_back(std::as_const(s.workloads).front());
  s.workloads[1].name = "held";
  s.workloads[1].pod = std::make_shared<model::Pod>(pod);
  model::Kubernetes k;
  k.quotas.emplace().push_back({pod.ns, "team", {}, {}, {}});
  k.quotas->front().hard.set(Symbol("requests.cpu"), 1500);
  k.quotas->front().used.set(Symbol("requests.cpu"), 500);
  auto& scheduler = k.schedulers.emplace_back();
  scheduler.address = "https://s:10259";
  scheduler.started = Timestamp{kNow - 1000};
  scheduler.leader = true;
  const Symbol profile("default-scheduler"), filter("Filter"), success("Success");
  scheduler.attempts = {{profile, Symbol("scheduled"), 3, model::Durations{3, 0.5}}};
  scheduler.queues = {{Symbol("active"), 2, false}, {Symbol("gated"), 0, true}};
  scheduler.entries = {{Symbol("active"), Symbol("PodAdd"), 1}};
  scheduler.extension_points = {{filter, profile, success, {4, 0.25}}};
  scheduler.plugins = {{Symbol("NodeAffinity"), filter, success, {1, 0.01}}};
  scheduler.rejecting_plugins = {{Symbol("NodeAffinity"), profile, 5}};
  scheduler.preemption_attempts = 9;
  scheduler.preemptions = 1;
  scheduler.preemption_victims = 2;
  scheduler.permit_waits = {{success, {1, 12}}};
  scheduler.cache = {{Symbol("pods"), 7}};
  scheduler.scheduled_after_flush = 0;
  add_control_plane(k);
  s.kubernetes = std::make_shared<model::Kubernetes>(k);
  s.build_index();
  return s;
}

TEST(Render, KubernetesHasItsOwnFamiliesAndNotThoseOfSlurm) {
  auto s = kubernetes();
  auto analysis = analyse(s);
  auto text = render(&s, {.now = {kNow}, .version = "0.1.0", .analysis = &analysis});
  for (auto line : {"schedlens_namespace_pods{namespace=\"ml\",state=\"pending\"} 2\n",
                    "schedlens_gated_pods{namespace=\"ml\",gate=\"example.com/data\"} 1\n",
                    "schedlens_gated_pods{namespace=\"ml\",gate=\"example.com/quota\"} 1\n",
                    "schedlens_gpu_parts{part=\"gpumem\"} 40\n",
                    "schedlens_gpu_parts{part=\"mig:1g.10gb\"} 7\n",
                    "schedlens_gpu_parts_used{part=\"mig:1g.10gb\"} 3\n",
                    "schedlens_gpu_parts_worth_gpus{part=\"mig:1g.10gb\"} 1\n",
                    "schedlens_gpu_parts_used_worth_gpus{part=\"mig:1g.10gb\"} 0.428",
                    "schedlens_namespace_pending_oldest_seconds{namespace=\"ml\"} 60\n",
                    "resource=\"requests.cpu\"} 1.5\n", "resource=\"requests.cpu\"} 0.5\n",
                    "schedlens_node_devices_unhealthy{node=\"n1\",resource=\"nvidia.com/gpu\"} 1\n",
                    "schedlens_kube_scheduler_pending_pods{scheduler=\"https://s:10259\",queue="
                    "\"active\"} 2\n"}) {
    EXPECT_THAT(text, testing::HasSubstr(line));
  }
  for (auto line : {"schedlens_permit_waiting_oldest_seconds{namespace=\"ml\"} 30\n",
                    "schedlens_etcd_leader{member=\"http://e:2381/metrics\"} 0\n",
                    "schedlens_apiserver_request_duration_seconds_bucket{server=\"https://k:6443\","
                    "verb=\"GET\",le=\"0.1\"} 2\n",
                    "schedlens_apiserver_request_duration_seconds_bucket{server=\"https://k:6443\","
                    "verb=\"GET\",le=\"+Inf\"} 3\n",
                    "schedlens_kubelet_relist_seconds_total{node=\"n1\"} 0.5\n"}) {
    EXPECT_THAT(text, testing::HasSubstr(line));
  }
  // Neither the use nor the worth of a share of memory is known.
  EXPECT_THAT(text, Not(testing::HasSubstr("schedlens_gpu_parts_used{part=\"gpumem\"}")));
  EXPECT_THAT(text, Not(testing::HasSubstr("worth_gpus{part=\"gpumem\"}")));
  // CPUs set aside for the system are no unhealthy devices; a gauge below zero says nothing.
  EXPECT_THAT(text, Not(testing::HasSubstr("resource=\"cpu\"")));
  EXPECT_THAT(text, Not(testing::HasSubstr("queue=\"gated\"")));
  EXPECT_THAT(text, Not(testing::HasSubstr("schedlens_partition_")));
  EXPECT_THAT(text, Not(testing::HasSubstr("schedlens_user_")));
}

// Declared and never written, or written twice, would be a lie of the documentation or of the page.
TEST(Render, EveryDeclaredFamilyCanAppearOnce) {
  auto s = small();
  auto& v = *s.vitals;
  for (auto* c : {&v.agent_queue, &v.agents, &v.agent_threads, &v.dbd_queue, &v.jobs_pending,
                  &v.backfilled_since_start, &v.backfilled_het}) {
    *c = 1;
  }
  auto& b = v.backfill;
  for (auto* c : {&b.max_microseconds, &b.mean_microseconds, &b.depth_mean, &b.depth_try_mean,
                  &b.last_depth, &b.last_depth_try, &b.queue_length, &b.queue_length_mean,
                  &b.per_minute, &b.table_size, &b.table_size_mean}) {
    *c = 1;
  }
  for (int i = 0; i < 101; ++i) v.rpc_by_user.push_back({"u" + std::to_string(i), 1, 1, 1});
  auto analysis = analyse(s);
  analysis.starvation.workloads.push_back(
      {.id = s.pending().front(), .waited = {3600}, .policies = {{diagnose::Policy::kLimit, ""}}});
  ForecastBook forecasts;
  forecasts.feed(s, {});
  WaitTracker waits;
  Snapshot before;
  before.time = {kNow - 1000};
  waits.feed(before);
  waits.feed(s);
  RenderInput input{.now = {kNow}, .version = "0.1.0", .analysis = &analysis, .waits = &waits};
  input.forecasts = &forecasts;
  input.node_info = true;
  input.config_reload_failed = false;
  auto watch = std::make_shared<WatchRows>();
  watch->baselines = {{"pending_jobs", "", "high", true, 5.0, BaselineRow::Band{1, 2, 3}}};
  watch->alerts = {{"NodesDown", "critical", "firing", 1}};
  watch->receivers = {{"alertmanager", true, 0, Timestamp{kNow}}};
  input.watch = watch;
  input.store = StoreUse{.last_write = Timestamp{kNow}};
  input.remote_write = RemoteWriteUse{.last_success = Timestamp{kNow}};
  input.process = own_process();
  const auto efficiency = test::sample_efficiency();
  input.efficiency = efficiency.get();
  auto page = read(render(&s, input));
  std::set<std::string> seen(page.families.begin(), page.families.end());
  EXPECT_EQ(seen.size(), page.families.size());
  auto pods = kubernetes();
  auto of_pods = analyse(pods);
  input.analysis = &of_pods;
  auto second = read(render(&pods, input));
  seen.insert(second.families.begin(), second.families.end());
  auto measured = diagnose::testing::sample_usage();
  measured.report();
  auto of_use = analyse(measured.s);
  input.analysis = &of_use;
  input.pod_use = true;
  auto third = read(render(&measured.s, input));
  seen.insert(third.families.begin(), third.families.end());
  for (const auto& f : kFamilies) EXPECT_TRUE(seen.contains(std::string(f.name))) << f.name;
  EXPECT_EQ(seen.size(), kFamilyCount);
}

TEST(Render, PromtoolFindsNothing) {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "promtool is not installed (Debian package prometheus)";
  }
  auto page = full_page(small());
  std::string path = testing::TempDir() + "schedlens-" + std::to_string(getpid()) + ".prom";
  std::ofstream(path) << page.text;
  auto* pipe = popen(("promtool check metrics < " + path + " 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  for (int c; (c = std::fgetc(pipe)) != EOF;) said += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(said, "");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace schedlens::metrics
