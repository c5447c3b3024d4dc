// SPDX-License-Identifier: Apache-2.0
#include "diagnose/placement.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace schedlens::diagnose {
namespace {

// The sums still to be reached. A quantity that is not asked for in sum is zero.
struct Needs {
  std::uint32_t nodes = 0;  // at least so many more
  std::uint32_t most = 0;   // at most so many more
  std::uint64_t cpus = 0;
  std::uint64_t tasks = 0;
  std::array<std::uint64_t, kMostDeviceKinds> devices{};
  std::size_t kinds = 0;

  bool met() const {
    if (nodes > 0 || cpus > 0 || tasks > 0) return false;
    return std::all_of(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(kinds),
                       [](auto n) { return n == 0; });
  }
};

template <class Number>
void reduce(Number& need, std::uint64_t by) {
  need = need > by ? static_cast<Number>(need - by) : 0;
}

void take(Needs& needs, const Share& share, std::uint32_t count) {
  reduce(needs.nodes, count);
  needs.most -= std::min(needs.most, count);
  reduce(needs.cpus, std::uint64_t{share.cpus} * count);
  reduce(needs.tasks, std::uint64_t{share.tasks} * count);
  for (std::size_t i = 0; i < needs.kinds; ++i) {
    reduce(needs.devices[i], std::uint64_t{share.devices[i]} * count);
  }
}

// How many nodes of this share meet the needs by themselves.
std::uint64_t nodes_to_meet(const Needs& needs, const Share& share) {
  std::uint64_t count = needs.nodes;
  auto per = [&](std::uint64_t need, std::uint64_t each) {
    if (need == 0) return;
    count = std::max(count, each == 0 ? ~std::uint64_t{0} : (need + each - 1) / each);
  };
  per(needs.cpus, share.cpus);
  per(needs.tasks, share.tasks);
  for (std::size_t i = 0; i < needs.kinds; ++i) per(needs.devices[i], share.devices[i]);
  return count;
}

Needs needs_of(const Shape& shape) {
  Needs needs;
  needs.nodes = shape.min_nodes;
  needs.most = shape.max_nodes;
  needs.cpus = shape.cpus;
  needs.tasks = shape.tasks;
  needs.kinds = std::min(shape.devices.size(), kMostDeviceKinds);
  for (std::size_t i = 0; i < needs.kinds; ++i) needs.devices[i] = shape.devices[i].per_job;
  // With GPUs asked for in all, the number of tasks shown is a default and not a wish.
  for (const auto& d : shape.devices) {
    if (d.per_job > 0 && d.per_task == 0) needs.tasks = 0;
  }
  return needs;
}

using Chosen = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::optional<Chosen> take_in_order(Needs needs, const std::vector<Candidate>& candidates) {
  Chosen chosen;
  for (const auto& c : candidates) {
    if (needs.met()) break;
    if (needs.most == 0) return std::nullopt;
    auto wanted = std::min<std::uint64_t>(nodes_to_meet(needs, c.share), needs.most);
    auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, c.count));
    if (count == 0) continue;
    chosen.emplace_back(c.id, count);
    take(needs, c.share, count);
  }
  if (!needs.met()) return std::nullopt;
  return chosen;
}

std::uint64_t device_sum(const Share& share) {
  std::uint64_t sum = 0;
  for (auto n : share.devices) sum += n;
  return sum;
}

// How much of all that is still needed one such node brings.
double usefulness(const Needs& needs, const Share& share) {
  double sum = 0;
  auto part = [&](std::uint64_t need, std::uint64_t each) {
    if (need > 0) sum += std::min(1.0, static_cast<double>(each) / static_cast<double>(need));
  };
  part(needs.cpus, share.cpus);
  part(needs.tasks, share.tasks);
  for (std::size_t i = 0; i < needs.kinds; ++i) part(needs.devices[i], share.devices[i]);
  return sum;
}

// The order in which nodes are filled where any would do: those with least left over.
bool tighter(const Candidate& a, const Candidate& b) {
  return std::tuple(device_sum(a.share), a.share.cpus, a.id) <
         std::tuple(device_sum(b.share), b.share.cpus, b.id);
}

// One node: no sums, so the tightest that does is found without sorting.
void place_on_one(const Needs& needs, const std::vector<Candidate>& candidates, Placement& result) {
  const Candidate* best = nullptr;
  for (const auto& c : candidates) {
    if (nodes_to_meet(needs, c.share) <= 1 && (!best || tighter(c, *best))) best = &c;
  }
  if (!best) return;
  result.fits = true;
  result.chosen = {{best->id, 1}};
}

}  // namespace

Placement place(const Shape& shape, std::vector<Candidate> candidates,
                const std::vector<Candidate>& required) {
  Placement result;
  auto needs = needs_of(shape);
  for (const auto& c : candidates) result.passing += c.count;
  for (const auto& c : required) {
    result.passing += c.count;
    if (c.count > needs.most) return result;
    take(needs, c.share, c.count);
  }
  if (result.passing < shape.min_nodes) return result;

  if (needs.most == 1 && required.empty()) {
    place_on_one(needs, candidates, result);
    return result;
  }

  auto attempt = [&](auto before) {
    std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
      if (before(a, b)) return true;
      return !before(b, a) && a.id < b.id;
    });
    auto chosen = take_in_order(needs, candidates);
    if (!chosen) return false;
    result.fits = true;
    result.chosen = std::move(*chosen);
    for (const auto& c : required) result.chosen.emplace_back(c.id, c.count);
    return true;
  };
  // The tightest nodes first: that is where it would be put, if they do.
  if (attempt(tighter)) return result;
  if (attempt([](const auto& a, const auto& b) { return a.share.cpus > b.share.cpus; })) {
    return result;
  }
  if (attempt([](const auto& a, const auto& b) { return a.share.tasks > b.share.tasks; })) {
    return result;
  }
  for (std::size_t i = 0; i < needs.kinds; ++i) {
    if (attempt([i](const auto& a, const auto& b) {
          return std::pair(a.share.devices[i], a.share.cpus) >
                 std::pair(b.share.devices[i], b.share.cpus);
        })) {
      return result;
    }
  }
  attempt([&](const auto& a, const auto& b) {
    return usefulness(needs, a.share) > usefulness(needs, b.share);
  });
  return result;
}

}  // namespace schedlens::diagnose
