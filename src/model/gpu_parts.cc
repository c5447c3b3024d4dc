// SPDX-License-Identifier: Apache-2.0
#include "model/gpu_parts.h"

#include <charconv>
#include <string_view>

#include "model/node_object.h"

namespace schedlens::model {
namespace {

const Symbol kMig{"mig"};
const Symbol kShared{"gpu.shared"};
const Symbol kReplicas{"nvidia.com/gpu.replicas"};
const Symbol kWhole{"nvidia.com/gpu"};
const Symbol kCount{"nvidia.com/gpu.count"};
const Symbol kProduct{"nvidia.com/gpu.product"};
constexpr std::string_view kSlicePrefix = "nvidia.com/mig-";

// 3 of "3g.20gb.me"; 0 for what is no profile.
int compute_slices(std::string_view profile) {
  int slices = 0;
  const auto* end = profile.data() + profile.size();
  const auto [stop, error] = std::from_chars(profile.data(), end, slices);
  return error == std::errc() && stop != end && *stop == 'g' ? slices : 0;
}

int slices_of_a_gpu(const Node& node) {
  const auto* product = node.object ? node.object->labels.find(kProduct) : nullptr;
  return product && product->find("A30") != std::string::npos ? 4 : 7;
}

std::optional<std::int64_t> number_of(const NodeObject& node, Symbol name) {
  const auto* label = node.labels.find(name);
  if (!label) return std::nullopt;
  std::int64_t count = 0;
  const auto* end = label->data() + label->size();
  const auto [stop, error] = std::from_chars(label->data(), end, count);
  if (error != std::errc() || stop != end) return std::nullopt;
  return count;
}

}  // namespace

bool is_gpu_part(const Node& node, const GresPool& pool) {
  return node.object && pool.name != names::kGpu &&
         pool.name.view().find('/') == std::string_view::npos;
}

std::optional<double> worth_of_part(const Node& node, const GresPool& pool) {
  if (pool.name == kMig) {
    const auto slices = compute_slices(pool.type.view());
    if (slices > 0) return static_cast<double>(slices) / slices_of_a_gpu(node);
  }
  if (pool.name == kShared && node.object) {
    const auto replicas = number_of(*node.object, kReplicas);
    if (replicas && *replicas > 0) return 1.0 / static_cast<double>(*replicas);
  }
  return std::nullopt;
}

std::optional<PartsWorth> parts_worth(const Node& node) {
  std::optional<PartsWorth> worth;
  for (const auto& pool : node.gres) {
    const auto each = worth_of_part(node, pool);
    if (!each || pool.total == 0) continue;
    if (!worth) worth = PartsWorth{0, 0.0};
    worth->total += static_cast<double>(pool.total) * *each;
    if (!pool.used) worth->used.reset();
    if (worth->used) *worth->used += static_cast<double>(*pool.used) * *each;
  }
  return worth;
}

std::optional<std::int64_t> counted_gpus(const NodeObject& node) {
  return number_of(node, kCount);
}

std::optional<MixedGpus> mixed_gpus(const NodeObject& node) {
  MixedGpus mixed;
  mixed.whole = kWhole;
  mixed.whole_count = node.capacity.get(kWhole);
  if (mixed.whole_count <= 0) return std::nullopt;
  for (const auto& item : node.capacity.items()) {
    if (item.amount <= 0 || !item.name.view().starts_with(kSlicePrefix)) continue;
    mixed.slice = item.name;
    mixed.slice_count = item.amount;
    const auto count = counted_gpus(node);
    mixed.stale = count && *count <= mixed.whole_count;
    return mixed;
  }
  return std::nullopt;
}

}  // namespace schedlens::model
