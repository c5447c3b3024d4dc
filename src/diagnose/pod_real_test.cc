// SPDX-License-Identifier: Apache-2.0
// Clusters of 64 nodes under real schedulers, with pods that wait for every kind of reason: the
// counts made here against what the scheduler wrote. Fixtures: tests/fixtures/kube/waiting.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "diagnose/explain.h"
#include "diagnose/pod_message.h"
#include "model/pod.h"
#include "model/snapshot_file.h"

namespace schedlens::diagnose {
namespace {

using ::testing::IsEmpty;

struct Real {
  model::Snapshot s;
  std::map<std::string, Verdict> verdicts;  // of waiting pods, by name

  explicit Real(const std::string& file) {
    auto loaded = model::load_snapshot(std::string(SCHEDLENS_FIXTURES) + "/kube/waiting/" + file);
    EXPECT_TRUE(loaded) << file << ": " << (loaded ? "" : loaded.error().message());
    if (!loaded) return;
    s = std::move(*loaded);
    Explainer explainer(s);
    for (auto id : s.pending()) {
      verdicts[s.workload(id).name] = explainer.explain(id);
      EXPECT_EQ(explainer.classify(id), verdicts[s.workload(id).name].cause);
    }
  }

  std::map<std::string, std::string> differences() const {
    std::map<std::string, std::string> list;
    for (const auto& [name, v] : verdicts) {
      if (!v.message_difference.empty()) list[name] = v.message_difference;
    }
    return list;
  }
  // Waiting pods of which the scheduler says how many nodes failed what.
  std::size_t compared() const {
    std::size_t n = 0;
    for (const auto& [name, v] : verdicts) n += parse_fit_message(v.scheduler_message) ? 1 : 0;
    return n;
  }
};

RootCause cause(const Real& real, const std::string& pod) {
  auto it = real.verdicts.find(pod);
  return it == real.verdicts.end() ? RootCause::kNone : it->second.cause;
}

TEST(PodReal, EveryMessageOf136IsRepeated) {
  Real real("scenario-1.36.2.json.gz");
  EXPECT_EQ(real.compared(), 20u);
  EXPECT_THAT(real.differences(), IsEmpty());
  EXPECT_EQ(cause(real, "affinity-miss"), RootCause::kImpossible);
  EXPECT_EQ(cause(real, "anti-4"), RootCause::kConstraint);
  EXPECT_EQ(cause(real, "cpu-too-big"), RootCause::kImpossible);
  EXPECT_EQ(cause(real, "gated"), RootCause::kHold);
  EXPECT_EQ(cause(real, "hostport-b"), RootCause::kConstraint);
  EXPECT_EQ(cause(real, "other-scheduler"), RootCause::kNotConsidered);
  EXPECT_EQ(cause(real, "podaff-miss"), RootCause::kConstraint);
  EXPECT_EQ(cause(real, "pvc-missing"), RootCause::kVolume);
  EXPECT_EQ(cause(real, "pvc-unbound-imm"), RootCause::kVolume);
  EXPECT_EQ(cause(real, "pvc-unbound-wait"), RootCause::kVolume);
}

TEST(PodReal, EveryMessageOf120IsRepeated) {
  Real real("scenario-1.20.2.json.gz");
  EXPECT_EQ(real.compared(), 21u);
  EXPECT_THAT(real.differences(), IsEmpty());
}

// Only one namespace of this cluster was saved, so that GPUs which others hold look free; whoever
// asks for none is counted as the scheduler does.
TEST(PodReal, PodsOfOneNamespaceOf136) {
  Real real("train-1.36.2.json.gz");
  EXPECT_EQ(real.compared(), 27u);
  std::size_t equal = 0;
  for (std::uint32_t i = 0; i < real.s.workloads.size(); ++i) {
    const auto& w = real.s.workloads[i];
    const auto at = real.verdicts.find(w.name);
    if (at == real.verdicts.end() || !parse_fit_message(at->second.scheduler_message)) continue;
    if (w.pod->request.get(Symbol("nvidia.com/gpu")) > 0) continue;
    EXPECT_EQ(at->second.message_difference, "") << w.name;
    ++equal;
  }
  EXPECT_EQ(equal, 8u);
  EXPECT_EQ(cause(real, "claim-missing"), RootCause::kDependency);
  EXPECT_EQ(cause(real, "anti-existing"), RootCause::kConstraint);
  EXPECT_EQ(cause(real, "by-node-name"), RootCause::kImpossible);
  EXPECT_EQ(cause(real, "spread-skew-1"), RootCause::kConstraint);
  EXPECT_EQ(cause(real, "unknown-resource"), RootCause::kImpossible);
}

}  // namespace
}  // namespace schedlens::diagnose
