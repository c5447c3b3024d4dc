// SPDX-License-Identifier: Apache-2.0
// Random clusters and requests: the answers by class and shape against a plain evaluator that looks
// at single nodes and tries every set of them.

#include "diagnose/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using model::MemoryPer;
using model::Node;
using model::NodeId;
using model::Request;
using model::Workload;
using testing::Cluster;
using testing::gib;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }

 private:
  std::mt19937 engine_;
};

Cluster random_cluster(Random& random) {
  Cluster c(3 + random.below(6));
  auto nodes = static_cast<int>(c.s.nodes.size());
  c.add_queue("part");
  for (int i = 0; i < nodes; ++i) {
    auto& n = c.node(i);
    n.cpus = random.one_in(3) ? 32 : 64;
    n.cpus_allocated = static_cast<std::uint32_t>(random.below(5) * 8);
    n.memory_allocated = gib(random.below(4) * 250);
    n.gres[0].type = Symbol(random.one_in(3) ? "h100" : "a100");
    n.gres[0].used = static_cast<std::uint64_t>(random.below(5) * 2);
    n.state = n.cpus_allocated == 0 && *n.gres[0].used == 0 ? model::NodeState::kIdle
                                                            : model::NodeState::kMixed;
    if (random.one_in(3)) n.features.push_back(Symbol("fast"));
    if (random.one_in(6)) c.drain(i);
    if (!random.one_in(4)) c.queue(1).nodes.push_back({static_cast<std::uint32_t>(i)});
  }
  if (random.one_in(3)) c.reserve("r", {random.below(nodes)}, random.one_in(2) ? -100 : 1000, 9000);
  return c;
}

void random_request(Random& random, Cluster& c) {
  auto& w = c.wait("alice");
  auto& r = w.request;
  if (random.one_in(2)) w.queues = {Symbol("part")};
  r.min_nodes = 1 + static_cast<std::uint32_t>(random.below(3));
  if (random.one_in(4)) {
    r.max_nodes.reset();
  } else {
    r.max_nodes = r.min_nodes + static_cast<std::uint32_t>(random.below(2));
  }
  r.cpus_per_task = 1 + static_cast<std::uint32_t>(random.below(3) * 8);
  r.tasks = r.min_nodes + static_cast<std::uint32_t>(random.below(5));
  r.cpus = *r.tasks * *r.cpus_per_task;
  auto gpus = static_cast<std::uint64_t>(1 + random.below(8));
  Symbol type(random.one_in(3) ? "h100" : "");
  if (random.one_in(3)) {
    r.gres_per_node.push_back({Symbol("gpu"), type, gpus});
  } else if (random.one_in(3)) {
    r.gres_per_job.push_back({Symbol("gpu"), type, gpus});
    r.tasks = 1;
    r.cpus = *r.cpus_per_task;
  }
  if (random.one_in(4)) r.cpus_per_gpu = 4;
  if (random.one_in(2)) {
    r.memory_per = MemoryPer::kCpu;
    r.memory = gib(4 + random.below(20));
  } else if (random.one_in(4)) {
    r.memory = {};
  } else {
    r.memory = gib(100 + random.below(5) * 150);
  }
  if (random.one_in(5)) r.sharing = model::Sharing::kWholeNode;
  if (random.one_in(3)) r.features = random.one_in(2) ? "fast" : "ib&fast|a100";
  NodeId some{static_cast<std::uint32_t>(random.below(static_cast<int>(c.s.nodes.size())))};
  if (random.one_in(5)) r.excluded_nodes->push_back(some);
  if (random.one_in(8)) r.required_nodes.push_back(some);
}

// The plain evaluator.
class Plain {
 public:
  Plain(const model::Snapshot& s, const Workload& w) : s_(s), w_(w), r_(w.request) {
    most_nodes_ = r_.max_nodes.value_or(99);
    if (r_.gres_per_job.empty()) {
      most_nodes_ = std::min(most_nodes_, std::max(r_.min_nodes, r_.tasks.value_or(99)));
    }
  }

  std::set<std::string> failed(NodeId id) const {
    const Node& n = s_.node(id);
    std::set<std::string> names;
    auto test = [&](const std::string& name, bool passed) {
      if (!passed) names.insert(name);
    };
    auto queue = s_.queue(*s_.find_queue(w_.queues[0]));
    test("partition", listed(queue.nodes, id));
    test("excluded_nodes", !listed(*r_.excluded_nodes, id));
    test("required_nodes", r_.required_nodes.empty() || r_.required_nodes.size() < most_nodes_ ||
                               listed(r_.required_nodes, id));
    test("features", features(n));
    test("drain", !n.flags.has(model::NodeFlag::kDrain));
    test("reservation", !reserved(id));
    test("exclusive", r_.sharing != model::Sharing::kWholeNode ||
                          (n.cpus_allocated == 0 && *n.gres[0].used == 0));
    test("cpus", cpus_free(n) >= least_cpus());
    test("memory", memory(n));
    if (!gpu_name().empty()) test(gpu_name(), gpus_free(n) >= least_gpus());
    return names;
  }

  bool fits() const {
    std::vector<NodeId> passing;
    for (std::uint32_t i = 0; i < s_.nodes.size(); ++i) {
      if (failed({i}).empty()) passing.push_back({i});
    }
    for (std::uint32_t set = 1; set < 1u << passing.size(); ++set) {
      if (enough(passing, set)) return true;
    }
    return false;
  }

 private:
  static bool listed(const std::vector<NodeId>& nodes, NodeId id) {
    return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
  }
  static std::int64_t cpus_free(const Node& n) {
    return std::max<std::int64_t>(0, std::int64_t{n.cpus} - n.cpus_allocated);
  }
  static std::int64_t memory_free(const Node& n) { return (n.memory - n.memory_allocated).value; }
  const model::GresCount* gpus() const {
    if (!r_.gres_per_node.empty()) return &r_.gres_per_node[0];
    return r_.gres_per_job.empty() ? nullptr : &r_.gres_per_job[0];
  }
  std::string gpu_name() const {
    if (!gpus()) return {};
    return gpus()->type.empty() ? "gres/gpu" : "gres/gpu:" + gpus()->type.str();
  }
  std::int64_t gpus_free(const Node& n) const {
    if (!gpus()->type.empty() && n.gres[0].type != gpus()->type) return 0;
    return static_cast<std::int64_t>(n.gres[0].total - *n.gres[0].used);
  }
  std::int64_t least_gpus() const {
    if (!gpus()) return 0;
    bool any = r_.gres_per_node.empty() && most_nodes_ > 1;
    return any ? 1 : static_cast<std::int64_t>(gpus()->count);
  }
  std::int64_t least_cpus() const {
    std::int64_t cpus = *r_.cpus_per_task;
    if (most_nodes_ == 1) cpus = r_.cpus;
    return std::max(cpus, least_gpus() * r_.cpus_per_gpu.value_or(0));
  }
  bool memory(const Node& n) const {
    if (r_.memory_per == MemoryPer::kCpu) return memory_free(n) >= r_.memory.value * least_cpus();
    if (r_.memory.value == 0) return n.memory_allocated.value == 0;
    return memory_free(n) >= r_.memory.value;
  }
  bool features(const Node& n) const {
    auto has = [&](std::string_view f) {
      return std::find(n.features.begin(), n.features.end(), Symbol(f)) != n.features.end();
    };
    if (r_.features.empty()) return true;
    return r_.features == "fast" ? has("fast") : (has("ib") && has("fast")) || has("a100");
  }
  bool reserved(NodeId id) const {
    for (const auto& r : s_.reservations) {
      if (listed(r.nodes, id) && *r.start < s_.time + w_.time_limit.value) return true;
    }
    return false;
  }
  std::int64_t usable_cpus(const Node& n) const {
    auto cpus = cpus_free(n);
    if (r_.memory_per == MemoryPer::kCpu) cpus = std::min(cpus, memory_free(n) / r_.memory.value);
    if (r_.sharing == model::Sharing::kWholeNode) return cpus;
    return cpus / *r_.cpus_per_task * *r_.cpus_per_task;
  }
  bool enough(const std::vector<NodeId>& passing, std::uint32_t set) const {
    std::vector<NodeId> chosen;
    std::int64_t cpus = 0, tasks = 0, gpus_sum = 0;
    for (std::size_t i = 0; i < passing.size(); ++i) {
      if (!(set >> i & 1)) continue;
      const auto& n = s_.node(passing[i]);
      chosen.push_back(passing[i]);
      cpus += usable_cpus(n);
      tasks += usable_cpus(n) / *r_.cpus_per_task;
      if (!gpus()) continue;
      auto here = gpus_free(n);
      if (auto each = r_.cpus_per_gpu.value_or(0)) here = std::min(here, usable_cpus(n) / each);
      gpus_sum += here;
    }
    for (auto id : r_.required_nodes) {
      if (!listed(chosen, id)) return false;
    }
    if (chosen.size() < r_.min_nodes || chosen.size() > most_nodes_) return false;
    if (cpus < r_.cpus) return false;
    bool per_job = !r_.gres_per_job.empty();
    if (per_job) return gpus_sum >= static_cast<std::int64_t>(gpus()->count);
    return tasks >= *r_.tasks;
  }

  const model::Snapshot& s_;
  const Workload& w_;
  const Request& r_;
  std::uint32_t most_nodes_ = 0;
};

TEST(Evaluation, AgreesWithThePlainEvaluatorOnRandomClusters) {
  int fitting = 0, waiting = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Random random(seed);
    auto c = random_cluster(random);
    for (int i = 0; i < 5; ++i) random_request(random, c);
    c.s.build_index();
    Explainer explainer(c.s);
    for (std::uint32_t i = 0; i < c.s.workloads.size(); ++i) {
      const auto& w = c.s.workloads[i];
      auto v = explainer.explain({i});
      Plain plain(c.s, w);
      EXPECT_EQ(v.fit.fits_now, plain.fits()) << "seed " << seed << " job " << i;
      ++(v.fit.fits_now ? fitting : waiting);
      for (std::uint32_t n = 0; n < c.s.nodes.size(); ++n) {
        std::set<std::string> names, only;
        for (const auto& k : v.constraints) {
          if (std::count(k.ruled_out.begin(), k.ruled_out.end(), NodeId{n})) names.insert(k.name);
          if (std::count(k.only.begin(), k.only.end(), NodeId{n})) only.insert(k.name);
        }
        auto expected = plain.failed({n});
        EXPECT_EQ(names, expected) << "seed " << seed << " job " << i << " node " << n;
        EXPECT_EQ(only, expected.size() == 1 ? expected : std::set<std::string>{});
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
  // Both answers occur often enough for the agreement to mean something.
  EXPECT_GT(fitting, 300);
  EXPECT_GT(waiting, 300);
}

// Where it says a job fits, exactly these nodes do.
TEST(Evaluation, TheNodesItNamesPassEveryTest) {
  for (unsigned seed = 1000; seed < 1300; ++seed) {
    Random random(seed);
    auto c = random_cluster(random);
    random_request(random, c);
    auto v = c.why();
    if (!v.fit.fits_now) continue;
    const auto& r = c.s.workloads.back().request;
    EXPECT_GE(v.fit.nodes.size(), r.min_nodes) << seed;
    EXPECT_LE(v.fit.nodes.size(), r.max_nodes.value_or(99)) << seed;
    for (const auto& k : v.constraints) {
      for (auto node : v.fit.nodes) {
        EXPECT_FALSE(std::count(k.ruled_out.begin(), k.ruled_out.end(), node))
            << seed << " " << k.name;
      }
    }
    for (auto node : r.required_nodes) {
      EXPECT_TRUE(std::count(v.fit.nodes.begin(), v.fit.nodes.end(), node)) << seed;
    }
  }
}

// Looking at one workload alone or after all the others gives the same class.
TEST(Evaluation, TheOrderOfQuestionsDoesNotMatter) {
  for (unsigned seed = 2000; seed < 2100; ++seed) {
    Random random(seed);
    auto c = random_cluster(random);
    for (int i = 0; i < 6; ++i) random_request(random, c);
    c.s.build_index();
    Explainer all(c.s);
    auto last = static_cast<std::uint32_t>(c.s.workloads.size());
    for (std::uint32_t i = last; i-- > 0;) {
      Explainer alone(c.s);
      EXPECT_EQ(all.classify({i}), alone.explain({i}).cause) << seed << " " << i;
    }
  }
}

TEST(Evaluation, EqualNodesAndRequestsAreEvaluatedOnce) {
  Cluster c(500);
  for (int i = 0; i < 300; ++i) c.wait("user" + std::to_string(i % 7), 1 + i % 3);
  c.s.build_index();
  Evaluation evaluation(c.s);
  EXPECT_EQ(evaluation.nodes().classes.size(), 1u);
  for (const auto& w : c.s.workloads) evaluation.answer(w, {0});
  EXPECT_EQ(evaluation.shapes(), 3u);
}

}  // namespace
}  // namespace schedlens::diagnose
