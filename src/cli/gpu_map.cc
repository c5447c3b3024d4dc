// SPDX-License-Identifier: Apache-2.0
#include "cli/gpu_map.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/words.h"

namespace schedlens::cli {

std::string gpu_map(const model::Node& node) {
  constexpr std::uint64_t kMost = 16;
  auto total = model::gpus_total(node);
  auto used = model::gpus_used(node);
  if (total == 0 || total > kMost || !used || *used > total) return "";
  std::string map(total, model::in_service(node) ? '.' : 'x');
  if (*used == total) return std::string(total, '#');
  std::uint64_t placed = 0;
  // The scheduler numbers the devices of a node through all its types.
  for (const auto& pool : node.gres) {
    if (pool.name != model::names::kGpu) continue;
    for (auto index : pool.used_indexes) {
      if (index >= total || map[index] == '#') return "";
      map[index] = '#';
      ++placed;
    }
  }
  return placed == *used ? map : "";
}

std::string gpu_use(const model::Node& node) {
  auto total = model::gpus_total(node);
  if (total == 0) return "-";
  return fmt::format("{}/{}", number(model::gpus_used(node)), total);
}

std::string gpu_types(const model::Node& node) {
  std::string out;
  for (const auto& pool : node.gres) {
    if (pool.name != model::names::kGpu || pool.type.empty()) continue;
    if (!out.empty()) out += ',';
    out += printable(pool.type.view());
  }
  return out.empty() ? "-" : out;
}

std::string gpu_parts(const model::Node& node) {
  std::string out;
  for (const auto& pool : node.gres) {
    // What is no GPU keeps its full name, such as rdma/hca.
    bool part = node.object && pool.name != model::names::kGpu &&
                pool.name.view().find('/') == std::string_view::npos;
    if (!part || (pool.total == 0 && pool.used.value_or(0) == 0)) continue;
    if (!out.empty()) out += ',';
    out += printable(pool.name.view());
    if (!pool.type.empty()) out.append(":").append(printable(pool.type.view()));
    out += fmt::format(" {}/{}", number(pool.used), pool.total);
  }
  return out.empty() ? "-" : out;
}

std::string index_list(const std::vector<std::uint16_t>& indexes) {
  std::string out;
  for (std::size_t i = 0; i < indexes.size();) {
    auto first = i++;
    while (i < indexes.size() && indexes[i] == indexes[i - 1] + 1) ++i;
    if (!out.empty()) out += ',';
    out += i - first == 1 ? std::to_string(indexes[first])
                          : fmt::format("{}-{}", indexes[first], indexes[i - 1]);
  }
  return out;
}

}  // namespace schedlens::cli
