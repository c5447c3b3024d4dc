// SPDX-License-Identifier: Apache-2.0
#include "cli/gpu_map.h"

#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "cli/words.h"
#include "model/gpu_parts.h"

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
    if (!model::is_gpu_part(node, pool) || (pool.total == 0 && pool.used.value_or(0) == 0))
      continue;
    if (!out.empty()) out += ',';
    out += printable(pool.name.view());
    if (!pool.type.empty()) out.append(":").append(printable(pool.type.view()));
    out += fmt::format(" {}/{}", number(pool.used), pool.total);
  }
  return out.empty() ? "-" : out;
}

std::string gpu_parts_worth(const model::Node& node) {
  const auto worth = model::parts_worth(node);
  if (!worth) return "-";
  return fmt::format("{}/{:.1f}",
                     worth->used ? fmt::format("{:.1f}", *worth->used) : std::string(kUnknown),
                     worth->total);
}

std::string gpu_parts_in_all(const model::Snapshot& snapshot) {
  struct Sum {
    std::uint64_t total = 0;
    std::optional<std::uint64_t> used = 0;
  };
  std::map<std::string, Sum> sums;
  double worth = 0;
  std::optional<double> worth_used = 0;
  for (const auto& node : snapshot.nodes) {
    for (const auto& pool : node.gres) {
      if (!model::is_gpu_part(node, pool)) continue;
      auto name = printable(pool.name.view());
      if (!pool.type.empty()) name.append(":").append(printable(pool.type.view()));
      auto& sum = sums[name];
      sum.total += pool.total;
      if (!pool.used) sum.used.reset();
      if (sum.used) *sum.used += *pool.used;
    }
    const auto parts = model::parts_worth(node);
    if (!parts) continue;
    worth += parts->total;
    if (!parts->used) worth_used.reset();
    if (worth_used) *worth_used += *parts->used;
  }
  std::string out;
  for (const auto& [name, sum] : sums) {
    if (sum.total == 0 && sum.used.value_or(0) == 0) continue;
    out += fmt::format("{}{} {}/{}", out.empty() ? "" : ", ", name, number(sum.used), sum.total);
  }
  if (worth > 0) {
    out +=
        fmt::format("; {} of {:.1f} GPUs' worth used",
                    worth_used ? fmt::format("{:.1f}", *worth_used) : std::string(kUnknown), worth);
  }
  return out;
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
