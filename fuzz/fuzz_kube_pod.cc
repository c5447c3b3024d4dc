// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kube/decode_pod.h"
#include "kube/decode_pod_detail.h"
#include "kube/spec_pool.h"
#include "kube/to_model.h"
#include "model/pod.h"

using namespace schedlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static kube::SpecPool& specs = *new kube::SpecPool;
  static const kube::GpuNames& gpus = *new kube::GpuNames;
  static kube::TemplatePool& templates = *new kube::TemplatePool;
  const auto pod = kube::decode_pod(std::string_view(reinterpret_cast<const char*>(data), size),
                                    specs, &templates);
  if (!pod) return 0;
  (void)kube::to_workload(*pod, model::NodeId{1}, gpus);
  kube::NodeUse use;
  use.add(*pod->pod);
  use.add(*pod->pod);
  return 0;
}
