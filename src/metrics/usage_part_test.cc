// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_usage.h"
#include "metrics/render.h"

namespace schedlens::metrics {
namespace {

using diagnose::testing::sample_usage;
using testing::HasSubstr;
using testing::Not;

std::string page(diagnose::testing::Measured& c, bool pods) {
  c.report();
  const auto analysis = analyse(c.s);
  return render(&c.s, {.now = c.s.time, .version = "1", .analysis = &analysis, .pod_use = pods});
}

TEST(UsageMetrics, SumsAreOfWhatIsKnownAndSayHowMuchIsNot) {
  auto c = sample_usage();
  const auto text = page(c, false);
  for (const char* line :
       {"schedlens_namespace_cpu_requested_cores{namespace=\"train\"} 40\n",
        "schedlens_namespace_cpu_measured_request_cores{namespace=\"train\"} 24\n",
        "schedlens_namespace_cpu_use_cores{namespace=\"train\"} 6.75\n",
        "schedlens_namespace_pods_use_unknown{namespace=\"train\"} 1\n",
        "schedlens_namespace_gpus_idle{namespace=\"train\"} 4\n",
        "schedlens_node_cpu_use_cores{node=\"gpu-0\"} 7.5\n",
        "schedlens_node_devices_used_unallocated{node=\"gpu-1\"} 1\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, Not(HasSubstr("schedlens_node_cpu_use_cores{node=\"gpu-1\"}")));
  EXPECT_THAT(text, Not(HasSubstr("schedlens_pod_")));
}

TEST(UsageMetrics, PodsByTheSwitch) {
  auto c = sample_usage();
  const auto text = page(c, true);
  EXPECT_THAT(text,
              HasSubstr("schedlens_pod_cpu_use_cores{namespace=\"infer\",pod=\"pod-2\"} 1\n"));
  // Half of a device that it shares.
  EXPECT_THAT(text, HasSubstr("schedlens_pod_gpus_busy{namespace=\"infer\",pod=\"pod-2\"} 0.25\n"));
  EXPECT_THAT(text,
              Not(HasSubstr("schedlens_pod_cpu_use_cores{namespace=\"train\",pod=\"pod-3\"}")));
}

TEST(UsageMetrics, NobodyWasAsked) {
  auto c = sample_usage();
  c.ready();
  const auto analysis = analyse(c.s);
  const auto text = render(&c.s, {.now = c.s.time, .version = "1", .analysis = &analysis});
  EXPECT_THAT(text, Not(HasSubstr("_use_cores")));
  EXPECT_THAT(text, Not(HasSubstr("_requested_cores")));
}

}  // namespace
}  // namespace schedlens::metrics
