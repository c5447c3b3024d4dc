// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/remedies.h"
#include "diagnose/remedy_text.h"
#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kGiB;
using testing::Pods;
using ::testing::SizeIs;

struct Case : Pods {
  using Pods::Pods;
  std::vector<Remedy> remedies(model::WorkloadId id) {
    const auto verdict = why(id);
    EXPECT_EQ(verdict.cause, RootCause::kVolume) << verdict.summary;
    Explainer explainer(s);
    return find_remedies(s, explainer, verdict);
  }
  model::WorkloadId uses(std::string claim) { return wait(Pods::draft().gpu(1).claim(claim)); }
  model::StorageClass& another_class(std::string_view name, std::string provisioner) {
    k.storage_classes->push_back({Symbol(name), std::move(provisioner), false, false, {}});
    return k.storage_classes->back();
  }
};

const std::string kAnew =
    " | del(.metadata.uid, .metadata.resourceVersion, .spec.volumeName, .status)' | kubectl "
    "replace "
    "--force -f -";

TEST(PodVolumeSteps, ClaimsAreOfBytesAsKubernetesWritesThem) {
  EXPECT_EQ(bytes_text({10 * kGiB}), "10Gi");
  EXPECT_EQ(bytes_text({3 * kGiB / 2}), "1536Mi");
  EXPECT_EQ(bytes_text({1000}), "1000");
  EXPECT_EQ(bytes_text({0}), "0");
}

// As large as the namespace's other claims, and of the default class.
TEST(PodVolumeSteps, AMissingClaimIsMade) {
  Case c(1);
  c.storage_class(false, "csi.example.org");
  c.another_class("usual", "csi.example.org").is_default = true;
  c.another_class("manual", "kubernetes.io/no-provisioner");
  c.volume_claim("other", "disk").request_bytes = 40 * kGiB;
  const auto found = c.remedies(c.uses("data"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(
      found.front().command,
      R"(echo '{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": )"
      R"("data"}, "spec": {"storageClassName": "usual", "accessModes": ["ReadWriteOnce"], )"
      R"("resources": {"requests": {"storage": "40Gi"}}}}' | kubectl create -n default -f -)");
  EXPECT_EQ(found.front().who, Actor::kUser);
  EXPECT_EQ(found.front().starts, Starts::kNow);
  EXPECT_THAT(found.front().effect, HasSubstr("40Gi is only an example"));
}

// Nobody makes volumes, and of the two classes one has a free volume that is large enough.
TEST(PodVolumeSteps, AMissingClaimOfAClassThatCanServeIt) {
  Case c(1);
  c.storage_class(false, "kubernetes.io/no-provisioner");
  c.another_class("manual", "");
  EXPECT_THAT(c.remedies(c.uses("data")), IsEmpty());
  c.volume("disk").storage_class = Symbol("manual");
  EXPECT_THAT(c.remedies(c.uses("data")).front().command, HasSubstr(R"("manual")"));
}

TEST(PodVolumeSteps, AClassThatDoesNotExist) {
  Case c(1);
  c.another_class("slow", "csi.example.org");
  c.volume_claim("data");
  const auto pod = c.uses("data");
  EXPECT_THAT(c.remedies(pod), IsEmpty()) << "class slow has never served anybody";
  auto& served = c.volume("served");
  served.storage_class = Symbol("slow");
  served.phase = "Bound";
  served.claim = "default/other";
  const auto found = c.remedies(pod);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(
      found.front().command,
      R"(kubectl get pvc -n default data -o json | jq '.spec.storageClassName = "slow")" + kAnew);
  EXPECT_EQ(found.front().effect,
            "Claim data is of class slow instead of fast, which does not exist. The claim is made "
            "anew.");
}

// 10 GiB are asked for; of the free volumes one has 4 and one 6, and a larger one is another's.
TEST(PodVolumeSteps, AsMuchStorageAsThereIs) {
  Case c(1);
  c.storage_class(true, "kubernetes.io/no-provisioner");
  c.volume_claim("data");
  c.volume("four").capacity_bytes = 4 * kGiB;
  c.volume("six").capacity_bytes = 6 * kGiB;
  auto& taken = c.volume("taken");
  taken.claim = "default/other";
  taken.phase = "Bound";
  const auto found = c.remedies(c.uses("data"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found.front().kind, RemedyKind::kSmallerRequest);
  EXPECT_EQ(found.front().command,
            R"(kubectl get pvc -n default data -o json | jq '.spec.resources.requests.storage = )"
            R"("6Gi")" +
                kAnew);
}

TEST(PodVolumeSteps, AVolumeThatAnotherClaimHasLeft) {
  Case c(1);
  c.storage_class(false, "kubernetes.io/no-provisioner");
  c.volume_claim("data");
  auto& left = c.volume("left");
  left.claim = "default/gone";
  left.phase = "Released";
  const auto found = c.remedies(c.uses("data"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found.front().who, Actor::kOperator);
  EXPECT_EQ(
      found.front().command,
      R"(kubectl patch pv left --type=json -p '[{"op": "remove", "path": "/spec/claimRef"}]')");
  EXPECT_THAT(found.front().effect, HasSubstr("default/gone has left"));
}

// The free volume is on the one node that is full.
TEST(PodVolumeSteps, AVolumeThatDoesNotHelpIsNone) {
  Case c(2);
  c.run(0, Pods::draft().gpu(8));
  c.storage_class(true, "kubernetes.io/no-provisioner");
  c.volume_claim("data");
  auto& small = c.volume("small");
  small.capacity_bytes = kGiB;
  model::NodeSelectorTerm term;
  term.labels = {{testing::kHostname, model::LabelOperator::kIn, {"gpu-0"}}};
  small.node_affinity = {term};
  EXPECT_THAT(c.remedies(c.uses("data")), IsEmpty()) << "a user may not end what holds the node";
  c.volume("roomy").capacity_bytes = 2 * kGiB;
  EXPECT_THAT(c.remedies(c.uses("data")).front().command, HasSubstr("2Gi"));
}

TEST(PodVolumeSteps, AClaimForOnePod) {
  Case c(2);
  c.volume_claim("data", "disk").read_write_once_pod = true;
  c.volume("disk");
  const auto user = c.run(0, Pods::draft().gpu(8).claim("data"));
  const auto found = c.remedies(c.uses("data"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().command, "kubectl delete pod -n default pod-0");
  EXPECT_EQ(found.front().ends, std::vector{user});
}

// Its volume is where all is taken.
TEST(PodVolumeSteps, AVolumeOfAFullNode) {
  Case c(2);
  c.run(0, Pods::draft().gpu(8));
  c.volume_claim("data", "disk");
  model::NodeSelectorTerm term;
  term.labels = {{testing::kHostname, model::LabelOperator::kIn, {"gpu-0"}}};
  c.volume("disk").node_affinity = {term};
  const auto found = c.remedies(c.uses("data"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().command, "kubectl delete pod -n default pod-0");
}

}  // namespace
}  // namespace schedlens::diagnose
