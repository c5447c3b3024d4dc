// SPDX-License-Identifier: Apache-2.0
// Numbers of a real Slurm 22.05 with PriorityWeightPartition=2000, PriorityWeightTRES=cpu=100,
// mem=100,gres/gpu=500 and PriorityWeightJobSize=1000 on eight nodes.
#include "diagnose/queue_priority.h"

#include <gtest/gtest.h>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using model::Workload;
using testing::Cluster;
using testing::gib;

struct Priorities {
  Cluster c;
  Workload* w = nullptr;

  Priorities() {
    c.set("PriorityWeightPartition", "2000");
    c.set("PriorityWeightTRES", "CPU=100,Mem=100,GRES/gpu=500");
    fill(c.queue(), 100, 6);
    fill(c.add_queue("dev", {6, 7}), 50, 2);
    w = &c.wait("erin", 4);
    auto& totals = w->request.totals;
    totals.set(model::names::kCpu, 1);
    totals.set(model::names::kMemory, static_cast<double>(gib(10).value));
    totals.set(model::names::kGresGpu, 4);
    w->request.cpus = 1;
    w->factors = model::PriorityFactors{};
    w->factors->fair_share = 5714;
    w->factors->job_size = 63;
    w->factors->queue = 2000;
    w->factors->tres = 42;
    w->priority = 5714 + 63 + 2000 + 42;
    c.s.build_index();
  }

  static void fill(model::Queue& queue, std::uint32_t factor, double nodes) {
    queue.priority_job_factor = factor;
    queue.totals.set(model::names::kCpu, 64 * nodes);
    queue.totals.set(model::names::kMemory, static_cast<double>(gib(1000).value) * nodes);
    queue.totals.set(model::names::kGresGpu, 8 * nodes);
  }

  std::uint64_t after(const std::function<void(Workload&)>& change) const {
    auto changed = *w;
    change(changed);
    adapt_priority(c.s, *w, changed);
    return *changed.priority;
  }
};

TEST(QueuePriority, APartitionGivesItsPartAndCountsTheRequestByItsOwnSize) {
  Priorities p;
  EXPECT_EQ(priority_in(p.c.s, *p.w, p.c.queue()), p.w->priority);
  // 1/128 of the CPUs, 10/2000 of the memory and a quarter of the GPUs of dev.
  EXPECT_EQ(priority_in(p.c.s, *p.w, p.c.queue(1)), 5714u + 63 + 1000 + 126);
  EXPECT_EQ(p.after([](Workload& w) { w.queues = {Symbol("dev")}; }), 5714u + 63 + 1000 + 126);
}

TEST(QueuePriority, ASmallerRequestIsWorthLess) {
  Priorities p;
  EXPECT_EQ(p.after([](Workload& w) { w.request.totals.set(model::names::kGresGpu, 1); }),
            5714u + 63 + 2000 + 11);
}

TEST(QueuePriority, ChangesAddUp) {
  Priorities p;
  auto changed = *p.w;
  changed.queues = {Symbol("dev")};
  adapt_priority(p.c.s, *p.w, changed);
  auto again = changed;
  again.request.totals.set(model::names::kGresGpu, 1);
  adapt_priority(p.c.s, changed, again);
  EXPECT_NEAR(static_cast<double>(*again.priority), 5714 + 63 + 1000 + 32.5, 1);
}

TEST(QueuePriority, OneThatSomebodyHasSetStays) {
  Priorities p;
  p.w->priority = 50000;
  EXPECT_EQ(priority_in(p.c.s, *p.w, p.c.queue(1)), 50000u);
  p.w->priority = 7819;
  p.w->factors.reset();
  EXPECT_EQ(priority_in(p.c.s, *p.w, p.c.queue(1)), 7819u);
}

}  // namespace
}  // namespace schedlens::diagnose
