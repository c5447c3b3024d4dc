// SPDX-License-Identifier: Apache-2.0
#include "cli/pod_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/gpu_map.h"
#include "model/kubernetes.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::cli {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

model::Workload pod(const char* name, const char* group, const char* node = "") {
  auto spec = std::make_shared<model::PodSpec>();
  model::Pod p;
  p.ns = Symbol("ml");
  p.spec = spec;
  p.group = group;
  p.node_name = Symbol(node);
  model::Workload w;
  w.name = name;
  w.pod = std::make_shared<const model::Pod>(std::move(p));
  return w;
}

TEST(PodWords, AGroupWithWhatExistsAndIsNeeded) {
  model::Snapshot s;
  auto k = std::make_shared<model::Kubernetes>();
  model::PodGroup group;
  group.ns = Symbol("ml");
  group.name = "ring";
  group.min_members = 4;
  k->pod_groups.emplace().push_back(group);
  s.kubernetes = k;
  s.workloads = {pod("a", "ring", "gpu-1"), pod("b", "ring"), pod("c", "other"), pod("d", "")};
  const diagnose::GroupCounts groups(s);
  EXPECT_EQ(owner_and_group(s.workloads[0], groups), "group ring 2/4");
  EXPECT_EQ(owner_and_group(s.workloads[2], groups), "group other 1/?");
  EXPECT_EQ(owner_and_group(s.workloads[3], groups), "-");
  const auto facts = pod_facts(s, s.workloads[1]);
  EXPECT_THAT(facts, Contains(Pair("belongs to", "PodGroup ring")));
  EXPECT_THAT(facts, Contains(Pair("group",
                                   "ring: 2 pods, 1 of them with a node; it needs at least 4 to "
                                   "start")));
}

TEST(PodWords, ANodeOfSlicesAloneDoesNotVanish) {
  model::NodeObject object;
  object.capacity.set(Symbol("nvidia.com/gpu"), 0);
  object.capacity.set(Symbol("nvidia.com/mig-1g.12gb"), 14);
  object.allocatable = object.capacity;
  model::Node node;
  node.gres.push_back({Symbol("gpu"), {}, 0, 0, {}, ""});
  node.gres.push_back({Symbol("mig"), Symbol("1g.12gb"), 14, 7, {}, ""});
  node.object = std::make_shared<const model::NodeObject>(object);
  EXPECT_EQ(gpu_parts(node), "mig:1g.12gb 7/14");
  EXPECT_THAT(node_facts(node, {}), Contains(Pair("GPU parts", "1.0 of 2.0 GPUs' worth used")));
  EXPECT_EQ(gpu_parts_worth(node), "1.0/2.0");
  model::Snapshot snapshot;
  EXPECT_EQ(gpu_parts_in_all(snapshot), "");
  snapshot.nodes = {node, node};
  snapshot.nodes[1].gres.push_back({Symbol("gpumem"), {}, 40, {}, {}, ""});
  EXPECT_EQ(gpu_parts_in_all(snapshot),
            "gpumem ?/40, mig:1g.12gb 14/28; 2.0 of 4.0 GPUs' worth used");
}

TEST(PodWords, WholeGpusBesideSlices) {
  model::NodeObject object;
  object.capacity.set(Symbol("nvidia.com/gpu"), 8);
  object.capacity.set(Symbol("nvidia.com/mig-7g.40gb"), 8);
  model::Node node;
  node.object = std::make_shared<const model::NodeObject>(object);
  EXPECT_THAT(node_facts(node, {}),
              Contains(Pair("mixed GPUs", HasSubstr("8 of nvidia.com/gpu beside 8 of "
                                                    "nvidia.com/mig-7g.40gb: some of its"))));
  object.labels = model::Labels({{Symbol("nvidia.com/gpu.count"), "8"}});
  node.object = std::make_shared<const model::NodeObject>(object);
  EXPECT_THAT(node_facts(node, {}),
              Contains(Pair("mixed GPUs", HasSubstr("left from before a MIG change"))));
}

}  // namespace
}  // namespace schedlens::cli
