// SPDX-License-Identifier: Apache-2.0
#include "kube/cpu_rate.h"

#include <algorithm>
#include <cmath>

namespace schedlens::kube {
namespace {

// The mean since a container began says what it uses now only while it is young.
constexpr double kYoung = 120;
constexpr double kShortest = 1;

// The kubelet computes the start anew at times.
bool same_start(double a, double b) {
  return std::abs(a - b) < 1;
}

std::optional<Timestamp> moment_of(std::int64_t ms) {
  return Timestamp{ms / 1000};
}

}  // namespace

std::optional<CpuRate> CpuRates::between(const Point* last, const Point& now) {
  const bool began_anew =
      now.started && (!last || (last->started && !same_start(*last->started, *now.started)));
  if (began_anew) {
    const double age = static_cast<double>(now.at_ms) / 1000 - *now.started;
    if (age < kShortest || age > kYoung) return std::nullopt;
    return CpuRate{now.cpu_seconds / age, age};
  }
  if (!last) return std::nullopt;
  const double seconds = static_cast<double>(now.at_ms - last->at_ms) / 1000;
  if (seconds <= 0) return last->rate;  // not measured again since
  if (now.cpu_seconds < last->cpu_seconds) return std::nullopt;
  return CpuRate{(now.cpu_seconds - last->cpu_seconds) / seconds, seconds};
}

std::optional<CpuRate> CpuRates::rate(const std::string& key, const Counters& now,
                                      std::int64_t now_ms) {
  Point point{*now.cpu_seconds, now.started, now.at_ms.value_or(now_ms), std::nullopt};
  const auto before = last_.find(key);
  point.rate = between(before == last_.end() ? nullptr : &before->second, point);
  next_.insert_or_assign(key, point);
  return point.rate;
}

// The sum of the containers. One that counts no CPU time at all takes nothing from the others; one
// whose rate is not known makes that of the pod unknown, as the sum would be too low.
model::Use CpuRates::use_of(const PodCounters& pod, std::int64_t now_ms) {
  std::vector<std::pair<std::string, const Counters*>> parts;
  const auto key = pod.ns + '/' + pod.name + '/';
  for (const auto& c : pod.containers) parts.emplace_back(key + c.name + '/' + c.id, &c.counters);
  if (parts.empty()) parts.emplace_back(key, &pod.whole);

  model::Use use;
  std::int64_t measured = 0;
  double cores = 0, window = 0, memory = 0;
  bool any_cpu = false, all_known = true, any_memory = false;
  for (const auto& [name, counters] : parts) {
    if (counters->memory) {
      memory += *counters->memory;
      any_memory = true;
    }
    if (!counters->cpu_seconds) continue;
    any_cpu = true;
    measured = std::max(measured, counters->at_ms.value_or(now_ms));
    const auto known = rate(name, *counters, now_ms);
    all_known = all_known && known;
    if (!known) continue;
    cores += known->cores;
    window = std::max(window, known->seconds);
  }
  if (any_memory) use.memory = Bytes{std::llround(memory)};
  if (any_cpu && all_known) {
    use.cpu = cores;
    use.window = Seconds{std::llround(window)};
  }
  use.sampled = moment_of(measured > 0 ? measured : now_ms);
  return use;
}

Measured CpuRates::measure(const ResourcePage& page, std::string_view node, std::int64_t now_ms,
                           model::UsageView view) {
  Measured measured;
  next_.clear();
  for (const auto& pod : page.pods) {
    auto use = use_of(pod, now_ms);
    use.view = view;
    if (use.cpu || use.memory) measured.pods.push_back({pod.ns, pod.name, "", use});
  }
  // The node's counter begins with the machine, and its page does not say when that was.
  model::Use use;
  use.view = view;
  use.sampled = moment_of(page.node.at_ms.value_or(now_ms));
  if (page.node.memory) use.memory = Bytes{std::llround(*page.node.memory)};
  if (page.node.cpu_seconds) {
    if (const auto known = rate("", page.node, now_ms)) {
      use.cpu = known->cores;
      use.window = Seconds{std::llround(known->seconds)};
    }
  }
  if (use.cpu || use.memory) measured.nodes.push_back({std::string(node), use});
  std::swap(last_, next_);
  return measured;
}

}  // namespace schedlens::kube
