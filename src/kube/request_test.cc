// SPDX-License-Identifier: Apache-2.0
#include "kube/request.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "kube/decode_pod.h"
#include "kube/samples_test.h"
#include "kube/spec_pool.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

const Symbol kCpu{"cpu"};
const Symbol kMemory{"memory"};
const Symbol kGpu{"nvidia.com/gpu"};

// "cpu=500m nvidia.com/gpu=1"
ResourceList list(std::string_view text) {
  ResourceList result;
  for (const auto part : split(text, ' ')) {
    const auto sides = cut(part, '=');
    result.set(Symbol(sides->first), *parse_quantity(sides->second));
  }
  return result;
}

ContainerResources container(std::string_view requests, std::string_view limits = "") {
  ContainerResources c;
  c.requests = list(requests);
  c.limits = list(limits);
  return c;
}

ContainerResources sidecar(std::string_view requests, std::string_view limits = "") {
  auto c = container(requests, limits);
  c.restartable = true;
  return c;
}

ContainerResources resized(std::string_view spec, std::string_view actuated,
                           std::string_view allocated) {
  auto c = container(spec);
  c.actual = ActualResources{list(actuated), {}, list(allocated)};
  return c;
}

model::Quantities request(const PodResources& pod, Basis basis = Basis::kSpec) {
  return rounded(effective_request(pod, basis));
}

TEST(Request, LargestInitContainerDecides) {
  PodResources pod;
  pod.containers = {container("cpu=100m"), container("cpu=50m")};
  pod.init_containers = {container("cpu=500m"), container("cpu=300m")};
  EXPECT_EQ(request(pod).get(kCpu), 500);
}

TEST(Request, SumOfContainersDecidesWhereLarger) {
  PodResources pod;
  pod.containers = {container("cpu=300m memory=1Gi"), container("cpu=300m")};
  pod.init_containers = {container("cpu=500m memory=3Gi")};
  EXPECT_EQ(request(pod).get(kCpu), 600);
  EXPECT_EQ(request(pod).get(kMemory), std::int64_t{3} << 30);
}

TEST(Request, SidecarRunsBesideContainersAndLaterInitContainers) {
  PodResources pod;
  pod.containers = {container("cpu=500m")};
  pod.init_containers = {sidecar("cpu=250m"), container("cpu=100m")};
  EXPECT_EQ(request(pod).get(kCpu), 750);
}

TEST(Request, InitContainerBeforeSidecarRunsWithoutIt) {
  PodResources pod;
  pod.containers = {container("cpu=1")};
  pod.init_containers = {container("cpu=2"), sidecar("cpu=500m")};
  EXPECT_EQ(request(pod).get(kCpu), 2000);
  std::swap(pod.init_containers[0], pod.init_containers[1]);
  EXPECT_EQ(request(pod).get(kCpu), 2500);
}

TEST(Request, OverheadIsAddedOnce) {
  PodResources pod;
  pod.containers = {container("cpu=1")};
  pod.overhead = list("cpu=250m memory=100Mi");
  EXPECT_EQ(request(pod).get(kCpu), 1250);
  EXPECT_EQ(request(pod).get(kMemory), std::int64_t{100} << 20);
}

TEST(Request, SaysWhatDecides) {
  PodResources pod;
  pod.containers = {container("cpu=100m nvidia.com/gpu=1"), container("cpu=50m")};
  pod.init_containers = {container("cpu=500m")};
  pod.init_containers[0].name = "load";
  pod.overhead = list("memory=100Mi");
  auto terms = request_terms(pod);
  ASSERT_EQ(terms.size(), 2u);  // one container asks for the GPU, which needs no words
  const auto& cpu = terms[0].resource == kCpu ? terms[0] : terms[1];
  const auto& memory = terms[0].resource == kCpu ? terms[1] : terms[0];
  EXPECT_EQ(cpu.part, model::RequestPart::kInitContainer);
  EXPECT_EQ(cpu.container, "load");
  EXPECT_EQ(cpu.containers, 3u);
  EXPECT_EQ(memory.part, model::RequestPart::kContainers);
  EXPECT_EQ(memory.overhead, std::int64_t{100} << 20);

  pod.pod_requests = list("cpu=3");
  terms = request_terms(pod);
  EXPECT_TRUE(std::any_of(terms.begin(), terms.end(), [](const auto& t) {
    return t.resource == kCpu && t.part == model::RequestPart::kPodLevel;
  }));
}

TEST(Request, ASidecarCountsBesideTheInitContainerAfterIt) {
  PodResources pod;
  pod.containers = {container("cpu=500m")};
  pod.init_containers = {container("cpu=250m"), container("cpu=600m")};
  pod.init_containers[0].restartable = true;
  pod.init_containers[1].name = "unpack";
  const auto terms = request_terms(pod);
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(terms[0].container, "unpack");  // 850m against 750m
}

TEST(Request, SeveralContainersThatAskForDevicesAreCounted) {
  PodResources pod;
  pod.containers = {container("nvidia.com/gpu=1"), container("nvidia.com/gpu=1")};
  const auto terms = request_terms(pod);
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(terms[0].part, model::RequestPart::kContainers);
  EXPECT_EQ(terms[0].containers, 2u);
}

TEST(Request, PodLevelReplacesCpuMemoryAndHugePagesOnly) {
  PodResources pod;
  pod.containers = {container("cpu=1 hugepages-2Mi=2Mi"), container("cpu=1 nvidia.com/gpu=1")};
  pod.pod_requests = list("cpu=3 hugepages-2Mi=8Mi nvidia.com/gpu=5");
  EXPECT_EQ(request(pod).get(kCpu), 3000);
  EXPECT_EQ(request(pod).get(kGpu), 1);
  EXPECT_EQ(request(pod).get(Symbol("hugepages-2Mi")), 8 << 20);
  pod.overhead = list("cpu=250m");
  EXPECT_EQ(request(pod).get(kCpu), 3250);
}

TEST(Request, PodLevelMayBeSmallerThanTheSum) {
  PodResources pod;
  pod.containers = {container("cpu=4"), container("cpu=4")};
  pod.pod_requests = list("cpu=3");
  EXPECT_EQ(request(pod).get(kCpu), 3000);
}

TEST(Request, ResizeHoldsTheLargestOfSpecAllocatedAndActuated) {
  PodResources pod;
  pod.containers = {resized("cpu=2", "cpu=4", "cpu=4")};
  EXPECT_EQ(request(pod, Basis::kStatus).get(kCpu), 4000);
  EXPECT_EQ(request(pod, Basis::kSpec).get(kCpu), 2000);
  pod.containers = {resized("cpu=8", "cpu=4", "cpu=6")};
  EXPECT_EQ(request(pod, Basis::kStatus).get(kCpu), 8000);
}

TEST(Request, InfeasibleResizeIsVoid) {
  PodResources pod;
  pod.containers = {resized("cpu=8", "cpu=4", "cpu=4")};
  pod.resize_infeasible = true;
  EXPECT_EQ(request(pod, Basis::kStatus).get(kCpu), 4000);
  // What the pod asks for stays what it asks for.
  EXPECT_EQ(request(pod, Basis::kSpec).get(kCpu), 8000);
}

TEST(Request, OrdinaryInitContainersAreNeverResized) {
  PodResources pod;
  pod.init_containers = {resized("cpu=2", "cpu=4", "cpu=4")};
  EXPECT_EQ(request(pod, Basis::kStatus).get(kCpu), 2000);
  pod.init_containers[0].restartable = true;
  EXPECT_EQ(request(pod, Basis::kStatus).get(kCpu), 4000);
}

TEST(Request, PodLevelResize) {
  PodResources pod;
  pod.containers = {container("cpu=1")};
  pod.pod_requests = list("cpu=2");
  pod.pod_actual = ActualResources{list("cpu=3"), {}, list("cpu=5")};
  EXPECT_EQ(request(pod, Basis::kStatus).get(kCpu), 5000);
  EXPECT_EQ(request(pod, Basis::kSpec).get(kCpu), 2000);
  pod.pod_requests = list("cpu=9");
  pod.resize_infeasible = true;
  EXPECT_EQ(request(pod, Basis::kStatus).get(kCpu), 5000);
}

TEST(Request, ClaimsCountAgainstTheNode) {
  PodResources pod;
  pod.containers = {container("cpu=1")};
  pod.claimed = list("cpu=2");
  EXPECT_EQ(request(pod, Basis::kStatus).get(kCpu), 3000);
  EXPECT_EQ(request(pod, Basis::kSpec).get(kCpu), 1000);
}

TEST(Request, NothingAskedIsNothing) {
  PodResources pod;
  pod.containers = {container("")};
  EXPECT_TRUE(request(pod).empty());
  EXPECT_FALSE(request(pod).find(kCpu));
}

TEST(Request, RoundsAfterTheSum) {
  PodResources pod;
  pod.containers = {container("cpu=0.5m memory=0.5"), container("cpu=0.5m memory=0.5")};
  EXPECT_EQ(request(pod).get(kCpu), 1);
  EXPECT_EQ(request(pod).get(kMemory), 1);
}

TEST(Request, WholeDevicesMayBeWrittenInThousandths) {
  PodResources pod;
  pod.containers = {container("nvidia.com/gpu=1000m")};
  EXPECT_EQ(request(pod).get(kGpu), 1);
}

TEST(Request, ManyHugeOnesStayAtTheLargest) {
  PodResources pod;
  pod.containers = {container("nvidia.com/gpu=1E"), container("nvidia.com/gpu=9E")};
  pod.containers.push_back(pod.containers[1]);
  EXPECT_EQ(request(pod).get(kGpu), std::numeric_limits<std::int64_t>::max());
}

TEST(Limit, OverheadNeedsALimit) {
  PodResources pod;
  pod.containers = {container("", "cpu=1 memory=0")};
  pod.init_containers = {sidecar("", "cpu=500m")};
  pod.overhead = list("cpu=250m memory=1Mi nvidia.com/gpu=1");
  const auto limit = rounded(effective_limit(pod, Basis::kSpec));
  EXPECT_EQ(limit.get(kCpu), 1750);
  EXPECT_EQ(limit.find(kMemory), 0);
  EXPECT_FALSE(limit.find(kGpu));
}

TEST(Limit, ResizeTakesWhatIsActuated) {
  PodResources pod;
  pod.containers = {container("", "cpu=1")};
  pod.containers[0].actual = ActualResources{{}, list("cpu=2"), list("cpu=9")};
  EXPECT_EQ(rounded(effective_limit(pod, Basis::kStatus)).get(kCpu), 2000);
  EXPECT_EQ(rounded(effective_limit(pod, Basis::kSpec)).get(kCpu), 1000);
}

std::string printed(const model::Quantities& amounts) {
  std::string text;
  for (const auto& item : amounts.items()) {
    if (!text.empty()) text += ',';
    text += fmt::format("{}={}", item.name.view(), item.amount);
  }
  return text;
}

// A thousand pods with every combination of the above, and Kubernetes' own arithmetic.
TEST(Request, AgreesWithKubernetes) {
  SpecPool specs;
  const auto table = sample("requests.tsv.gz");
  const auto pods = sample_items("requests.pb.gz");
  const auto lines = split(table, '\n');
  ASSERT_EQ(pods.size(), 1000u);
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const auto pod = decode_pod(pods[i], specs);
    ASSERT_TRUE(pod) << pod.error().message();
    const auto columns = split(lines[i], '\t');
    ASSERT_EQ(pod->meta.name, columns[0]);
    EXPECT_EQ(printed(pod->pod->spec->request), columns[1]) << columns[0];
    EXPECT_EQ(printed(pod->pod->spec->limit), columns[2]) << columns[0];
    EXPECT_EQ(printed(pod->pod->request), columns[3]) << columns[0];
  }
}

}  // namespace
}  // namespace schedlens::kube
