// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_text.h"

#include <gtest/gtest.h>

#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using model::RequestPart;
using testing::Pods;

TEST(PodText, SaysWhatDecidesARequest) {
  EXPECT_EQ(term_text({Symbol("cpu"), RequestPart::kInitContainer, "load", 0, 3}),
            "cpu: init container load asks for more than the containers together");
  EXPECT_EQ(term_text({Symbol("cpu"), RequestPart::kPodLevel, "", 250, 2}),
            "cpu: the pod's own value, whatever its containers ask; 0.25 cpu of it overhead of its "
            "runtime class");
  // Two containers that ask for devices are the plain sum.
  EXPECT_EQ(term_text({Symbol("nvidia.com/gpu"), RequestPart::kContainers, "", 0, 2}), "");
}

TEST(PodText, SaysWhatCountsBeyondTheSpec) {
  Pods p;
  const auto id = p.run(0, Pods::draft().cpu(2));
  EXPECT_EQ(beyond_spec_text(*p.s.workloads[id.index].pod), "");
  p.change_pod(id, [](model::Pod& pod) { pod.request.set(model::names::kKubeCpu, 4000); });
  EXPECT_EQ(beyond_spec_text(*p.s.workloads[id.index].pod),
            "2 cpu of it beyond the spec: a resize is under way");
}

}  // namespace
}  // namespace schedlens::diagnose
