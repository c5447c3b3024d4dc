// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which extended resources are GPUs, and what one unit of them is.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/symbol.h"
#include "model/resources.h"

namespace schedlens::kube {

enum class GpuKind : std::uint8_t {
  kWhole,   // one unit is a device of one's own
  kSlice,   // one unit is a fixed part of a device: MIG
  kShared,  // one unit is a share of a device, its memory or its cores
};

struct GpuName {
  std::string resource;  // "nvidia.com/gpu"; with a star at its end, all that begin so
  GpuKind kind = GpuKind::kWhole;
  std::string type_label{};  // the node label that names the model, where there is one
  friend bool operator==(const GpuName&, const GpuName&) = default;
};

// "example.com/gpu=whole, example.com/part-*=slice": names or patterns, each with its kind. The
// first that fits holds.
Result<std::vector<GpuName>> parse_gpu_names(std::string_view text);

// A pool's name in the model: "gpu" for whole devices, "mig" of type "1g.5gb" for what a starred
// entry names, "gpu.shared" otherwise. Only whole devices are called "gpu", so that a share is
// never counted as a device.
struct GpuResource {
  GpuKind kind = GpuKind::kWhole;
  Symbol pool;
  Symbol type;        // of a slice
  Symbol type_label;  // of a whole device
};

class GpuNames {
 public:
  GpuNames();  // those of the device plugins that are known
  // Comes before what is there.
  void add(GpuName name);
  std::optional<GpuResource> find(Symbol resource) const;

 private:
  std::vector<GpuName> names_;
};

}  // namespace schedlens::kube
