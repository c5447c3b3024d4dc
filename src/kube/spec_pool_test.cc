// SPDX-License-Identifier: Apache-2.0
#include "kube/spec_pool.h"
#include "model/pod.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace schedlens::kube {
namespace {

model::PodSpec spec_with_cpu(std::int64_t milli) {
  model::PodSpec spec;
  spec.scheduler = Symbol("default-scheduler");
  spec.request.set(model::names::kKubeCpu, milli);
  return spec;
}

TEST(SpecPool, EqualSpecsAreOne) {
  SpecPool pool;
  const auto a = pool.share(spec_with_cpu(1000));
  const auto b = pool.share(spec_with_cpu(1000));
  const auto c = pool.share(spec_with_cpu(2000));
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_EQ(pool.size(), 2u);
}

TEST(SpecPool, HoldsNothingAlive) {
  SpecPool pool;
  auto a = pool.share(spec_with_cpu(1000));
  const std::weak_ptr<const model::PodSpec> seen = a;
  a.reset();
  EXPECT_TRUE(seen.expired());
  const auto again = pool.share(spec_with_cpu(1000));
  EXPECT_EQ(again->request.get(model::names::kKubeCpu), 1000);
  pool.sweep();
  EXPECT_EQ(pool.size(), 1u);
}

// A cluster that makes ever new templates: what no pod uses any more goes.
TEST(SpecPool, DoesNotGrowForEver) {
  SpecPool pool;
  const auto kept = pool.share(spec_with_cpu(0));
  std::size_t most = 0;
  for (int i = 1; i < 100'000; ++i) {
    pool.share(spec_with_cpu(i));
    most = std::max(most, pool.size());
  }
  EXPECT_LE(most, 65u);
  EXPECT_EQ(pool.share(spec_with_cpu(0)), kept);
}

model::Pod pod_of(SpecPool& pool, const char* app, const char* owner, const char* message) {
  model::Pod pod;
  pod.spec = pool.share(spec_with_cpu(1000));
  pod.request = spec_with_cpu(1000).request;
  pod.labels = model::Labels(std::vector<model::Label>{{Symbol("app"), app}});
  pod.owner = model::OwnerReference{Symbol("Job"), owner, "u"};
  pod.conditions.resize(2);
  pod.conditions[1].message = std::string(message);
  pool.share_parts(pod);
  return pod;
}

TEST(SpecPool, EqualPartsAreOne) {
  SpecPool pool;
  const auto a = pod_of(pool, "x", "train", "no room");
  const auto b = pod_of(pool, "x", "train", "no room");
  EXPECT_EQ(&a.labels.items(), &b.labels.items());
  EXPECT_EQ(&*a.owner, &*b.owner);
  EXPECT_EQ(&*a.conditions[1].message, &*b.conditions[1].message);
  EXPECT_EQ(&a.request.items(), &a.spec->request.items());
  const auto c = pod_of(pool, "y", "test", "too large");
  EXPECT_EQ(*c.labels.find(Symbol("app")), "y");
  EXPECT_EQ(c.owner->name, "test");
  EXPECT_EQ(*c.conditions[1].message, "too large");
  EXPECT_EQ(*a.labels.find(Symbol("app")), "x");
}

TEST(SharePool, ForgetsWhatNobodyHas) {
  SharePool<model::Shared<std::string>> pool;
  model::Shared<std::string> kept(std::string("kept"));
  pool.share(kept);
  std::size_t most = 0;
  for (int i = 0; i < 10'000; ++i) {
    model::Shared<std::string> text(std::to_string(i));
    pool.share(text);
    most = std::max(most, pool.size());
  }
  EXPECT_LE(most, 65u);
  model::Shared<std::string> again(std::string("kept"));
  pool.share(again);
  EXPECT_EQ(&*again, &*kept);
}

TEST(SpecPool, EveryFieldTellsSpecsApart) {
  using model::PodSpec;
  const Symbol x{"x"};
  model::LabelSelector selector;
  selector.all.push_back({x, model::LabelOperator::kIn, {"v"}});
  model::PodAffinityTerm term;
  term.pods = selector;
  model::SpreadConstraint spread;
  spread.pods = selector;
  model::Quantities gpu;
  gpu.set(x, 1);
  const std::vector<std::function<void(PodSpec&)>> changes = {
      [](PodSpec&) {},
      [&](PodSpec& s) { s.scheduler = x; },
      [&](PodSpec& s) { s.priority_class = x; },
      [&](PodSpec& s) { s.runtime_class = x; },
      [](PodSpec& s) { s.never_preempts = true; },
      [](PodSpec& s) { s.host_network = true; },
      [](PodSpec& s) { s.run_limit = Seconds{0}; },
      [](PodSpec& s) { s.run_limit = Seconds{60}; },
      [](PodSpec& s) { s.grace = Seconds{60}; },
      [&](PodSpec& s) {
        s.node_selector = {{x, "v"}};
      },
      [&](PodSpec& s) {
        s.node_selector = {{x, "w"}};
      },
      [](PodSpec& s) { s.node_affinity.emplace(); },
      [](PodSpec& s) { s.node_affinity.emplace(1); },
      [&](PodSpec& s) { s.node_affinity.emplace(1)[0].labels = selector.all; },
      [&](PodSpec& s) { s.node_affinity.emplace(1)[0].fields = selector.all; },
      [&](PodSpec& s) {
        s.tolerations = {{x, model::TolerationOperator::kExists, "", {}}};
      },
      [&](PodSpec& s) {
        s.tolerations = {{x, model::TolerationOperator::kEqual, "", {}}};
      },
      [&](PodSpec& s) { s.affinity = {term}; },
      [&](PodSpec& s) { s.anti_affinity = {term}; },
      [&](PodSpec& s) { s.spread = {spread}; },
      [](PodSpec& s) {
        s.host_ports = {{"", model::HostProtocol::kTcp, 80}};
      },
      [&](PodSpec& s) { s.request = gpu; },
      [&](PodSpec& s) { s.limit = gpu; },
  };
  SpecPool pool;
  std::vector<model::PodSpecPtr> made;
  for (const auto& change : changes) {
    PodSpec spec;
    change(spec);
    PodSpec same;
    change(same);
    EXPECT_EQ(content_hash(spec), content_hash(same));
    made.push_back(pool.share(std::move(spec)));
    EXPECT_EQ(pool.share(std::move(same)), made.back());
  }
  EXPECT_EQ(pool.size(), changes.size());
  std::vector<std::size_t> hashes;
  for (const auto& spec : made) hashes.push_back(content_hash(*spec));
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

}  // namespace
}  // namespace schedlens::kube
