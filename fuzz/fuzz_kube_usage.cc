// SPDX-License-Identifier: Apache-2.0
// Pages that tell what is used: of the Metrics API, of kubelets and of dcgm-exporter. Each reader
// is given each input; what is not its own it refuses.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kube/cpu_rate.h"
#include "kube/gpu_page.h"
#include "kube/metrics_api.h"
#include "kube/resource_page.h"
#include "kube/stats_summary.h"

namespace {

using namespace schedlens;

void check(const model::Use& use) {
  if (use.cpu && !(*use.cpu >= 0 && std::isfinite(*use.cpu))) std::abort();
  if (use.memory && use.memory->value < 0) std::abort();
}

void check(const kube::Measured& measured) {
  for (const auto& pod : measured.pods) check(pod.use);
  for (const auto& node : measured.nodes) check(node.use);
}

// Two looks at a kubelet: what has come of the page so far, and the whole page.
void read_counters(std::string_view text) {
  constexpr std::int64_t kNow = 1'800'000'000'000;
  kube::CpuRates rates;
  for (const auto part : {text.substr(0, text.size() / 2), text}) {
    if (const auto page = kube::read_resource_page(part)) {
      check(rates.measure(*page, "node", kNow, model::UsageView::kKubeletResource));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_counters(text);
  if (const auto summary = kube::read_stats_summary(text)) check(*summary);
  kube::Measured measured;
  (void)kube::read_pod_metrics(text, measured);
  (void)kube::read_node_metrics(text, measured);
  check(measured);
  (void)kube::find_metrics_api(text);
  if (const auto gpus = kube::read_gpu_page(text)) {
    for (const auto& gpu : *gpus) {
      if (gpu.gpu.busy && !(*gpu.gpu.busy >= 0 && *gpu.gpu.busy <= 1)) std::abort();
      if (gpu.gpu.memory && gpu.gpu.memory->value < 0) std::abort();
    }
  }
  return 0;
}
