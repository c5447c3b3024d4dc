// SPDX-License-Identifier: Apache-2.0
#include "model/resources.h"

#include <algorithm>

namespace schedlens::model {
namespace {

auto position(auto& items, Symbol name) {
  return std::lower_bound(items.begin(), items.end(), name,
                          [](const auto& item, Symbol wanted) { return item.name < wanted; });
}

}  // namespace

void ResourceCounts::set(Symbol name, double count) {
  auto& items = items_.edit();
  auto it = position(items, name);
  if (it != items.end() && it->name == name) {
    it->count = count;
  } else {
    items.insert(it, {name, count});
  }
}

void ResourceCounts::add(Symbol name, double count) {
  set(name, get(name).value_or(0) + count);
}

std::optional<double> ResourceCounts::get(Symbol name) const {
  const auto& all = items();
  auto it = position(all, name);
  if (it == all.end() || it->name != name) return std::nullopt;
  return it->count;
}

std::uint64_t gpu_count(const ResourceCounts& counts) {
  if (auto total = counts.get(names::kGresGpu)) return static_cast<std::uint64_t>(*total);
  double sum = 0;
  for (const auto& item : counts.items()) {
    if (item.name.view().starts_with("gres/gpu:")) sum += item.count;
  }
  return static_cast<std::uint64_t>(sum);
}

std::uint64_t gpu_count(const std::vector<GresCount>& gres) {
  std::uint64_t sum = 0;
  for (const auto& g : gres) {
    if (g.name == names::kGpu) sum += g.count;
  }
  return sum;
}

}  // namespace schedlens::model
