// SPDX-License-Identifier: Apache-2.0
// A job that is changed alone must fare as it does in a Snapshot that is changed and evaluated as a
// whole.

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "diagnose/test_cluster.h"
#include "diagnose/what_if.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::gib;
using testing::kNow;
using testing::limit;
using Change = std::function<void(model::Workload&)>;

class Drawn {
 public:
  explicit Drawn(unsigned seed) : random_(seed) {}
  int up_to(int most) { return static_cast<int>(random_() % (static_cast<unsigned>(most) + 1)); }
  bool once_in(int n) { return up_to(n - 1) == 0; }

 private:
  std::mt19937 random_;
};

Cluster drawn_cluster(Drawn& draw) {
  Cluster c;
  c.set("SchedulerParameters",
        draw.once_in(2) ? "bf_max_job_test=6,default_queue_depth=6" : "bf_interval=30");
  c.add_queue("fast", {0, 1, 2, 3}).priority_tier = 5;
  c.add_queue("slow", {4, 5, 6, 7});
  for (int i = 0; i < 8; ++i) {
    if (draw.once_in(6)) c.drain(i);
    while (draw.once_in(2) && *c.node(i).gres.front().used < 7) {
      c.run("bob", {i}, 4, 1 + draw.up_to(1));
    }
  }
  if (draw.once_in(2)) c.reserve("maint", {1, 5}, 1800, 7200);
  c.qos("normal").limits.push_back(
      limit(model::LimitKind::kGrpTres, "gres/gpu", 20.0 + draw.up_to(40), 20));
  for (int i = 0; i < 12; ++i) {
    auto& w = c.wait("alice", 1 + draw.up_to(7));
    w.queues = {Symbol(draw.once_in(3) ? "fast" : draw.once_in(2) ? "slow" : "main")};
    w.priority = 100 + static_cast<std::uint64_t>(draw.up_to(5));
    w.time_limit = Bound<Seconds>::of({600 * (1 + draw.up_to(9))});
    if (draw.once_in(4)) w.request.min_nodes = 2;
    if (draw.once_in(4)) w.request.max_nodes = 3;
    if (draw.once_in(5)) w.request.features = "h100";
    if (draw.once_in(5)) w.request.excluded_nodes->push_back({0});
    if (draw.once_in(8)) w.priority = 0;
  }
  c.s.build_index();
  return c;
}

TEST(AsIf, AgreesWithAChangedSnapshot) {
  const std::vector<Change> changes{
      [](auto& w) { w.time_limit = Bound<Seconds>::of({900}); },
      [](auto& w) { w.queues = {Symbol("fast")}; },
      [](auto& w) { w.queues = {Symbol("slow")}; },
      [](auto& w) { w.request.gres_per_node.front().count = 1; },
      [](auto& w) { w.request.features.clear(); },
      [](auto& w) { w.priority = 1000; },
      [](auto& w) { w.request.excluded_nodes->clear(); },
  };
  std::size_t starts = 0, compared = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Drawn draw(seed);
    const auto c = drawn_cluster(draw);
    Explainer explainer(c.s);
    for (auto id : c.s.pending()) {
      for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto& change = changes[i];
        const auto whole =
            what_if(c.s, id, {[&](model::Snapshot& s) { change(s.workloads[id.index]); }});
        auto changed = c.s.workload(id);
        change(changed);
        const auto alone = explainer.as_if(id, changed);
        ASSERT_TRUE(alone);
        EXPECT_EQ(cause_name(alone->cause), cause_name(whole.cause))
            << "seed " << seed << ", job " << changed.job_id << ", change " << i;
        EXPECT_EQ(alone->starts_next, whole.starts)
            << "seed " << seed << ", job " << changed.job_id << ", change " << i;
        starts += whole.starts ? 1 : 0;
        ++compared;
      }
    }
  }
  EXPECT_GT(starts, compared / 20) << "the clusters are drawn so that some start";
  EXPECT_LT(starts, compared * 19 / 20);
}

}  // namespace
}  // namespace schedlens::diagnose
