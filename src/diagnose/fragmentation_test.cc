// SPDX-License-Identifier: Apache-2.0
#include "diagnose/fragmentation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace schedlens::diagnose {
namespace {

using model::NodeFlag;
using model::NodeId;
using model::Sharing;
using model::Snapshot;
using model::Workload;
using testing::HasSubstr;

constexpr std::int64_t kGib = std::int64_t{1} << 30;
const Symbol kA100("a100");

// A cluster of equal nodes (8 GPUs, 64 CPUs, 1000 GiB) in the queue "train".
struct Cluster {
  Snapshot s;

  explicit Cluster(int nodes) {
    s.time = {1'000'000};
    s.config.emplace();
    s.config->entries = {{"SelectTypeParameters", "CR_CORE_MEMORY"}};
    queue("train");
    for (int i = 0; i < nodes; ++i) node();
  }

  model::Queue& queue(std::string_view name) {
    model::Queue q;
    q.name = Symbol(name);
    q.state = model::QueueState::kUp;
    s.queues.push_back(q);
    return s.queues.back();
  }

  model::Node& node(Symbol type = kA100, std::size_t in_queue = 0) {
    model::Node n;
    n.name = Symbol(fmt::format("n{:05}", s.nodes.size()));
    n.state = model::NodeState::kIdle;
    n.cpus = 64;
    n.memory = {1000 * kGib};
    n.threads_per_core = 1;
    n.gres = {{model::names::kGpu, type, 8, 0, {}, ""}};
    n.queues = {s.queues[in_queue].name};
    s.queues[in_queue].nodes.push_back({static_cast<std::uint32_t>(s.nodes.size())});
    s.nodes.push_back(n);
    return s.nodes.back();
  }

  // A running job on one node.
  Workload& run(std::uint32_t node, std::uint64_t gpus, std::uint32_t cpus, std::int64_t gib = 0) {
    auto& n = s.nodes[node];
    n.gres[0].used = *n.gres[0].used + gpus;
    n.cpus_allocated += cpus;
    n.memory_allocated += Bytes{gib * kGib};
    n.state = model::NodeState::kMixed;
    Workload w = job();
    w.state = model::WorkloadState::kRunning;
    w.allocation.nodes = {{node}};
    w.allocation.totals.set(model::names::kGresGpu, static_cast<double>(gpus));
    w.allocation.totals.set(model::names::kCpu, cpus);
    w.allocation.totals.set(model::names::kMemory, static_cast<double>(gib * kGib));
    s.workloads.push_back(w);
    return s.workloads.back();
  }

  // A waiting job with --gpus-per-node.
  Workload& wait(std::uint32_t nodes, std::uint64_t gpus_per_node, std::uint32_t cpus_per_node = 1,
                 std::int64_t gib_per_node = 0) {
    Workload w = job();
    w.state = model::WorkloadState::kPending;
    w.reason = Symbol("Resources");
    w.priority = 1'000'000 - w.job_id;
    w.eligible = Timestamp{999'000};
    w.request.min_nodes = nodes;
    w.request.max_nodes = nodes;
    w.request.cpus = nodes * cpus_per_node;
    w.request.gres_per_node = {{model::names::kGpu, Symbol(), gpus_per_node}};
    w.request.totals.set(model::names::kGresGpu, static_cast<double>(nodes * gpus_per_node));
    w.request.totals.set(model::names::kCpu, nodes * cpus_per_node);
    if (gib_per_node > 0) {
      w.request.memory_per = model::MemoryPer::kNode;
      w.request.memory = {gib_per_node * kGib};
    }
    s.workloads.push_back(w);
    return s.workloads.back();
  }

  // A waiting job with --gpus and nothing said of nodes.
  Workload& wait_spread(std::uint64_t gpus) {
    auto& w = wait(1, gpus);
    w.request.gres_per_node.clear();
    w.request.max_nodes.reset();
    w.request.gres_per_job = {{model::names::kGpu, Symbol(), gpus}};
    return w;
  }

  Workload job() {
    Workload w;
    w.job_id = static_cast<std::uint32_t>(s.workloads.size()) + 1;
    w.queues = {Symbol("train")};
    return w;
  }

  Fragmentation look() {
    s.build_index();
    return fragmentation(s);
  }
};

std::uint64_t stranded(const Fragmentation& f, Stranding cause) {
  auto it = f.stranded_by.find(cause);
  return it == f.stranded_by.end() ? 0 : it->second;
}

void expect_sums(const Fragmentation& f) {
  EXPECT_EQ(f.gpus_total, f.gpus_used + f.gpus_free + f.gpus_out_of_service);
  EXPECT_EQ(f.gpus_free, f.gpus_allocatable + f.gpus_stranded + f.gpus_planned);
  std::uint64_t causes = 0;
  for (auto [cause, gpus] : f.stranded_by) causes += gpus;
  EXPECT_EQ(causes, f.gpus_stranded + f.gpus_planned);
}

// 64 nodes of 8 GPUs, 2-GPU jobs scattered over 60 of them, four drained and idle, 8-GPU jobs
// waiting: 240 GPUs are free and not one node has 8.
TEST(Fragmentation, ScatteredSmallJobsStopLargeOnes) {
  Cluster c(64);
  for (std::uint32_t n = 0; n < 60; ++n) {
    for (std::uint32_t jobs = 1 + n % 3; jobs > 0; --jobs) c.run(n, 2, 8, 16);
  }
  for (std::uint32_t n = 60; n < 64; ++n) {
    c.s.nodes[n].flags.set(NodeFlag::kDrain);
    c.s.nodes[n].reason = {"uncorrectable ECC error", "root", std::nullopt};
  }
  for (int i = 0; i < 10; ++i) c.wait(1, 8, 32, 64);
  c.wait(1, 4, 16, 32);
  auto f = c.look();
  expect_sums(f);
  EXPECT_EQ(f.gpus_total, 512u);
  EXPECT_EQ(f.gpus_used, 240u);
  EXPECT_EQ(f.gpus_free, 240u);
  EXPECT_EQ(f.gpus_out_of_service, 32u);
  EXPECT_EQ(f.gpus_stranded, 0u);
  EXPECT_EQ(f.largest_hole, 6u);
  ASSERT_EQ(f.standard.size(), 4u);
  EXPECT_EQ(f.standard[0].fits_now, 240u);
  EXPECT_EQ(f.standard[1].fits_now, 120u);
  EXPECT_EQ(f.standard[2].fits_now, 40u);
  EXPECT_EQ(f.standard[3].fits_now, 0u);
  EXPECT_EQ(f.standard[3].fits_pooled, 30u);
  EXPECT_DOUBLE_EQ(*f.by_size[8], 1.0);
  EXPECT_DOUBLE_EQ(*f.by_size[4], 1 - 160.0 / 240);
  EXPECT_DOUBLE_EQ(*f.by_size[1], 0.0);
  ASSERT_EQ(f.queue.size(), 2u);
  EXPECT_EQ(f.queue[0].shape, "8 gpu, 32 cpu, 64 GiB");
  EXPECT_EQ(f.queue[0].queue, "train");
  EXPECT_EQ(f.queue[0].waiting, 10u);
  EXPECT_EQ(f.queue[0].fits_now, 0u);
  EXPECT_EQ(f.queue[0].fits_pooled, 30u);
  EXPECT_EQ(f.queue[1].fits_now, 40u);
  EXPECT_EQ(f.queue_gpus_waiting, 84u);
  EXPECT_EQ(f.queue_gpus_startable, 4u);
  EXPECT_EQ(f.queue_gpus_startable_pooled, 84u);
  EXPECT_DOUBLE_EQ(f.nodes[0].score, 0.25);
  EXPECT_DOUBLE_EQ(f.nodes[63].score, 1);
  EXPECT_FALSE(f.nodes[63].in_service);
  EXPECT_TRUE(f.unsure.empty());
}

TEST(Fragmentation, FullAndEmptyClusters) {
  Cluster full(2);
  full.run(0, 8, 8);
  full.run(1, 8, 8);
  auto f = full.look();
  expect_sums(f);
  EXPECT_EQ(f.largest_hole, 0u);
  EXPECT_FALSE(f.by_size[8].has_value()) << "nothing is free, so no share of it is known";
  EXPECT_DOUBLE_EQ(f.nodes[0].score, 1);

  Cluster none(0);
  auto empty = none.look();
  EXPECT_EQ(empty.gpus_total, 0u);
  EXPECT_EQ(empty.standard[0].fits_pooled, 0u);
}

TEST(Fragmentation, CpusStrandGpusByTheQueuesDefault) {
  Cluster c(1);
  c.s.queues[0].default_cpus_per_gpu = 8;
  c.run(0, 1, 40);
  auto f = c.look();
  expect_sums(f);
  EXPECT_EQ(f.nodes[0].free, 7u);
  EXPECT_EQ(f.nodes[0].allocatable, 3u) << "24 CPUs are left";
  EXPECT_EQ(f.nodes[0].stranded, 4u);
  EXPECT_EQ(f.nodes[0].stranded_by, Stranding::kCpu);
  EXPECT_EQ(f.gpus_stranded, 4u);
  ASSERT_EQ(f.needs.size(), 1u);
  EXPECT_DOUBLE_EQ(f.needs[0].cpus_per_gpu, 8);
  EXPECT_THAT(f.needs[0].basis, HasSubstr("DefCpuPerGPU"));
}

TEST(Fragmentation, MemoryStrandsGpusByWhatJobsUsuallyAsk) {
  Cluster c(1);
  c.run(0, 1, 1, 800);
  for (int i = 0; i < 5; ++i) {
    auto& w = c.wait(1, 2, 2);
    w.request.totals.set(model::names::kMemory, 200.0 * kGib);
  }
  auto f = c.look();
  EXPECT_EQ(f.needs[0].memory_per_gpu.value, 100 * kGib) << "the one large job does not decide";
  EXPECT_EQ(f.nodes[0].allocatable, 2u) << "200 GiB are left";
  EXPECT_EQ(f.nodes[0].stranded_by, Stranding::kMemory);
  EXPECT_THAT(f.needs[0].basis, HasSubstr("median memory of 6"));
}

TEST(Fragmentation, MemoryThatIsNotHandedOutStrandsNothing) {
  Cluster c(1);
  c.s.config->entries = {{"SelectTypeParameters", "CR_CORE"}};
  c.s.queues[0].default_memory_per_gpu = Bytes{500 * kGib};
  c.run(0, 1, 1, 900);
  auto f = c.look();
  EXPECT_EQ(f.nodes[0].allocatable, 7u);
  EXPECT_THAT(f.needs[0].basis, HasSubstr("does not hand out memory"));
}

TEST(Fragmentation, UnknownConfigurationIsSaid) {
  Cluster c(1);
  c.s.config.reset();
  auto f = c.look();
  ASSERT_EQ(f.unsure.size(), 1u);
  EXPECT_THAT(f.unsure[0], HasSubstr("configuration was not read"));
}

TEST(Fragmentation, OneCpuServesManyGpusWhereNothingSaysOtherwise) {
  Cluster c(1);
  c.run(0, 0, 63);
  auto f = c.look();
  EXPECT_EQ(f.nodes[0].allocatable, 8u);
  EXPECT_EQ(f.needs[0].basis, "one CPU per job");
}

// A queue that nobody uses must not make GPUs look usable that no job of the cluster could use.
TEST(Fragmentation, QueueWithoutWorkloadsIsTakenToBeLikeTheOthers) {
  Cluster c(1);
  c.queue("idle").nodes = {{0}};
  c.s.queues[1].default_memory_per_cpu = Bytes{kGib};
  c.run(0, 2, 62);
  for (int i = 0; i < 3; ++i) c.wait(1, 4, 4);
  auto f = c.look();
  EXPECT_EQ(f.nodes[0].allocatable, 2u);
  EXPECT_EQ(f.nodes[0].stranded_by, Stranding::kCpu);
  EXPECT_EQ(f.needs[1].basis, "median CPUs of 4 GPU workloads of all queues; DefMemPerCPU");
  EXPECT_EQ(f.needs[1].memory_per_gpu.value, kGib);
}

TEST(Fragmentation, NodesGivenToOneJobOrUserAreShared) {
  Cluster c(3);
  c.run(0, 2, 2).request.sharing = Sharing::kWholeNode;
  c.s.nodes[1].owner = Symbol("alice");
  auto f = c.look();
  expect_sums(f);
  EXPECT_EQ(stranded(f, Stranding::kShared), 14u);
  EXPECT_EQ(f.gpus_allocatable, 8u);
}

TEST(Fragmentation, ExclusiveQueueGivesOnlyIdleNodes) {
  Cluster c(2);
  c.s.queues[0].exclusive = true;
  c.run(0, 4, 4);
  auto f = c.look();
  EXPECT_EQ(f.nodes[0].stranded_by, Stranding::kShared);
  EXPECT_EQ(f.nodes[0].allocatable, 0u);
  EXPECT_EQ(f.nodes[1].allocatable, 8u);
}

TEST(Fragmentation, ReservedNodesAreStrandedAndPlannedOnesAreNot) {
  Cluster c(5);
  c.s.nodes[0].flags.set(NodeFlag::kMaintenance);
  model::Reservation r;
  r.name = Symbol("course");
  r.active = true;
  r.nodes = {{1}};
  c.s.reservations.push_back(r);
  c.s.nodes[2].flags.set(NodeFlag::kPlanned);
  c.run(3, 2, 2);
  c.s.nodes[3].flags.set(NodeFlag::kPlanned);  // waits for the rest of the node: a real hole
  auto f = c.look();
  expect_sums(f);
  EXPECT_EQ(stranded(f, Stranding::kReserved), 16u);
  EXPECT_EQ(stranded(f, Stranding::kPlanned), 8u);
  EXPECT_EQ(f.gpus_stranded, 16u);
  EXPECT_EQ(f.gpus_planned, 8u);
  EXPECT_EQ(f.nodes[3].allocatable, 6u);
  EXPECT_EQ(f.standard[3].fits_now, 2u) << "the plan may be for that very job";
}

TEST(Fragmentation, ReservationOfSomeCoresIsSaidToBeUnsure) {
  Cluster c(1);
  c.s.nodes[0].sockets = 2;
  c.s.nodes[0].cores_per_socket = 32;
  model::Reservation r;
  r.name = Symbol("cores");
  r.active = true;
  r.nodes = {{0}};
  r.core_count = 4;
  c.s.reservations.push_back(r);
  auto f = c.look();
  EXPECT_EQ(f.nodes[0].allocatable, 8u);
  ASSERT_EQ(f.unsure.size(), 1u);
  EXPECT_THAT(f.unsure[0], HasSubstr("reservation cores"));
}

TEST(Fragmentation, NodeWithoutAQueueThatIsUp) {
  Cluster c(1);
  c.s.queues[0].state = model::QueueState::kDown;
  c.wait(1, 1);
  auto f = c.look();
  EXPECT_EQ(f.nodes[0].stranded_by, Stranding::kQueue);
  EXPECT_EQ(f.queue[0].fits_now, 0u);
  EXPECT_EQ(f.queue_gpus_startable, 0u);
}

TEST(Fragmentation, BestOfSeveralQueuesCounts) {
  Cluster c(1);
  c.s.queues[0].default_cpus_per_gpu = 64;
  c.queue("cheap").default_cpus_per_gpu = 1;
  c.s.queues[1].nodes = {{0}};
  EXPECT_EQ(c.look().nodes[0].allocatable, 8u);
}

TEST(Fragmentation, NodesThatDoNotSayTheirUseAreLeftOut) {
  Cluster c(2);
  c.s.nodes[0].gres[0].used.reset();
  auto f = c.look();
  EXPECT_EQ(f.gpus_total, 8u);
  EXPECT_EQ(f.nodes.size(), 1u);
  ASSERT_EQ(f.unsure.size(), 1u);
  EXPECT_THAT(f.unsure[0], HasSubstr("1 node with GPUs"));
}

TEST(Fragmentation, SlicedGpusAreNotFree) {
  Cluster c(1);
  c.s.nodes[0].gres.push_back({Symbol("shard"), Symbol(), 32, 3, {0, 2}, ""});
  EXPECT_EQ(c.look().nodes[0].allocatable, 6u);
  // As read from Slurm: the GPUs whose shares are used count as used themselves.
  c.s.nodes[0].gres[0].used = 2;
  c.s.nodes[0].gres[0].used_indexes = {0, 2};
  EXPECT_EQ(c.look().nodes[0].allocatable, 6u);
}

TEST(FragmentationShapes, OneNodeHoldsOnePartOfAJob) {
  Cluster c(3);
  c.run(0, 6, 6);
  c.wait(2, 2);
  auto f = c.look();
  EXPECT_EQ(f.queue[0].shape, "2 nodes x 2 gpu, 1 cpu");
  // Places: 1 + 4 + 4. Four jobs of two parts: 4 + 4 on the free nodes; the ninth stays alone.
  EXPECT_EQ(f.queue[0].fits_now, 4u);
  EXPECT_EQ(f.queue[0].fits_pooled, 4u);
  EXPECT_EQ(f.queue_gpus_startable, 4u);

  Cluster one(1);
  one.wait(2, 2);
  auto g = one.look();
  EXPECT_EQ(g.queue[0].fits_now, 0u);
  EXPECT_EQ(g.queue[0].fits_pooled, 2u);
  EXPECT_EQ(g.queue_gpus_startable, 0u);
}

TEST(FragmentationShapes, SpreadJobsTakeGpusWhereverTheyAre) {
  Cluster c(3);
  for (std::uint32_t n = 0; n < 3; ++n) c.run(n, 4, 4);
  c.wait_spread(6);
  auto f = c.look();
  EXPECT_EQ(f.queue[0].shape, "6 gpu on any nodes, 1 cpu");
  EXPECT_EQ(f.queue[0].fits_now, 2u);
  EXPECT_EQ(f.queue_gpus_startable, 6u);

  c.s.workloads.back().request.max_nodes = 1;
  EXPECT_EQ(c.look().queue[0].fits_now, 0u);
}

TEST(FragmentationShapes, SpreadJobOnTwoNodesUsesBoth) {
  Cluster c(1);
  auto& w = c.wait_spread(8);
  w.request.min_nodes = 2;
  w.request.max_nodes = 2;
  auto f = c.look();
  EXPECT_EQ(f.queue[0].shape, "8 gpu on 2 nodes, 1 cpu");
  EXPECT_EQ(f.queue[0].fits_now, 0u);
  EXPECT_EQ(f.queue_gpus_startable, 0u);
  c.node();
  f = c.look();
  EXPECT_EQ(f.queue[0].fits_now, 2u);
  EXPECT_EQ(f.queue_gpus_startable, 8u);
}

TEST(FragmentationShapes, GpusPerTaskGoWhereTheTasksGo) {
  Cluster c(2);
  c.run(0, 5, 5);
  c.run(1, 5, 5);
  auto& w = c.wait(1, 4);
  w.request.gres_per_node.clear();
  w.request.gres_per_task = {{model::names::kGpu, Symbol(), 1}};
  w.request.tasks = 4;
  w.request.max_nodes.reset();
  EXPECT_EQ(c.look().queue[0].fits_now, 1u);
  w.request.tasks_per_node = 4;
  EXPECT_EQ(c.look().queue[0].fits_now, 0u);
}

TEST(FragmentationShapes, TypesFeaturesAndExclusions) {
  Cluster c(2);
  c.node(Symbol("h100")).features = {Symbol("ib"), Symbol("rackB")};
  auto add = [&](Symbol type, std::string features) -> Workload& {
    auto& w = c.wait(1, 8);
    w.request.gres_per_node[0].type = type;
    w.request.features = std::move(features);
    return w;
  };
  add(kA100, "");
  add(Symbol("h100"), "");
  add(Symbol("v100"), "");
  add(Symbol(), "ib&rackB");
  add(Symbol(), "ib&rackA");
  add(Symbol(), "rackA|ib");
  add(Symbol(), "[rackA|rackB]");
  add(kA100, "").request.excluded_nodes = {{NodeId{0}}};
  add(kA100, "").request.required_nodes = {NodeId{1}};
  add(kA100, "").request.required_nodes = {NodeId{2}};
  auto f = c.look();
  std::map<std::string, std::uint64_t> fits;
  for (const auto& q : f.queue) fits[q.shape] += q.fits_now;
  EXPECT_EQ(fits["8 gpu:a100, 1 cpu"], 2u + 1 + 1 + 0);
  EXPECT_EQ(fits["8 gpu:h100, 1 cpu"], 1u);
  EXPECT_EQ(fits["8 gpu of a type no node has, 1 cpu"], 0u);
  EXPECT_EQ(fits["8 gpu, 1 cpu, ib&rackB"], 1u);
  EXPECT_EQ(fits["8 gpu, 1 cpu, ib&rackA"], 0u);
  EXPECT_EQ(fits["8 gpu, 1 cpu, rackA|ib"], 1u);
  EXPECT_EQ(fits["8 gpu, 1 cpu, [rackA|rackB]"], 3u);
  ASSERT_EQ(f.unsure.size(), 1u);
  EXPECT_THAT(f.unsure[0], HasSubstr("[rackA|rackB]"));
}

TEST(FragmentationShapes, WholeNodesAllMemoryAndThreads) {
  Cluster c(2);
  c.run(0, 1, 1, 1);
  c.wait(1, 2).request.sharing = Sharing::kWholeNode;
  c.wait(1, 2).request.memory_per = model::MemoryPer::kNode;  // --mem=0
  auto f = c.look();
  EXPECT_EQ(f.queue[0].shape, "2 gpu, whole nodes");
  EXPECT_EQ(f.queue[0].fits_now, 1u);
  EXPECT_EQ(f.queue[1].shape, "2 gpu, 1 cpu, all memory");
  EXPECT_EQ(f.queue[1].fits_now, 1u);

  Cluster smt(1);
  smt.s.nodes[0].threads_per_core = 2;
  smt.s.nodes[0].cpus = 6;
  smt.wait(1, 1);
  EXPECT_EQ(smt.look().queue[0].fits_now, 3u) << "a core goes to one job with all its threads";
}

TEST(FragmentationShapes, ReservationsNowAndToCome) {
  Cluster c(3);
  model::Reservation now, later;
  now.name = Symbol("course");
  now.active = true;
  now.nodes = {{0}};
  later.name = Symbol("maint");
  later.start = c.s.time + Seconds{3600};
  later.nodes = {{1}};
  c.s.reservations = {now, later};
  c.wait(1, 8).time_limit = Bound<Seconds>::of({1800});
  c.wait(1, 8).time_limit = Bound<Seconds>::of({7200});
  auto& inside = c.wait(1, 8);
  inside.time_limit = Bound<Seconds>::of({1800});
  inside.reservation = Symbol("course");
  auto f = c.look();
  ASSERT_EQ(f.queue.size(), 3u);
  std::map<std::string, std::vector<std::uint64_t>> fits;
  for (const auto& q : f.queue) fits[q.shape].push_back(q.fits_now);
  EXPECT_THAT(fits["8 gpu, 1 cpu"], testing::UnorderedElementsAre(2u, 1u));
  EXPECT_THAT(fits["8 gpu, 1 cpu, in course"], testing::ElementsAre(1u));
}

TEST(FragmentationQueue, ArraysCountTheirTasksAndKeepTheirThrottle) {
  Cluster c(2);
  auto& w = c.wait(1, 1);
  w.array = model::ArrayPlace{w.job_id, std::nullopt, "1-40", 40, std::nullopt};
  auto f = c.look();
  EXPECT_EQ(f.queue[0].waiting, 40u);
  EXPECT_EQ(f.queue[0].fits_now, 16u);
  EXPECT_EQ(f.queue_gpus_waiting, 40u);
  EXPECT_EQ(f.queue_gpus_startable, 16u);

  c.s.workloads.back().array->max_running = 5;
  auto id = c.s.workloads.back().job_id;
  c.run(0, 1, 1).array = model::ArrayPlace{id, 41, "", 0, std::nullopt};
  EXPECT_EQ(c.look().queue_gpus_startable, 4u) << "one of five runs";
}

TEST(FragmentationQueue, OnlyWorkloadsThatWaitForRoomCouldStart) {
  Cluster c(8);
  c.wait(1, 1).priority = 0;
  c.wait(1, 1).eligible = c.s.time + Seconds{60};
  auto& dependent = c.wait(1, 1);
  dependent.eligible.reset();
  dependent.dependency = "afterok:12(unfulfilled)";
  c.wait(1, 1).reason = Symbol("QOSMaxGRESPerUser");
  c.wait(1, 1).reason = Symbol("AssocGrpGRES");
  c.wait(1, 1).reason = Symbol("Priority");
  auto f = c.look();
  EXPECT_EQ(f.queue_gpus_waiting, 6u);
  EXPECT_EQ(f.queue_gpus_startable, 1u);
  EXPECT_EQ(f.queue_gpus_startable_pooled, 1u);
}

TEST(FragmentationQueue, PlacesSmallJobsIntoSmallHoles) {
  Cluster c(2);
  c.run(0, 6, 6);
  c.wait(1, 2);
  c.wait(1, 8);
  auto f = c.look();
  EXPECT_EQ(f.queue_gpus_startable, 10u) << "the 2-GPU job must not break the free node";
}

TEST(FragmentationQueue, PooledRoomIsSharedByOverlappingQueues) {
  Cluster c(2);
  c.queue("all").nodes = {{0}, {1}};
  for (std::uint32_t n = 0; n < 2; ++n) c.run(n, 4, 4);
  c.wait(1, 8);
  c.wait(1, 8).queues = {Symbol("all")};
  auto f = c.look();
  EXPECT_EQ(f.queue_gpus_startable, 0u);
  EXPECT_EQ(f.queue_gpus_startable_pooled, 8u);
}

TEST(FragmentationQueue, JobOfSeveralQueuesTakesTheOneWithRoom) {
  Cluster c(1);
  c.queue("dev");
  c.node(kA100, 1);
  c.node(kA100, 1);
  auto& w = c.wait(2, 8);
  w.queues = {Symbol("train"), Symbol("dev")};
  auto f = c.look();
  EXPECT_EQ(f.queue[0].queue, "train,dev");
  EXPECT_EQ(f.queue[0].fits_now, 1u) << "both nodes of dev; a job does not mix queues";
  EXPECT_EQ(f.queue_gpus_startable, 16u);
}

// 10,000 nodes of which hardly two are alike, 2,000 shapes, 100,000 waiting workloads.
TEST(Fragmentation, ManyShapesOnALargeCluster) {
  Cluster c(10'000);
  for (std::uint32_t n = 0; n < 10'000; ++n) {
    auto& node = c.s.nodes[n];
    node.gres[0].used = n * 7 % 9;
    node.cpus_allocated = n * 13 % 60;
    node.memory_allocated = {static_cast<std::int64_t>(n * 31 % 700) * kGib};
  }
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    auto shape = i % 2000;
    c.wait(1 + shape % 4, 1 + shape % 8, 1 + shape % 50, 1 + shape);
  }
  c.s.build_index();
  const auto f = fragmentation(c.s);
  expect_sums(f);
  EXPECT_EQ(f.queue.size(), 2000u);
  EXPECT_GT(f.queue_gpus_startable, 0u);
}

}  // namespace
}  // namespace schedlens::diagnose
