// SPDX-License-Identifier: Apache-2.0
#include "kube/gpu_names.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace schedlens::kube {
namespace {

constexpr const char* kNvidiaProduct = "nvidia.com/gpu.product";

// What stands behind the last slash: "gpu.shared" of "nvidia.com/gpu.shared".
std::string_view short_name(std::string_view resource) {
  return resource.substr(resource.rfind('/') + 1);
}

// "mig" of the pattern "nvidia.com/mig-*".
std::string_view family(std::string_view pattern) {
  auto name = short_name(pattern);
  name.remove_suffix(1);
  while (!name.empty() && (name.back() == '-' || name.back() == '.')) name.remove_suffix(1);
  return name;
}

std::optional<GpuKind> kind_of(std::string_view word) {
  if (word == "whole") return GpuKind::kWhole;
  if (word == "slice") return GpuKind::kSlice;
  if (word == "shared") return GpuKind::kShared;
  return std::nullopt;
}

Result<GpuName> parse_gpu_name(std::string_view entry) {
  const auto parts = cut(entry, '=');
  if (!parts) {
    return fail("'{}' is not NAME=KIND, such as example.com/gpu=whole", printable(entry));
  }
  const auto name = trim(parts->first), word = trim(parts->second);
  const auto kind = kind_of(word);
  if (!kind) return fail("'{}' is none of whole, slice, shared", printable(word));
  const auto slash = name.find('/');
  const bool good = slash != std::string_view::npos && slash > 0 && slash + 1 < name.size() &&
                    name.find_first_of(" \t*") >= name.size() - 1;
  if (!good) {
    return fail("'{}' is no resource, such as example.com/gpu or example.com/part-*",
                printable(name));
  }
  if (*kind == GpuKind::kSlice && !name.ends_with('*')) {
    return fail("'{}' must end with a star, for which the name of the slice stands",
                printable(name));
  }
  return GpuName{std::string(name), *kind, ""};
}

}  // namespace

Result<std::vector<GpuName>> parse_gpu_names(std::string_view text) {
  std::vector<GpuName> names;
  for (auto entry : split(text, ',')) {
    if (entry = trim(entry); entry.empty()) continue;
    auto name = parse_gpu_name(entry);
    if (!name) return fail(name.error());
    names.push_back(std::move(*name));
  }
  return names;
}

GpuNames::GpuNames() {
  names_ = {
      {"nvidia.com/gpu", GpuKind::kWhole, kNvidiaProduct},
      {"amd.com/gpu", GpuKind::kWhole, "amd.com/gpu.product-name"},
      {"gpu.intel.com/i915", GpuKind::kWhole, ""},
      {"gpu.intel.com/xe", GpuKind::kWhole, ""},
      {"habana.ai/gaudi", GpuKind::kWhole, ""},
      {"nvidia.com/mig-*", GpuKind::kSlice, ""},
      {"nvidia.com/gpu.shared", GpuKind::kShared, ""},
      // Intel's plugin offers parts of a device beside the device.
      {"gpu.intel.com/millicores", GpuKind::kShared, ""},
      {"gpu.intel.com/memory.max", GpuKind::kShared, ""},
      {"gpu.intel.com/tiles", GpuKind::kShared, ""},
      {"aliyun.com/gpu-mem", GpuKind::kShared, ""},
      // HAMi: memory in MiB, or in percent, and percent of the cores.
      {"nvidia.com/gpumem", GpuKind::kShared, ""},
      {"nvidia.com/gpumem-percentage", GpuKind::kShared, ""},
      {"nvidia.com/gpucores", GpuKind::kShared, ""},
  };
}

void GpuNames::add(GpuName name) {
  names_.insert(names_.begin(), std::move(name));
}

std::optional<GpuResource> GpuNames::find(Symbol resource) const {
  const auto text = resource.view();
  for (const auto& known : names_) {
    std::string_view pattern = known.resource;
    const bool starred = pattern.ends_with('*');
    if (starred ? !text.starts_with(pattern.substr(0, pattern.size() - 1)) : text != pattern) {
      continue;
    }
    GpuResource gpu;
    gpu.kind = known.kind;
    if (known.kind == GpuKind::kWhole) {
      gpu.pool = model::names::kGpu;
      gpu.type_label = Symbol(known.type_label);
    } else if (starred) {
      gpu.pool = Symbol(family(pattern));
      gpu.type = Symbol(text.substr(pattern.size() - 1));
    } else {
      gpu.pool = Symbol(short_name(text));
    }
    return gpu;
  }
  return std::nullopt;
}

}  // namespace schedlens::kube
