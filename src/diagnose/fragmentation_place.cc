// SPDX-License-Identifier: Apache-2.0
#include "diagnose/fragmentation_place.h"

#include <algorithm>

namespace schedlens::diagnose::fitting {

std::int64_t spread_gpus(const Room& room, const Share& whole, std::int64_t most) {
  auto g = std::min(room.gpu_sum, most);
  while (g > 0 && places(room, part(whole, g)) == 0) --g;
  return g;
}

std::int64_t next_part(const Shape& shape, std::int64_t missing, std::size_t used) {
  auto others = static_cast<std::int64_t>(shape.nodes) - static_cast<std::int64_t>(used) - 1;
  return missing - std::max<std::int64_t>(others, 0);
}

Placer::Placer(std::vector<Room> rooms, const std::vector<Pool>& pools)
    : pools_(pools), left_(std::move(rooms)) {
  std::int64_t most = 0;
  for (const auto& r : left_) most = std::max(most, r.gpu_sum);
  shelf_.resize(static_cast<std::size_t>(most) + 1);
  place_on_shelf_.resize(left_.size());
  for (std::uint32_t i = 0; i < left_.size(); ++i) {
    if (left_[i].open) shelve(i);
  }
}

bool Placer::place(const Shape& shape) {
  for (auto p : shape.pools) {
    if (shape.spread ? spread(shape, pools_[p]) : on_nodes(shape, pools_[p])) return true;
  }
  return false;
}

bool Placer::on_nodes(const Shape& shape, const Pool& pool) {
  std::vector<std::uint32_t> chosen;
  for (auto n : shape.required) {
    if (!pool.member[n.index] || places(left_[n.index], shape.share) == 0) return false;
    if (chosen.size() < shape.nodes) chosen.push_back(n.index);
  }
  auto required = std::ssize(chosen);
  for (auto g = static_cast<std::size_t>(shape.share.gpu_sum); g < shelf_.size(); ++g) {
    for (auto i : shelf_[g]) {
      if (chosen.size() == shape.nodes) break;
      if (!pool.member[i] || places(left_[i], shape.share) == 0) continue;
      if (shape.share.once_per_node && !had_.insert({&shape, i}).second) continue;
      auto end = chosen.begin() + required;
      if (std::find(chosen.begin(), end, i) == end) chosen.push_back(i);
    }
  }
  if (chosen.size() < shape.nodes) return false;
  taken_.clear();
  for (auto i : chosen) {
    taken_.emplace_back(i, shape.share.whole_node ? left_[i].gpu_sum : shape.share.gpu_sum);
    take_from(i, shape.share);
  }
  return true;
}

bool Placer::spread(const Shape& shape, const Pool& pool) {
  Taken chosen;
  auto missing = shape.share.gpu_sum;
  for (auto g = shelf_.size(); g-- > 1 && missing > 0;) {
    for (auto i : shelf_[g]) {
      if (missing == 0) break;
      if (shape.max_nodes > 0 && chosen.size() == shape.max_nodes) return false;
      if (!pool.member[i]) continue;
      auto gpus = spread_gpus(left_[i], shape.share, next_part(shape, missing, chosen.size()));
      if (gpus <= 0) continue;
      chosen.emplace_back(i, gpus);
      missing -= gpus;
    }
  }
  if (missing > 0) return false;
  for (auto [i, gpus] : chosen) take_from(i, part(shape.share, gpus));
  taken_ = std::move(chosen);
  return true;
}

void Placer::take_from(std::uint32_t node, const Share& share) {
  auto& shelf = shelf_[static_cast<std::size_t>(left_[node].gpu_sum)];
  auto at = place_on_shelf_[node];
  shelf[at] = shelf.back();
  place_on_shelf_[shelf[at]] = at;
  shelf.pop_back();
  take(left_[node], share);
  shelve(node);
}

void Placer::shelve(std::uint32_t node) {
  auto& shelf = shelf_[static_cast<std::size_t>(left_[node].gpu_sum)];
  place_on_shelf_[node] = static_cast<std::uint32_t>(shelf.size());
  shelf.push_back(node);
}

}  // namespace schedlens::diagnose::fitting
