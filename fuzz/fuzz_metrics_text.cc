// SPDX-License-Identifier: Apache-2.0
// A page in the Prometheus text format, and what each component's reader makes of it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kube/apiserver_metrics.h"
#include "kube/etcd_metrics.h"
#include "kube/kubelet_metrics.h"
#include "kube/metrics_text.h"
#include "kube/scheduler_metrics.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::uint64_t taken = 0;
  volatile std::size_t bytes = 0;
  const auto facts = kube::read_metrics_text(
      text, [](std::string_view) { return true; },
      [&](const kube::Sample& sample) {
        ++taken;
        // Every view is read, so that one that points elsewhere is found.
        bytes = bytes + sample.name.size();
        for (const auto& [key, value] : sample.labels) {
          for (const char c : key) bytes = bytes + static_cast<unsigned char>(c);
          for (const char c : value) bytes = bytes + static_cast<unsigned char>(c);
          (void)sample.label(key);
        }
      });
  if (facts.samples != taken) std::abort();
  if (facts.first_error.empty() != (facts.unreadable == 0)) std::abort();
  (void)kube::read_scheduler_metrics(text);
  (void)kube::read_apiserver_metrics(text);
  (void)kube::read_etcd_metrics(text);
  (void)kube::read_kubelet_metrics(text);
  return 0;
}
